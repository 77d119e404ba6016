import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Grace, Key, KeyWithSecret, NewKey } from '../../src/keys/key-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { post, remove, send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Confirmation, FormDialog } from '../components/dialog.tsx';
import { ChoiceGroup } from '../components/field.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Problem } from '../components/query-state.tsx';
import { Time, useNow } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { patchKeys } from '../form-rules.json';
import { Secret, ShownOnce, useSecretClosing } from './secret.tsx';
import { isUsedRecently } from './status.tsx';

interface KeyChangeProps {
  apiKey: Key;
  onClose: () => void;
}

const GRACE_CHOICES: readonly { value: Grace; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
];

/** Gives a key a new value after asking, and shows it once. */
export function RegenerateKey({ apiKey, onClose }: KeyChangeProps) {
  const [grace, setGrace] = useState<Grace>('none');
  const [renewed, setRenewed] = useState<KeyWithSecret>();
  const { refresh } = useChanges();
  const closing = useSecretClosing(() => {
    onClose();
    void refresh('keys');
  });
  const outcome = renewed && {
    title: 'Your new API key',
    lead: <ShownOnce renewed={renewed} />,
    content: <Secret created={renewed} closing={closing} />,
  };
  return (
    <Confirmation
      title={`Regenerate “${apiKey.name}”?`}
      action="Regenerate key"
      onConfirm={async () => {
        setRenewed(await post<KeyWithSecret>(`keys/${encodeURIComponent(apiKey.id)}/regenerate?grace=${grace}`));
      }}
      choice={
        <ChoiceGroup
          legend="Grace period of the current key"
          name="grace"
          value={grace}
          choices={GRACE_CHOICES}
          onChoose={setGrace}
        />
      }
      onClose={renewed === undefined ? onClose : closing.request}
      outcome={outcome}
    >
      {grace === 'none' ? (
        <>
          The current key <b className="font-semibold text-ink">stops working at once</b>, and its open connections are
          closed.
        </>
      ) : (
        <>
          <b className="font-semibold text-ink">Both keys work</b> until then, and the open connections of the current
          one are closed at the end. Choose this only if nobody else can have seen it.
        </>
      )}{' '}
      Name, expiry and statistics stay.
      {apiKey.grace_ends_at !== null && ' The key before the current one, which still works, ends now.'}
      {apiKey.last_used_at !== null && (
        <>
          {' '}
          It was last used <Time at={apiKey.last_used_at} />.
        </>
      )}
    </Confirmation>
  );
}

/** Says that the former value of a key still works, until when, and ends it. */
export function GracePeriod({ id, endsAt }: { id: string; endsAt: string }) {
  const { apply } = useChanges();
  const path = `keys/${encodeURIComponent(id)}/grace`;
  const end = useAction(() => apply(remove(path), { to: 'keys', says: 'The former key no longer works' }));
  return (
    <div className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-warn">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          This key was regenerated: its former value works until <Time at={endsAt} as="exact" />.
        </p>
        <Button disabled={end.busy} onClick={() => end.run()}>
          End now
        </Button>
      </div>
      <Problem problem={end.problem} />
    </div>
  );
}

/** Gives a key another name. */
export function RenameKey({ apiKey, onClose }: KeyChangeProps) {
  const { apply } = useChanges();
  const initial = { name: apiKey.name };
  const form = useForm({ rules: patchKeys, initial }, ({ name }: Pick<NewKey, 'name'>) =>
    apply(send('PATCH', `keys/${encodeURIComponent(apiKey.id)}`, { name }), {
      to: 'keys',
      done: onClose,
      says: `The key is now “${name}”`,
    }),
  );
  return (
    <FormDialog
      title="Rename API key"
      lead="Its value and statistics stay; clients notice nothing."
      action="Rename"
      form={form}
      onClose={onClose}
    >
      <Field of={form} name="name" label="Name" required />
    </FormDialog>
  );
}

/** Deletes a key after asking; for one that somebody may still use, its name has to be typed. */
export function DeleteKey({ apiKey, onClose, onDeleted }: KeyChangeProps & { onDeleted?: () => void }) {
  const queries = useQueryClient();
  const say = useToast();
  const isInUse = isUsedRecently(apiKey, useNow());
  return (
    <Confirmation
      title={`Delete “${apiKey.name}”?`}
      action="Delete key"
      typed={isInUse ? apiKey.name : undefined}
      onConfirm={async () => {
        await remove(`keys/${encodeURIComponent(apiKey.id)}`);
        onClose();
        say(`Deleted “${apiKey.name}”`);
        onDeleted?.();
        await queries.invalidateQueries({
          queryKey: ['keys'],
          refetchType: onDeleted === undefined ? 'active' : 'none',
        });
        void queries.invalidateQueries({ queryKey: ['overview'] });
      }}
      onClose={onClose}
    >
      This is permanent and cannot be undone. Requests with this key are refused from now on.
      {isInUse && apiKey.last_used_at !== null && (
        <>
          {' '}
          It was last used{' '}
          <b className="font-semibold text-ink">
            <Time at={apiKey.last_used_at} />
          </b>
          .
        </>
      )}
    </Confirmation>
  );
}
