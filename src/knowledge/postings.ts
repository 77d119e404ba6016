import { editDistance } from '../kernel/edit-distance.ts';
import { VarintReader, VarintWriter } from '../kernel/varints.ts';
import { termsOfWord, WORD } from '../kernel/terms.ts';
import { particleTerm } from './word-joints.ts';

/** Fields of an entry that words are counted in. The index is the bit in a posting. */
export const FIELDS = ['text', 'title', 'section', 'tags'] as const;
export type Field = (typeof FIELDS)[number];

/** Letters of a term in which one may be wrong, and two. */
const ONE_ERROR_FROM = 5;
const TWO_ERRORS_FROM = 9;

/** Words whose terms are kept at hand; then the memory starts anew. */
const KNOWN_WORDS = 100_000;

/** What a list of postings costs beside its bytes, about. */
const LIST_BYTES = 150;

/** How often each field of one entry has a term, in the order of `FIELDS`. */
export type Counts = [number, number, number, number];

interface PostingList {
  out: VarintWriter;
  last: number;
}

/** Which entries have a term, and how often in which field. Entries are numbers that only grow. */
export class Postings {
  #lists = new Map<string, PostingList>();
  #knownWords = new Map<string, readonly string[]>();
  #sizeBytes = 0;

  /** Memory used, about. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Adds an entry with a number above all before it and tells how many terms each field has. */
  add(entry: number, texts: Record<Field, string>): Counts {
    const counts = new Map<string, Counts>();
    const lengths: Counts = [0, 0, 0, 0];
    const count = (term: string, field: number): void => {
      const known = counts.get(term);
      if (known === undefined) counts.set(term, oneOf(field));
      else known[field] = (known[field] ?? 0) + 1;
    };
    for (const [field, name] of FIELDS.entries()) {
      let before = '';
      for (const word of texts[name].match(WORD) ?? []) {
        for (const term of this.#termsOf(word)) {
          lengths[field] = (lengths[field] ?? 0) + 1;
          count(term, field);
        }
        const joined = particleTerm(before, word);
        if (joined !== undefined) count(joined, field);
        before = word;
      }
    }
    for (const [term, numbers] of counts) this.#append(term, entry, numbers);
    return lengths;
  }

  /** Whether any entry had the term when it was added. */
  has(term: string): boolean {
    return this.#lists.has(term);
  }

  /**
   * Known terms that a misspelt one may mean, by name: as many letters are wrong in each, one of five and two of nine letters at
   * most. Goes through all terms: 10 ms for 50,000.
   */
  nearest(term: string): string[] {
    const most = term.length >= TWO_ERRORS_FROM ? 2 : term.length >= ONE_ERROR_FROM ? 1 : 0;
    let best = most;
    let near: string[] = [];
    if (most === 0) return near;
    for (const known of this.#lists.keys()) {
      if (known[0] !== term[0] || Math.abs(known.length - term.length) > best) continue;
      const distance = editDistance(term, known);
      if (distance > best) continue;
      near = distance < best ? [known] : [...near, known];
      best = distance;
    }
    return near.toSorted();
  }

  /** Calls `visit` for each entry that has the term, in ascending order. `counts` is the same array each time. */
  read(term: string, visit: (entry: number, counts: Counts) => void): void {
    const list = this.#lists.get(term);
    if (list === undefined) return;
    const from = new VarintReader(list.out.bytes());
    const counts: Counts = [0, 0, 0, 0];
    let entry = 0;
    while (from.more) {
      entry += from.next();
      const head = from.next();
      for (let field = 0; field < FIELDS.length; field += 1)
        counts[field] = (head & (2 << field)) === 0 ? 0 : (head & 1) === 1 ? 1 : from.next();
      visit(entry, counts);
    }
  }

  /** Gives entries new numbers; those that `renumber` has none for are dropped. It must keep their order. */
  compact(renumber: (entry: number) => number | undefined): void {
    const terms = [...this.#lists.keys()];
    const old = new Postings();
    old.#lists = this.#lists;
    this.#lists = new Map();
    this.#sizeBytes = 0;
    for (const term of terms)
      old.read(term, (entry, counts) => {
        const number = renumber(entry);
        if (number !== undefined) this.#append(term, number, counts);
      });
  }

  #append(term: string, entry: number, counts: Counts): void {
    let list = this.#lists.get(term);
    if (list === undefined) {
      list = { out: new VarintWriter(8), last: 0 };
      this.#lists.set(term, list);
      this.#sizeBytes += LIST_BYTES;
    }
    const before = list.out.length;
    let mask = 0;
    for (let field = 0; field < FIELDS.length; field += 1) if (counts[field] !== 0) mask |= 2 << field;
    const isOnce = counts.every((count) => count <= 1);
    list.out.push(entry - list.last);
    list.out.push(mask | (isOnce ? 1 : 0));
    if (!isOnce) for (const count of counts) if (count !== 0) list.out.push(count);
    list.last = entry;
    this.#sizeBytes += (list.out.length - before) * 2;
  }

  #termsOf(word: string): readonly string[] {
    const known = this.#knownWords.get(word);
    if (known !== undefined) return known;
    const terms = termsOfWord(word);
    if (this.#knownWords.size >= KNOWN_WORDS) this.#knownWords = new Map();
    this.#knownWords.set(word, terms);
    return terms;
  }
}

function oneOf(field: number): Counts {
  const counts: Counts = [0, 0, 0, 0];
  counts[field] = 1;
  return counts;
}
