import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';

/**
 * Every row of every table of a code shard, by table and sorted. Of a chunk its text stands in the place of where it is
 * packed: that is the only thing in which a shard that was made from another may differ from one that was made anew.
 */
export function shardContent(file: string): Map<string, string[]> {
  using db = new DatabaseSync(file, { readOnly: true });
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' order by name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== 'block' && name !== 'sqlite_stat1');
  const content = tables.map((table): [string, string[]] => {
    const rows = table === 'chunk' ? chunks(db) : db.prepare(`select * from "${table}"`).all();
    return [table, rows.map((row) => JSON.stringify(row, hexadecimal)).toSorted()];
  });
  return new Map(content);
}

/** Lists the differences of two shards: a few rows of each table, with a sign for the shard that has it. Empty when equal. */
export function shardDifferences(left: string, right: string): string[] {
  const [first, second] = [shardContent(left), shardContent(right)];
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((table) => {
    const [rows, others] = [first.get(table) ?? [], second.get(table) ?? []];
    const [has, hasOther] = [new Set(rows), new Set(others)];
    const more = rows.filter((row) => !hasOther.has(row)).map((row) => `+ ${table} ${row}`);
    const less = others.filter((row) => !has.has(row)).map((row) => `- ${table} ${row}`);
    const count = rows.length === others.length ? [] : [`${table}: ${rows.length} rows, not ${others.length}`];
    return [...count, ...more.slice(0, 3), ...less.slice(0, 3)];
  });
}

interface ChunkRow {
  id: number;
  file: number;
  line: number;
  block: number;
  start: number;
  size_bytes: number;
}

function chunks(db: DatabaseSync): { id: number; file: number; line: number; text: string }[] {
  const blocks = new Map(
    db
      .prepare('select id, text from block')
      .all()
      .map(({ id, text }) => [id, zstdDecompressSync(text as Uint8Array)]),
  );
  // The columns are those of the table.
  const rows = db.prepare('select * from chunk').all() as unknown as ChunkRow[];
  return rows.map(({ id, file, line, block, start, size_bytes: size }) => {
    const text =
      blocks
        .get(block)
        ?.subarray(start, start + size)
        .toString() ?? '';
    return { id, file, line, text };
  });
}

function hexadecimal(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
