import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';
import type { Role } from '../platform/rights.ts';

type TokenPurpose = 'sign_in' | 'invitation' | 'oidc';

/** Something that is good for one use. What does not belong to its purpose is null. */
export interface TokenRow {
  id: string;
  personId: string | null;
  role: Role | null;
  email: string | null;
  provider: string | null;
  invitationHash: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

const TOKEN = sql`id, person_id as "personId", role, email, provider, invitation_hash as "invitationHash",
  created_by as "createdBy", created_at as "createdAt", expires_at as "expiresAt"`;

/** Inserts a token, and deletes the tokens of the account that have ended. */
export async function insertToken(
  tx: Db,
  accountId: string,
  row: TokenRow & { hash: string; purpose: TokenPurpose },
): Promise<void> {
  await sql`delete from one_time_token where account_id = ${accountId} and expires_at <= ${row.createdAt}`.execute(tx);
  await sql`
    insert into one_time_token (account_id, id, token_hash, purpose, person_id, role, email, provider, invitation_hash,
      created_by, created_at, expires_at)
    values (${accountId}, ${row.id}, ${row.hash}, ${row.purpose}, ${row.personId}, ${row.role}, ${row.email},
      ${row.provider}, ${row.invitationHash}, ${row.createdBy}, ${row.createdAt}, ${row.expiresAt})`.execute(tx);
}

/** Deletes a live token and returns it: of several callers at once, one gets it. */
export async function takeToken(
  tx: Db,
  accountId: string,
  { hash, purpose }: { hash: string; purpose: TokenPurpose },
  now: Date,
): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    delete from one_time_token
     where account_id = ${accountId} and token_hash = ${hash} and purpose = ${purpose} and expires_at > ${now}
    returning ${TOKEN}`.execute(tx);
  return rows[0];
}

/** The live invitation with this hash, which stays good. */
export async function findInvitation(
  db: Db,
  accountId: string,
  hash: string,
  now: Date,
): Promise<(TokenRow & { account: string }) | undefined> {
  const { rows } = await sql<TokenRow & { account: string }>`
    select ${TOKEN}, (select name from account where account.account_id = one_time_token.account_id) as account
      from one_time_token
     where account_id = ${accountId} and token_hash = ${hash} and purpose = 'invitation' and expires_at > ${now}`.execute(
    db,
  );
  return rows[0];
}

/** Live invitations for an address or, without one, all of the account; newest first. */
export async function selectInvitations(
  db: Db,
  accountId: string,
  { email }: { email?: string },
  now: Date,
): Promise<(TokenRow & { hash: string })[]> {
  const to = email === undefined ? sql`` : sql`and email = ${email}`;
  const { rows } = await sql<TokenRow & { hash: string }>`
    select ${TOKEN}, token_hash as hash from one_time_token
     where account_id = ${accountId} and purpose = 'invitation' and expires_at > ${now} ${to}
     order by id desc limit 500`.execute(db);
  return rows;
}

/** Takes an invitation back; undefined when there is none with this id. */
export async function deleteInvitation(tx: Db, accountId: string, id: string): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    delete from one_time_token where account_id = ${accountId} and id = ${id} and purpose = 'invitation'
    returning ${TOKEN}`.execute(tx);
  return rows[0];
}

/** Makes the links to sign in that a person was given useless, but for the newest. */
export async function deleteLinks(
  tx: Db,
  accountId: string,
  { personId, keep }: { personId: string; keep: number },
): Promise<void> {
  await sql`
    delete from one_time_token
     where account_id = ${accountId} and person_id = ${personId} and purpose = 'sign_in' and id not in (
       select id from one_time_token
        where account_id = ${accountId} and person_id = ${personId} and purpose = 'sign_in'
        order by created_at desc, id desc limit ${keep})`.execute(tx);
}

/**
 * Counts one more attempt of a subject and returns how many came without one being quiet for `quietSince`. One statement, so
 * that attempts at the same time all count. Beyond `most` the time is not moved, so that a client that keeps trying does not
 * lock others out for ever. Also deletes subjects that were quiet.
 */
export async function countAttempt(
  db: Db,
  accountId: string,
  { subject, quietSince, most }: { subject: string; quietSince: Date; most: number },
  now: Date,
): Promise<number> {
  await sql`delete from sign_in_attempt where account_id = ${accountId} and last_at <= ${quietSince}`.execute(db);
  const { rows } = await sql<{ failures: number }>`
    insert into sign_in_attempt (account_id, subject, failures, last_at) values (${accountId}, ${subject}, 1, ${now})
    on conflict (account_id, subject)
      do update set failures = sign_in_attempt.failures + 1,
        last_at = case when sign_in_attempt.failures < ${most} then excluded.last_at
                       else sign_in_attempt.last_at end
    returning failures`.execute(db);
  return rows[0]?.failures ?? 1;
}

/** Deletes the last attempt from the count, which was neither right nor wrong yet. */
export async function uncountAttempt(db: Db, accountId: string, subject: string): Promise<void> {
  await sql`
    update sign_in_attempt set failures = failures - 1
     where account_id = ${accountId} and subject = ${subject} and failures > 0`.execute(db);
}

export async function clearAttempts(db: Db, accountId: string, subject: string): Promise<void> {
  await sql`delete from sign_in_attempt where account_id = ${accountId} and subject = ${subject}`.execute(db);
}

export async function findIdentity(
  db: Db,
  accountId: string,
  { provider, subject }: { provider: string; subject: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ personId: string }>`
    select person_id as "personId" from identity
     where account_id = ${accountId} and provider = ${provider} and subject = ${subject}`.execute(db);
  return rows[0]?.personId;
}

/** Providers that a person is known to. */
export async function selectIdentities(db: Db, accountId: string, personId: string): Promise<string[]> {
  const { rows } = await sql<{ provider: string }>`
    select provider from identity
     where account_id = ${accountId} and person_id = ${personId} order by provider`.execute(db);
  return rows.map((row) => row.provider);
}

/** Inserts an identity. False when it belongs to a person already, or the person has one at this provider. */
export async function insertIdentity(
  tx: Db,
  accountId: string,
  identity: { provider: string; subject: string; personId: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into identity (account_id, provider, subject, person_id, created_at)
    values (${accountId}, ${identity.provider}, ${identity.subject}, ${identity.personId}, ${now})
    on conflict do nothing
    returning subject`.execute(tx);
  return rows.length === 1;
}
