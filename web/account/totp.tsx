import { useState } from 'react';
import type { TotpCode, TotpEnrolment, TotpProof } from '../../src/accounts/account-bodies.ts';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy.tsx';
import { Dialog, DialogForm, FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Badge } from '../components/inline.tsx';
import { postTotpConfirm, postTotpDisable, postTotpEnrol } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { ProofField } from './proof.tsx';
import { QrCode } from './qr-code.tsx';

/** The second factor: on or off, each after proof. */
export function SecondFactor() {
  const { person } = useSession().session;
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {person.totp ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}
        <p className="min-w-0 grow basis-60 text-quiet">
          {person.totp
            ? 'Signing in with the password also asks for a code from your authenticator.'
            : 'An authenticator app gives you a code for every sign-in, in addition to the password.'}
        </p>
        <Button blocked={!person.has_password && 'Set a password first.'} onClick={() => setOpen(true)}>
          {person.totp ? 'Turn off…' : 'Turn on…'}
        </Button>
      </div>
      {!person.has_password && (
        <p className="mt-2 text-sm text-quiet">Set a password first; the code is asked for in addition to it.</p>
      )}
      {isOpen && (person.totp ? <TurnOff onClose={close} /> : <TurnOn onClose={close} />)}
    </>
  );
}

function TurnOn({ onClose }: { onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  // One dialog with two contents: a second one would lose the focus to what the first gives it back to.
  return enrolment === undefined ? (
    <Dialog key="on" title="Turn on the second factor" lead="You need an authenticator app." onClose={onClose}>
      <EnrolForm onEnrolled={setEnrolment} onCancel={onClose} />
    </Dialog>
  ) : (
    <Dialog key="on" title="Scan this with your authenticator" dismissible={false} onClose={onClose}>
      <ConfirmForm enrolment={enrolment} onClose={onClose} />
    </Dialog>
  );
}

function EnrolForm({ onEnrolled, onCancel }: { onEnrolled: (enrolment: TotpEnrolment) => void; onCancel: () => void }) {
  const form = useForm({ rules: postTotpEnrol }, async (proof: TotpProof) =>
    onEnrolled(await post<TotpEnrolment>('totp/enrol', proof)),
  );
  return (
    <DialogForm action="Continue" form={form} onCancel={onCancel}>
      <ProofField of={form} />
    </DialogForm>
  );
}

function ConfirmForm({ enrolment, onClose }: { enrolment: TotpEnrolment; onClose: () => void }) {
  const { apply } = useChanges();
  const outcome = { to: 'session', done: onClose, says: 'The second factor is on' } as const;
  const form = useForm({ rules: postTotpConfirm }, ({ code }: TotpCode) =>
    apply(post('totp/confirm', { code: code.replaceAll(/\s/g, '') }), outcome),
  );
  return (
    <DialogForm action="Turn on" form={form} onCancel={onClose}>
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={enrolment.uri} label="QR code for the authenticator" />
        <div className="min-w-0 grow basis-52">
          <p className="text-quiet">Or enter this secret:</p>
          <p className="mt-1 mb-2 font-mono text-sm leading-6 break-all">{inGroups(enrolment.secret)}</p>
          <CopyButton text={enrolment.secret} label="Copy secret" />
        </div>
      </div>
      <Field
        of={form}
        name="code"
        label="Current code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        hint="Six digits. Nothing changes until the code is right."
      />
    </DialogForm>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  const { apply } = useChanges();
  const form = useForm({ rules: postTotpDisable }, (proof: TotpProof) =>
    apply(post('totp/disable', proof), { to: 'session', done: onClose, says: 'The second factor is off' }),
  );
  return (
    <FormDialog
      title="Turn off the second factor?"
      lead="After that, your password alone signs you in."
      onClose={onClose}
      action="Turn off"
      dangerous
      form={form}
    >
      <ProofField of={form} />
    </FormDialog>
  );
}

/** `ABCD EFGH`: easier to type. */
function inGroups(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
