import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../kernel/tenant.ts';
import type { Db } from '../platform/db.ts';
import { isNotPaused } from './store-pause.ts';

/** Most repositories that are fetched after one look at the schedule. */
const MOST_DUE = 200;

/** Account and repository of a fetch. */
interface FetchKey {
  accountId: string;
  id: string;
}

interface FetchState {
  /** Null: only on request. */
  dueAt: Date | null;
  failures: number;
  tip: string | null;
  movedAt: Date | null;
}

/** Undefined for a local repository, or one that was removed. */
export async function selectFetch(db: Db, key: FetchKey): Promise<FetchState | undefined> {
  const { rows } = await sql<FetchState>`
    select due_at as "dueAt", failures, tip, moved_at as "movedAt" from repository_fetch where ${ofRepository(key)}`.execute(
    db,
  );
  return rows[0];
}

/** Repositories of all accounts whose fetch is due and that no run is reading now, the longest due first. */
export async function selectDueFetches(db: Db, now: Date): Promise<(Tenant & { id: string })[]> {
  const { rows } = await sql<Tenant & { id: string }>`
    select r.account_id as "accountId", r.product_id as "productId", r.id
      from repository_fetch f join repository r on r.account_id = f.account_id and r.id = f.id
     where f.due_at <= ${now} and r.status in ('ready', 'failed') and (f.lease_until is null or f.lease_until < now())
       and ${isNotPaused('r')}
     order by f.due_at limit ${MOST_DUE}`.execute(db);
  return rows;
}

/** A new repository by address is due at once. */
export async function insertFetch(db: Db, { accountId, id }: FetchKey, dueAt: Date): Promise<void> {
  await sql`insert into repository_fetch (account_id, id, due_at) values (${accountId}, ${id}, ${dueAt})`.execute(db);
}

/** Makes a fetch due, also one that a failure has put off. */
export async function hastenFetch(db: Db, key: FetchKey): Promise<void> {
  await sql`update repository_fetch set due_at = to_timestamp(0) where ${ofRepository(key)}`.execute(db);
}

/** Makes all fetches of the installation due that are made on the schedule. */
export async function hastenFetches(db: Db): Promise<void> {
  await sql`update repository_fetch set due_at = to_timestamp(0), lease_until = null where due_at is not null`.execute(
    db,
  );
}

/** Makes a fetch due that only waits because the repository was quiet. */
export async function hastenQuietFetch(db: Db, key: FetchKey): Promise<void> {
  await sql`
    update repository_fetch set due_at = to_timestamp(0)
     where ${ofRepository(key)} and due_at is not null and failures = 0`.execute(db);
}

/** Sets when it is fetched next. */
export async function updateFetchDue(db: Db, key: FetchKey, dueAt: Date): Promise<void> {
  await sql`update repository_fetch set due_at = ${dueAt} where ${ofRepository(key)}`.execute(db);
}

/** Records a fetch that came through, with the commit that it led to. */
export async function updateFetched(tx: Db, key: FetchKey, { at, ...state }: FetchState & { at: Date }): Promise<void> {
  await sql`
    update repository_fetch
       set due_at = ${state.dueAt}, failures = 0, tip = ${state.tip}, moved_at = ${state.movedAt}
     where ${ofRepository(key)}`.execute(tx);
  await sql`update repository set fetched_at = ${at}, fetch_error = null where ${ofRepository(key)}`.execute(tx);
}

/** Records a fetch that failed. */
export async function updateFetchFailed(
  tx: Db,
  key: FetchKey,
  { dueAt, error }: { dueAt: Date | null; error: { message: string; fix: string; at: string } },
): Promise<void> {
  await sql`
    update repository_fetch set due_at = ${dueAt}, failures = failures + 1 where ${ofRepository(key)}`.execute(tx);
  await sql`
    update repository set fetch_error = ${JSON.stringify(error)}::jsonb where ${ofRepository(key)}`.execute(tx);
}

/**
 * Takes the right to write to a mirror for 30 s, or takes it for longer; the clock is the database's. False while another
 * process has it; true as well for a repository without a mirror to be written.
 */
export async function takeMirrorLease(db: Db, key: FetchKey, owner: string): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    with taken as (
      update repository_fetch set lease_owner = ${owner}, lease_until = now() + interval '30 seconds'
       where ${ofRepository(key)} and (lease_until is null or lease_until < now() or lease_owner = ${owner})
      returning 1)
    select exists (select from taken) or not exists (select from repository_fetch where ${ofRepository(key)})
      as "isTaken"`.execute(db);
  return rows[0]?.isTaken === true;
}

export async function releaseMirrorLease(db: Db, key: FetchKey, owner: string): Promise<void> {
  await sql`
    update repository_fetch set lease_owner = null, lease_until = null
     where ${ofRepository(key)} and lease_owner = ${owner}`.execute(db);
}

function ofRepository({ accountId, id }: FetchKey): RawBuilder<unknown> {
  return sql`account_id = ${accountId} and id = ${id}`;
}
