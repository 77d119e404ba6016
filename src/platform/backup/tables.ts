import { sql } from 'kysely';
import type { Db } from '../db.ts';

/** Rows that are read at a time: enough to be quick, few enough to be small. */
const BATCH_ROWS = 200;

/** Characters of a statement that writes rows, about: a text column may have much of it in one row. */
const STATEMENT_CHARACTERS = 4_000_000;

interface Table {
  name: string;
  /** Columns that can be written; generated ones cannot. */
  columns: string[];
  primaryKey: string[];
}

/** The tables of the service, each behind those that it refers to; without unlogged ones, which hold what lives for seconds. */
export async function tablesInOrder(db: Db): Promise<Table[]> {
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
       and c.relpersistence <> 'u' and c.relname <> 'migration'
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

/**
 * Reads the rows of a table as lines of JSON, in batches. Ids are made in the order of time, so the order by primary key puts a
 * row behind those of its own table that it refers to.
 */
export async function* readRows(tx: Db, table: Table): AsyncGenerator<string[]> {
  const order =
    table.primaryKey.length === 0 ? sql`` : sql` order by ${sql.join(table.primaryKey.map((name) => sql.ref(name)))}`;
  await sql`declare backup_rows no scroll cursor for
    select to_jsonb(one)::text as line from ${sql.table(table.name)} one${order}`.execute(tx);
  for (;;) {
    const { rows } = await sql.raw<{ line: string }>(`fetch ${BATCH_ROWS} from backup_rows`).execute(tx);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await sql`close backup_rows`.execute(tx);
}

/** Writes rows that `readRows` read. */
export async function insertRows(tx: Db, table: Table, lines: readonly string[]): Promise<void> {
  const columns = sql.join(table.columns.map((name) => sql.ref(name)));
  for (let from = 0; from < lines.length;) {
    let to = from;
    for (let characters = 0; to < lines.length && characters < STATEMENT_CHARACTERS; to += 1)
      characters += lines[to]?.length ?? 0;
    const rows = `[${lines.slice(from, to).join(',')}]`;
    await sql`insert into ${sql.table(table.name)} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${sql.table(table.name)}, ${rows}::text::jsonb)`.execute(
      tx,
    );
    from = to;
  }
}

/** Drops the tables and functions of the service, none of which has rows. */
export async function dropSchema(tx: Db): Promise<void> {
  const { rows } = await sql<{ statement: string }>`
    select format('drop table %s cascade', c.oid::regclass) as statement
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    union all
    select format('drop function %s cascade', p.oid::regprocedure)
      from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(tx);
  for (const { statement } of rows) await sql.raw(statement).execute(tx);
}

/** What a column that names blobs says of them in its comment. */
type BlobMark = '@original' | '@derived';

/**
 * Returns the hashes of blobs that the columns with this mark name: `@original` ones cannot be made again, `@derived` ones are
 * made from repositories.
 */
export async function blobHashes(db: Db, mark: BlobMark): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.relname::text as table, a.attname::text as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and col_description(c.oid, a.attnum) like ${`${mark}%`}
     order by 1, 2`.execute(db);
  const hashes = new Set<string>();
  for (const { table, column } of columns) {
    const { rows } = await sql<{ hash: string }>`
      select distinct ${sql.ref(column)} as hash from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      db,
    );
    for (const { hash } of rows) hashes.add(hash);
  }
  return [...hashes].toSorted();
}
