import { within } from '../platform/product-rows.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { addressOf, ownerAndName } from './best-matches.ts';
import type { Gap } from '../kernel/gap.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/db.ts';
import { isNotPaused } from './store-pause.ts';
import { hastenFetch, insertFetch } from './store-fetches.ts';
import { takeReleased } from '../platform/released-blobs.ts';

type RepositoryStatus = 'pending' | 'indexing' | 'ready' | 'failed';

/** Progress of a running index. `percent` is of the whole run, 0..100; `done` and `total` are of the stage. */
export interface RunProgress {
  stage: string;
  done: number;
  total: number;
  percent: number;
}

/** Result of a run that published. `failed` counts files that were not understood. */
export interface LastRun {
  /** Texts that were parsed, and files whose facts were known from before. */
  parsed: number;
  reused: number;
  failed: number;
  seconds: number;
  /** Commits that were read, and how long that took. Absent where nothing was read. */
  history?: { commits: number; seconds: number };
}

/** A row of `repository`. What belongs to a snapshot is null or zero before the first one. */
export interface RepositoryRow extends Tenant {
  id: string;
  name: string;
  fullName: string | null;
  url: string;
  location: string;
  source: 'local' | 'remote';
  /** '' follows HEAD. */
  ref: string;
  defaultBranch: string | null;
  status: RepositoryStatus;
  error: { message: string; fix: string } | null;
  progress: RunProgress | null;
  run: number;
  generation: number;
  commit: string | null;
  branch: string | null;
  shardHash: string | null;
  shardBytes: number | null;
  historyHash: string | null;
  historyBytes: number | null;
  indexedAt: Date | null;
  files: number;
  symbols: number;
  lines: number;
  /** Share of the bytes by language, 0..1. */
  languages: Record<string, number>;
  unparsed: number;
  /** Gaps of the index. Snapshots of older versions have sentences: `gapsOf`. */
  gaps: (Gap | string)[];
  lastRun: LastRun | null;
  /** The last successful fetch of a remote one. */
  fetchedAt: Date | null;
  /** Time of the last fetch that led to another commit than the one before. */
  fetchMovedAt: Date | null;
  /** Reason why a later fetch failed; null when none did. */
  fetchError: { message: string; fix: string; at: string } | null;
  /** State of the compiler pass over the snapshot; null where there will be none. */
  exact: 'pending' | 'done' | 'failed' | null;
  /** True if a caller waits for the first index. */
  isAwaited: boolean;
  createdAt: Date;
}

/** A published shard: its content hash and size. */
export interface ShardPointer {
  hash: string;
  sizeBytes: number;
}

/** Snapshot that a finished index run publishes. */
export interface Snapshot {
  commit: string;
  branch?: string;
  shard: ShardPointer;
  history: ShardPointer;
  indexedAt: Date;
  files: number;
  symbols: number;
  lines: number;
  /** Share of the bytes by language, 0..1. */
  languages: Record<string, number>;
  /** Files that could not be read whole. */
  unparsed: number;
  /** Gaps of the index. */
  gaps: readonly (Gap | string)[];
  lastRun: LastRun;
  /** State of the compiler pass; null where there will be none. */
  exact: RepositoryRow['exact'];
}

export type NewRepository = Pick<
  RepositoryRow,
  'id' | 'name' | 'fullName' | 'url' | 'location' | 'source' | 'ref' | 'defaultBranch' | 'isAwaited' | 'createdAt'
>;

const COLUMNS = sql`account_id as "accountId", product_id as "productId", id, name, full_name as "fullName", url, location,
  source, ref, default_branch as "defaultBranch", status, error, progress, run, generation, snapshot_commit as "commit",
  snapshot_branch as "branch", shard_hash as "shardHash", shard_bytes as "shardBytes", history_hash as "historyHash",
  history_bytes as "historyBytes", indexed_at as "indexedAt", files, symbols, lines, languages, unparsed, gaps,
  last_run as "lastRun", fetched_at as "fetchedAt", fetch_error as "fetchError", exact, is_awaited as "isAwaited",
  created_at as "createdAt", (select f.moved_at from repository_fetch f
    where f.account_id = repository.account_id and f.id = repository.id) as "fetchMovedAt"`;

/** False when the product has the name, or the location with this pin, already. */
export async function insertRepository(db: Db, tenant: Tenant, row: NewRepository): Promise<boolean> {
  const { rows } = await sql`
    insert into repository
      (account_id, product_id, id, name, full_name, url, location, source, ref, default_branch, status, is_awaited, created_at)
    values (${tenant.accountId}, ${tenant.productId}, ${row.id}, ${row.name}, ${row.fullName}, ${row.url}, ${row.location},
      ${row.source}, ${row.ref}, ${row.defaultBranch}, 'pending', ${row.isAwaited}, ${row.createdAt})
    on conflict do nothing
    returning id`.execute(db);
  if (rows.length === 1 && row.source === 'remote') await insertFetch(db, { ...tenant, id: row.id }, row.createdAt);
  return rows.length === 1;
}

/** Selects the repository with this location and pin, otherwise the one with this name. */
export async function selectRival(
  db: Db,
  tenant: Tenant,
  { location, ref, name }: Pick<NewRepository, 'location' | 'ref' | 'name'>,
): Promise<RepositoryRow | undefined> {
  const { rows } = await sql<RepositoryRow>`
    select ${COLUMNS} from repository
     where ${within(tenant)} and ((location = ${location} and ref = ${ref}) or name = ${name})
     order by location = ${location} and ref = ${ref} desc
     limit 1`.execute(db);
  return rows[0];
}

/** Most repositories that a list has. */
export const MOST_LISTED = 5_000;

/** All of the product by name, at most 5,000. */
export async function selectRepositories(db: Db, tenant: Tenant): Promise<RepositoryRow[]> {
  const { rows } = await sql<RepositoryRow>`
    select ${COLUMNS} from repository where ${within(tenant)} order by name collate "C" limit ${MOST_LISTED}`.execute(
    db,
  );
  return rows;
}

/** Which repositories of a product a list shows. */
export interface RepositoryFilter {
  /** Part of a name or address, in any case. */
  query?: string | undefined;
  status?: RepositoryStatus | undefined;
}

/** A page of those that match, by name, and the number of all of them. */
export async function selectRepositoryPage(
  db: Db,
  tenant: Tenant,
  { query = '', status, limit, offset }: RepositoryFilter & { limit: number; offset: number },
): Promise<{ rows: RepositoryRow[]; total: number }> {
  const where = sql`${within(tenant)} and (${status ?? null}::text is null or status = ${status ?? null})
    and (position(lower(${query}) in lower(name)) > 0 or position(lower(${query}) in lower(url)) > 0)`;
  const { rows } = await sql<RepositoryRow>`
    select ${COLUMNS} from repository where ${where}
     order by name collate "C" limit ${limit} offset ${offset}`.execute(db);
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from repository where ${where}`.execute(db);
  return { rows, total: counts[0]?.total ?? 0 };
}

/** The names of repositories by their ids. */
export async function selectNames(db: Db, tenant: Tenant, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from repository where ${within(tenant)} and id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function selectRepository(db: Db, tenant: Tenant, id: string): Promise<RepositoryRow | undefined> {
  return (await selectRepositoriesById(db, tenant, [id]))[0];
}

/** Those of the ids that exist, in no order. */
export async function selectRepositoriesById(db: Db, tenant: Tenant, ids: readonly string[]): Promise<RepositoryRow[]> {
  const { rows } = await sql<RepositoryRow>`
    select ${COLUMNS} from repository where ${within(tenant)} and id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Those that a reference could mean: its id, or its name or `owner/name` in any case; at most 5,000. */
export async function selectCandidates(db: Db, tenant: Tenant, reference: string): Promise<RepositoryRow[]> {
  const { rows } = await sql<RepositoryRow>`
    select ${COLUMNS} from repository
     where ${within(tenant)}
       and (id::text = ${reference} or lower(name) = lower(${reference}) or lower(full_name) = lower(${ownerAndName(reference)})
            or url = ${addressOf(reference)})
     order by name collate "C"
     limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** Takes a repository for a new run and returns it; undefined when it is gone, or its product is paused: it stays as it is. */
export async function beginRun(db: Db, tenant: Tenant, id: string): Promise<RepositoryRow | undefined> {
  const { rows } = await sql<RepositoryRow>`
    update repository set status = 'indexing', error = null, progress = null, run = run + 1, index_again = false
     where ${within(tenant)} and id = ${id} and ${isNotPaused('repository')}
    returning ${COLUMNS}`.execute(db);
  return rows[0];
}

/**
 * Lets the repository wait for a run: from now on, or from the end of the one that is running, which may have read an older
 * commit. Whoever waits for `ready` so waits for the run that was asked for.
 */
export async function setPending(db: Db, tenant: Tenant, id: string): Promise<void> {
  await sql`
    update repository
       set index_again = status = 'indexing',
           status = case when status = 'indexing' then status else 'pending' end,
           error = null
     where ${within(tenant)} and id = ${id}`.execute(db);
  await hastenFetch(db, { ...tenant, id });
}

/** False when this run is over: another one began, or the repository is gone. */
export async function updateProgress(db: Db, tenant: Tenant, run: RunKey, progress: RunProgress): Promise<boolean> {
  const { rows } = await sql`
    update repository set progress = ${JSON.stringify(progress)}::jsonb where ${ofRun(tenant, run)} returning id`.execute(
    db,
  );
  return rows.length === 1;
}

export async function updateDefaultBranch(db: Db, tenant: Tenant, id: string, branch: string | null): Promise<void> {
  await sql`update repository set default_branch = ${branch} where ${within(tenant)} and id = ${id}`.execute(db);
}

/** False as with `updateProgress`. The snapshot that was there stays and is served. */
export async function updateFailed(
  db: Db,
  tenant: Tenant,
  run: RunKey,
  error: { message: string; fix: string },
): Promise<boolean> {
  const { rows } = await sql`
    update repository
       set status = ${statusAfterRun('failed')}, error = ${JSON.stringify(error)}::jsonb, progress = null
     where ${ofRun(tenant, run)}
    returning id`.execute(db);
  return rows.length === 1;
}

/** A repository, and one of its runs. */
export interface RunKey {
  id: string;
  run: number;
}

/** Hashes that a repository points at, locked until the transaction ends; undefined when this run is over. */
export async function lockHashes(tx: Db, tenant: Tenant, run: RunKey): Promise<string[] | undefined> {
  const { rows } = await sql<{ shard: string | null; history: string | null }>`
    select shard_hash as shard, history_hash as history from repository where ${ofRun(tenant, run)} for update`.execute(
    tx,
  );
  return rows[0] === undefined ? undefined : present([rows[0].shard, rows[0].history]);
}

/** The status in which a run leaves the repository. */
function statusAfterRun(status: RepositoryStatus): RawBuilder<unknown> {
  return sql`case when index_again then 'pending' else ${status} end`;
}

/** Points the repository at the snapshot. */
export async function updateSnapshot(tx: Db, tenant: Tenant, run: RunKey, snapshot: Snapshot): Promise<void> {
  const { shard, history } = snapshot;
  await sql`
    update repository
       set status = ${statusAfterRun('ready')}, error = null, progress = null, generation = generation + 1,
           snapshot_commit = ${snapshot.commit}, snapshot_branch = ${snapshot.branch ?? null},
           shard_hash = ${shard.hash}, shard_bytes = ${shard.sizeBytes},
           history_hash = ${history.hash}, history_bytes = ${history.sizeBytes},
           indexed_at = ${snapshot.indexedAt}, files = ${snapshot.files}, symbols = ${snapshot.symbols},
           lines = ${snapshot.lines}, languages = ${JSON.stringify(snapshot.languages)}::jsonb,
           unparsed = ${snapshot.unparsed}, gaps = ${JSON.stringify(snapshot.gaps)}::jsonb,
           last_run = ${JSON.stringify(snapshot.lastRun)}::jsonb, exact = ${snapshot.exact}
     where ${ofRun(tenant, run)}`.execute(tx);
}

/** Deletes the row and returns the blobs it pointed at; undefined when there is none. */
export async function deleteRepository(tx: Db, tenant: Tenant, id: string): Promise<string[] | undefined> {
  const { rows } = await sql<{ shard: string | null; history: string | null }>`
    delete from repository where ${within(tenant)} and id = ${id}
    returning shard_hash as shard, history_hash as history`.execute(tx);
  return rows[0] === undefined ? undefined : present([rows[0].shard, rows[0].history]);
}

/** Marks blobs as in use. */
export async function holdBlobs(tx: Db, accountId: string, blobs: readonly ShardPointer[]): Promise<void> {
  for (const { hash } of blobs)
    await sql`
      insert into repository_blob (account_id, hash) values (${accountId}, ${hash})
      on conflict (account_id, hash) do update set released_at = null`.execute(tx);
}

/** Marks those of the blobs that no snapshot and no uploaded index of the account is. */
export async function releaseBlobs(tx: Db, accountId: string, hashes: readonly string[], now: Date): Promise<void> {
  for (const hash of hashes)
    await sql`
      update repository_blob set released_at = ${now}
       where account_id = ${accountId} and hash = ${hash}
         and not exists (select 1 from repository
                          where account_id = ${accountId} and (shard_hash = ${hash} or history_hash = ${hash}))
         and not exists (select 1 from repository_scip where account_id = ${accountId} and hash = ${hash})`.execute(tx);
}

/** Lets every repository whose index is not among the stored blobs wait for a new one; returns how many. */
export async function resetWithoutIndex(tx: Db, stored: ReadonlySet<string>): Promise<number> {
  const hashes = JSON.stringify([...stored]);
  const { rows } = await sql`
    update repository
       set status = 'pending', error = null, progress = null, index_again = false, exact = null, snapshot_commit = null,
           snapshot_branch = null, shard_hash = null, shard_bytes = null, history_hash = null, history_bytes = null
     where shard_hash is not null
       and not (${hashes}::jsonb ? shard_hash and ${hashes}::jsonb ? history_hash)
    returning id`.execute(tx);
  return rows.length;
}

/** See `takeReleased`. */
export function takeReleasedBlobs(db: Db, cutoff: Date): Promise<string[]> {
  return takeReleased(db, 'repository_blob', cutoff);
}

/** Ids in all accounts. For maintenance: folders of others are leftovers. */
export async function selectAllIds(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from repository`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** Selects the repositories of all accounts whose run waits or was interrupted. For the start of the service. */
export async function selectUnfinished(db: Db): Promise<(Tenant & { id: string })[]> {
  const { rows } = await sql<Tenant & { id: string }>`
    select account_id as "accountId", product_id as "productId", id from repository
     where status in ('pending', 'indexing') and ${isNotPaused('repository')} order by id`.execute(db);
  return rows;
}

function ofRun(tenant: Tenant, { id, run }: RunKey): RawBuilder<unknown> {
  return sql`${within(tenant)} and id = ${id} and run = ${run} and status = 'indexing'`;
}

function present(hashes: readonly (string | null)[]): string[] {
  return hashes.filter((hash) => hash !== null);
}

/** Bytes of the indexes that the repositories of a product serve. */
export async function sumIndexBytes(db: Db, tenant: Tenant): Promise<number> {
  const { rows } = await sql<{ bytes: string | number | null }>`
    select sum(coalesce(shard_bytes, 0) + coalesce(history_bytes, 0)) as bytes
      from repository where ${within(tenant)}`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/** Repositories of an installation by status, and how current they are. */
export interface RepositoryStates {
  byStatus: { status: RepositoryStatus; repositories: number }[];
  /** Of the repository by address whose last fetch is longest ago, and of the index that was made last. */
  oldestFetchAt: Date | null;
  newestIndexAt: Date | null;
}

/** Counts the repositories of all accounts: for those who run the service, not for an answer. */
export async function readRepositoryStates(db: Db): Promise<RepositoryStates> {
  const { rows } = await sql<{
    status: RepositoryStatus;
    repositories: number;
    fetchedAt: Date | null;
    indexedAt: Date | null;
  }>`
    select status, count(*)::int as repositories, max(indexed_at) as "indexedAt",
           min(fetched_at) filter (where source = 'remote') as "fetchedAt"
      from repository group by status order by status`.execute(db);
  const times = (field: 'fetchedAt' | 'indexedAt'): number[] => rows.flatMap((row) => row[field]?.getTime() ?? []);
  const [fetches, indexes] = [times('fetchedAt'), times('indexedAt')];
  return {
    byStatus: rows.map(({ status, repositories }) => ({ status, repositories })),
    oldestFetchAt: fetches.length === 0 ? null : new Date(Math.min(...fetches)),
    newestIndexAt: indexes.length === 0 ? null : new Date(Math.max(...indexes)),
  };
}
