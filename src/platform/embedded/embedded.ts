import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Kysely } from 'kysely';
import { ServiceError } from '../../kernel/errors.ts';
import { EmbeddedClient, rowsOf } from './client.ts';
import { embeddedDialect } from './dialect.ts';
import { emptyDatabasePath, unpackFolder } from './template.ts';
import type { Database, NoTables } from '../db.ts';
import { DATABASE_FOLDER } from '../data-dir.ts';
import { isFull } from '../disk.ts';
import { expectedFailure, storageFull } from '../failures.ts';
import { takeLock, type Lock } from '../lock.ts';
import type { Log } from '../log.ts';
import type { Watch } from '../supervision.ts';

/** Major version of PostgreSQL that the embedded engine is; a folder of another one does not open. */
const POSTGRES_MAJOR = '18';

/** A transaction that is silent for this long is rolled back: everybody else waits for it. */
const IDLE_TRANSACTION_MS = 30_000;

/** Longest silence of a transaction on a copy of the database, which nobody else waits for. */
const COPY_IDLE_MS = 6 * 60 * 60_000;

/** Interval between checks whether a checkpoint or a vacuum is due. */
const MAINTENANCE_MS = 10_000;

/** The engine has no background processes: without our checkpoints the log would grow without end. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
const CHECKPOINT_MS = 5 * 60_000;
const VACUUM_MS = 6 * 60 * 60_000;

export interface EmbeddedOptions {
  /** Folder of the service's data; the database lives in `postgres/` inside. Absent: in memory, gone when closed. */
  dataDir?: string;
  /** A dump of `EmbeddedDatabase.dump` that a database in memory starts from. */
  template?: Uint8Array;
  idleTransactionMs?: number;
  /** Receives a line when the database stopped, could not be opened again, and was opened. */
  log?: Log | undefined;
  /** Receives the end of its thread, and that another one has opened the database. */
  watch?: Watch | undefined;
}

export interface EmbeddedDatabase extends Database {
  kind: 'embedded';
  /** The whole database as an archive that `template` takes. */
  dump(): Promise<Uint8Array>;
  /** Does the upkeep that is due at `nowMs`, which a timer calls for every 10 s, and returns its kind. */
  maintain(nowMs: number): Promise<Upkeep>;
}

type Upkeep = 'nothing' | 'checkpoint' | 'vacuum';

/**
 * Opens PostgreSQL inside this process, in a thread of its own, and creates it when the folder has none. Takes 0.4 s for
 * an existing database and 1 s for a new one. One process at a time may have a folder open. Meant for short queries:
 * there is one connection, so a slow query holds up all others.
 *
 * @throws ServiceError `conflict` when another process has the folder, `internal` when the files are of another version,
 * `content_damaged` when they cannot be read, `storage_full` when the disk is.
 */
export async function openEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  const files = options.dataDir === undefined ? undefined : claimFolder(resolve(options.dataDir));
  try {
    const { template, idleTransactionMs = IDLE_TRANSACTION_MS, log, watch } = options;
    if (files === undefined) {
      const start = { idleTransactionMs, ...(template !== undefined && { template }) };
      return database(await EmbeddedClient.open(start, { log, watch }), undefined);
    }
    if (!existsSync(files.folder)) await createFolder(files.folder);
    return database(await EmbeddedClient.open({ folder: files.folder, idleTransactionMs }, { log, watch }), files.lock);
  } catch (cause) {
    files?.lock.release();
    if (files === undefined) throw cause;
    throw expectedFailure(cause) ?? (isFull(files.folder) ? storageFull(cause) : damagedDatabase(files.folder, cause));
  }
}

function database(client: EmbeddedClient, lock: Lock | undefined): EmbeddedDatabase {
  const db = new Kysely<NoTables>({ dialect: embeddedDialect(client) });
  const upkeep = new UpkeepClock(client);
  const timer = setInterval(() => void upkeep.run(Date.now()).catch(() => 'nothing'), MAINTENANCE_MS).unref();
  const session = client.newSession();
  return {
    db,
    kind: 'embedded',
    execute: async (text, values = []) => rowsOf(await client.query(session, text, values)),
    listen: (channel, onMessage, onConnection) => client.listen(channel, onMessage, onConnection),
    notify: async (channel, payload) => {
      await client.query(session, 'select pg_notify($1, $2)', [channel, payload]);
    },
    outage: () => client.outage,
    writes: () => client.writes,
    connections: () => undefined,
    copy: (target) => openCopy(client, target, lock !== undefined),
    dump: () => client.dump(),
    maintain: (nowMs) => upkeep.run(nowMs),
    close: async () => {
      clearInterval(timer);
      await client.close();
      lock?.release();
    },
  };
}

/** Opens a copy of the database in `target`, of one in memory in memory. */
async function openCopy(client: EmbeddedClient, target: string, hasFiles: boolean): Promise<EmbeddedDatabase> {
  if (!hasFiles) return openEmbedded({ template: await client.dump(), idleTransactionMs: COPY_IDLE_MS });
  mkdirSync(target, { recursive: true });
  await client.request(client.newSession(), 'copy', join(resolve(target), DATABASE_FOLDER));
  return openEmbedded({ dataDir: target, idleTransactionMs: COPY_IDLE_MS });
}

/** Remembers when the last upkeep was. */
class UpkeepClock {
  readonly #client: EmbeddedClient;
  readonly #session: number;
  #last: UpkeepState;

  constructor(client: EmbeddedClient) {
    this.#client = client;
    this.#session = client.newSession();
    this.#last = { checkpointAtMs: Date.now(), checkpointLsn: undefined, vacuumAtMs: Date.now(), vacuumLsn: undefined };
  }

  async run(nowMs: number): Promise<Upkeep> {
    const lsn = await this.#position();
    this.#last.checkpointLsn ??= lsn;
    this.#last.vacuumLsn ??= lsn;
    const due = dueUpkeep(this.#last, lsn, nowMs);
    if (due === 'nothing') return due;
    if (due === 'vacuum') await this.#client.request(this.#session, 'vacuum');
    await this.#client.request(this.#session, 'checkpoint');
    const after = await this.#position();
    this.#last = { ...this.#last, checkpointAtMs: nowMs, checkpointLsn: after };
    if (due === 'vacuum') this.#last = { ...this.#last, vacuumAtMs: nowMs, vacuumLsn: after };
    return due;
  }

  /** Returns the number of bytes of log that have ever been written. */
  async #position(): Promise<number> {
    const sql = `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as position`;
    return Number(rowsOf(await this.#client.query(this.#session, sql))[0]?.['position']);
  }
}

interface UpkeepState {
  checkpointAtMs: number;
  checkpointLsn: number | undefined;
  vacuumAtMs: number;
  vacuumLsn: number | undefined;
}

/**
 * Returns the upkeep that is due: nothing while nothing was written; a checkpoint by bytes or time; a vacuum, which includes
 * one, by time.
 */
export function dueUpkeep(last: UpkeepState, lsn: number, nowMs: number): Upkeep {
  const writtenSinceVacuum = lsn - (last.vacuumLsn ?? lsn);
  if (writtenSinceVacuum > 0 && nowMs - last.vacuumAtMs >= VACUUM_MS) return 'vacuum';
  const written = lsn - (last.checkpointLsn ?? lsn);
  if (written >= CHECKPOINT_BYTES) return 'checkpoint';
  return written > 0 && nowMs - last.checkpointAtMs >= CHECKPOINT_MS ? 'checkpoint' : 'nothing';
}

/** Unpacks an empty database under another name first: a process killed meanwhile leaves nothing that looks like one. */
async function createFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await unpackFolder(readFileSync(emptyDatabasePath()), unfinished);
  renameSync(unfinished, folder);
}

/** Makes the folder, takes its lock and looks at the version before the engine does. */
function claimFolder(dataDir: string): { folder: string; lock: Lock } {
  mkdirSync(dataDir, { recursive: true });
  const lock = takeLock(join(dataDir, 'lock.db'), `The data folder ${dataDir}`);
  const folder = join(dataDir, DATABASE_FOLDER);
  try {
    checkVersion(folder);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { folder, lock };
}

function checkVersion(folder: string): void {
  if (!existsSync(folder)) return;
  const file = join(folder, 'PG_VERSION');
  if (!existsSync(file)) throw damagedDatabase(folder, new Error('PG_VERSION is missing'));
  const version = readFileSync(file, 'utf8').trim();
  if (version === POSTGRES_MAJOR) return;
  if (!/^\d+$/.test(version)) throw damagedDatabase(folder, new Error('PG_VERSION is not a number'));
  throw new ServiceError(
    'internal',
    `The database in ${folder} belongs to PostgreSQL ${version}; this build reads ${POSTGRES_MAJOR}.`,
    {
      fix: `Run \`svc backup\` with the version that wrote it, move the folder away, and run \`svc restore\` with this one.`,
    },
  );
}

function damagedDatabase(folder: string, cause: unknown): ServiceError {
  return new ServiceError('content_damaged', `The database in ${folder} is damaged or cannot be read.`, {
    fix: `Restore a backup with \`svc restore\`, or move the folder away to start with an empty one.`,
    cause,
  });
}
