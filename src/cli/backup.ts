import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { insertBackup } from '../backups/backups.ts';
import { ServiceError } from '../kernel/errors.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { fetchBackup, locateBackup, openBackupFolder } from '../platform/backup/backup-folder.ts';
import { type BackupSource, type BlobChoice, createBackup } from '../platform/backup/create-backup.ts';
import type { Manifest } from '../platform/backup/manifest.ts';
import { type BackupTarget, restoreBackup } from '../platform/backup/restore-backup.ts';
import { openBlobs } from '../platform/blob-cache.ts';
import type { Config } from '../platform/config.ts';
import { OBJECT_URL } from '../platform/data-dir.ts';
import { readAppliedMigrations, listMigrations } from '../platform/migrate.ts';
import { keepPrivate } from '../platform/private-files.ts';
import { prepareRestored } from '../repositories/runs/runs.ts';
import { findRunning, remoteClient } from './client.ts';
import type { CommandContext } from './command.ts';

/** The answer of `svc backup` and `svc restore`. */
interface BackupJson {
  file: string;
  tables: { name: string; rows: number }[];
  blobs: { count: number; bytes: number };
  /** Blobs that stayed where they are. */
  referenced: number;
  /** Blobs that were lost or damaged before. */
  lost: string[];
}

type SavedJson = BackupJson & { bytes: number };
/** `reindexed`: repositories whose index was not in the backup. */
type RestoredJson = BackupJson & { reindexed: number };

/**
 * Saves a backup of the service that runs on the data, or of the data itself where none runs here.
 *
 * @throws ServiceError `not_found` when there is no data; `conflict` when the file exists or another process has the data open.
 */
export async function backUp(
  context: CommandContext,
  config: Config,
  { file: given, blobs }: { file: string; blobs: BlobChoice },
): Promise<SavedJson> {
  const { folder, name } = locateBackup(given, context.cwd);
  const target = openBackupFolder(folder, config);
  const running = await findRunning(config.dataDir);
  if (running !== undefined) {
    const { download } = remoteClient({ url: running.url, key: running.token });
    const { content } = await download(`/v1/backup?blobs=${blobs}`);
    const { bytes, manifest } = await target.save(content, name);
    return { ...describe(target.addressOf(name), manifest), bytes };
  }
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new ServiceError('not_found', `There is no data in ${config.dataDir}.`, {
      fix: 'Set the data folder with --data-dir or SVC_DATA_DIR, or the server with DATABASE_URL.',
    });
  }
  await using source = await openParts(context, config);
  const startedAt = new Date();
  const archive = createBackup(source, { blobs, version: context.version, now: startedAt });
  const file = target.addressOf(name);
  const { bytes, manifest } = await target.save(archive, name);
  await record(source, { startedAt, bytes, file });
  return { ...describe(file, manifest), bytes };
}

/** Records a backup; in a database of another version there may be no table for it. */
async function record(
  { database: { db } }: BackupSource,
  saved: { startedAt: Date; bytes: number; file: string },
): Promise<void> {
  if ((await readAppliedMigrations(db)).join() !== listMigrations().join()) return;
  await insertBackup(db, { id: uuidv7(saved.startedAt), finishedAt: new Date(), error: null, ...saved });
}

/**
 * Fills the configured database, which must have no rows, and the store of blobs from a backup.
 *
 * @throws ServiceError `bad_argument` when the file is no sound backup; `conflict` when the database is in use or not empty, or
 * the backup comes from a newer version.
 */
export async function restore(context: CommandContext, config: Config, given: string): Promise<RestoredJson> {
  keepPrivate(config);
  if (OBJECT_URL.test(given)) {
    await using fetched = await fetchBackup(given, config);
    return { ...(await restoreFile(context, config, fetched.file)), file: given };
  }
  const file = resolve(context.cwd, given);
  if (!existsSync(file))
    throw new ServiceError('not_found', `There is no file ${file}.`, { fix: 'Name a file that svc backup wrote.' });
  return restoreFile(context, config, file);
}

async function restoreFile(context: CommandContext, config: Config, source: string): Promise<RestoredJson> {
  await using target = await openParts(context, config);
  let reindexed = 0;
  const manifest = await restoreBackup(target, source, {
    finish: async (tx, stored) => {
      reindexed = await prepareRestored(tx, stored);
    },
  });
  return { ...describe(source, manifest), reindexed };
}

function describe(file: string, { tables, blobs, referenced, lost }: Manifest): BackupJson {
  return {
    file,
    tables: tables.map(({ name, rows }) => ({ name, rows })),
    blobs: { count: blobs.length, bytes: blobs.reduce((sum, { bytes }) => sum + bytes, 0) },
    referenced: referenced.length,
    lost,
  };
}

/** Describes for people what was saved. */
export function savedText(saved: SavedJson): string {
  return `Saved ${contentText(saved)}: ${saved.file}, ${megabytes(saved.bytes)}.${lostText(saved)}`;
}

/** Describes for people what was restored. */
export function restoredText(restored: RestoredJson): string {
  const { reindexed } = restored;
  const next = reindexed === 0 ? '' : ` The next start indexes ${reindexed} repositories.`;
  return `Restored ${contentText(restored)}: ${restored.file}.${next}${lostText(restored)}`;
}

function contentText({ tables, blobs, referenced }: BackupJson): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const elsewhere = referenced === 0 ? '' : `, without ${referenced.toLocaleString('en-US')} that stay where they are`;
  const files = `${blobs.count.toLocaleString('en-US')} blobs (${megabytes(blobs.bytes)})${elsewhere}`;
  return `${rows.toLocaleString('en-US')} rows of ${tables.length} tables and ${files}`;
}

function lostText({ lost }: BackupJson): string {
  return lost.length === 0 ? '' : `\n${lost.length} blobs are lost or were damaged before: ${lost.join(', ')}.`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function openParts(context: CommandContext, config: Config): Promise<BackupTarget & AsyncDisposable> {
  const database = await context.openDatabase(config);
  try {
    const blobs = await openBlobs(config);
    return { database, blobs, dataDir: config.dataDir, [Symbol.asyncDispose]: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}
