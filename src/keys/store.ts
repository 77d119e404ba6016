import { sql } from 'kysely';
import { productRole } from '../accounts/accounts.ts';
import type { Role } from '../platform/rights.ts';
import type { Db } from '../platform/db.ts';

export interface KeyRow {
  id: string;
  productId: string;
  name: string;
  /** Scopes as they were given; `scopesNow` returns those that count. */
  scopes: string[];
  createdBy: string;
  /** Person that it acts for; null when it belongs to the installation. */
  personId: string | null;
  /** Current role of that person in the product; null without a person and for one who does not see the product. */
  role: Role | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  /** Until when the value before the last regeneration works too; it may have passed. */
  graceEndsAt: Date | null;
}

/** A key with the hashes of its present value and of the one before, held until the transaction ends. */
export type LockedKeyRow = KeyRow & { hash: string; formerHash: string | null };

/** Columns of a key that a check of its secret needs. */
export interface CheckedKeyRow {
  accountId: string;
  id: string;
  productId: string;
  hash: string;
  scopes: string[];
  personId: string | null;
  role: Role | null;
  expiresAt: Date | null;
  formerHash: string | null;
  graceEndsAt: Date | null;
}

/** Requests of one key and operation in one hour. */
export interface UsageRow {
  keyId: string;
  hour: Date;
  operation: string;
  requests: number;
}

/** Activity of a key since the last flush. */
export interface TouchRow {
  keyId: string;
  requests: number;
  lastUsedAt: Date;
}

export interface DailyUsageRow {
  /** `2026-11-21`, of the requested time zone. */
  day: string;
  operation: string;
  requests: number;
}

const ROLE = productRole(sql`api_key.account_id`, sql`api_key.product_id`, sql`api_key.person_id`);

const KEY_COLUMNS = sql`id, product_id as "productId", name, scopes, created_by as "createdBy", person_id as "personId",
  ${ROLE} as role, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
  grace_ends_at as "graceEndsAt"`;

const LOCKED_COLUMNS = sql`${KEY_COLUMNS}, key_hash as hash, former_hash as "formerHash"`;

const CHECKED_COLUMNS = sql`account_id as "accountId", id, product_id as "productId", key_hash as hash, scopes,
  person_id as "personId", ${ROLE} as role, expires_at as "expiresAt", former_hash as "formerHash",
  grace_ends_at as "graceEndsAt"`;

/** Writes the key and its entries in the directory; both or neither, in the caller's transaction. */
export async function insertKey(
  tx: Db,
  accountId: string,
  key: Omit<KeyRow, 'lastUsedAt' | 'role' | 'graceEndsAt'> & { hash: string },
): Promise<void> {
  await sql`
    insert into api_key (account_id, id, product_id, name, key_hash, scopes, created_by, person_id, created_at, expires_at)
    values (${accountId}, ${key.id}, ${key.productId}, ${key.name}, ${key.hash}, ${key.scopes}::text[],
      ${key.createdBy}, ${key.personId}, ${key.createdAt}, ${key.expiresAt})`.execute(tx);
  await insertDirectory(tx, accountId, key);
}

async function insertDirectory(tx: Db, accountId: string, key: { id: string; hash: string }): Promise<void> {
  await sql`
    insert into key_directory (key_hash, account_id, key_id) values (${key.hash}, ${accountId}, ${key.id})`.execute(tx);
}

async function deleteDirectory(tx: Db, hashes: readonly (string | null)[]): Promise<void> {
  await sql`delete from key_directory where key_hash = any(${hashes}::text[])`.execute(tx);
}

/** Keys of an account, newest first. Their number is limited: see `key-limits.ts`. */
export async function selectKeys(db: Db, accountId: string): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select ${KEY_COLUMNS} from api_key where account_id = ${accountId} order by id desc`.execute(db);
  return rows;
}

/** The keys of a person with their hashes, held until the transaction ends, always in one order. */
export async function lockKeysOf(tx: Db, accountId: string, personId: string): Promise<LockedKeyRow[]> {
  const { rows } = await sql<LockedKeyRow>`
    select ${LOCKED_COLUMNS}
      from api_key
     where account_id = ${accountId} and person_id = ${personId}
     order by id
       for update`.execute(tx);
  return rows;
}

/** The key acts for another person from now on, with these scopes. */
export async function handOverKey(
  tx: Db,
  accountId: string,
  key: { id: string; personId: string; scopes: readonly string[] },
): Promise<void> {
  await sql`
    update api_key set person_id = ${key.personId}, scopes = ${key.scopes}::text[]
     where account_id = ${accountId} and id = ${key.id}`.execute(tx);
}

export async function renameKey(db: Db, accountId: string, key: { id: string; name: string }): Promise<void> {
  await sql`update api_key set name = ${key.name} where account_id = ${accountId} and id = ${key.id}`.execute(db);
}

export async function lockKey(tx: Db, accountId: string, keyId: string): Promise<LockedKeyRow | undefined> {
  const { rows } = await sql<LockedKeyRow>`
    select ${LOCKED_COLUMNS}
      from api_key
     where account_id = ${accountId} and id = ${keyId}
       for update`.execute(tx);
  return rows[0];
}

/** Gives a key a new value. With `graceEndsAt` the present one works until then; an earlier one ends in any case. */
export async function replaceHash(
  tx: Db,
  accountId: string,
  { key, hash, graceEndsAt }: { key: LockedKeyRow; hash: string; graceEndsAt: Date | null },
): Promise<void> {
  const formerHash = graceEndsAt === null ? null : key.hash;
  await sql`
    update api_key set key_hash = ${hash}, former_hash = ${formerHash}, grace_ends_at = ${graceEndsAt}
     where account_id = ${accountId} and id = ${key.id}`.execute(tx);
  await deleteDirectory(tx, [key.formerHash, formerHash === null ? key.hash : null]);
  await insertDirectory(tx, accountId, { id: key.id, hash });
}

/** Forgets the value before the present one. */
export async function removeFormerHash(tx: Db, accountId: string, key: LockedKeyRow): Promise<void> {
  await sql`
    update api_key set former_hash = null, grace_ends_at = null
     where account_id = ${accountId} and id = ${key.id}`.execute(tx);
  await deleteDirectory(tx, [key.formerHash]);
}

/** Removes the key, its entries in the directory and its usage. */
export async function removeKey(tx: Db, accountId: string, key: LockedKeyRow): Promise<void> {
  await sql`delete from api_key where account_id = ${accountId} and id = ${key.id}`.execute(tx);
  await deleteDirectory(tx, [key.hash, key.formerHash]);
}

/**
 * The key that a secret opens, by two primary-key look-ups. The directory only has the account; whether the hash is the key's
 * present or former one is read from the key itself.
 */
export async function findKeyByHash(db: Db, hash: string): Promise<CheckedKeyRow | undefined> {
  const { rows: entries } = await sql<{ accountId: string; keyId: string }>`
    select account_id as "accountId", key_id as "keyId" from key_directory where key_hash = ${hash}`.execute(db);
  const [entry] = entries;
  if (entry === undefined) return undefined;
  const { rows } = await sql<CheckedKeyRow>`
    select ${CHECKED_COLUMNS}
      from api_key
     where account_id = ${entry.accountId} and id = ${entry.keyId} and ${hash} in (key_hash, former_hash)`.execute(db);
  return rows[0];
}

/** Rows of those of the keys that exist, as they are now. */
export async function selectChecked(db: Db, accountId: string, keyIds: readonly string[]): Promise<CheckedKeyRow[]> {
  const { rows } = await sql<CheckedKeyRow>`
    select ${CHECKED_COLUMNS}
      from api_key
     where account_id = ${accountId} and id = any(${keyIds}::uuid[])`.execute(db);
  return rows;
}

/** Holds those of the keys that still exist until the transaction ends, always in one order, so that no two can deadlock. */
export async function lockKeysInOrder(tx: Db, accountId: string, keyIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from api_key
     where account_id = ${accountId} and id = any(${keyIds}::uuid[])
     order by id
       for no key update`.execute(tx);
  return rows.map((row) => row.id);
}

/** Adds to what is counted already. Each key, hour and operation may occur once in `usage`. */
export async function addUsage(tx: Db, accountId: string, usage: readonly UsageRow[]): Promise<void> {
  await sql`
    insert into api_key_usage (account_id, key_id, hour, operation, requests)
    select ${accountId}::uuid, added.*
      from unnest(${usage.map((row) => row.keyId)}::uuid[], ${usage.map((row) => row.hour.toISOString())}::timestamptz[],
        ${usage.map((row) => row.operation)}::text[], ${usage.map((row) => row.requests)}::bigint[]) as added
    on conflict (account_id, key_id, hour, operation)
      do update set requests = api_key_usage.requests + excluded.requests`.execute(tx);
}

/** Adds to the totals. Times of use never go back, whichever replica writes last. */
export async function touchKeys(tx: Db, accountId: string, touched: readonly TouchRow[]): Promise<void> {
  await sql`
    update api_key
       set requests = api_key.requests + used.requests,
           first_used_at = coalesce(api_key.first_used_at, used.last_used_at),
           last_used_at = greatest(api_key.last_used_at, used.last_used_at)
      from unnest(${touched.map((row) => row.keyId)}::uuid[], ${touched.map((row) => row.requests)}::bigint[],
        ${touched.map((row) => row.lastUsedAt.toISOString())}::timestamptz[]) as used (id, requests, last_used_at)
     where api_key.account_id = ${accountId} and api_key.id = used.id`.execute(tx);
}

export async function selectTotals(
  db: Db,
  accountId: string,
  keyId: string,
): Promise<{ requests: number; firstUsedAt: Date | null; lastUsedAt: Date | null } | undefined> {
  const { rows } = await sql<{ requests: number; firstUsedAt: Date | null; lastUsedAt: Date | null }>`
    select requests, first_used_at as "firstUsedAt", last_used_at as "lastUsedAt"
      from api_key
     where account_id = ${accountId} and id = ${keyId}`.execute(db);
  return rows[0];
}

/** Requests of keys by day of a time zone and operation from `since` on: a range of the primary key for each. */
export async function selectDailyUsage(
  db: Db,
  { accountId, keyIds, zone, since }: { accountId: string; keyIds: readonly string[]; zone: string; since: Date },
): Promise<DailyUsageRow[]> {
  const { rows } = await sql<DailyUsageRow>`
    select to_char(hour at time zone ${zone}, 'YYYY-MM-DD') as day, operation, sum(requests)::bigint as requests
      from api_key_usage
     where account_id = ${accountId} and key_id = any(${keyIds}::uuid[]) and hour >= ${since}
     group by 1, 2`.execute(db);
  return rows;
}

/** Requests of each key by day of a time zone from `since` on; days without any are omitted. */
export async function selectRequestsByDay(
  db: Db,
  { accountId, keyIds, zone, since }: { accountId: string; keyIds: readonly string[]; zone: string; since: Date },
): Promise<{ keyId: string; day: string; requests: number }[]> {
  const { rows } = await sql<{ keyId: string; day: string; requests: number }>`
    select key_id as "keyId", to_char(hour at time zone ${zone}, 'YYYY-MM-DD') as day, sum(requests)::bigint as requests
      from api_key_usage
     where account_id = ${accountId} and key_id = any(${keyIds}::uuid[]) and hour >= ${since}
     group by 1, 2`.execute(db);
  return rows;
}

/** Returns the operations that the keys of an account were used for since a moment, each pair once. */
export async function selectUsedOperations(
  db: Db,
  accountId: string,
  since: Date,
): Promise<{ keyId: string; operation: string }[]> {
  const { rows } = await sql<{ keyId: string; operation: string }>`
    select distinct key_id as "keyId", operation
      from api_key_usage
     where account_id = ${accountId} and hour >= ${since}`.execute(db);
  return rows;
}
