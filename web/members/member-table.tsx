import { useState } from 'react';
import type { Member, SignInLink } from '../../src/accounts/account-bodies.ts';
import { useAction, useChanges } from '../action.ts';
import { post, send } from '../api.ts';
import { IconButton } from '../components/button.tsx';
import { Badge, OneLine } from '../components/inline.tsx';
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../components/menu.tsx';
import { Table, actionsColumn, Cell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useSession } from '../session.tsx';
import { OneTimeLink } from './invite.tsx';
import { RemoveMember } from './remove-member.tsx';
import { mayManage, roleChoices } from './roles.ts';

export function MemberTable({ members }: { members: readonly Member[] }) {
  const { person } = useSession().session;
  return (
    <Table
      caption="Members"
      columns={['Name', 'Role', ['Joined', 'max-md:hidden'], ['Last seen', 'max-sm:hidden'], actionsColumn()]}
    >
      {members.map((member) => (
        <tr key={member.id}>
          <RowHeader className="font-normal">
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-medium">{member.name}</span>
              {member.you && <Badge>You</Badge>}
              {member.totp && <Badge tone="good">2FA</Badge>}
            </span>
            {member.email !== null && (
              <span className="block max-w-64 text-sm text-quiet max-sm:max-w-44">
                <OneLine text={member.email} />
              </span>
            )}
          </RowHeader>
          <Cell>{member.role}</Cell>
          <Cell className="text-quiet max-md:hidden">
            <Time at={member.joined_at} as="date" className="whitespace-nowrap" />
          </Cell>
          <Cell className="text-quiet max-sm:hidden">
            {member.last_seen_at === null ? 'Never' : <Time at={member.last_seen_at} className="whitespace-nowrap" />}
          </Cell>
          <td className="h-13 px-2 text-right">
            {!member.you && mayManage(person.role, member.role) && (
              <MemberMenu member={member} others={members.filter(({ id }) => id !== member.id)} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function MemberMenu({ member, others }: { member: Member; others: readonly Member[] }) {
  const { session } = useSession();
  const [link, setLink] = useState<SignInLink>();
  const [isRemoving, setRemoving] = useState(false);
  const { apply, tell } = useChanges();
  const path = `members/${encodeURIComponent(member.id)}`;
  const changeRole = useAction<Member['role']>(
    (role) => apply(send('PATCH', path, { role }), { to: 'members', says: `${member.name} is now ${role}` }),
    tell,
  );
  const makeLink = useAction(async () => setLink(await post<SignInLink>(`${path}/link`)), tell);
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={`Actions for ${member.name}`} />}>
        <MenuChoices
          label="Role"
          value={member.role}
          choices={roleChoices(session.person.role)}
          onChoose={changeRole.run}
        />
        <MenuSeparator />
        <MenuItem icon="link" onSelect={makeLink.run}>
          Create a sign-in link
        </MenuItem>
        <MenuItem icon="trash" dangerous onSelect={() => setRemoving(true)}>
          Remove…
        </MenuItem>
      </Menu>
      {link !== undefined && (
        <OneTimeLink title={`Sign-in link for ${member.name}`} link={link} onClose={() => setLink(undefined)} />
      )}
      {isRemoving && <RemoveMember member={member} others={others} onClose={() => setRemoving(false)} />}
    </>
  );
}
