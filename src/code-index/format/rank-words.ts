import { termsOfWord } from '../../text/terms.ts';
import { WordTable } from './word-table.ts';

/** Words whose terms are kept at hand; then the memory starts anew. */
const CACHED_WORDS = 200_000;

const LETTER = 1;
const DIGIT = 2;
/** Roles that an ASCII character may have in a word, as in the rule `term`. */
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[A-Za-z_$]/.test(String.fromCharCode(unit)) ? LETTER : unit >= 48 && unit <= 57 ? DIGIT : 0,
);
const FIRST_OTHER_LETTER = 0xaa;
/** `_` and `$`, which begin a word of their own behind digits. */
const JOINER = new Set([0x5f, 0x24]);

/** The words of one file in order. */
export interface FileWords {
  /** Term ids of each word. */
  terms: Int32Array[];
  /** Offset of each word. */
  starts: Int32Array;
  /** Index of the first word of each line (0-based), and the total at the end. */
  firstOfLine: Int32Array;
}

/** Numbers for the terms of all texts, in the order they come. */
export class Vocabulary {
  readonly termIds: Map<string, number>;
  #words = new WordTable();
  /** Term ids of each word of the table. */
  #idsOfWords: Int32Array[] = [];

  /** The terms that are known beforehand have the first numbers, in their order. */
  constructor(terms: readonly string[]) {
    this.termIds = new Map(terms.map((term, id) => [term, id]));
  }

  /** Term ids of each word of a short text. */
  idsOf(text: string): Int32Array[] {
    const idsByWord: Int32Array[] = [];
    for (let at = 0; at < text.length;) {
      const end = endOfWord(text, at);
      if (end > at) idsByWord.push(this.#idsOf(text, at, end));
      at = Math.max(end, at + 1);
    }
    return idsByWord;
  }

  /** The words of a file that have terms. `lines` holds the offset of each line. About 30 MB a second. */
  read(text: string, lines: Int32Array): FileWords {
    const terms: Int32Array[] = [];
    const starts: number[] = [];
    const firstOfLine = new Int32Array(lines.length + 1);
    let line = 0;
    for (let at = 0; at < text.length;) {
      const end = endOfWord(text, at);
      if (end === at) {
        at += 1;
        continue;
      }
      const ids = this.#idsOf(text, at, end);
      while (line + 1 < lines.length && at >= (lines[line + 1] ?? 0)) firstOfLine[++line] = terms.length;
      if (ids.length > 0) {
        terms.push(ids);
        starts.push(at);
      }
      at = end;
    }
    firstOfLine.fill(terms.length, line + 1);
    return { terms, starts: Int32Array.from(starts), firstOfLine };
  }

  /** Term ids of the word from `start` to `end`. */
  #idsOf(text: string, start: number, end: number): Int32Array {
    const word = this.#words.number(text, start, end);
    const cached = this.#idsOfWords[word];
    if (cached !== undefined) return cached;
    const ids = Int32Array.from(termsOfWord(text.slice(start, end)), (term) => this.#termId(term));
    this.#idsOfWords.push(ids);
    if (this.#words.size >= CACHED_WORDS) {
      this.#words = new WordTable();
      this.#idsOfWords = [];
    }
    return ids;
  }

  #termId(term: string): number {
    let id = this.termIds.get(term);
    if (id === undefined) this.termIds.set(term, (id = this.termIds.size));
    return id;
  }
}

/** Returns the end of the word that begins at `at`; `at` itself when none does. The same words as the rule `term` finds. */
function endOfWord(text: string, at: number): number {
  const first = kindAt(text, at);
  let end = at;
  if (first === LETTER) while (end < text.length && kindAt(text, end) !== 0) end += 1;
  else if (first === DIGIT) {
    while (end < text.length && kindAt(text, end) === DIGIT) end += 1;
    // Digits that letters follow begin a word: `2FA`.
    if (end < text.length && kindAt(text, end) === LETTER && !JOINER.has(text.charCodeAt(end)))
      return endOfWord(text, end);
    // One digit is no word.
    if (end === at + 1) return at;
  }
  return end;
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? (KINDS[unit] ?? 0) : unit >= FIRST_OTHER_LETTER ? LETTER : 0;
}
