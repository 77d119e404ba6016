import { useState } from 'react';
import { clientEntries, otherEntries } from '../../src/cli/client-entries.ts';
import type { KeyWithSecret } from '../../src/keys/key-bodies.ts';
import { Button } from '../components/button.tsx';
import { CopyField, copyText } from '../components/copy.tsx';
import { DialogActions } from '../components/dialog.tsx';
import { formatMoment } from '../format.ts';
import { useSession } from '../session.tsx';
import { ClientTabs } from './client-tabs.tsx';
import { LiveLine } from './live-line.tsx';

interface SecretClosing {
  isCopied: boolean;
  /** It was asked to close before the key was copied. */
  isConfirming: boolean;
  copied: () => void;
  /** Closes when the key was copied, else asks once. */
  request: () => void;
  close: () => void;
}

/** Decides when a dialog that shows a key may close: after the key was copied, or when the person insists. */
export function useSecretClosing(close: () => void): SecretClosing {
  const [isCopied, setCopied] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  return {
    isCopied,
    isConfirming,
    copied: () => setCopied(true),
    request: () => {
      if (isCopied) close();
      else setConfirming(true);
    },
    close,
  };
}

/** A key, shown this once, and how to use it. The content of a dialog; nothing of it stays when that is closed. */
export function Secret({ created, closing }: { created: KeyWithSecret; closing: SecretClosing }) {
  const { base_url: baseUrl } = useSession().session;
  const entries = [...clientEntries(baseUrl, created.key), ...otherEntries(baseUrl, created.key)];
  const isWarning = closing.isConfirming && !closing.isCopied;

  async function copyAndClose(): Promise<void> {
    if (closing.isCopied || (await copyText(created.key))) closing.close();
    else closing.request();
  }

  return (
    <>
      <CopyField label={created.name} value={created.key} onCopied={closing.copied} />
      <div className="mt-4">
        <ClientTabs entries={entries} onCopied={closing.copied} />
      </div>
      <div className="mt-3">
        <LiveLine keyId={created.id} />
      </div>
      {isWarning && (
        <p
          role="alert"
          ref={(alert) => alert?.scrollIntoView({ block: 'nearest' })}
          className="mt-3 rounded-md bg-warn-soft px-3 py-2 text-warn"
        >
          You have not copied the key. After you close this, it cannot be shown again; you would have to regenerate it.
        </p>
      )}
      <DialogActions>
        {isWarning && <Button onClick={closing.close}>Close anyway</Button>}
        <Button look="primary" onClick={() => void copyAndClose()}>
          {closing.isCopied ? 'Done' : 'Copy and close'}
        </Button>
      </DialogActions>
    </>
  );
}

/** Says above a key that this is the only time; with `renewed` also what becomes of its former value. */
export function ShownOnce({ renewed }: { renewed?: KeyWithSecret }) {
  const end = renewed?.grace_ends_at ?? undefined;
  return (
    <>
      Copy it now: it is <b className="font-semibold text-ink">shown only once</b> and cannot be read later.
      {renewed !== undefined &&
        (end === undefined ? ' The old key no longer works.' : ` The old key works until ${formatMoment(end)}.`)}
    </>
  );
}
