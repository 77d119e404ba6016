import { useState } from 'react';
import type { KeyWithSecret } from '../../src/keys/key-bodies.ts';
import { useChanges } from '../action.ts';
import { Dialog } from '../components/dialog.tsx';
import { KeyForm } from './key-form.tsx';
import { Secret, ShownOnce, useSecretClosing } from './secret.tsx';

/** Creates a key and shows it, in one dialog. Open while it is mounted. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<KeyWithSecret>();
  const { refresh } = useChanges();
  const closing = useSecretClosing(() => {
    onClose();
    // Not before: a list that changes behind the dialog would take its focus target away.
    void refresh('keys');
  });
  if (created === undefined) {
    return (
      <Dialog title="Create API key" onClose={onClose}>
        <KeyForm onCreated={setCreated} onCancel={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Your API key" lead={<ShownOnce />} dismissible={false} onClose={closing.request}>
      <Secret created={created} closing={closing} />
    </Dialog>
  );
}
