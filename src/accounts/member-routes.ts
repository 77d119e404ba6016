import { z } from '@hono/zod-openapi';
import {
  changeRole,
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
  Invitation,
  InvitationLink,
  Member,
  MemberChange,
  MemberList,
  NewInvitation,
  SignInLink,
} from './account-bodies.ts';
import { type AccountRoutesParts, type AppRoutes, newAppRoutes } from './account-env.ts';
import { bodyOfRow } from '../platform/row-body.ts';

const route = describeRoutes('Members');

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
        members: members.map((member) =>
          bodyOfRow(Member, member, {
            you: member.id === personId,
            ...(isManaging && { keys: made.filter((key) => key.personId === member.id).length }),
          }),
        ),
        invitations: invitations.map((row) => bodyOfRow(Invitation, row, { invited_by: nameOf(row.createdBy) })),
      },
      200,
    );
  });
  routes.openapi(inviteRoute, async (c) => {
    const { who } = c.var;
    requireRole(who.role, 'admin');
    const { token, ...made } = await invite(db, who, c.req.valid('json'), now());
    const invitation = bodyOfRow(Invitation, made, { invited_by: who.name });
    return c.json({ ...invitation, url: `${parts.baseUrl()}/invitation#token=${token}` }, 201);
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
