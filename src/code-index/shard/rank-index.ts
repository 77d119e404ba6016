import type { DatabaseSync } from 'node:sqlite';
import type { FileWords, Vocabulary } from '../format/rank-words.ts';
import type { FileInput, SymbolInput } from '../format/shard-input.ts';
import { LENGTH_FIELDS, TERM_FIELDS } from '../format/shard-schema.ts';
import { packLength, VarintWriter } from '../../kernel/varints.ts';
import { WORD_VECTORS } from '../format/word-vectors.ts';

/** Most body and comment words of one document: a longer one says no more about what it is for. */
const DOCUMENT_WORDS = 4000;

/** Symbols that hold others: their members are documents of their own and are left out of their body. */
const CONTAINERS = new Set<string>(['class', 'interface', 'struct', 'trait', 'enum', 'module']);

const FIELDS = TERM_FIELDS.length;
const BIT = Object.fromEntries(TERM_FIELDS.map((field, index) => [field, index])) as Record<
  (typeof TERM_FIELDS)[number],
  number
>;

/** Terms in ascending order (`<`) with their postings, and what is known of each document, one after the other. */
export interface RankIndex {
  terms: { text: string; documents: number; postings: Uint8Array }[];
  /** Ids of the documents in the order of `lengths` and `vectors`, ascending. */
  documents: readonly number[];
  /** One byte a field of LENGTH_FIELDS. */
  lengths: Uint8Array;
  vectors: Uint8Array;
}

/** Writes a whole index. */
export function writeRankIndex(db: DatabaseSync, { terms, lengths, vectors }: RankIndex): void {
  const insert = db.prepare('insert into term values (?, ?, ?)');
  for (const { text, documents, postings } of terms) insert.run(text, documents, postings);
  const insertDense = db.prepare('insert into dense values (?, ?)');
  insertDense.run('document_length', lengths);
  insertDense.run('document_vector', vectors);
}

/** The words of the file at hand, and which of them are in comments. */
interface CommentedWords extends FileWords {
  comment: Uint8Array;
}

/** Builds the postings of the ranked search: one document a symbol, then one a file for what is outside symbols. */
export class RankIndexWriter {
  readonly #vocabulary: Vocabulary;
  readonly #postings: VarintWriter[] = [];
  readonly #documents: number[] = [];
  readonly #lastDocument: number[] = [];
  /** Times a term was met in the document at hand, by term and field. */
  #counts = new Uint16Array(1 << 16);
  /** The last document that each term was met in, as numbered by `#document`. */
  #metIn = new Int32Array(Math.ceil((1 << 16) / FIELDS));
  /** Number of the document at hand, from 1: not its id. */
  #document = 1;
  #touched: number[] = [];
  #lengths: number[] = [];
  /** Documents of files wait here: their ids come after all symbols. */
  readonly #files: { file: number; taken: { terms: Int32Array; counts: Uint16Array; lengths: number[] } }[] = [];
  readonly #order: number[] = [];
  readonly #lengthRows: number[] = [];
  readonly #vectors: Uint8Array[] = [];

  /** The vocabulary begins with the terms that have vectors. */
  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Adds one file and its symbols, in ascending order of both. `read` are the words of its text. */
  add({ id, firstSymbol }: { id: number; firstSymbol: number }, file: FileInput, read: FileWords): void {
    const words = { ...read, comment: commentFlags(read.starts, file.comments) };
    const path = this.#vocabulary.idsOf(file.path.replace(/\.[A-Za-z]+$/, '').replace(/^(?:src|lib|packages)\//, ''));
    const children = childrenOf(file.symbols);
    for (const [index, symbol] of file.symbols.entries()) {
      this.#addSymbol(symbol, { words, path, children: children.get(index) ?? [], symbols: file.symbols });
      this.#flush(firstSymbol + index);
    }
    this.#addFile(file, words, children.get(-1) ?? []);
    this.#files.push({ file: id, taken: this.#take() });
  }

  /** The finished index. `symbols` is the number of symbols: the id of the document of file 0. */
  finish(symbols: number): RankIndex {
    for (const { file, taken } of this.#files) {
      this.#putBack(taken);
      this.#flush(symbols + file);
    }
    const terms: RankIndex['terms'] = [];
    for (const [text, id] of [...this.#vocabulary.termIds].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const postings = this.#postings[id];
      if (postings !== undefined) terms.push({ text, documents: this.#documents[id] ?? 0, postings: postings.bytes() });
    }
    return {
      terms,
      documents: this.#order,
      lengths: Uint8Array.from(this.#lengthRows),
      vectors: Buffer.concat(this.#vectors),
    };
  }

  #addSymbol(
    symbol: SymbolInput,
    around: { words: CommentedWords; path: Int32Array[]; children: SymbolInput[]; symbols: readonly SymbolInput[] },
  ): void {
    const scope = symbol.qualified.slice(0, Math.max(0, symbol.qualified.length - symbol.name.length));
    this.#count(this.#vocabulary.idsOf(symbol.name), BIT.name);
    this.#count(this.#vocabulary.idsOf(scope), BIT.scope);
    this.#count(around.path, BIT.path);
    this.#count(this.#vocabulary.idsOf(symbol.signature.replace(symbol.name, ' ')), BIT.signature);
    this.#count(this.#vocabulary.idsOf(symbol.doc), BIT.doc);
    const holes = CONTAINERS.has(symbol.kind) ? around.children : [];
    for (const { name } of holes) this.#count(this.#vocabulary.idsOf(name), BIT.body);
    this.#countLines(around.words, symbol.line, symbol.end, holes);
  }

  #addFile(file: FileInput, words: CommentedWords, topLevel: SymbolInput[]): void {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    this.#count(this.#vocabulary.idsOf(name.replace(/\.[A-Za-z]+$/, '')), BIT.name);
    this.#count(this.#vocabulary.idsOf(file.path.slice(0, -name.length)), BIT.path);
    if (!file.generated) this.#countLines(words, 1, words.firstOfLine.length - 1, topLevel);
  }

  /** Counts the words of lines `from` to `to`, without those of `holes` (ascending by line). */
  #countLines(words: CommentedWords, from: number, to: number, holes: SymbolInput[]): void {
    const { firstOfLine, terms, comment } = words;
    let remaining = DOCUMENT_WORDS;
    let hole = 0;
    for (let line = from; line <= to && line < firstOfLine.length && remaining > 0; line++) {
      while (hole < holes.length && (holes[hole]?.end ?? 0) < line) hole++;
      const next = holes[hole];
      if (next !== undefined && next.line <= line && next.end > next.line) {
        line = next.end;
        continue;
      }
      const end = firstOfLine[line] ?? 0;
      for (let word = firstOfLine[line - 1] ?? 0; word < end && remaining > 0; word++, remaining--) {
        const ids = terms[word];
        if (ids !== undefined) this.#countOne(ids, comment[word] === 1 ? BIT.comments : BIT.body);
      }
    }
  }

  #count(words: readonly Int32Array[], field: number): void {
    for (const ids of words) this.#countOne(ids, field);
  }

  #countOne(ids: Int32Array, field: number): void {
    for (let index = 0; index < ids.length; index++) {
      const id = ids[index] ?? 0;
      const at = id * FIELDS;
      if (at + FIELDS > this.#counts.length) this.#grow(at + FIELDS);
      if (this.#metIn[id] !== this.#document) {
        this.#metIn[id] = this.#document;
        this.#touched.push(id);
      }
      const count = this.#counts[at + field] ?? 0;
      if (count < 65_535) this.#counts[at + field] = count + 1;
    }
    this.#lengths[field] = (this.#lengths[field] ?? 0) + ids.length;
  }

  #grow(least: number): void {
    const grown = new Uint16Array(least * 2);
    grown.set(this.#counts);
    this.#counts = grown;
    const metIn = new Int32Array(Math.ceil(grown.length / FIELDS));
    metIn.set(this.#metIn);
    this.#metIn = metIn;
  }

  /** Appends the document at hand to the postings of its terms and empties it. Ids come in ascending order. */
  #flush(document: number): void {
    this.#order.push(document);
    this.#vectors.push(this.#vector());
    for (const term of this.#touched) this.#post(term, document);
    for (const field of LENGTH_FIELDS) this.#lengthRows.push(packLength(this.#lengths[BIT[field]] ?? 0));
    this.#begin();
  }

  /** Empties the document at hand: the next one is counted. The counts are empty already. */
  #begin(): void {
    this.#touched = [];
    this.#lengths = [];
    this.#document++;
  }

  /** Appends a term of the document at hand to its postings, and empties its counts. */
  #post(term: number, document: number): void {
    const out = (this.#postings[term] ??= new VarintWriter(8));
    const counts = this.#counts;
    const from = term * FIELDS;
    let [mask, once] = [0, 1];
    for (let field = 0; field < FIELDS; field++) {
      const count = counts[from + field] ?? 0;
      if (count !== 0) mask |= 1 << field;
      if (count > 1) once = 0;
    }
    out.push(document - (this.#lastDocument[term] ?? 0));
    out.push((mask << 1) | once);
    for (let field = 0; field < FIELDS; field++) {
      const count = counts[from + field] ?? 0;
      if (once === 0 && count !== 0) out.push(count);
      counts[from + field] = 0;
    }
    this.#lastDocument[term] = document;
    this.#documents[term] = (this.#documents[term] ?? 0) + 1;
  }

  #vector(): Uint8Array {
    const text = new Map<number, number>();
    const name: number[] = [];
    const context: number[] = [];
    const counts = this.#counts;
    for (const term of this.#touched) {
      if (term >= WORD_VECTORS.terms.length) continue;
      const at = term * FIELDS;
      const written =
        (counts[at + BIT.body] ?? 0) +
        (counts[at + BIT.comments] ?? 0) +
        (counts[at + BIT.signature] ?? 0) +
        (counts[at + BIT.doc] ?? 0);
      if (written > 0) text.set(term, written);
      if (counts[at + BIT.name] !== 0) name.push(term);
      if (counts[at + BIT.scope] !== 0) context.push(term);
      if (counts[at + BIT.path] !== 0) context.push(term);
    }
    return new Uint8Array(WORD_VECTORS.ofCode({ text, name, context }).buffer);
  }

  /** Takes the document at hand away without a document id. */
  #take(): { terms: Int32Array; counts: Uint16Array; lengths: number[] } {
    const terms = Int32Array.from(this.#touched);
    const counts = new Uint16Array(terms.length * FIELDS);
    for (let index = 0; index < terms.length; index++) {
      const from = (terms[index] ?? 0) * FIELDS;
      for (let field = 0; field < FIELDS; field++) {
        counts[index * FIELDS + field] = this.#counts[from + field] ?? 0;
        this.#counts[from + field] = 0;
      }
    }
    const lengths = this.#lengths;
    this.#begin();
    return { terms, counts, lengths };
  }

  /** Makes what was taken away the document at hand again. */
  #putBack({ terms, counts, lengths }: { terms: Int32Array; counts: Uint16Array; lengths: number[] }): void {
    this.#lengths = lengths;
    for (let index = 0; index < terms.length; index++) {
      const term = terms[index] ?? 0;
      this.#touched.push(term);
      for (let field = 0; field < FIELDS; field++)
        this.#counts[term * FIELDS + field] = counts[index * FIELDS + field] ?? 0;
    }
  }
}

/** Marks the words in comments with 1. `comments` are pairs of offsets, ascending. */
function commentFlags(starts: Int32Array, comments: Int32Array): Uint8Array {
  const flags = new Uint8Array(starts.length);
  let pair = 0;
  for (let word = 0; word < starts.length; word++) {
    const start = starts[word] ?? 0;
    while (pair < comments.length && start >= (comments[pair + 1] ?? 0)) pair += 2;
    if (pair >= comments.length) break;
    if (start >= (comments[pair] ?? 0)) flags[word] = 1;
  }
  return flags;
}

/** Symbols by the index of the one around them; -1 holds the top level. */
function childrenOf(symbols: readonly SymbolInput[]): Map<number, SymbolInput[]> {
  const children = new Map<number, SymbolInput[]>();
  for (const symbol of symbols) {
    const list = children.get(symbol.parent);
    if (list === undefined) children.set(symbol.parent, [symbol]);
    else list.push(symbol);
  }
  return children;
}
