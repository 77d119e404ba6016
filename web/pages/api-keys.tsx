import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedKey } from '../../src/keys/key-bodies.ts';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { INPUT_CLASS, Select } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { SkeletonRows } from '../components/skeleton.tsx';
import { formatCount } from '../format.ts';
import { KeyTable } from '../keys/key-table.tsx';
import { NewKeyDialog } from '../keys/new-key.tsx';
import type { KeySort } from '../keys/sort-keys.ts';
import { keysQuery } from '../queries.ts';
import { useSession } from '../session.tsx';

const STATES = [
  { value: 'all', label: 'All states' },
  { value: 'active', label: 'Active' },
  { value: 'expiring', label: 'Expiring' },
  { value: 'expired', label: 'Expired' },
  { value: 'unused', label: 'Never used' },
] as const;

interface KeyFilter {
  text: string;
  state: (typeof STATES)[number]['value'];
}

/** Below this many, everything is seen at once. */
const FILTER_FROM = 2;

export function ApiKeysPage() {
  const { atLeast } = useSession();
  const [isCreating, setCreating] = useState(false);
  const query = useQuery(keysQuery());
  const isFull = query.data !== undefined && query.data.keys.length >= query.data.most;
  return (
    <Page
      title="API Keys"
      lead="Clients and scripts sign in with keys. Create one for each, so that you can revoke each on its own."
      actions={
        atLeast('member') && (
          <Button
            look="primary"
            icon="plus"
            blocked={isFull && `The account has ${query.data.most} keys, the maximum.`}
            onClick={() => setCreating(true)}
          >
            Create key
          </Button>
        )
      }
    >
      {isFull && (
        <p className="mb-3 text-quiet">The account has {query.data.most} keys, the maximum. Delete one first.</p>
      )}
      <QueryState query={query} what="API keys" placeholder={<SkeletonRows label="Loading API keys" />} />
      {query.data?.keys.length === 0 && (
        <EmptyState
          icon="key"
          title="No API keys yet"
          action={
            <Button look="primary" onClick={() => setCreating(true)}>
              Create your first key
            </Button>
          }
        >
          Create a key, paste the configuration into your editor, and your agent can ask about this product.
        </EmptyState>
      )}
      {query.data !== undefined && query.data.keys.length > 0 && <Keys keys={query.data.keys} />}
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Keys({ keys }: { keys: readonly ListedKey[] }) {
  const [filter, setFilter] = useState<KeyFilter>({ text: '', state: 'all' });
  const [sort, setSort] = useState<KeySort>({ column: 'created_at', isDescending: true });
  const shown = keys.filter((key) => fits(key, filter));
  return (
    <>
      {keys.length >= FILTER_FROM && <Filters filter={filter} onFilter={setFilter} />}
      <p role="status" className="sr-only">
        {formatCount(shown.length, 'key')} shown
      </p>
      {shown.length === 0 ? (
        <EmptyState
          icon="search"
          title="No key matches"
          action={<Button onClick={() => setFilter({ text: '', state: 'all' })}>Show all keys</Button>}
        >
          None of the {keys.length} keys matches this filter.
        </EmptyState>
      ) : (
        <KeyTable keys={shown} sort={sort} onSort={setSort} />
      )}
      {shown.some((key) => key.last_used_at === null) && <NeverUsedHint />}
    </>
  );
}

function Filters({ filter, onFilter }: { filter: KeyFilter; onFilter: (filter: KeyFilter) => void }) {
  return (
    <div className="mb-3 flex gap-2 max-sm:flex-col">
      <input
        type="search"
        aria-label="Filter by name"
        placeholder="Filter by name"
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
        className={`${INPUT_CLASS} sm:max-w-64`}
      />
      <div className="shrink-0 sm:w-40">
        <Select
          aria-label="State"
          value={filter.state}
          choices={STATES}
          onChoose={(state) => onFilter({ ...filter, state })}
        />
      </div>
    </div>
  );
}

function fits(key: ListedKey, { text, state }: KeyFilter): boolean {
  const named = `${key.name} ${key.product} ${key.created_by_name}`.toLowerCase().includes(text.trim().toLowerCase());
  if (state === 'all') return named;
  return named && (state === 'unused' ? key.last_used_at === null : key.status === state);
}

/** Why a key may seem to do nothing. */
export function NeverUsedHint() {
  return (
    <p className="mt-3 text-sm text-quiet">
      A key stays “never used” until a request arrives with it. REST requests send it in the header{' '}
      <code className="font-mono text-ink">X-API-Key</code>, MCP clients as{' '}
      <code className="font-mono text-ink">Authorization: Bearer</code>.
    </p>
  );
}
