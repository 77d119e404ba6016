import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import type { BlobStore } from './blobs.ts';
import type { Database, Db } from './db.ts';
import { damageOfFiles, type ExportedFiles, exportFiles, importFiles } from './export-files.ts';
import { damageOfKey, exportKey, importKey, refuseOtherKey } from './export-key.ts';
import { appliedMigrations } from './migrate.ts';
import { readLineBatches } from './ndjson.ts';

/** Rows that travel together: enough to be quick, few enough to be small. */
const BATCH_ROWS = 500;

/**
 * Characters of a batch of rows: a statement is about this long at most, because a text column may have much of it in one line.
 */
const BATCH_CHARACTERS = 4_000_000;

/** 2 since an export carries files, and says what each of its own files holds. */
const FORMAT = 2;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Manifest = z.object({
  format: z.literal(FORMAT),
  created_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: Sha256 })),
  files: z.array(z.object({ hash: Sha256, bytes: z.int() })),
  /** Hash of the file `secret.key`, where there is one. */
  secret_key: Sha256.optional(),
  lost: z.array(Sha256),
});

/** Counts of what an export or import moved. */
interface Transfer {
  /** Number of rows of each table, in the order in which they were moved. */
  tables: { name: string; rows: number }[];
  /** Blobs that cannot be made again: uploads as they came. */
  files: { count: number; bytes: number };
  /** Hashes of those that were lost or damaged before they were exported. */
  lost: string[];
}

/** Database, blobs and folder that an export reads, or an import fills. */
export interface TransferParts {
  database: Database;
  blobs: BlobStore;
  /** The data folder, with the key that the installation made for itself. */
  dataDir: string;
}

/**
 * Writes every row of the database to a new folder: `manifest.json`, one `<table>.ndjson` per table, a JSON object a line, as
 * one consistent state, and in `files/` the blobs that cannot be made again. Waiting jobs and what is derived from git are not
 * part of it; the key that the installation made for its secrets is. The folder appears when it is complete. The embedded
 * database answers no other query meanwhile.
 *
 * @throws ServiceError `conflict` when the folder exists.
 */
export async function exportDatabase(parts: TransferParts, folder: string, now: Date): Promise<Transfer> {
  const target = resolve(folder);
  if (await exists(target))
    throw new ServiceError('conflict', `${target} already exists.`, { fix: 'Name a folder that does not exist yet.' });
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  try {
    const manifest = await exportContent(parts, unfinished);
    await writeSynced(join(unfinished, 'manifest.json'), {
      format: FORMAT,
      created_at: now.toISOString(),
      ...manifest,
      ...exportKey(parts.dataDir, unfinished),
    });
    await mkdir(dirname(target), { recursive: true });
    await rename(unfinished, target);
    return transferOf(manifest);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Fills an empty database from such a folder, all or nothing: every file of it is compared with its hash before anything
 * is written. The database must have exactly the migrations that the exported one had; the engine may be the other one.
 *
 * @throws ServiceError `bad_argument` when the folder holds no export or a damaged one; `conflict` when the migrations
 * differ, a table has rows, or the data folder has another key.
 */
export async function importDatabase({ database, blobs, dataDir }: TransferParts, folder: string): Promise<Transfer> {
  const manifest = await readManifest(folder);
  const damage =
    (await damageOfTables(folder, manifest)) ??
    (await damageOfFiles(folder, manifest.files)) ??
    damageOfKey(folder, manifest.secret_key);
  if (damage !== undefined) throw damagedExport(folder, damage);
  refuseOtherKey(folder, dataDir);
  await database.db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '0', true)`.execute(tx);
    await refuseOtherSchema(tx, manifest.migrations);
    for (const table of await tablesInOrder(tx)) {
      if ((await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(tx)).rows.length > 0)
        throw new ServiceError('conflict', `The table ${table.name} already has rows.`, {
          fix: 'Import into a new database that has never been used.',
        });
      await importTable(tx, table, tableFile(folder, table.name));
    }
    // Before the rows that name them are visible. After an import that fails they are found by their content the next time.
    await importFiles(blobs, folder, manifest.files);
    importKey(folder, dataDir);
  });
  return transferOf(manifest);
}

function transferOf({ tables, files, lost }: Pick<z.output<typeof Manifest>, 'tables' | 'files' | 'lost'>): Transfer {
  return {
    tables: tables.map(({ name, rows }) => ({ name, rows })),
    files: { count: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) },
    lost,
  };
}

function tableFile(folder: string, table: string): string {
  return join(folder, `${table}.ndjson`);
}

async function damageOfTables(folder: string, { tables }: z.output<typeof Manifest>): Promise<string | undefined> {
  for (const { name, rows, sha256 } of tables) {
    const contents = await readTableFile(tableFile(folder, name));
    if (contents === undefined) return `${name}.ndjson is missing`;
    if (contents.rows !== rows) return `${name} has ${contents.rows} rows instead of ${rows}`;
    if (contents.sha256 !== sha256) return `${name}.ndjson differs from what was exported`;
  }
  return undefined;
}

async function readTableFile(path: string): Promise<{ rows: number; sha256: string } | undefined> {
  if (!(await exists(path))) return undefined;
  const hash = createHash('sha256');
  let rows = 0;
  for await (const chunk of createReadStream(path)) {
    // A stream without an encoding gives buffers.
    const bytes = chunk as Buffer;
    hash.update(bytes);
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) rows += 1;
  }
  return { rows, sha256: hash.digest('hex') };
}

interface Table {
  name: string;
  /** Columns that can be written; generated ones cannot. */
  columns: string[];
  primaryKey: string[];
}

async function exportContent(
  { database, blobs }: Pick<TransferParts, 'database' | 'blobs'>,
  folder: string,
): Promise<Pick<z.output<typeof Manifest>, 'migrations' | 'tables'> & ExportedFiles> {
  return database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', '0', true)`.execute(tx);
      const tables = [];
      for (const table of await tablesInOrder(tx))
        tables.push({ name: table.name, ...(await exportTable(tx, table, tableFile(folder, table.name))) });
      return { migrations: await appliedMigrations(tx), tables, ...(await exportFiles(tx, blobs, folder)) };
    });
}

/** Ids are made in the order of time, so the order by primary key puts a row behind those it refers to. */
async function exportTable(tx: Db, table: Table, path: string): Promise<{ rows: number; sha256: string }> {
  const order =
    table.primaryKey.length === 0 ? sql`` : sql` order by ${sql.join(table.primaryKey.map((name) => sql.ref(name)))}`;
  await sql`declare export_rows no scroll cursor for
    select to_jsonb(one)::text as line from ${sql.table(table.name)} one${order}`.execute(tx);
  const file = await open(path, 'wx');
  const hash = createHash('sha256');
  let count = 0;
  try {
    for (;;) {
      const { rows } = await sql.raw<{ line: string }>(`fetch ${BATCH_ROWS} from export_rows`).execute(tx);
      if (rows.length === 0) break;
      const lines = rows.map((row) => `${row.line}\n`).join('');
      hash.update(lines);
      await file.writeFile(lines);
      count += rows.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await sql`close export_rows`.execute(tx);
  return { rows: count, sha256: hash.digest('hex') };
}

async function importTable(tx: Db, table: Table, path: string): Promise<void> {
  const columns = sql.join(table.columns.map((name) => sql.ref(name)));
  if (!(await exists(path))) return;
  for await (const lines of readLineBatches(path, { lines: BATCH_ROWS, characters: BATCH_CHARACTERS })) {
    const rows = `[${lines.join(',')}]`;
    await sql`insert into ${sql.table(table.name)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table.name)}, ${rows}::text::jsonb)`.execute(
      tx,
    );
  }
}

/** The tables of the service, each behind those that it refers to. */
async function tablesInOrder(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table & { refersTo: string[] }>`
    select c.relname::text as name,
      array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns,
      array(select a.attname::text from pg_index i
              cross join lateral unnest(i.indkey::int2[]) with ordinality as k (number, position)
              join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
             where i.indrelid = c.oid and i.indisprimary order by k.position) as "primaryKey",
      array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as "refersTo"
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'migration'
     order by c.relname`.execute(db);
  const ordered: Table[] = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const done = new Set(ordered.map((table) => table.name));
    const next = waiting.filter((table) => table.refersTo.every((name) => done.has(name)));
    if (next.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${waiting.map((table) => table.name).join(', ')}.`);
    ordered.push(...next);
    waiting = waiting.filter((table) => !next.includes(table));
  }
  return ordered;
}

async function readManifest(folder: string): Promise<z.output<typeof Manifest>> {
  const path = join(folder, 'manifest.json');
  if (!(await exists(path)))
    throw new ServiceError('bad_argument', `${resolve(folder)} is not an export: it has no manifest.json.`, {
      fix: `Name a folder that \`svc export\` wrote.`,
    });
  try {
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (z.object({ format: z.literal(1) }).safeParse(manifest).success) throw otherVersion();
    return Manifest.parse(manifest);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw damagedExport(folder, 'manifest.json cannot be read', cause);
  }
}

async function refuseOtherSchema(tx: Db, exported: readonly string[]): Promise<void> {
  const present = await appliedMigrations(tx);
  if (present.join() === exported.join()) return;
  throw otherVersion();
}

function otherVersion(): ServiceError {
  return new ServiceError(
    'conflict',
    'The export comes from another version: its migrations differ from those of this database.',
    { fix: 'Import it with the version that wrote it, then update; or export again with this version.' },
  );
}

function damagedExport(folder: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('bad_argument', `The export in ${resolve(folder)} is damaged: ${what}.`, {
    fix: 'Use another copy of the export, or export again.',
    cause,
  });
}

async function writeSynced(path: string, content: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(content, undefined, 2)}\n`, { flush: true });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
