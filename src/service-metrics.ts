import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listProductKeys } from './accounts/accounts.ts';
import { type BackupRow, selectBackups } from './backups/backups.ts';
import { BlobCache } from './platform/blob-cache.ts';
import type { BlobStore } from './platform/blobs.ts';
import type { Config } from './platform/config.ts';
import { blobFolder } from './platform/data-dir.ts';
import type { Database } from './platform/db.ts';
import { freeBytes, usedBytes } from './platform/disk.ts';
import { countQueuedJobs, type QueuedJobs } from './platform/jobs.ts';
import type { Metrics, Reading } from './platform/metrics.ts';
import type { KeyQuotaLimits, KeyQuotas } from './keys/keys.ts';
import type { Quotas } from './platform/quotas.ts';
import type { ShardReaders } from './indexes/shards/shards.ts';
import { readRepositoryStates, type RepositoryStates } from './repositories/store.ts';

/** The gauges of one scrape share what was read. */
const DATABASE_AGAIN_MS = 1_000;
/** Measuring the data folder costs a look at each file. */
const FILES_AGAIN_MS = 10 * 60_000;
/** Quotas cost some queries a product. */
const QUOTAS_AGAIN_MS = 60_000;
const SCRAPE_WAIT_MS = 1_000;
const MS_PER_SECOND = 1_000;
/** Backups that are read for the last one that did not fail. */
const READ_BACKUPS = 100;

interface ObservedParts {
  metrics: Pick<Metrics, 'addGauge' | 'measureProcess'>;
  database: Pick<Database, 'db' | 'kind' | 'execute' | 'connections'>;
  config: Pick<Config, 'dataDir' | 'blobUrl'>;
  blobs: BlobStore;
  readers: Pick<ShardReaders, 'traffic'>;
  quotas: Quotas;
  keyQuotas: KeyQuotas;
  keyLimits: Pick<KeyQuotaLimits, 'keys'>;
  now: () => Date;
}

interface DatabaseState {
  seconds: number;
  jobs: QueuedJobs[];
  repositories: RepositoryStates;
  /** The last one that was made. */
  backup: BackupRow | undefined;
}

/**
 * Adds the gauges that say how the process and the installation are: queue, repositories, database and disk. They are read when the metrics are
 * scraped: three queries, and at most every ten minutes a look at all files of the data folder. While the database does not answer,
 * its gauges have no values.
 */
export function addStateMetrics(parts: ObservedParts): void {
  addDatabaseMetrics(parts);
  addDiskMetrics(parts);
  const { metrics, blobs, readers } = parts;
  metrics.measureProcess();
  metrics.addGauge({
    name: 'index_files',
    help: 'Index files that questions to this process read, and those of them that were not open and in memory before.',
    labelNames: ['event'],
    read: async () => Object.entries(readers.traffic).map(([event, value]) => ({ labels: { event }, value })),
  });
  if (blobs instanceof BlobCache) addStorageMetrics(metrics, blobs);
  addQuotaMetrics(parts);
}

/** Adds what each product, and each key with a limit of its own, uses of what limits it; what is not limited is not read. */
function addQuotaMetrics({ metrics, database, quotas, keyQuotas, keyLimits }: ObservedParts): void {
  const readShares = cacheFor(QUOTAS_AGAIN_MS, async () => {
    const readings: Reading[] = [];
    for (const key of await listProductKeys(database.db)) {
      const [accountId = '', product = ''] = key.split('/');
      for (const { quota, used, limit } of await quotas.read({ accountId, productId: product }, 'limited'))
        readings.push({ labels: { product, quota }, value: shareOf(used, limit) });
    }
    return readings;
  });
  metrics.addGauge({
    name: 'product_quota_used_ratio',
    help: 'Share that a product uses of what one may use; at 1 what takes more is refused. Read at most once a minute.',
    labelNames: ['product', 'quota'],
    read: () => readShares().catch(() => []),
  });
  const readKeyShares = cacheFor(QUOTAS_AGAIN_MS, async () => {
    const readings: Reading[] = [];
    for (const key of await keyLimits.keys())
      for (const { quota, used, limit } of await keyQuotas.read(key, 'limited'))
        readings.push({ labels: { key: key.keyId, quota }, value: shareOf(used, limit) });
    return readings;
  });
  metrics.addGauge({
    name: 'api_key_quota_used_ratio',
    help: 'Share that an API key with a limit of its own uses of what it may. Read at most once a minute.',
    labelNames: ['key', 'quota'],
    read: () => readKeyShares().catch(() => []),
  });
}

function shareOf(used: number, limit: number | null): number {
  return limit === null || limit === 0 ? 1 : used / limit;
}

function addStorageMetrics(metrics: ObservedParts['metrics'], { traffic }: BlobCache): void {
  metrics.addGauge({
    name: 'object_storage_blobs',
    help: 'Blobs of which this process had a copy, that it fetched from the object storage, stored there, or could not after all tries.',
    labelNames: ['event'],
    read: async () => [
      { labels: { event: 'copied' }, value: traffic.hits },
      { labels: { event: 'fetched' }, value: traffic.fetches },
      { labels: { event: 'stored' }, value: traffic.stored },
      { labels: { event: 'failed' }, value: traffic.failures },
    ],
  });
  metrics.addGauge({
    name: 'object_storage_fetched_bytes',
    help: 'Bytes that this process fetched from the object storage.',
    labelNames: [],
    read: async () => [{ labels: {}, value: traffic.fetchedBytes }],
  });
}

function addDatabaseMetrics({ metrics, database, now }: ObservedParts): void {
  const readState = cacheFor(DATABASE_AGAIN_MS, () => readDatabase(database));
  const add = (
    name: string,
    help: string,
    labelNames: string[],
    readingsOf: (state: DatabaseState) => Reading[],
  ): void => {
    const read = async (): Promise<Reading[]> => {
      const state = await readState();
      return state === undefined ? [] : readingsOf(state);
    };
    metrics.addGauge({ name, help, labelNames, read });
  };
  const age = (event: string, at: Date | null): Reading[] =>
    at === null ? [] : [{ labels: { event }, value: (now().getTime() - at.getTime()) / MS_PER_SECOND }];
  add('database_seconds', 'Time that the database took for the queries behind these gauges.', ['engine'], (state) => [
    { labels: { engine: database.kind }, value: state.seconds },
  ]);
  add('queue_jobs', 'Jobs that are not done, by name and state.', ['name', 'state'], ({ jobs }) =>
    jobs.map(({ name, state, jobs: value }) => ({ labels: { name, state }, value })),
  );
  add(
    'queue_oldest_seconds',
    'Since when the oldest job of a name and state is there.',
    ['name', 'state'],
    ({ jobs }) => jobs.map(({ name, state, oldestSeconds }) => ({ labels: { name, state }, value: oldestSeconds })),
  );
  add('repositories', 'Repositories by status.', ['status'], ({ repositories }) =>
    repositories.byStatus.map(({ status, repositories: value }) => ({ labels: { status }, value })),
  );
  add(
    'repositories_age_seconds',
    'Time since the newest index of any repository, and since the fetch of the one whose last fetch is longest ago.',
    ['event'],
    ({ repositories: { newestIndexAt, oldestFetchAt } }) => [
      ...age('newest_index', newestIndexAt),
      ...age('oldest_fetch', oldestFetchAt),
    ],
  );
  add('backup_age_seconds', 'Time since the last backup was begun.', [], ({ backup }) =>
    backup === undefined ? [] : [{ labels: {}, value: (now().getTime() - backup.startedAt.getTime()) / MS_PER_SECOND }],
  );
  add('backup_bytes', 'Size of the last backup.', [], ({ backup }) =>
    backup === undefined ? [] : [{ labels: {}, value: backup.bytes }],
  );
  metrics.addGauge({
    name: 'database_connections',
    help: 'Connections of this process to the database server, and queries that wait for one.',
    labelNames: ['state'],
    read: async () =>
      Object.entries(database.connections() ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  });
}

async function readDatabase(database: ObservedParts['database']): Promise<DatabaseState | undefined> {
  const startMs = performance.now();
  try {
    const jobs = await countQueuedJobs(database);
    const repositories = await readRepositoryStates(database.db);
    const backup = (await selectBackups(database.db, READ_BACKUPS)).find(({ error }) => error === null);
    return { seconds: (performance.now() - startMs) / MS_PER_SECOND, jobs, repositories, backup };
  } catch {
    // Whatever fails here fails for calls too, which log it.
    return undefined;
  }
}

function addDiskMetrics({ metrics, config }: ObservedParts): void {
  const [{ dataDir }, blobs] = [config, blobFolder(config)];
  const folders = {
    database: join(dataDir, 'postgres'),
    blobs,
    mirrors: join(dataDir, 'repositories'),
    knowledge: join(dataDir, 'knowledge'),
    catalogs: join(dataDir, 'catalogs'),
    unfinished: join(dataDir, 'unfinished'),
  };
  let readings: Reading[] = [];
  const measure = cacheFor(FILES_AGAIN_MS, async () => {
    const measured: Reading[] = [];
    for (const [kind, folder] of Object.entries(folders))
      measured.push({ labels: { kind }, value: await usedBytes(folder) });
    return (readings = measured);
  });
  metrics.addGauge({
    name: 'disk_used_bytes',
    help: 'Bytes of stored files by kind, measured at most every ten minutes.',
    labelNames: ['kind'],
    // Many files take longer than a scrape waits: then it gets what was measured before.
    read: () => Promise.race([measure(), delay(SCRAPE_WAIT_MS, undefined, { ref: false }).then(() => readings)]),
  });
  metrics.addGauge({
    name: 'disk_free_bytes',
    help: 'Bytes that are free on the disk of the data folder and of the folder of blobs.',
    labelNames: ['folder'],
    read: async () => {
      const free = { data: await freeBytes(dataDir), blobs: await freeBytes(blobs) };
      return Object.entries(free).flatMap(([folder, value]) =>
        value === undefined ? [] : [{ labels: { folder }, value }],
      );
    },
  });
}

/** Calls again only when the result is older than that; calls at the same time share one. */
function cacheFor<Result>(maxAgeMs: number, read: () => Promise<Result>): () => Promise<Result> {
  let current: { atMs: number; result: Promise<Result> } | undefined;
  return () => {
    if (current === undefined || performance.now() - current.atMs > maxAgeMs)
      current = { atMs: performance.now(), result: read() };
    return current.result;
  };
}
