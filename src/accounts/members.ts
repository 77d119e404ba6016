import { ServiceError } from '../kernel/errors.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import { DAY_MS } from '../kernel/time.ts';
import type { Db } from '../platform/db.ts';
import type { Role } from '../platform/rights.ts';
import { issueAccountToken, readAccountToken } from './account-token.ts';
import { displayName, lockAccount, type SettleKeys } from './accounts.ts';
import { type Actor, recordAudit } from './audit.ts';
import { requireEmail } from './email.ts';
import { hashPassword } from './password.ts';
import { type NewSession, type SignedIn, startSession } from './sessions.ts';
import { issueSignInLink, type OneTimeLink, type Visitor } from './sign-in.ts';
import {
  countOwners,
  deleteMember,
  findPerson,
  insertMember,
  insertPerson,
  type MemberRow,
  type PersonRow,
  selectMembers,
  updateRole,
} from './store-people.ts';
import {
  deleteInvitation,
  findInvitation,
  insertToken,
  selectInvitations,
  takeToken,
  type TokenRow,
} from './store-sign-in.ts';

const INVITATION_MS = 7 * DAY_MS;

interface Invitation {
  id: string;
  role: Role;
  /** Set if it is for one address only. */
  email: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** An invitation with the token that opens it, which is known this once: it belongs after `/invitation#token=`. */
interface NewInvitation extends Invitation {
  token: string;
}

/** Members of an account by the time they joined. */
export function listMembers(db: Db, accountId: string): Promise<MemberRow[]> {
  return selectMembers(db, accountId);
}

/** Invitations that can be accepted, newest first, at most 500. */
export async function listInvitations(db: Db, accountId: string, now: Date): Promise<Invitation[]> {
  return (await selectInvitations(db, accountId, {}, now)).map(asInvitation);
}

/**
 * Invites a person by a link that works once, for 7 days.
 *
 * @throws ServiceError `scope_denied` for a role that the inviting person does not manage, `bad_argument` for an address.
 */
export async function invite(
  db: Db,
  who: SignedIn,
  request: { role: Role; email?: string | undefined },
  now: Date,
): Promise<NewInvitation> {
  requireManages(who.role, request.role);
  const { accountId } = who;
  const { token, hash } = issueAccountToken(accountId);
  const actor = `person:${who.personId}` as const;
  const row = {
    id: uuidv7(now),
    personId: null,
    role: request.role,
    email: request.email === undefined || request.email.trim() === '' ? null : requireEmail(request.email),
    provider: null,
    invitationHash: null,
    createdBy: actor,
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_MS),
  };
  await db.transaction().execute(async (tx) => {
    await insertToken(tx, accountId, { ...row, hash, purpose: 'invitation' });
    const change = { accountId, actor, action: 'invitation.create', target: row.id, at: now } as const;
    await recordAudit(tx, { ...change, detail: { role: row.role, email: row.email } });
  });
  return { ...asInvitation(row), token };
}

/** @throws ServiceError `not_found`, also when it was accepted or is too old; `scope_denied` for a role above one's own. */
export async function withdrawInvitation(db: Db, who: SignedIn, id: string, now: Date): Promise<void> {
  const { accountId } = who;
  await db.transaction().execute(async (tx) => {
    const row = isUuid(id) ? await deleteInvitation(tx, accountId, id) : undefined;
    if (row === undefined) {
      throw new ServiceError('not_found', 'There is no such invitation.', { fix: 'Reload the list of members.' });
    }
    const { role, email } = row;
    requireManages(who.role, asInvitation(row).role);
    const change = { accountId, actor: `person:${who.personId}`, target: id, at: now } as const;
    await recordAudit(tx, { ...change, action: 'invitation.delete', detail: { role, email } });
  });
}

/** @throws ServiceError `invalid_key` for an invitation that is unknown, used, withdrawn or too old. */
export async function readInvitation(db: Db, token: string, now: Date): Promise<Invitation & { account: string }> {
  const read = readAccountToken(token);
  const row = read === undefined ? undefined : await findInvitation(db, read.accountId, read.hash, now);
  if (row === undefined) throw deadInvitation();
  return { ...asInvitation(row), account: row.account };
}

/**
 * Makes the invited person a member, and signs them in.
 *
 * @throws ServiceError `invalid_key` for an invitation that does not work (any more), `bad_argument` for a name, address or
 * password that cannot be used, `conflict` when the address is in use already. A refused try does not use up the invitation.
 */
export async function acceptInvitation(
  db: Db,
  given: { token: string; name: string; email?: string | undefined; password: string },
  visitor: Visitor,
  now: Date,
): Promise<NewSession> {
  const read = readAccountToken(given.token);
  if (read === undefined) throw deadInvitation();
  const { accountId, hash } = read;
  const open = await readInvitation(db, given.token, now);
  const email = open.email ?? requireEmail(given.email ?? '');
  const name = displayName(given.name, 'person');
  const passwordHash = await hashPassword(given.password);
  return db.transaction().execute(async (tx) => {
    const row = await takeToken(tx, accountId, { hash, purpose: 'invitation' }, now);
    if (row === undefined) throw deadInvitation();
    const personId = await join(tx, { accountId, invitation: row, name, email, passwordHash }, now);
    return startSession(tx, { accountId, personId, way: 'invitation', ...visitor }, now);
  });
}

/**
 * Makes the person that an invitation, already taken, was for; returns their id.
 *
 * @throws ServiceError `conflict` when the address is in use already.
 */
export async function join(
  tx: Db,
  given: { accountId: string; invitation: TokenRow; name: string; email: string; passwordHash: string | null },
  now: Date,
): Promise<string> {
  const { accountId, name, email, passwordHash } = given;
  const { id: invitationId, role } = asInvitation(given.invitation);
  const personId = uuidv7(now);
  if (!(await insertPerson(tx, { id: personId, name, email, passwordHash }, now))) throw addressTaken(email);
  await insertMember(tx, accountId, { personId, role }, now);
  const change = { accountId, actor: `person:${personId}`, target: personId, at: now } as const;
  await recordAudit(tx, {
    ...change,
    action: 'invitation.accept',
    detail: { invitation_id: invitationId, role, name },
  });
  return personId;
}

/**
 * Gives a member another role, from their next request on; from then on their API keys can do no more than it.
 *
 * @throws ServiceError `not_found`, `scope_denied` when the old or the new role is not one that the person manages, `conflict`
 * when it would leave the account without an owner.
 */
export async function changeRole(
  db: Db,
  who: SignedIn,
  { personId, role, settleKeys }: { personId: string; role: Role; settleKeys: SettleKeys },
  now: Date,
): Promise<void> {
  await changeManaged(db, who, personId, async (tx, { accountId, person, actor }) => {
    requireManages(who.role, role);
    if (person.role === role) return;
    await requireOtherOwner(tx, accountId, person);
    await updateRole(tx, accountId, { personId, role });
    const keys = await settleKeys(tx, { accountId, personId, from: person.role, to: role, actor, at: now });
    const change = { accountId, actor, target: personId, at: now } as const;
    await recordAudit(tx, {
      ...change,
      action: 'member.role',
      detail: { name: person.name, from: person.role, to: role, ...keys },
    });
  });
}

/**
 * Ends a membership: all sessions of the person end, their e-mail address is free again, and their API keys are settled.
 *
 * @throws ServiceError `not_found`, `scope_denied`, `conflict` for the last owner, and what settling the keys throws.
 */
export async function removeMember(
  db: Db,
  who: SignedIn,
  { personId, settleKeys }: { personId: string; settleKeys: SettleKeys },
  now: Date,
): Promise<void> {
  await changeManaged(db, who, personId, async (tx, { accountId, person, actor }) => {
    await requireOtherOwner(tx, accountId, person);
    const keys = await settleKeys(tx, { accountId, personId, from: person.role, to: undefined, actor, at: now });
    await deleteMember(tx, accountId, personId);
    const change = { accountId, actor, target: personId, at: now } as const;
    const detail = { name: person.name, role: person.role, ...keys };
    await recordAudit(tx, { ...change, action: 'member.remove', detail });
  });
}

/** A one-time link for a member who lost their password. @throws ServiceError `not_found`, `scope_denied`. */
export async function linkForMember(db: Db, who: SignedIn, personId: string, now: Date): Promise<OneTimeLink> {
  await findManaged(db, who, personId);
  const { accountId } = who;
  return issueSignInLink(db, { accountId, personId, actor: `person:${who.personId}` }, now);
}

/** Changes a member whom `who` manages, while nobody else changes members of the account. */
async function changeManaged(
  db: Db,
  who: SignedIn,
  personId: string,
  change: (tx: Db, about: { accountId: string; person: PersonRow; actor: Actor }) => Promise<void>,
): Promise<void> {
  const { accountId } = who;
  await db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId);
    const person = await findManaged(tx, who, personId);
    await change(tx, { accountId, person, actor: `person:${who.personId}` });
  });
}

/** The member, once it is clear that `who` manages them. */
async function findManaged(db: Db, who: SignedIn, personId: string): Promise<PersonRow> {
  const person = isUuid(personId) ? await findPerson(db, who.accountId, personId) : undefined;
  if (person === undefined) {
    throw new ServiceError('not_found', 'There is no such member.', { fix: 'Reload the list of members.' });
  }
  requireManages(who.role, person.role);
  return person;
}

/** Requires another owner, under the lock of the account, so that two owners cannot step down at the same time. */
async function requireOtherOwner(tx: Db, accountId: string, person: PersonRow): Promise<void> {
  if (person.role !== 'owner') return;
  if ((await countOwners(tx, accountId)) > 1) return;
  throw new ServiceError('conflict', `${person.name} is the only owner of the account.`, {
    fix: 'Make somebody else an owner first.',
  });
}

function asInvitation({ id, role, email, createdBy, createdAt, expiresAt }: TokenRow): Invitation {
  if (role === null) throw new Error(`The invitation ${id} has no role.`);
  return { id, role, email, createdBy, createdAt, expiresAt };
}

export function addressTaken(email: string): ServiceError {
  return new ServiceError('conflict', `A member with the e-mail address ${email} already exists.`, {
    fix: 'Sign in with it, or use another address.',
  });
}

function deadInvitation(): ServiceError {
  return new ServiceError(
    'invalid_key',
    'This invitation was used or withdrawn, is older than 7 days, or its link is incomplete.',
    {
      fix: 'Ask the person who invited you for a new link.',
    },
  );
}

/**
 * True if `actor` may manage `target`. Owners invite, change, remove and give links to everybody; admins only to members and
 * viewers, so that no member reaches a role above what they could give themselves.
 */
export function mayManage(actor: Role, target: Role): boolean {
  return actor === 'owner' || (actor === 'admin' && (target === 'member' || target === 'viewer'));
}

/** @throws ServiceError `scope_denied` unless `mayManage`. */
function requireManages(actor: Role, target: Role): void {
  if (mayManage(actor, target)) return;
  throw new ServiceError('scope_denied', `The role ${actor} does not manage people with the role ${target}.`, {
    fix: 'Ask an owner of the account.',
  });
}
