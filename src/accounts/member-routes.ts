import { z } from '@hono/zod-openapi';
import {
  changeRole,
  type Invitation as InvitationEntry,
  invite,
  linkForMember,
  listInvitations,
  listMembers,
  removeMember,
  withdrawInvitation,
} from './members.ts';
import { requireRole } from '../platform/rights.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import {
  type Invitation,
  InvitationLink,
  MemberChange,
  MemberList,
  NewInvitation,
  SignInLink,
} from './account-bodies.ts';
import { type AccountRoutesParts, type AppRoutes, newAppRoutes } from './account-env.ts';

const route = describeRoutes('Members');

type MemberEntry = Awaited<ReturnType<typeof listMembers>>[number];

const Id = z.object({ id: z.string() });

const membersRoute = route('get', '/members', 'Who belongs to the account; admins see the open invitations too', {
  answers: { 200: json(MemberList, 'Members, in the order they joined') },
});

const inviteRoute = route('post', '/invitations', 'Invite a person with a link to copy (admin)', {
  body: body(NewInvitation),
  answers: { 201: json(InvitationLink, 'The link, shown only once') },
});

const withdrawRoute = route('delete', '/invitations/{id}', 'Withdraw an invitation (admin)', { params: Id });

const roleRoute = route(
  'patch',
  '/members/{id}',
  'Give a member another role, which also limits their API keys (admin)',
  { params: Id, body: body(MemberChange) },
);

const removeRoute = route(
  'delete',
  '/members/{id}',
  'Remove a member; their sessions end, and so do their API keys unless you hand them over (admin)',
  {
    params: Id,
    query: z.object({
      keys_to: z
        .string()
        .optional()
        .describe('Id of the member who takes over their API keys; default: the keys expire'),
    }),
  },
);

const memberLinkRoute = route('post', '/members/{id}/link', 'Create a one-time sign-in link for a member (admin)', {
  params: Id,
  answers: { 201: json(SignInLink, 'The link, shown only once') },
});

/** Everybody sees who is here; owners manage all, admins members and viewers. */
export function memberRoutes(parts: AccountRoutesParts): AppRoutes {
  const { db, keys, now } = parts;
  const routes = newAppRoutes();
  routes.openapi(membersRoute, async (c) => {
    const { accountId, personId, role } = c.var.who;
    const isManaging = role === 'owner' || role === 'admin';
    const [members, invitations, made] = await Promise.all([
      listMembers(db, accountId),
      isManaging ? listInvitations(db, accountId, now()) : [],
      isManaging ? keys.listKeys(accountId) : [],
    ]);
    const inviting = invitations.map(({ createdBy }) => createdBy);
    const { nameOf } = await parts.nameActors(accountId, inviting);
    return c.json(
      {
        members: members.map((member) => ({
          ...memberBody(member),
          you: member.id === personId,
          ...(isManaging && { keys: made.filter((key) => key.personId === member.id).length }),
        })),
        invitations: invitations.map((invitation) => invitationBody(invitation, nameOf(invitation.createdBy))),
      },
      200,
    );
  });
  routes.openapi(inviteRoute, async (c) => {
    const { who } = c.var;
    requireRole(who.role, 'admin');
    const { token, ...made } = await invite(db, who, c.req.valid('json'), now());
    return c.json({ ...invitationBody(made, who.name), url: `${parts.baseUrl()}/invitation#token=${token}` }, 201);
  });
  routes.openapi(withdrawRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    await withdrawInvitation(db, c.var.who, c.req.valid('param').id, now());
    return c.body(null, 204);
  });
  routes.openapi(roleRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    const { settle: settleKeys, apply } = keys.settlement();
    const change = { personId: c.req.valid('param').id, role: c.req.valid('json').role, settleKeys };
    await changeRole(db, c.var.who, change, now());
    await apply();
    return c.body(null, 204);
  });
  routes.openapi(removeRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    const { settle: settleKeys, apply } = keys.settlement(c.req.valid('query').keys_to);
    await removeMember(db, c.var.who, { personId: c.req.valid('param').id, settleKeys }, now());
    await apply();
    return c.body(null, 204);
  });
  routes.openapi(memberLinkRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    const { token, expiresAt } = await linkForMember(db, c.var.who, c.req.valid('param').id, now());
    return c.json({ url: signInUrl(parts.baseUrl(), token), expires_at: expiresAt.toISOString() }, 201);
  });
  return routes;
}

/** The address of a one-time link. What follows `#` is never sent to a server, so no log holds it. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/welcome#token=${token}`;
}

function memberBody({ id, name, email, role, joinedAt, lastSeenAt, totp }: MemberEntry) {
  return {
    id,
    name,
    email,
    role,
    joined_at: joinedAt.toISOString(),
    last_seen_at: lastSeenAt?.toISOString() ?? null,
    totp,
  };
}

function invitationBody(invitation: InvitationEntry, invitedBy: string): Invitation {
  const { id, role, email, createdAt, expiresAt } = invitation;
  return {
    id,
    role,
    email,
    invited_by: invitedBy,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
