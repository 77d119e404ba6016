import { z } from '@hono/zod-openapi';
import { Time } from '../platform/body-fields.ts';
import { ROLES } from '../platform/rights.ts';
import { SHORTEST_PASSWORD } from './password.ts';
import { PRODUCT_ROLES, type VisibleProduct } from './store-access.ts';

export type { Role } from '../platform/rights.ts';

/**
 * Bodies of sign-in, the own account, members, products and the audit log, which only the web application has. Times are
 * ISO 8601 in UTC.
 *
 * Routes of `/app/api` about a product take `?product=<id or name>`; without it they are about
 * the first product of the account. Failures look like those of `/v1`: `{error: {code, message, fix, request_id, fields?}}`, 401
 * when nobody is signed in (any more), 403 when the role does not allow it. What makes something answers 201, an index
 * run 202; sign-out, sign-out-everywhere, POST account, totp/confirm, totp/disable and every PATCH and DELETE answer 204
 * without a body. Nothing but GET session and what signs in works without a session.
 */

const RoleBody = z.enum(ROLES);

const OptionalTime = Time.nullable();

export const LONGEST_NAME = 80;
/** A name that people choose: `displayName` checks it, because white space around it does not count. */
const NameBody = z.string().meta({ minLength: 1, maxLength: LONGEST_NAME });

export const ProductBody = z.object({
  id: z.string(),
  name: z.string(),
  created_at: Time,
  is_restricted: z.boolean().describe('Only those who were given a role see it; owners and admins see all'),
  role: RoleBody.describe('Of the person who asks, in this product'),
});

// ---- session, sign-in -------------------------------------------------------------------------------------------------

/** Methods of signing in besides a one-time link, which always works. */
export const SignInWays = z.object({
  password: z.boolean().describe('False while nobody has set a password'),
  oidc: z.array(z.object({ id: z.string(), name: z.string() })).describe('Identity providers that are configured'),
});

export const SignedInPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: RoleBody,
  has_password: z.boolean(),
  totp: z.boolean().describe('Sign-in asks for a code from an authenticator'),
  identities: z.array(z.string()).describe('Ids of the linked identity providers'),
  fresh_link: z
    .boolean()
    .describe(
      'Signed in with a one-time link in the last 15 minutes: password and second factor can change without proof',
    ),
});

/** GET session. Answers 200 for everybody; never fails for want of a session. */
export const SessionBody = z.discriminatedUnion('signed_in', [
  z.object({ signed_in: z.literal(false), version: z.string(), base_url: z.string(), sign_in: SignInWays }),
  z.object({
    signed_in: z.literal(true),
    version: z.string(),
    base_url: z.string().describe('Where clients reach the service, without a slash at the end'),
    sign_in: SignInWays,
    person: SignedInPerson,
    account: z.object({ id: z.string(), name: z.string() }),
    product: ProductBody.describe('The one that ?product= names, or the first'),
    products: z.array(ProductBody),
  }),
]);

/** POST sign-in/link: the token of `/welcome#token=…`. */
export const LinkSignIn = z.object({ token: z.string().min(1).max(200) });

/** POST sign-in/password. */
export const PasswordSignIn = z.object({
  email: z.string().min(1).max(254),
  password: z.string().min(1).max(1024).meta({ format: 'password' }),
  code: z.string().max(16).optional().describe('Six digits from the authenticator, when they were asked for'),
});

/** Answer of both methods of signing in. After `code_required` the same call is sent again with `code`. */
export const SignInResult = z.object({ status: z.enum(['signed_in', 'code_required']) });

/** POST sign-in/oidc/{provider}: where to send the browser. With a session the identity is linked to the person. */
export const OidcStart = z.object({ invitation: z.string().max(200).optional().describe('Token of an invitation') });
export const OidcRedirect = z.object({ url: z.string() });

export const SessionEntry = z.object({
  id: z.string(),
  way: z.enum(['link', 'password', 'oidc', 'invitation']).describe('How the person signed in'),
  user_agent: z.string(),
  created_at: Time,
  last_seen_at: Time,
  expires_at: Time,
  current: z.boolean(),
});
/** GET sessions. DELETE sessions/{id} ends one. */
export const SessionList = z.object({ sessions: z.array(SessionEntry) });

// ---- own account ------------------------------------------------------------------------------------------------------

/** Fields that a change of e-mail address, password or second factor needs, unless `fresh_link` is true. */
const proof = {
  current_password: z
    .string()
    .max(1024)
    .meta({ format: 'password' })
    .optional()
    .describe('Needed unless fresh_link is true'),
};

/** `hashPassword` checks it. */
const NewPassword = z.string().max(1024).meta({ minLength: SHORTEST_PASSWORD, format: 'password' });

/** POST account: only what is given changes. A new password (12 to 1,024 characters) ends all other sessions. */
export const AccountChange = z.object({
  name: NameBody.optional(),
  email: z.string().max(254).optional(),
  password: NewPassword.optional(),
  ...proof,
});

/** POST totp/enrol. Nothing changes until `totp/confirm`. */
export const TotpEnrolment = z.object({
  secret: z.string().describe('Base32, for typing'),
  uri: z.string().describe('otpauth:// URI, for a QR code'),
});
export const TotpProof = z.object({ ...proof });
export const TotpCode = z.object({ code: z.string().max(16) });

// ---- members ----------------------------------------------------------------------------------------------------------

export const Member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: RoleBody,
  joined_at: Time,
  last_seen_at: OptionalTime,
  totp: z.boolean(),
  keys: z.int().optional().describe('How many API keys act for them, for admins'),
  you: z.boolean(),
});

export const Invitation = z.object({
  id: z.string(),
  role: RoleBody,
  email: z.string().nullable(),
  invited_by: z.string(),
  created_at: Time,
  expires_at: Time,
});

/** GET members. */
export const MemberList = z.object({ members: z.array(Member), invitations: z.array(Invitation) });

/** POST invitations. With an e-mail address only that one can accept. */
export const NewInvitation = z.object({ role: RoleBody, email: z.string().max(254).optional() });
/** The link is shown this once: `/invitation#token=…`, one use, 7 days. */
export const InvitationLink = Invitation.extend({ url: z.string() });

/** PATCH members/{id}. */
export const MemberChange = z.object({ role: RoleBody });

/** POST members/{id}/link: a one-time sign-in link for somebody who lost their password; 15 minutes, one use. */
export const SignInLink = z.object({ url: z.string(), expires_at: Time });

/** POST invitations/inspect: what the page of the invitation shows before it is accepted. Does not use the token up. */
export const InvitationToken = z.object({ token: z.string().min(1).max(200) });
export const InvitationView = z.object({
  account: z.string(),
  role: RoleBody,
  email: z.string().nullable().describe('Null: the person chooses'),
  expires_at: Time,
});
/** POST invitations/accept: makes the person and signs them in. */
export const InvitationAcceptance = z.object({
  token: z.string().min(1).max(200),
  name: NameBody,
  email: z.string().max(254).optional().describe('Needed unless the invitation names one'),
  password: NewPassword,
});

// ---- products, audit --------------------------------------------------------------------------------------------------

/** GET products. POST products {name} answers one. */
export const ProductList = z.object({ products: z.array(ProductBody) });
export const NewProduct = z.object({ name: NameBody, is_restricted: z.boolean().optional() });
export const ProductChange = z.object({ name: NameBody.optional(), is_restricted: z.boolean().optional() });

export const ProductRoleBody = z.object({ role: z.enum(PRODUCT_ROLES) });
export const ProductRoleList = z.object({
  roles: z.array(
    z.object({ kind: z.enum(['person', 'group']), id: z.string(), name: z.string(), role: z.enum(PRODUCT_ROLES) }),
  ),
});
export type ProductRoleList = z.output<typeof ProductRoleList>;

export const NewGroup = z.object({ name: NameBody });
export const GroupBody = z.object({
  id: z.string(),
  name: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
});
export const GroupList = z.object({ groups: z.array(GroupBody) });
export type GroupList = z.output<typeof GroupList>;

export const AuditEntry = z.object({
  id: z.string(),
  at: Time,
  actor: z.string().describe('Name of a person or key, or "the service"'),
  actor_id: z.string().describe('person:<id>, key:<id>, webhook:<id> or system'),
  action: z.string().describe('thing.verb, for example api_key.create'),
  target: z.string().describe('Id of what was changed'),
  target_name: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});
/** Newest first. */
export const AuditPage = z.object({ entries: z.array(AuditEntry), next: z.string().nullable() });

export const AuditChoices = z.object({
  actors: z
    .array(z.object({ name: z.string(), ids: z.array(z.string()) }))
    .describe('By name; those of one name together'),
  actions: z.array(z.string()),
});

export type Product = z.output<typeof ProductBody>;
export type NewProduct = z.input<typeof NewProduct>;
export type ProductList = z.output<typeof ProductList>;
export type AuditEntry = z.output<typeof AuditEntry>;
export type AuditPage = z.output<typeof AuditPage>;
export type AuditChoices = z.output<typeof AuditChoices>;
export type SignInWays = z.output<typeof SignInWays>;
type SignedInPerson = z.output<typeof SignedInPerson>;
export type SessionBody = z.output<typeof SessionBody>;
export type LinkSignIn = z.input<typeof LinkSignIn>;
export type PasswordSignIn = z.input<typeof PasswordSignIn>;
export type SignInResult = z.output<typeof SignInResult>;
export type OidcStart = z.input<typeof OidcStart>;
export type OidcRedirect = z.output<typeof OidcRedirect>;
export type SessionEntry = z.output<typeof SessionEntry>;
export type SessionList = z.output<typeof SessionList>;
export type AccountChange = z.input<typeof AccountChange>;
export type TotpEnrolment = z.output<typeof TotpEnrolment>;
export type TotpProof = z.input<typeof TotpProof>;
export type TotpCode = z.input<typeof TotpCode>;
export type Member = z.output<typeof Member>;
export type Invitation = z.output<typeof Invitation>;
export type MemberList = z.output<typeof MemberList>;
export type NewInvitation = z.input<typeof NewInvitation>;
export type InvitationLink = z.output<typeof InvitationLink>;
export type MemberChange = z.input<typeof MemberChange>;
export type SignInLink = z.output<typeof SignInLink>;
export type InvitationToken = z.input<typeof InvitationToken>;
export type InvitationView = z.output<typeof InvitationView>;
export type InvitationAcceptance = z.input<typeof InvitationAcceptance>;

export function productBody({ id, name, createdAt, isRestricted, role }: VisibleProduct): Product {
  return { id, name, created_at: createdAt.toISOString(), is_restricted: isRestricted, role };
}
