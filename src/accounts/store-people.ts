import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';
import { type SealedColumn, sealedWithoutKeys } from '../platform/sealed-column.ts';
import type { Role } from '../platform/rights.ts';

/** Column of the secrets of authenticators in use; a secret in base32 is from before secrets were encrypted. */
export const TOTP_SECRET: SealedColumn = {
  table: 'person',
  column: 'totp_secret',
  contextOf: (id) => `totp:${id}`,
  isPlain: (secret) => /^[A-Z2-7]+$/.test(secret),
};
/** The same with those that are pending. */
export const TOTP_SECRETS: readonly SealedColumn[] = [TOTP_SECRET, { ...TOTP_SECRET, column: 'totp_pending' }];

/** A member of an account with what is needed to let them in. */
export interface PersonRow {
  id: string;
  name: string;
  email: string | null;
  role: Role;
  passwordHash: string | null;
  totpSecret: string | null;
  totpPending: string | null;
  joinedAt: Date;
}

export interface MemberRow {
  id: string;
  name: string;
  email: string | null;
  role: Role;
  joinedAt: Date;
  lastSeenAt: Date | null;
  totp: boolean;
}

export type SignInMethod = 'link' | 'password' | 'oidc' | 'invitation';

export interface SessionRow {
  id: string;
  personId: string;
  way: SignInMethod;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

/** A live session with its person, as they are now. */
export interface OpenSessionRow extends SessionRow {
  name: string;
  email: string | null;
  role: Role;
  hasPassword: boolean;
  totp: boolean;
}

const PERSON = sql`person.id, person.name, person.email, member.role, person.password_hash as "passwordHash",
  person.totp_secret as "totpSecret", person.totp_pending as "totpPending", member.created_at as "joinedAt"`;

const SESSION = sql`session.id, session.person_id as "personId", session.way, session.user_agent as "userAgent",
  session.created_at as "createdAt", session.last_seen_at as "lastSeenAt", session.expires_at as "expiresAt"`;

/** A member by id; undefined for people who are not in the account. */
export async function findPerson(db: Db, accountId: string, personId: string): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select ${PERSON} from member join person on person.id = member.person_id
     where member.account_id = ${accountId} and member.person_id = ${personId}`.execute(db);
  return rows[0];
}

/** Returns the name and the rights that a person has in an account now; undefined for anybody who is no member. */
export async function findMember(
  db: Db,
  accountId: string,
  personId: string,
): Promise<{ name: string; role: Role } | undefined> {
  const { rows } = await sql<{ name: string; role: Role }>`
    select person.name, member.role from member join person on person.id = member.person_id
     where member.account_id = ${accountId} and member.person_id = ${personId}`.execute(db);
  return rows[0];
}

/** A member by e-mail address in lower case. */
export async function findPersonByEmail(db: Db, accountId: string, email: string): Promise<PersonRow | undefined> {
  const { rows } = await sql<PersonRow>`
    select ${PERSON} from person join member on person.id = member.person_id
     where person.email = ${email} and member.account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** Members by the time they joined. */
export async function selectMembers(db: Db, accountId: string): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select person.id, person.name, person.email, member.role, member.created_at as "joinedAt",
           person.totp_secret is not null as totp,
           (select max(session.last_seen_at) from session
             where session.account_id = member.account_id and session.person_id = member.person_id) as "lastSeenAt"
      from member join person on person.id = member.person_id
     where member.account_id = ${accountId}
     order by member.created_at, person.id`.execute(db);
  return rows;
}

/** Names of people by id, of former members as well: for what an account's audit log says about them. */
export async function selectNames(db: Db, personIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from person where id = any(${personIds}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Inserts a person. False when the e-mail address is in use already. */
export async function insertPerson(
  tx: Db,
  person: { id: string; name: string; email: string | null; passwordHash: string | null },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into person (id, name, email, password_hash, created_at)
    values (${person.id}, ${person.name}, ${person.email}, ${person.passwordHash}, ${now})
    on conflict (email) do nothing
    returning id`.execute(tx);
  return rows.length === 1;
}

export async function insertMember(
  tx: Db,
  accountId: string,
  member: { personId: string; role: Role },
  now: Date,
): Promise<void> {
  await sql`
    insert into member (account_id, person_id, role, created_at)
    values (${accountId}, ${member.personId}, ${member.role}, ${now})`.execute(tx);
}

export async function updateRole(tx: Db, accountId: string, member: { personId: string; role: Role }): Promise<void> {
  await sql`
    update member set role = ${member.role}
     where account_id = ${accountId} and person_id = ${member.personId}`.execute(tx);
}

/** Ends the membership with its sessions, links and identities. The name stays, because the audit log speaks of it. */
export async function deleteMember(tx: Db, accountId: string, personId: string): Promise<void> {
  await sql`delete from member where account_id = ${accountId} and person_id = ${personId}`.execute(tx);
  await sql`
    update person set email = null, password_hash = null, totp_secret = null, totp_pending = null
     where id = ${personId} and not exists (select from member where member.person_id = person.id)`.execute(tx);
}

export async function countOwners(tx: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ owners: number }>`
    select count(*)::int as owners from member where account_id = ${accountId} and role = 'owner'`.execute(tx);
  return rows[0]?.owners ?? 0;
}

export async function hasPasswords(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from member join person on person.id = member.person_id
     where member.account_id = ${accountId} and person.password_hash is not null and person.email is not null
     limit 1`.execute(db);
  return rows.length === 1;
}

/** Sets the given fields. False when another person has the e-mail address. */
export async function updatePerson(
  tx: Db,
  personId: string,
  change: { name?: string; email?: string; passwordHash?: string },
): Promise<boolean> {
  const { name = null, email = null, passwordHash = null } = change;
  const { rows } = await sql`
    update person set name = coalesce(${name}, name), email = coalesce(${email}, email),
           password_hash = coalesce(${passwordHash}, password_hash)
     where id = ${personId}
       and not exists (select from person other where other.email = ${email} and other.id <> ${personId})
    returning id`.execute(tx);
  return rows.length === 1;
}

/** Forgets the secrets of authenticators that none of the keys opens. Says of how many people. */
export async function clearTotpWithoutKey(db: Db, keys: readonly Uint8Array[]): Promise<number> {
  const [isLost, isPendingLost] = [sealedWithoutKeys('totp_secret', keys), sealedWithoutKeys('totp_pending', keys)];
  const { rows } = await sql`
    update person set totp_secret = case when ${isLost} then null else totp_secret end,
           totp_pending = case when ${isPendingLost} then null else totp_pending end
     where ${isLost} or ${isPendingLost}
    returning id`.execute(db);
  return rows.length;
}

export async function setPendingTotp(db: Db, personId: string, secret: string): Promise<void> {
  await sql`update person set totp_pending = ${secret} where id = ${personId}`.execute(db);
}

/** The pending secret becomes the one in use, with the step of the code that proved it. False when it changed meanwhile. */
export async function confirmPendingTotp(
  tx: Db,
  personId: string,
  pending: { secret: string; step: number },
): Promise<boolean> {
  const { rows } = await sql`
    update person set totp_secret = totp_pending, totp_pending = null, totp_step = ${pending.step}
     where id = ${personId} and totp_pending = ${pending.secret}
    returning id`.execute(tx);
  return rows.length === 1;
}

export async function clearTotp(tx: Db, personId: string): Promise<void> {
  await sql`
    update person set totp_secret = null, totp_pending = null where id = ${personId}`.execute(tx);
}

/** Notes that the code of a step was used; false when it, or a later one, was used before. */
export async function useTotpStep(db: Db, personId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update person set totp_step = ${step}
     where id = ${personId} and (totp_step is null or totp_step < ${step})
    returning id`.execute(db);
  return rows.length === 1;
}

/** Inserts a session, and deletes the sessions of the account that have ended. */
export async function insertSession(tx: Db, accountId: string, row: SessionRow & { hash: string }): Promise<void> {
  await sql`delete from session where account_id = ${accountId} and expires_at <= ${row.createdAt}`.execute(tx);
  await sql`
    insert into session (account_id, id, person_id, token_hash, way, user_agent, created_at, last_seen_at, expires_at)
    values (${accountId}, ${row.id}, ${row.personId}, ${row.hash}, ${row.way}, ${row.userAgent}, ${row.createdAt},
      ${row.lastSeenAt}, ${row.expiresAt})`.execute(tx);
}

/** The live session with this hash: two look-ups by key. */
export async function findOpenSession(
  db: Db,
  accountId: string,
  hash: string,
  now: Date,
): Promise<OpenSessionRow | undefined> {
  const { rows } = await sql<OpenSessionRow>`
    select ${SESSION}, person.name, person.email, member.role, person.password_hash is not null as "hasPassword",
           person.totp_secret is not null as totp
      from session
      join member on member.account_id = session.account_id and member.person_id = session.person_id
      join person on person.id = session.person_id
     where session.account_id = ${accountId} and session.token_hash = ${hash} and session.expires_at > ${now}`.execute(
    db,
  );
  return rows[0];
}

export async function touchSession(
  db: Db,
  accountId: string,
  session: { id: string; lastSeenAt: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    update session set last_seen_at = ${session.lastSeenAt}, expires_at = ${session.expiresAt}
     where account_id = ${accountId} and id = ${session.id}`.execute(db);
}

/** Live sessions of a person, the last used first. */
export async function selectSessions(db: Db, accountId: string, personId: string, now: Date): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select ${SESSION} from session
     where account_id = ${accountId} and person_id = ${personId} and expires_at > ${now}
     order by last_seen_at desc, id desc`.execute(db);
  return rows;
}

/** False when the person has no such session. */
export async function deleteSession(
  db: Db,
  accountId: string,
  { personId, id }: { personId: string; id: string },
): Promise<boolean> {
  const { rows } = await sql`
    delete from session where account_id = ${accountId} and person_id = ${personId} and id = ${id}
    returning id`.execute(db);
  return rows.length === 1;
}

/** Ends all sessions of a person, but for the one to keep when there is one. */
export async function deleteSessions(
  tx: Db,
  accountId: string,
  { personId, keep }: { personId: string; keep?: string },
): Promise<void> {
  const others = keep === undefined ? sql`` : sql`and id <> ${keep}`;
  await sql`delete from session where account_id = ${accountId} and person_id = ${personId} ${others}`.execute(tx);
}
