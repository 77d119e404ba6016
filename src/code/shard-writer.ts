import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { buildShard, identifierParts } from '../shards/shards.ts';
import { taggedComments } from './comment-tags.ts';
import { RankIndexWriter } from './rank-index.ts';
import { EdgeWriter } from './shard-edges.ts';
import type { FileInput, ShardInput, SymbolInput } from './shard-input.ts';
import { CODE_INDEXES, CODE_SETTINGS, CODE_SHARD, CODE_TABLES, SYMBOL_KINDS } from './shard-schema.ts';
import { StructureWriter } from './shard-structure.ts';
import { lineStarts, ShardTexts } from './shard-text.ts';

/** Longest signature and first sentence that are kept, in characters. */
const HEAD_LIMIT = 200;

/** What the shard says it was made from. */
export interface ShardOrigin {
  repository: string;
  commit: string;
  /** What it knows from compilers, see `ExactRequest`. Absent: nothing. */
  exact?: string;
}

export interface ShardCounts {
  files: number;
  symbols: number;
  occurrences: number;
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
  readonly #families: ReadonlyMap<number, number>;
  readonly #insertFile: StatementSync;
  readonly #insertSymbol: StatementSync;
  readonly #insertComment: StatementSync;
  readonly #names: NameWriter;
  readonly #texts: ShardTexts;
  readonly #edges: EdgeWriter;
  readonly #structure: StructureWriter;
  readonly #rank: RankIndexWriter;
  readonly #tests: number[] = [];
  readonly #firstSymbols: number[] = [];
  readonly #kinds: number[] = [];
  readonly #counts: ShardCounts = { files: 0, symbols: 0, occurrences: 0, lines: 0 };
  #lastPath: string | undefined;

  constructor(db: DatabaseSync, texts: ShardTexts, families: ReadonlyMap<number, number>) {
    this.#db = db;
    this.#texts = texts;
    this.#families = families;
    this.#insertFile = db.prepare('insert into file values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#insertSymbol = db.prepare('insert into symbol values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#insertComment = db.prepare('insert into comment (file, line, tag, text) values (?, ?, ?, ?)');
    this.#names = new NameWriter(db);
    this.#edges = new EdgeWriter(db);
    this.#structure = new StructureWriter(db);
    this.#rank = new RankIndexWriter(texts.vocabulary);
  }

  add(file: FileInput): void {
    checkOrder(file, this.#lastPath);
    const id = this.#counts.files;
    const firstSymbol = this.#counts.symbols;
    const starts = lineStarts(file.text);
    this.#addFile(id, firstSymbol, file);
    for (const [index, symbol] of file.symbols.entries()) this.#addSymbol(id, firstSymbol, { index, symbol });
    for (const { line, tag, text } of taggedComments(file, starts)) this.#insertComment.run(id, line, tag, text);
    if (this.#texts.size === id) this.#texts.add(file.text);
    this.#edges.add(id, firstSymbol, file);
    this.#structure.add(id, firstSymbol, file);
    this.#rank.add(firstSymbol, file, this.#texts.takeWords(id, file.text, starts));
    this.#tests.push(file.test ? 1 : 0);
    this.#firstSymbols.push(firstSymbol);
    this.#lastPath = file.path;
    this.#counts.files++;
    this.#counts.symbols += file.symbols.length;
    this.#counts.occurrences += file.occurrences.line.length;
    this.#counts.lines += file.lines;
  }

  finish(): ShardCounts {
    this.#texts.write(this.#db);
    this.#edges.finish({ firstSymbols: this.#firstSymbols, kinds: this.#kinds }, this.#names.ids);
    this.#rank.finish(this.#db, this.#counts.symbols);
    const insert = this.#db.prepare('insert into dense values (?, ?)');
    insert.run('file_test', Uint8Array.from(this.#tests));
    insert.run('symbol_kind', Uint8Array.from(this.#kinds));
    insert.run('file_first_symbol', new Uint8Array(Int32Array.from(this.#firstSymbols).buffer));
    this.#db.exec(CODE_INDEXES);
    return this.#counts;
  }

  #addFile(id: number, firstSymbol: number, file: FileInput): void {
    const { path, language, blob, sizeBytes, lines, parsed, reason = null } = file;
    const flags = [Number(file.test), Number(file.generated)] as const;
    const head = [id, path, language, blob, sizeBytes, lines] as const;
    this.#insertFile.run(...head, ...flags, parsed, reason, firstSymbol, file.symbols.length);
  }

  #addSymbol(file: number, firstSymbol: number, { index, symbol }: { index: number; symbol: SymbolInput }): void {
    const { kind, line, end, column, qualified, exported, parent } = symbol;
    const id = firstSymbol + index;
    this.#kinds.push(SYMBOL_KINDS.indexOf(kind));
    this.#insertSymbol.run(
      id,
      file,
      this.#names.add(symbol.name),
      qualified,
      kind,
      line,
      end,
      column,
      cut(symbol.signature.replace(/\s+/g, ' ').trim()),
      cut(firstSentence(symbol.doc)),
      Number(exported),
      parent === -1 ? null : firstSymbol + parent,
      this.#families.get(id) ?? null,
      symbol.parameters ?? null,
    );
  }
}

/** Distinct names of symbols, with ids in the order they come. */
class NameWriter {
  readonly ids = new Map<string, number>();
  readonly #insert: StatementSync;
  readonly #insertGrams: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('insert into name values (?, ?, ?)');
    this.#insertGrams = db.prepare('insert into name_gram (rowid, text) values (?, ?)');
  }

  add(name: string): number {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const id = this.ids.size;
    const initials = identifierParts(name).map((part) => part.charAt(0));
    this.ids.set(name, id);
    this.#insert.run(id, name, initials.join(''));
    this.#insertGrams.run(id, name);
    return id;
  }
}

/** The family of each symbol. Families are numbered by their smallest member, so that the order of groups is no matter. */
function familyOf(families: ShardInput['families']): Map<number, number> {
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

/** Up to the first full stop that ends a sentence, an empty line or a tag such as `@param`, on one line. */
function firstSentence(doc: string): string {
  const paragraph = doc.trim().split(/\n\s*\n|\n\s*@\w|\n\s*:\w+/, 1)[0] ?? '';
  const text = paragraph.replace(/\s+/g, ' ').trim();
  const end = text.search(/[.!?](?: |$)/);
  return end === -1 ? text : text.slice(0, end + 1);
}

function cut(text: string): string {
  return text.length > HEAD_LIMIT ? `${text.slice(0, HEAD_LIMIT - 1)}…` : text;
}
