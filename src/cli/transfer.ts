import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { openBlobs } from '../platform/blob-cache.ts';
import type { Config } from '../platform/config.ts';
import { exportDatabase, importDatabase, type TransferParts } from '../platform/export.ts';
import { migrate } from '../platform/migrate.ts';
import { keepPrivate } from '../platform/private-files.ts';
import type { CommandContext } from './command.ts';

/** The answer of `svc export` and `svc import`. */
interface TransferJson {
  folder: string;
  database: 'embedded' | 'server';
  tables: { name: string; rows: number }[];
  /** Uploads as they came. */
  files: { count: number; bytes: number };
  /** Uploads that were lost or damaged before they were exported. */
  lost: string[];
}

/**
 * Writes all rows of the configured database, all uploads and the key of the installation to a new folder.
 *
 * @throws ServiceError `not_found` when there is no data; `conflict` when the folder exists or a service has the data open.
 */
export async function exportData(context: CommandContext, config: Config, folder: string): Promise<TransferJson> {
  const target = resolve(context.cwd, folder);
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new ServiceError('not_found', `There is no data in ${config.dataDir}.`, {
      fix: 'Set the data folder with --data-dir or SVC_DATA_DIR, or the server with DATABASE_URL.',
    });
  }
  await using opened = await open(context, config);
  const transfer = await exportDatabase(opened, target, new Date());
  return { folder: target, database: opened.database.kind, ...transfer };
}

/**
 * Fills the configured database, which must have no rows, from such a folder.
 *
 * @throws ServiceError `bad_argument` when the folder holds no export; `conflict` when the database is in use or not empty.
 */
export async function importData(context: CommandContext, config: Config, folder: string): Promise<TransferJson> {
  const source = resolve(context.cwd, folder);
  keepPrivate(config);
  await using opened = await open(context, config);
  await migrate(opened.database.db);
  const transfer = await importDatabase(opened, source);
  return { folder: source, database: opened.database.kind, ...transfer };
}

/** Describes for people what was transferred. */
export function describeTransfer(verb: string, { folder, database, tables, files, lost }: TransferJson): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const where = database === 'embedded' ? 'the embedded database' : 'the PostgreSQL server';
  const uploads = `${files.count.toLocaleString('en-US')} uploads (${(files.bytes / 1e6).toFixed(1)} MB)`;
  const summary = `${verb} ${rows.toLocaleString('en-US')} rows of ${tables.length} tables and ${uploads}: ${folder}, ${where}.`;
  if (lost.length === 0) return summary;
  return `${summary}\n${lost.length} uploads were lost or damaged before the export: ${lost.join(', ')}.`;
}

async function open(context: CommandContext, config: Config): Promise<TransferParts & AsyncDisposable> {
  const database = await context.openDatabase(config);
  try {
    const blobs = await openBlobs(config);
    return { database, blobs, dataDir: config.dataDir, [Symbol.asyncDispose]: () => database.close() };
  } catch (error) {
    await database.close();
    throw error;
  }
}
