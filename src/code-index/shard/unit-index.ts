import type { DatabaseSync } from 'node:sqlite';
import { packLength } from '../../kernel/varints.ts';
import type { FileWords, Vocabulary } from '../format/rank-words.ts';
import type { FileInput } from '../format/shard-input.ts';
import { packUnits, type Unit, UnitPostingWriter } from '../format/unit-codec.ts';

/** Number of times that a unit counts the words of its symbol's name: they describe it. */
const NAME_TIMES = 2;

/** Units of the files that were added, and the postings of their terms in ascending order (`<`). */
export interface UnitIndex {
  files: { file: number; first: number; units: readonly Unit[] }[];
  terms: { text: string; units: number; postings: Uint8Array }[];
  /** Numbers of the units in the order of `lengths`, which has one byte for each (see `packLength`). */
  units: readonly number[];
  lengths: Uint8Array;
}

/** Writes a whole index. */
export function writeUnitIndex(db: DatabaseSync, { files, terms, lengths }: UnitIndex): void {
  const insert = db.prepare('insert into unit values (?, ?, ?)');
  for (const { file, first, units } of files) insert.run(file, first, packUnits(units));
  const insertTerm = db.prepare('insert into unit_term values (?, ?, ?)');
  for (const { text, units, postings } of terms) insertTerm.run(text, units, postings);
  db.prepare('insert into dense values (?, ?)').run('unit_length', lengths);
}

/** Builds the postings of units: the words of their lines and of their path once, those of their symbol's name twice. */
export class UnitIndexWriter {
  readonly #vocabulary: Vocabulary;
  readonly #postings: UnitPostingWriter[] = [];
  readonly #files: UnitIndex['files'] = [];
  readonly #units: number[] = [];
  readonly #lengths: number[] = [];
  /** Occurrences of each term in the unit at hand. */
  #counts = new Uint16Array(1 << 14);
  #touched: number[] = [];

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Adds the units of a file, whose first one has the number `first`; files and units ascend. `words` are those of its text. */
  add(numbers: { id: number; first: number }, file: FileInput, units: readonly Unit[], words: FileWords): void {
    if (units.length === 0) return;
    const path = this.#vocabulary.idsOf(file.path);
    for (const [index, { start, end, symbol }] of units.entries()) {
      let length = this.#count(path, 0, path.length);
      const name = file.symbols[symbol]?.name;
      if (name !== undefined) {
        const own = this.#vocabulary.idsOf(name);
        for (let times = 0; times < NAME_TIMES; times += 1) length += this.#count(own, 0, own.length);
      }
      length += this.#count(words.terms, words.firstOfLine[start - 1] ?? 0, words.firstOfLine[end] ?? 0);
      this.#flush(numbers.first + index, length);
    }
    this.#files.push({ file: numbers.id, first: numbers.first, units });
  }

  finish(): UnitIndex {
    const terms: UnitIndex['terms'] = [];
    for (const [text, id] of [...this.#vocabulary.termIds].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const postings = this.#postings[id];
      if (postings !== undefined) terms.push({ text, units: postings.units, postings: postings.bytes() });
    }
    return { files: this.#files, terms, units: this.#units, lengths: Uint8Array.from(this.#lengths) };
  }

  /** Counts words `from` up to, and without, `to`; gives how many terms they have. */
  #count(words: readonly Int32Array[], from: number, to: number): number {
    let length = 0;
    for (let word = from; word < to; word += 1) {
      const ids = words[word];
      if (ids === undefined) continue;
      length += ids.length;
      for (let at = 0; at < ids.length; at += 1) {
        const id = ids[at] ?? 0;
        if (id >= this.#counts.length) this.#grow(id);
        const count = this.#counts[id] ?? 0;
        if (count === 0) this.#touched.push(id);
        if (count < 65_535) this.#counts[id] = count + 1;
      }
    }
    return length;
  }

  #flush(unit: number, length: number): void {
    for (const term of this.#touched) {
      (this.#postings[term] ??= new UnitPostingWriter()).add(unit, this.#counts[term] ?? 0);
      this.#counts[term] = 0;
    }
    this.#touched = [];
    this.#units.push(unit);
    this.#lengths.push(packLength(length));
  }

  #grow(term: number): void {
    const grown = new Uint16Array(Math.max(this.#counts.length * 2, term + 1));
    grown.set(this.#counts);
    this.#counts = grown;
  }
}
