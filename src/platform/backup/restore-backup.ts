import { sql } from 'kysely';
import { ServiceError } from '../../kernel/errors.ts';
import type { BlobStore } from '../blobs.ts';
import type { Database, Db } from '../db.ts';
import { readSecretKey, secretKeyPath, writeSecretKey } from '../installation-key.ts';
import { readAppliedMigrations, applyMigrations, listMigrations, migrationsFolder } from '../migrate.ts';
import { checkBackup, type CheckedBackup, linesOf, readEntries } from './check-backup.ts';
import type { Manifest } from './manifest.ts';
import { dropSchema, insertRows, tablesInOrder } from './tables.ts';
import { readEntry } from './tar.ts';

/** The empty installation that a backup is restored into. */
export interface BackupTarget {
  database: Database;
  blobs: BlobStore;
  dataDir: string;
}

interface RestoreOptions {
  /** Folder of the migrations; default: those of this build. */
  migrations?: string;
  /** Called in the transaction, before the rows are visible, with the blobs that are stored now. */
  finish?: (tx: Db, stored: ReadonlySet<string>) => Promise<void>;
}

/**
 * Fills an empty installation from a backup, all or nothing: it is read to its end before anything is written. The schema is made
 * as it was, filled, and brought to this build. Returns the manifest; `lost` are also the blobs that the backup refers to and
 * that are not in the store.
 *
 * @throws ServiceError `bad_argument` for a file that is no backup or a damaged one; `conflict` when it comes from a newer
 * version, a table has rows, or the data folder has another key.
 */
export async function restoreBackup(
  { database, blobs, dataDir }: BackupTarget,
  file: string,
  { migrations: folder = migrationsFolder(), finish }: RestoreOptions = {},
): Promise<Manifest> {
  const { manifest, secretKey } = await checkBackup(file);
  refuseNewer(manifest, listMigrations(folder));
  refuseOtherKey(secretKey, dataDir);
  await refuseRows(database.db);
  const stored = await storeBlobs(blobs, file, manifest);
  await database.db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
    await refuseRows(tx);
    await makeSchema(tx, folder, manifest.migrations);
    await insertTables(tx, file);
    await applyMigrations(tx, folder, listMigrations(folder));
    await finish?.(tx, stored);
    if (secretKey !== undefined) writeSecretKey(dataDir, secretKey);
  });
  return { ...manifest, lost: [...manifest.lost, ...manifest.referenced.filter((hash) => !stored.has(hash))] };
}

/** Puts the blobs of a backup into the store; returns those and the ones it refers to that are there. */
async function storeBlobs(blobs: BlobStore, file: string, manifest: Manifest): Promise<Set<string>> {
  const carried = new Set(manifest.blobs.map(({ hash }) => hash));
  const stored = new Set<string>();
  for (const hash of manifest.referenced) if (await blobs.verify(hash)) stored.add(hash);
  for await (const { name, content } of readEntries(file)) {
    const hash = name.startsWith('blobs/') ? name.slice('blobs/'.length) : '';
    if (!carried.has(hash)) continue;
    const received = await blobs.receive(content);
    if (received.hash !== hash) {
      await received.discard();
      throw new Error(`${name} changed while it was restored.`);
    }
    await received.keep();
    stored.add(hash);
  }
  return stored;
}

/** Makes the schema that the backup was made of. */
async function makeSchema(tx: Db, folder: string, migrations: readonly string[]): Promise<void> {
  const present = await readAppliedMigrations(tx);
  if (present.join() === migrations.join()) return;
  if (present.length > 0) await dropSchema(tx);
  await applyMigrations(tx, folder, migrations);
}

async function insertTables(tx: Db, file: string): Promise<void> {
  const tables = new Map((await tablesInOrder(tx)).map((table) => [table.name, table]));
  // What a migration writes is in the backup as well.
  for (const { name } of [...tables.values()].toReversed()) await sql`delete from ${sql.table(name)}`.execute(tx);
  for await (const entry of readEntries(file)) {
    const [folder, name = ''] = entry.name.split('/');
    if (folder !== 'tables') continue;
    const table = tables.get(name);
    if (table === undefined) throw new Error(`The migrations of the backup make no table "${name}".`);
    await insertRows(tx, table, linesOf(await readEntry(entry)));
  }
}

async function refuseRows(db: Db): Promise<void> {
  for (const { name } of await tablesInOrder(db)) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0)
      throw new ServiceError('conflict', `The table ${name} already has rows.`, {
        fix: 'Restore into a new data folder or database that has never been used.',
      });
  }
}

function refuseNewer({ migrations, version }: Manifest, present: readonly string[]): void {
  const missing = migrations.filter((name) => !present.includes(name));
  if (missing.length === 0) return;
  throw new ServiceError(
    'conflict',
    `The backup comes from a newer version (${version}): this one does not have ${missing.join(', ')}.`,
    { fix: 'Restore it with that version or a later one.' },
  );
}

function refuseOtherKey(brought: CheckedBackup['secretKey'], dataDir: string): void {
  const own = readSecretKey(dataDir);
  if (own === undefined || brought === undefined || own === brought) return;
  throw new ServiceError('conflict', `${secretKeyPath(dataDir)} holds a different key from the one in the backup.`, {
    fix: 'Restore into a new data folder that has never been used.',
  });
}
