import { createReadStream } from 'node:fs';
import { access, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';
import type { Database, Db } from './db.ts';
import { appliedMigrations } from './migrate.ts';

/** Rows that travel together: enough to be quick, few enough to be small. */
const BATCH_ROWS = 500;

const FORMAT = 1;

const Manifest = z.object({
  format: z.literal(FORMAT),
  created_at: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.int() })),
});

/** How many rows each table had, in the order in which they travelled. */
export type TransferCounts = { name: string; rows: number }[];

/**
 * Writes every row of the database to a new folder: `manifest.json` and one `<table>.ndjson` per table, a JSON object a
 * line, as one consistent state. Waiting jobs and blobs are not part of it. The folder appears when it is complete.
 * The embedded database answers nobody else meanwhile.
 *
 * @throws ServiceError `conflict` when the folder exists.
 */
export async function exportDatabase(database: Database, folder: string, now: Date): Promise<TransferCounts> {
  const target = resolve(folder);
  if (await exists(target))
    throw new ServiceError('conflict', `${target} exists already.`, { fix: 'Name a folder that does not exist yet.' });
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  try {
    const manifest = await exportTables(database, unfinished);
    await writeSynced(join(unfinished, 'manifest.json'), {
      format: FORMAT,
      created_at: now.toISOString(),
      ...manifest,
    });
    await mkdir(dirname(target), { recursive: true });
    await rename(unfinished, target);
    return manifest.tables;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Fills an empty database from such a folder, all or nothing. The database must have exactly the migrations that the
 * exported one had; the engine may be the other one.
 *
 * @throws ServiceError `bad_argument` when the folder holds no export or a damaged one; `conflict` when the migrations
 * differ or a table has rows.
 */
export async function importDatabase(database: Database, folder: string): Promise<TransferCounts> {
  const manifest = await readManifest(folder);
  return database.db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', '0', true)`.execute(tx);
    await refuseOtherSchema(tx, manifest.migrations);
    for (const table of await tablesInOrder(tx)) {
      if ((await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(tx)).rows.length > 0)
        throw new ServiceError('conflict', `The table ${table.name} has rows already.`, {
          fix: 'Import into a database that has been created for it and never been used.',
        });
      const stated = manifest.tables.find(({ name }) => name === table.name)?.rows ?? 0;
      const found = await importTable(tx, table, join(folder, `${table.name}.ndjson`));
      if (found !== stated) throw damagedExport(folder, `${table.name} has ${found} rows instead of ${stated}`);
    }
    return manifest.tables;
  });
}

interface Table {
  name: string;
  /** Columns that can be written; generated ones cannot. */
  columns: string[];
  primaryKey: string[];
}

async function exportTables(
  database: Database,
  folder: string,
): Promise<{ migrations: string[]; tables: TransferCounts }> {
  return database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', '0', true)`.execute(tx);
      const tables: TransferCounts = [];
      for (const table of await tablesInOrder(tx))
        tables.push({ name: table.name, rows: await exportTable(tx, table, join(folder, `${table.name}.ndjson`)) });
      return { migrations: await appliedMigrations(tx), tables };
    });
}

/** Ids are made in the order of time, so the order by primary key puts a row behind those it refers to. */
async function exportTable(tx: Db, table: Table, path: string): Promise<number> {
  const order =
    table.primaryKey.length === 0 ? sql`` : sql` order by ${sql.join(table.primaryKey.map((name) => sql.ref(name)))}`;
  await sql`declare export_rows no scroll cursor for
    select to_jsonb(one)::text as line from ${sql.table(table.name)} one${order}`.execute(tx);
  const file = await open(path, 'wx');
  let count = 0;
  try {
    for (;;) {
      const { rows } = await sql.raw<{ line: string }>(`fetch ${BATCH_ROWS} from export_rows`).execute(tx);
      if (rows.length === 0) break;
      await file.writeFile(rows.map((row) => `${row.line}\n`).join(''));
      count += rows.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await sql`close export_rows`.execute(tx);
  return count;
}

async function importTable(tx: Db, table: Table, path: string): Promise<number> {
  const columns = sql.join(table.columns.map((name) => sql.ref(name)));
  let count = 0;
  for await (const lines of readBatches(path)) {
    const rows = `[${lines.join(',')}]`;
    await sql`insert into ${sql.table(table.name)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table.name)}, ${rows}::text::jsonb)`.execute(
      tx,
    );
    count += lines.length;
  }
  return count;
}

/** The lines of a file in batches. Only `\n` ends a line: other separators may stand in a text. */
async function* readBatches(path: string): AsyncGenerator<string[]> {
  if (!(await exists(path))) return;
  let rest = '';
  let lines: string[] = [];
  for await (const chunk of createReadStream(path, 'utf8')) {
    const parts = (rest + String(chunk)).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      if (lines.length < BATCH_ROWS) continue;
      yield lines;
      lines = [];
    }
  }
  if (rest !== '') lines.push(rest);
  if (lines.length > 0) yield lines;
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
      throw new Error(`Tables refer to each other in a circle: ${waiting.map((one) => one.name).join(', ')}.`);
    ordered.push(...next);
    waiting = waiting.filter((table) => !next.includes(table));
  }
  return ordered;
}

async function readManifest(folder: string): Promise<z.output<typeof Manifest>> {
  const path = join(folder, 'manifest.json');
  if (!(await exists(path)))
    throw new ServiceError('bad_argument', `${resolve(folder)} holds no export: there is no manifest.json.`, {
      fix: 'Name a folder that `svc export` wrote.',
    });
  try {
    return Manifest.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw damagedExport(folder, 'manifest.json cannot be read', cause);
  }
}

async function refuseOtherSchema(tx: Db, exported: readonly string[]): Promise<void> {
  const present = await appliedMigrations(tx);
  if (present.join() === exported.join()) return;
  throw new ServiceError(
    'conflict',
    'The export is of another version: its migrations are not those of this database.',
    {
      fix: 'Import it with the version that wrote it, then update; or export again with this version.',
    },
  );
}

function damagedExport(folder: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('bad_argument', `The export in ${resolve(folder)} is damaged: ${what}.`, {
    fix: 'Use another copy of it, or export again.',
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
