import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/db.ts';
import { exportDatabase, importDatabase } from '../platform/export.ts';
import { migrate } from '../platform/migrate.ts';
import type { CommandScope } from './command.ts';

/** The answer of `svc export` and `svc import`. */
export interface TransferJson {
  folder: string;
  database: 'embedded' | 'server';
  tables: { name: string; rows: number }[];
}

/**
 * Writes all rows of the configured database to a new folder.
 *
 * @throws ServiceError `not_found` when there is no data; `conflict` when the folder exists or a service has the data open.
 */
export async function exportData(scope: CommandScope, config: Config, folder: string): Promise<TransferJson> {
  const target = resolve(scope.cwd, folder);
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    throw new ServiceError('not_found', `There is no data in ${config.dataDir}.`, {
      fix: 'Name the folder of the data with --data-dir or SVC_DATA_DIR, or the server with DATABASE_URL.',
    });
  }
  await using opened = await open(scope, config);
  const tables = await exportDatabase(opened.database, target, new Date());
  return { folder: target, database: opened.database.kind, tables };
}

/**
 * Fills the configured database, which must have no rows, from such a folder.
 *
 * @throws ServiceError `bad_argument` when the folder holds no export; `conflict` when the database is in use or not empty.
 */
export async function importData(scope: CommandScope, config: Config, folder: string): Promise<TransferJson> {
  const source = resolve(scope.cwd, folder);
  if (config.databaseUrl === undefined) mkdirSync(config.dataDir, { recursive: true });
  await using opened = await open(scope, config);
  await migrate(opened.database.db);
  const tables = await importDatabase(opened.database, source);
  return { folder: source, database: opened.database.kind, tables };
}

/** What was transferred, for people. */
export function describeTransfer(verb: string, { folder, database, tables }: TransferJson): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const where = database === 'embedded' ? 'the embedded database' : 'the PostgreSQL server';
  return `${verb} ${rows.toLocaleString('en-US')} rows of ${tables.length} tables: ${folder}, ${where}.`;
}

async function open(scope: CommandScope, config: Config): Promise<{ database: Database } & AsyncDisposable> {
  const database = await scope.openDatabase(config);
  return { database, [Symbol.asyncDispose]: () => database.close() };
}
