import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import type { InvitationLink, NewInvitation, Role } from '../../src/accounts/account-bodies.ts';
import { useAction } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CopyField } from '../components/copy.tsx';
import { Dialog, DialogActions, DialogForm } from '../components/dialog.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { Time } from '../components/time.tsx';
import { useSession } from '../session.tsx';
import { ROLE_HINTS, roleChoices } from './roles.ts';

/** Makes an invitation and shows its link, which the person copies and sends. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<InvitationLink>();
  const queries = useQueryClient();
  const email = useRef<HTMLInputElement>(null);
  const finish = (): void => {
    onClose();
    void queries.invalidateQueries({ queryKey: ['members'] });
  };
  // One dialog with two contents: a second one would lose the focus to what the first gives it back to.
  return link === undefined ? (
    <Dialog key="invite" title="Invite a person" initialFocus={email} onClose={onClose}>
      <InviteForm emailRef={email} onInvited={setLink} onCancel={onClose} />
    </Dialog>
  ) : (
    <Dialog key="invite" title="Invitation" lead={<OneTime link={link} />} dismissible={false} onClose={finish}>
      <LinkField link={link} onDone={finish} />
    </Dialog>
  );
}

/** A link that is as good as a password until it was used. */
export function OneTimeLink({ title, link, onClose }: { title: string; link: TimedLink; onClose: () => void }) {
  return (
    <Dialog title={title} lead={<OneTime link={link} />} dismissible={false} onClose={onClose}>
      <LinkField link={link} onDone={onClose} />
    </Dialog>
  );
}

interface TimedLink {
  url: string;
  expires_at: string;
}

function OneTime({ link }: { link: TimedLink }) {
  return (
    <>
      Send this link to the person. It works once, until <Time at={link.expires_at} as="exact" />, and is{' '}
      <b className="font-semibold text-ink">shown only now</b>.
    </>
  );
}

function LinkField({ link, onDone }: { link: TimedLink; onDone: () => void }) {
  return (
    <>
      <CopyField label="Link" value={link.url} />
      <DialogActions>
        <Button onClick={onDone}>Done</Button>
      </DialogActions>
    </>
  );
}

interface InviteFormProps {
  emailRef: RefObject<HTMLInputElement | null>;
  onInvited: (link: InvitationLink) => void;
  onCancel: () => void;
}

function InviteForm({ emailRef, onInvited, onCancel }: InviteFormProps) {
  const { session } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const invite = useAction(async (invitation: NewInvitation) =>
    onInvited(await post<InvitationLink>('invitations', invitation)),
  );
  return (
    <DialogForm
      noValidate
      action="Create link"
      change={invite}
      onSubmit={() => invite.run({ role, ...(email.trim() !== '' && { email: email.trim() }) })}
      onCancel={onCancel}
    >
      <TextField
        ref={emailRef}
        label="E-mail address (optional)"
        type="email"
        value={email}
        onEnter={setEmail}
        hint="With an address, only that one can accept. You copy the link and send it yourself."
      />
      <SelectField
        label="Role"
        value={role}
        choices={roleChoices(session.person.role)}
        onChoose={setRole}
        hint={ROLE_HINTS[role]}
      />
    </DialogForm>
  );
}
