import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListedKey } from '../../src/keys/key-bodies.ts';
import { Button } from '../components/button.tsx';
import { type Facet, ListPage } from '../components/list-page.tsx';
import { formatCount } from '../format.ts';
import type { keyFilter } from '../knowledge/filters.ts';
import { keysQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKeyDialog } from './new-key.tsx';
import type { KeySort } from './sort-keys.ts';

const STATES = [
  { value: '', label: 'All states' },
  { value: 'active', label: 'Active' },
  { value: 'expiring', label: 'Expiring' },
  { value: 'expired', label: 'Expired' },
  { value: 'unused', label: 'Never used' },
] as const;

type KeyFilter = ReturnType<typeof keyFilter>;

const FACETS: readonly Facet<keyof KeyFilter>[] = [
  { kind: 'text', name: 'query', label: 'Words' },
  { kind: 'choice', name: 'state', label: 'State', choices: STATES },
];

const route = getRouteApi('/shell/settings/api-keys');

export function ApiKeysPage() {
  const { atLeast } = useSession();
  const [isCreating, setCreating] = useState(false);
  const filter = route.useSearch();
  const query = useQuery(keysQuery());
  const keys = query.data?.keys;
  const shown = keys?.filter((key) => fits(key, filter));
  const isFull = query.data !== undefined && query.data.keys.length >= query.data.most;
  const full = `The account has ${query.data?.most ?? 0} keys, the maximum.`;
  return (
    <>
      <ListPage
        title="API Keys"
        lead="Clients and scripts sign in with keys. Create one for each, so that you can revoke each on its own."
        actions={
          atLeast('member') && (
            <Button look="primary" icon="plus" blocked={isFull && full} onClick={() => setCreating(true)}>
              Create key
            </Button>
          )
        }
        above={isFull && <p className="mb-3 text-quiet">{full} Delete one first.</p>}
        noun={{ one: 'key', all: 'keys' }}
        icon="key"
        query={query}
        rows={shown}
        isBare={keys?.length === 0}
        filter={filter}
        facets={FACETS}
        summary={shown && formatCount(shown.length, 'key')}
        empty={{
          title: 'No API keys yet',
          text: 'Create a key, paste the configuration into your editor, and your agent can ask about this product.',
          action: (
            <Button look="primary" onClick={() => setCreating(true)}>
              Create your first key
            </Button>
          ),
        }}
        noMatch={`None of the ${keys?.length ?? 0} keys matches these filters.`}
      >
        {(rows) => <Keys keys={rows} />}
      </ListPage>
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Keys({ keys }: { keys: readonly ListedKey[] }) {
  const [sort, setSort] = useState<KeySort>({ column: 'created_at', isDescending: true });
  return (
    <>
      <KeyTable keys={keys} sort={sort} onSort={setSort} />
      {keys.some((key) => key.last_used_at === null) && <NeverUsedHint />}
    </>
  );
}

function fits(key: ListedKey, { query = '', state }: KeyFilter): boolean {
  const named = `${key.name} ${key.product} ${key.created_by_name}`.toLowerCase().includes(query.toLowerCase());
  if (state === undefined) return named;
  return named && (state === 'unused' ? key.last_used_at === null : key.status === state);
}

/** Possible causes of a key that seems to do nothing. */
export function NeverUsedHint() {
  return (
    <p className="mt-3 text-sm text-quiet">
      A key stays “never used” until a request arrives with it. REST requests send it in the header{' '}
      <code className="font-mono text-ink">X-API-Key</code>, MCP clients as{' '}
      <code className="font-mono text-ink">Authorization: Bearer</code>.
    </p>
  );
}
