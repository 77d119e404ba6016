import { DatabaseSync } from 'node:sqlite';
import { UseCursor } from '../../code-index/format/store-codec.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { canOpenShard, openShard, type ShardDatabase, shardUri } from '../../indexes/shards/shards.ts';

/** Columns that are compared, by table: the key first. */
const COMPARED = {
  file: ['id', 'path', 'language', 'test', 'generated', 'content', 'first_symbol', 'symbols'],
  name: ['id', 'text'],
  symbol: [
    'id',
    'file',
    'name',
    'qualified',
    'kind',
    'line',
    'end_line',
    'parent',
    'family',
    'exported',
    'parameters',
    'signature',
  ],
  usage: ['symbol', 'refs', 'uses'],
  named: ['name'],
  edge: ['symbol', 'refers', 'extends'],
  file_edge: ['file', 'refers', 'depends'],
  structure: ['file', 'fingerprints'],
} as const satisfies Record<string, readonly string[]>;

type ComparedTable = keyof typeof COMPARED;

/** Columns of symbols that are a part of the text, or a position in it: they are compared in files whose text is the same. */
const OF_TEXT: ReadonlySet<string> = new Set(['line', 'end_line', 'signature']);

/** What a value is computed of. */
export interface ValueInputs {
  /** Columns by table; keys and the columns of `dense` that these give need not be named. */
  columns: { [Table in ComparedTable]?: readonly (typeof COMPARED)[Table][number][] };
  /**
   * True if the value takes the same from the texts of files that changed, where the columns are the same:
   * lines and signatures are compared in the other files. Absent for a value that reads none of these.
   */
  isSameText?: (shards: { before: ShardDatabase; after: ShardDatabase }, files: readonly number[]) => boolean;
}

/** The shard of a commit beside that of an earlier one: tells which values are the same because what they are computed of is. */
export class ComparedShards {
  readonly #db: DatabaseSync;
  readonly before: ShardDatabase;
  readonly #after: ShardDatabase;
  readonly #differing = new Map<ComparedTable, ReadonlySet<string>>();
  #changed: ReadonlySet<number> | undefined;

  private constructor(file: string, before: string) {
    this.before = openShard(before, CODE_FORMAT);
    this.#after = openShard(file, CODE_FORMAT);
    this.#db = new DatabaseSync(shardUri(file), { readOnly: true });
    this.#db.prepare('attach database ? as base').run(shardUri(before));
  }

  /** Opens both; undefined when the earlier one is of another format, or gone. */
  static open(file: string, before: string): ComparedShards | undefined {
    return canOpenShard(before, CODE_FORMAT) ? new ComparedShards(file, before) : undefined;
  }

  /** The value that the earlier shard holds, if it is the same in this one. About 2 µs a symbol for the first value. */
  carried(name: string, { columns, isSameText }: ValueInputs): Uint8Array | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    // Where ids are others nothing else needs to be compared.
    const tables = Object.entries(columns) as [ComparedTable, readonly string[]][];
    const isSame = [['file', ['id', 'path', 'first_symbol', 'symbols']] as const, ...tables].every(([table, names]) =>
      names.every((column) => !this.#differingColumns(table).has(column)),
    );
    if (!isSame) return undefined;
    const shards = { before: this.before, after: this.#after };
    if (isSameText?.(shards, [...this.#changedFiles()]) === false) return undefined;
    return value;
  }

  /** A value that the earlier shard holds. */
  value(name: string): Uint8Array | undefined {
    const row = this.before.prepare('select data from dense where name = ?').get(name);
    return (row as { data: Uint8Array } | undefined)?.data;
  }

  /** Columns of a table that differ in any row: all of them when the rows are others. One scan of both. */
  #differingColumns(table: ComparedTable): ReadonlySet<string> {
    const existing = this.#differing.get(table);
    if (existing !== undefined) return existing;
    const [key, ...columns] = COMPARED[table];
    const plain = columns.filter((column) => column !== 'uses' && !OF_TEXT.has(column));
    const counts = this.#db
      .prepare(
        `select (select count(*) from main.${table}) as after, (select count(*) from base.${table}) as before,
           ${['count(*) as same', ...plain.map((column) => `max(a.${column} is not b.${column}) as ${column}`)].join(', ')}
           from main.${table} a join base.${table} b on b.${key} = a.${key}`,
      )
      .get() as { after: number; before: number; same: number } & Record<string, number>;
    const hasSameKeys = counts.after === counts.same && counts.before === counts.same;
    const differing = hasSameKeys
      ? columns.filter((column) => (plain.includes(column) ? counts[column] === 1 : this.#isMoved(column)))
      : COMPARED[table];
    const columnSet = new Set<string>(differing);
    this.#differing.set(table, columnSet);
    return columnSet;
  }

  #isMoved(column: string): boolean {
    return column === 'uses' ? this.#doUsesDiffer() : this.#doesTextDiffer(column);
  }

  /** True if a symbol of a file whose text is the same has another value. */
  #doesTextDiffer(column: string): boolean {
    const rows = this.#db
      .prepare(
        `select distinct a.file from main.symbol a join base.symbol b on b.id = a.id where a.${column} is not b.${column}`,
      )
      .all() as { file: number }[];
    return rows.some(({ file }) => !this.#changedFiles().has(file));
  }

  /** True if other code uses a symbol, or in another order; where it is in a changed file may differ. */
  #doUsesDiffer(): boolean {
    const rows = this.#db
      .prepare(
        `select a.uses as after, b.uses as before from main.usage a join base.usage b on b.symbol = a.symbol
          where a.uses is not b.uses`,
      )
      .iterate() as Iterable<{ after: Uint8Array; before: Uint8Array }>;
    const changed = this.#changedFiles();
    for (const row of rows) {
      const [after, before] = [new UseCursor(row.after), new UseCursor(row.before)];
      while (after.next()) {
        if (!before.next() || after.file !== before.file) return true;
        if (after.code !== before.code || after.enclosing !== before.enclosing) return true;
        const isMoved = after.line !== before.line || after.column !== before.column;
        if (isMoved && !changed.has(after.file)) return true;
      }
      if (before.next()) return true;
    }
    return false;
  }

  /** Files that have another content, or another part of it. */
  #changedFiles(): ReadonlySet<number> {
    if (this.#changed !== undefined) return this.#changed;
    const rows = this.#db
      .prepare(
        `select a.id from main.file a join base.file b on b.id = a.id
          where a.blob <> b.blob or a.parser <> b.parser or a.lines <> b.lines or a.parsed <> b.parsed
             or a.reason is not b.reason`,
      )
      .all() as { id: number }[];
    return (this.#changed = new Set(rows.map(({ id }) => id)));
  }

  [Symbol.dispose](): void {
    this.#db.close();
    this.before.close();
    this.#after.close();
  }
}
