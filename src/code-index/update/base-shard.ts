import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { canOpenShard, shardUri } from '../../indexes/shards/shards.ts';
import type { Parser } from '../../languages/languages.ts';
import type { FileContent } from '../../languages/facts/file-content.ts';
import type { Parsed } from '../format/shard-input.ts';
import { CODE_FORMAT } from '../format/shard-schema.ts';

/** A file of the shard that an update starts from. */
export interface BaseFile {
  id: number;
  path: string;
  language: string;
  blob: string;
  sizeBytes: number;
  lines: number;
  parsed: Parsed;
  /** Reason why it is not `full`, or why its text is missing. */
  reason: string | null;
  firstSymbol: number;
  symbols: number;
  /** '' for a file without facts. */
  parser: Parser | '';
  definitions: number;
  content: FileContent;
  /** 1 or 0. */
  generated: number;
}

/** Thrown when the shard cannot be made from the one before; then it is made anew. The message is the reason. */
export class NotUpdatable extends Error {}

/** The shard that an update starts from, open for reading. */
export class BaseShard {
  /** To attach it by: nothing can be written through it. */
  readonly uri: string;
  readonly commit: string;
  readonly db: DatabaseSync;
  /** By id. */
  readonly files: readonly BaseFile[];
  readonly symbols: number;
  readonly isExact: boolean;
  readonly #statements = new Map<string, StatementSync>();

  /**
   * `isExact`: compilers may have had a part in it, or in what it was made from.
   *
   * @throws NotUpdatable when there is no such shard of this repository.
   */
  constructor(file: string, repository: string, { isExact = false }: { isExact?: boolean } = {}) {
    if (!canOpenShard(file, CODE_FORMAT)) throw new NotUpdatable('there is no shard of this format');
    this.uri = shardUri(file);
    this.db = new DatabaseSync(this.uri, { readOnly: true });
    const meta = new Map(this.rows<[string, string]>('select key, value from meta'));
    if (meta.get('repository') !== repository || (meta.has('exact') && !isExact)) {
      this.db.close();
      throw new NotUpdatable('the shard before is of another kind');
    }
    this.isExact = isExact;
    this.commit = meta.get('commit') ?? '';
    const columns = `id, path, language, blob, size_bytes as sizeBytes, lines, parsed, reason, first_symbol as firstSymbol,
      symbols, parser, definitions, content, generated`;
    // The columns are those of BaseFile.
    this.files = this.db.prepare(`select ${columns} from file order by id`).all() as unknown as BaseFile[];
    const last = this.files.at(-1);
    this.symbols = (last?.firstSymbol ?? 0) + (last?.symbols ?? 0);
  }

  /** All rows of a query, as lists of columns. `Row` says what they are. */
  rows<Row extends readonly unknown[]>(query: string, ...values: readonly (number | string)[]): Row[] {
    let statement = this.#statements.get(query);
    if (statement === undefined) {
      statement = this.db.prepare(query);
      statement.setReturnArrays(true);
      this.#statements.set(query, statement);
    }
    return statement.all(...values) as unknown as Row[];
  }

  /** The rows of a query one after the other: for what would be most of the shard in memory. */
  *each<Row extends readonly unknown[]>(query: string): Generator<Row> {
    const statement = this.db.prepare(query);
    statement.setReturnArrays(true);
    // The caller knows the columns of its query.
    yield* statement.iterate() as unknown as Iterable<Row>;
  }

  /** The text of a file, '' when the shard has none. */
  text(file: number): string {
    const query = `select c.start, c.size_bytes, b.text from chunk c join block b on b.id = c.block
      where c.file = ? order by c.id`;
    const parts = this.rows<[number, number, Uint8Array]>(query, file).map(([start, sizeBytes, block]) =>
      zstdDecompressSync(block).subarray(start, start + sizeBytes),
    );
    return Buffer.concat(parts).toString();
  }

  /** One value of `dense`. */
  dense(name: string): Uint8Array {
    const [row] = this.rows<[Uint8Array]>('select data from dense where name = ?', name);
    if (row === undefined) throw new Error(`the shard has no ${name}`);
    return row[0];
  }

  close(): void {
    this.db.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
