import { VarintReader } from '../kernel/varints.ts';
import { type Counts, FIELDS } from './entry-terms.ts';

/** Entries of one block, as a power of two. A term has one row of postings a block. */
const BLOCK_BITS = 11;
export const BLOCK_ENTRIES = 1 << BLOCK_BITS;

export const blockOf = (entry: number): number => entry >> BLOCK_BITS;
export const offsetOf = (entry: number): number => entry & (BLOCK_ENTRIES - 1);
export const firstOf = (block: number): number => block << BLOCK_BITS;

/**
 * Appends a posting: the entry's offset in its block, then how often which field has the term. Offsets are absolute, so that
 * postings are added to a row without reading it. Two bytes when the text has the term once and nothing else has it.
 */
export function pushPosting(bytes: number[], offset: number, counts: Counts): void {
  const isPlain = counts[0] === 1 && counts[1] === 0 && counts[2] === 0 && counts[3] === 0;
  pushVarint(bytes, offset * 2 + (isPlain ? 1 : 0));
  if (isPlain) return;
  let mask = 0;
  for (let field = 0; field < FIELDS.length; field += 1) if (counts[field] !== 0) mask |= 1 << field;
  bytes.push(mask);
  for (const count of counts) if (count !== 0) pushVarint(bytes, count);
}

/** Postings that a buffer takes. */
const MOST_POSTINGS = 60_000;

/** Numbers of a posting in a buffer: its offset, how often each field has the term, and where the term's next one is. */
const NUMBERS = 2 + FIELDS.length;

/**
 * Postings of one block that wait to be written. They are numbers in one array, because a text of words that occur once
 * would make an object of each.
 */
export class PostingBuffer {
  readonly #numbers = new Int32Array(MOST_POSTINGS * NUMBERS);
  /** By the first posting of a term: its last one. */
  readonly #last = new Int32Array(MOST_POSTINGS);
  #first = new Map<string, number>();
  #size = 0;

  get isFull(): boolean {
    return this.#size >= MOST_POSTINGS;
  }

  clear(): void {
    this.#first = new Map();
    this.#size = 0;
  }

  /** Adds a posting to a buffer that is not full. Offsets of a term ascend. */
  add(term: string, offset: number, counts: Counts): void {
    const at = this.#size;
    this.#size += 1;
    this.#numbers[at * NUMBERS] = offset;
    this.#numbers.set(counts, at * NUMBERS + 1);
    this.#numbers[at * NUMBERS + NUMBERS - 1] = 0;
    const first = this.#first.get(term) ?? at;
    if (first === at) this.#first.set(term, at);
    else this.#numbers[(this.#last[first] ?? 0) * NUMBERS + NUMBERS - 1] = at;
    this.#last[first] = at;
  }

  /** Takes all postings out, by term and in its order: then each page of a tree is written once. */
  *take(): Generator<{ term: string; entries: number; data: Uint8Array }> {
    const firsts = this.#first;
    this.clear();
    for (const term of [...firsts.keys()].toSorted()) {
      const bytes: number[] = [];
      let entries = 0;
      // No posting is followed by the first one of all.
      for (let at = firsts.get(term) ?? 0, next = at; entries === 0 || next !== 0; at = next) {
        const start = at * NUMBERS;
        const [offset = 0, ...counts] = this.#numbers.subarray(start, start + NUMBERS - 1);
        // There is a count for each field.
        pushPosting(bytes, offset, counts as Counts);
        entries += 1;
        next = this.#numbers[start + NUMBERS - 1] ?? 0;
      }
      yield { term, entries, data: Uint8Array.from(bytes) };
    }
  }
}

/** Calls `visit` for each posting, in ascending order. `counts` is the same array each time. */
export function readPostings(data: Uint8Array, visit: (offset: number, counts: Counts) => void): void {
  const from = new VarintReader(data);
  const counts: Counts = [0, 0, 0, 0];
  while (from.more) {
    const head = from.next();
    const mask = (head & 1) === 1 ? 0 : from.next();
    counts[0] = 1;
    counts[1] = counts[2] = counts[3] = 0;
    if ((head & 1) === 0)
      for (let field = 0; field < FIELDS.length; field += 1)
        counts[field] = (mask & (1 << field)) === 0 ? 0 : from.next();
    visit(head >> 1, counts);
  }
}

function pushVarint(bytes: number[], value: number): void {
  let more = value;
  while (more > 127) {
    bytes.push((more & 127) | 128);
    more >>>= 7;
  }
  bytes.push(more);
}
