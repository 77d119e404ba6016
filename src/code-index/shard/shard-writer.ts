import type { DatabaseSync } from 'node:sqlite';
import { buildShard } from '../../indexes/shards/shards.ts';
import { RankIndexWriter, writeRankIndex } from './rank-index.ts';
import { EdgeWriter } from './shard-edges.ts';
import type { FileInput, ShardInput } from '../format/shard-input.ts';
import { RowWriter } from './shard-rows.ts';
import { CODE_INDEXES, CODE_SETTINGS, CODE_SHARD, CODE_TABLES, SYMBOL_KINDS } from '../format/shard-schema.ts';
import { lineStarts } from '../format/line-starts.ts';
import { ShardTexts } from '../format/shard-text.ts';
import { cutUnits } from '../format/cut-units.ts';
import { UnitIndexWriter, writeUnitIndex } from './unit-index.ts';

/** Origin of the shard, as it states it. */
export interface ShardOrigin {
  repository: string;
  commit: string;
  /** Source of what it knows from compilers, see `ExactRequest`. Absent: nothing. */
  exact?: string;
}

export interface ShardCounts {
  files: number;
  symbols: number;
  lines: number;
}

/**
 * Writes the code shard of one commit to `path`, in one pass over the files.
 *
 * The content depends on the input alone, row by row: not on the order of extraction, of occurrences, or on the clock.
 * About 10 MB of source a second; memory grows with the occurrences and the vocabulary, not with the text.
 */
export function writeCodeShard(
  path: string,
  origin: ShardOrigin,
  input: ShardInput,
  signal?: AbortSignal,
): Promise<ShardCounts> {
  const plan = { ...CODE_SHARD, meta: { ...origin } };
  return buildShard(path, plan, async (db) => {
    db.exec(CODE_TABLES + CODE_SETTINGS);
    const writer = new CodeWriter(db, input.texts ?? new ShardTexts(), familyOf(input.families));
    for await (const file of input.files) {
      signal?.throwIfAborted();
      writer.add(file);
    }
    return writer.finish();
  });
}

class CodeWriter {
  readonly #db: DatabaseSync;
  readonly #rows: RowWriter;
  readonly #texts: ShardTexts;
  readonly #edges: EdgeWriter;
  readonly #rank: RankIndexWriter;
  readonly #unitIndex: UnitIndexWriter;
  #units = 0;
  readonly #tests: number[] = [];
  readonly #firstSymbols: number[] = [];
  readonly #kinds: number[] = [];
  readonly #counts: ShardCounts = { files: 0, symbols: 0, lines: 0 };
  #lastPath: string | undefined;

  constructor(db: DatabaseSync, texts: ShardTexts, families: ReadonlyMap<number, number>) {
    this.#db = db;
    this.#texts = texts;
    this.#rows = new RowWriter(db, families);
    this.#edges = new EdgeWriter(db);
    this.#rank = new RankIndexWriter(texts.vocabulary);
    this.#unitIndex = new UnitIndexWriter(texts.vocabulary);
  }

  add(file: FileInput): void {
    checkOrder(file, this.#lastPath);
    const id = this.#counts.files;
    const firstSymbol = this.#counts.symbols;
    const starts = lineStarts(file.text);
    this.#rows.add({ id, firstSymbol }, file, starts);
    if (this.#texts.size === id) this.#texts.add(file.text, file.isTextOnly !== true);
    this.#edges.add(id, firstSymbol, file);
    const words = this.#texts.takeWords(id, file.text, starts);
    this.#rank.add({ id, firstSymbol }, file, words);
    const units = cutUnits(file, starts);
    this.#unitIndex.add({ id, first: this.#units }, file, units, words);
    this.#units += units.length;
    this.#tests.push(file.test ? 1 : 0);
    this.#firstSymbols.push(firstSymbol);
    for (const { kind } of file.symbols) this.#kinds.push(SYMBOL_KINDS.indexOf(kind));
    this.#lastPath = file.path;
    this.#counts.files++;
    this.#counts.symbols += file.symbols.length;
    this.#counts.lines += file.lines;
  }

  finish(): ShardCounts {
    this.#texts.write(this.#db);
    this.#edges.finish({ firstSymbols: this.#firstSymbols, kinds: this.#kinds }, this.#rows.names.ids);
    writeRankIndex(this.#db, this.#rank.finish(this.#counts.symbols));
    writeUnitIndex(this.#db, this.#unitIndex.finish());
    writeDense(this.#db, { tests: this.#tests, kinds: this.#kinds, firstSymbols: this.#firstSymbols });
    this.#db.exec(CODE_INDEXES);
    return this.#counts;
  }
}

/** Writes what is known of all files and symbols in one value each. */
export function writeDense(
  db: DatabaseSync,
  { tests, kinds, firstSymbols }: Record<'tests' | 'kinds' | 'firstSymbols', ArrayLike<number>>,
): void {
  const insert = db.prepare('insert into dense values (?, ?)');
  insert.run('file_test', Uint8Array.from(tests));
  insert.run('symbol_kind', Uint8Array.from(kinds));
  insert.run('file_first_symbol', new Uint8Array(Int32Array.from(firstSymbols).buffer));
}

/** The family of each symbol. Families are numbered by their smallest member, so that the order of groups is no matter. */
export function familyOf(families: ShardInput['families']): Map<number, number> {
  const groups = families.map((group) => [...group].toSorted((a, b) => a - b));
  groups.sort(([a = 0], [b = 0]) => a - b);
  return new Map(groups.flatMap((group, family) => group.map((symbol) => [symbol, family] as const)));
}

function checkOrder({ path, symbols }: FileInput, lastPath: string | undefined): void {
  if (lastPath !== undefined && path <= lastPath) throw new Error(`Files are out of order: ${path} after ${lastPath}.`);
  for (const [index, symbol] of symbols.entries()) {
    const before = symbols[index - 1];
    if (before === undefined || before.line < symbol.line) continue;
    if (before.line > symbol.line || before.column > symbol.column)
      throw new Error(`${path}: symbols are out of order: ${symbol.name} after ${before.name}.`);
  }
}
