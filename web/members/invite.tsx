import { useState } from 'react';
import type { InvitationLink, NewInvitation } from '../../src/accounts/account-bodies.ts';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CopyField } from '../components/copy.tsx';
import { Dialog, DialogActions, DialogForm } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { Time } from '../components/time.tsx';
import { postInvitations } from '../form-rules.json';
import { useSession } from '../session.tsx';
import { ROLE_HINTS, roleChoices } from './roles.ts';

/** Makes an invitation and shows its link, which the person copies and sends. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [link, setLink] = useState<InvitationLink>();
  const { refresh } = useChanges();
  const finish = (): void => {
    onClose();
    void refresh('members');
  };
  // One dialog with two contents: a second one would lose the focus to what the first gives it back to.
  return link === undefined ? (
    <Dialog key="invite" title="Invite a person" onClose={onClose}>
      <InviteForm onInvited={setLink} onCancel={onClose} />
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

function InviteForm({ onInvited, onCancel }: { onInvited: (link: InvitationLink) => void; onCancel: () => void }) {
  const { session } = useSession();
  const form = useForm({ rules: postInvitations, initial: { role: 'member' } }, async (invitation: NewInvitation) =>
    onInvited(await post<InvitationLink>('invitations', invitation)),
  );
  const { role } = form.entries;
  return (
    <DialogForm action="Create link" form={form} onCancel={onCancel}>
      <Field
        of={form}
        name="email"
        label="E-mail address"
        type="email"
        hint="With an address, only that one can accept. You copy the link and send it yourself."
      />
      <Field
        of={form}
        name="role"
        label="Role"
        choices={roleChoices(session.person.role)}
        hint={role !== '' && ROLE_HINTS[role]}
      />
    </DialogForm>
  );
}
