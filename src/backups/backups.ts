import { dirname } from 'node:path';
import { pipeline, type Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { type BackupSource, type BlobChoice, createBackup } from '../platform/backup/create-backup.ts';
import { type BackupFolder, openBackupFolder } from '../platform/backup/backup-folder.ts';
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/db.ts';
import { reasonOf } from '../platform/failures.ts';
import { insertBackup, selectBackups } from './store.ts';

export { type BackupRow, insertBackup, selectBackups } from './store.ts';

/** Time after which a backup that failed is tried again. */
const RETRY_MS = 10 * 60_000;
/** Rows that a look at the schedule reads: failures between two backups. */
const READ_ROWS = 100;
const MS_PER_SECOND = 1_000;
const FILE_NAME = /^svc-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.tar\.zst$/;

/** Where and when backups are made without anybody asking. */
interface BackupSchedule {
  /** A folder of this machine, or an address of object storage. */
  folder: string;
  target: BackupFolder;
  intervalMs: number;
  /** Files that stay. */
  count: number;
}

/** The backups of an installation as its settings say. */
export function openBackups(
  config: Config,
  parts: Pick<BackupSource, 'database' | 'blobs'>,
  { version, now }: { version: string; now: () => Date },
): Backups {
  const { dataDir, backupDir: folder, backupIntervalSeconds, backupCount: count } = config;
  const intervalMs = backupIntervalSeconds * MS_PER_SECOND;
  const schedule =
    folder === undefined ? undefined : { folder, target: openBackupFolder(folder, config), intervalMs, count };
  return new Backups({ source: { ...parts, dataDir }, version, now, schedule });
}

/** Backups of a running installation. */
export class Backups {
  readonly #source: BackupSource;
  readonly #version: string;
  readonly #now: () => Date;
  readonly schedule: BackupSchedule | undefined;
  #isSending = false;

  constructor(parts: { source: BackupSource; version: string; now: () => Date; schedule: BackupSchedule | undefined }) {
    this.#source = parts.source;
    this.#version = parts.version;
    this.#now = parts.now;
    this.schedule = parts.schedule;
  }

  get db(): Db {
    return this.#source.database.db;
  }

  /**
   * Begins a backup, as the bytes of a file, and records it at its end.
   *
   * @throws ServiceError `conflict` while another one is sent: each reads a copy of the database.
   */
  open(blobs: BlobChoice): Readable {
    if (this.#isSending)
      throw new ServiceError('conflict', 'A backup is being sent already.', { fix: 'Try again when it has ended.' });
    this.#isSending = true;
    const startedAt = this.#now();
    let bytes = 0;
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    const archive = pipeline(this.#create(blobs), counter, () => undefined);
    archive.once('close', () => (this.#isSending = false));
    finished(archive)
      .then(() => this.#record({ startedAt, file: null, bytes, error: null }))
      // Whoever reads the archive meets its error.
      .catch((error: unknown) => this.#record({ startedAt, file: null, bytes, error: reasonOf(error) }))
      .catch(() => undefined);
    return archive;
  }

  /** Makes the backup of the schedule if it is due, and deletes the oldest files beyond the count. */
  async makeDue(): Promise<void> {
    const { schedule } = this;
    if (schedule === undefined || !(await this.#isDue(schedule))) return;
    const startedAt = this.#now();
    const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
    const name = `svc-${time}Z.tar.zst`;
    const file = schedule.target.addressOf(name);
    try {
      const { bytes } = await schedule.target.save(this.#create('uploads'), name);
      await this.#record({ startedAt, file, bytes, error: null });
    } catch (error) {
      await this.#record({ startedAt, file, bytes: 0, error: reasonOf(error) });
      throw error;
    }
    await deleteOldest(schedule);
  }

  async #isDue({ folder, intervalMs }: BackupSchedule): Promise<boolean> {
    const rows = await selectBackups(this.db, READ_ROWS);
    const nowMs = this.#now().getTime();
    const isWithin = (at: Date, ms: number): boolean => nowMs - at.getTime() < ms;
    // One that somebody saved elsewhere is none of the schedule.
    return !rows.some(
      ({ file, startedAt, error }) =>
        file !== null && dirname(file) === folder && isWithin(startedAt, error === null ? intervalMs : RETRY_MS),
    );
  }

  #create(blobs: BlobChoice): Readable {
    return createBackup(this.#source, { blobs, version: this.#version, now: this.#now() });
  }

  async #record(row: { startedAt: Date; file: string | null; bytes: number; error: string | null }): Promise<void> {
    await insertBackup(this.db, { id: uuidv7(row.startedAt), finishedAt: this.#now(), ...row });
  }
}

async function deleteOldest({ target, count }: BackupSchedule): Promise<void> {
  const files = (await target.list()).filter((name) => FILE_NAME.test(name)).toSorted();
  for (const name of files.slice(0, -count)) await target.delete(name);
}
