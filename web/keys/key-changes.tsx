import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Key, KeyWithSecret } from '../../src/keys/key-bodies.ts';
import { useAction } from '../action.ts';
import { post, remove, send } from '../api.ts';
import { Confirmation } from '../components/confirmation.tsx';
import { Time, useNow } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { RenameDialog } from '../signals/name-dialogs.tsx';
import { Secret, ShownOnce, useSecretClosing } from './secret.tsx';
import { isUsedRecently } from './status.tsx';

interface KeyChangeProps {
  apiKey: Key;
  onClose: () => void;
}

/** Gives a key a new value after asking, and shows it once. */
export function RegenerateKey({ apiKey, onClose }: KeyChangeProps) {
  const [renewed, setRenewed] = useState<KeyWithSecret>();
  const queries = useQueryClient();
  const closing = useSecretClosing(() => {
    onClose();
    void queries.invalidateQueries({ queryKey: ['keys'] });
  });
  const outcome = renewed && {
    title: 'Your new API key',
    lead: <ShownOnce again />,
    content: <Secret created={renewed} closing={closing} />,
  };
  return (
    <Confirmation
      title={`Regenerate “${apiKey.name}”?`}
      action="Regenerate key"
      onConfirm={async () => {
        setRenewed(await post<KeyWithSecret>(`keys/${encodeURIComponent(apiKey.id)}/regenerate`));
      }}
      onClose={renewed === undefined ? onClose : closing.request}
      outcome={outcome}
    >
      The current key <b className="font-semibold text-ink">stops working at once</b>, and its open connections are
      closed. Name, expiry and statistics stay.
      {apiKey.last_used_at !== null && (
        <>
          {' '}
          It was last used <Time at={apiKey.last_used_at} />.
        </>
      )}
    </Confirmation>
  );
}

/** Gives a key another name. */
export function RenameKey({ apiKey, onClose }: KeyChangeProps) {
  const queries = useQueryClient();
  const say = useToast();
  const rename = useAction(async (name: string) => {
    await send('PATCH', `keys/${encodeURIComponent(apiKey.id)}`, { name });
    onClose();
    say(`The key is now “${name}”`);
    await queries.invalidateQueries({ queryKey: ['keys'] });
    void queries.invalidateQueries({ queryKey: ['overview'] });
  });
  return (
    <RenameDialog
      title="Rename API key"
      lead="Its value and statistics stay; clients notice nothing."
      name={apiKey.name}
      maxLength={80}
      change={rename}
      onClose={onClose}
    />
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
