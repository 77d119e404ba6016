import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { clientEntries, KEY_PLACEHOLDER, otherEntries } from '../../src/cli/client-entries.ts';
import type { Key } from '../../src/keys/key-bodies.ts';
import { Button } from '../components/button.tsx';
import { ChoiceGroup, SelectField } from '../components/field.tsx';
import { EmptyState, Page, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { keysQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { ClientTabs } from './client-tabs.tsx';
import { LiveLine } from './live-line.tsx';
import { NewKeyDialog } from './new-key.tsx';

const route = getRouteApi('/shell/connect');

const FORMS = [
  { value: 'personal', label: 'For my machine' },
  { value: 'committed', label: 'To commit, without the key' },
] as const;

export function ConnectPage() {
  const { atLeast } = useSession();
  const [isCreating, setCreating] = useState(false);
  const query = useQuery({ ...keysQuery(), enabled: atLeast('member') });
  const usable = query.data?.keys.filter(({ status }) => status !== 'expired') ?? [];
  return (
    <Page
      title="Connect"
      lead="Give your editor the address of this service and an API key. It then finds the operations by itself."
      actions={
        atLeast('member') && (
          <Button look={usable.length === 0 ? 'primary' : 'plain'} icon="plus" onClick={() => setCreating(true)}>
            Create key
          </Button>
        )
      }
    >
      <Section title="1. Add the service to your client">
        <Configuration />
      </Section>
      {atLeast('member') && (
        <Section title="2. See it connect">
          <QueryState query={query} what="API keys" box="h-36" />
          {query.data !== undefined &&
            (usable.length === 0 ? (
              <EmptyState
                icon="key"
                title="No usable key yet"
                action={<Button onClick={() => setCreating(true)}>Create key</Button>}
              >
                Create one: its configuration is then shown with the key filled in.
              </EmptyState>
            ) : (
              <Watch keys={usable} />
            ))}
        </Section>
      )}
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Configuration() {
  const { session } = useSession();
  const [form, setForm] = useState<(typeof FORMS)[number]['value']>('personal');
  const key = form === 'personal' ? KEY_PLACEHOLDER : undefined;
  return (
    <>
      <ChoiceGroup legend="Configuration format" quiet name="form" value={form} choices={FORMS} onChoose={setForm} />
      <p className="mt-2 mb-3 text-quiet">
        {form === 'personal' ? (
          <>
            Put your key in place of <code className="font-mono text-sm text-ink">{KEY_PLACEHOLDER}</code>. After you
            create a key, it is filled in here.
          </>
        ) : (
          'Holds no secret: the client asks for the key or reads it from the environment. Safe in a repository.'
        )}
      </p>
      <ClientTabs entries={[...clientEntries(session.base_url, key), ...otherEntries(session.base_url, key)]} />
    </>
  );
}

/** The live line of one key, the newest unless the address names another. */
function Watch({ keys }: { keys: readonly Key[] }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const watched = keys.find(({ id }) => id === search.key) ?? keys[0];
  if (watched === undefined) return null;
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label="Key that the client uses"
        className="sm:max-w-80"
        value={watched.id}
        choices={keys.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(key) => void navigate({ to: '/connect', search: { key }, replace: true })}
      />
      <LiveLine key={watched.id} keyId={watched.id} />
    </div>
  );
}
