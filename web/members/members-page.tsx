import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { remove } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Page, Panel, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { membersQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { Groups } from './groups.tsx';
import { InviteDialog } from './invite.tsx';
import { MemberTable } from './member-table.tsx';

export function MembersPage() {
  const { session, atLeast } = useSession();
  const [isInviting, setInviting] = useState(false);
  const query = useQuery(membersQuery());
  return (
    <Page
      title="Members"
      lead={`People who can sign in to ${session.account.name}.`}
      actions={
        atLeast('admin') && (
          <Button look="primary" icon="plus" onClick={() => setInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      <QueryState query={query} what="members" rowClass="h-[65px]" />
      {query.data !== undefined && <MemberTable members={query.data.members} />}
      {query.data !== undefined && query.data.invitations.length > 0 && (
        <Section title="Open invitations">
          <Panel>
            <ul className="divide-y divide-line">
              {query.data.invitations.map((invitation) => (
                <InvitationRow key={invitation.id} invitation={invitation} />
              ))}
            </ul>
          </Panel>
        </Section>
      )}
      {query.data !== undefined && atLeast('admin') && <Groups members={query.data.members} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { apply, tell } = useChanges();
  const who = invitation.email ?? 'Anybody with the link';
  const path = `invitations/${encodeURIComponent(invitation.id)}`;
  const withdraw = useAction(() => apply(remove(path), { to: 'members', says: 'Withdrew the invitation' }), tell);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 grow basis-56">
        <span className="font-medium [overflow-wrap:anywhere]">{who}</span>
        <span className="block text-sm text-quiet">
          {invitation.role}, invited by {invitation.invited_by}, ends <Time at={invitation.expires_at} />
        </span>
      </span>
      <Button aria-label={`Withdraw the invitation of ${who}`} disabled={withdraw.busy} onClick={() => withdraw.run()}>
        Withdraw
      </Button>
    </li>
  );
}
