import { type Counts, FIELDS } from './entry-terms.ts';
import { BLOCK_ENTRIES } from './postings.ts';
import { CORPORA, type Corpus } from './store.ts';

/** Numbers of one entry: lengths of its fields, its corpus and flags, and what its kind, customer, segment and source are called. */
const WORDS = 9;
const DATE_BYTES = 8 * BLOCK_ENTRIES;
const FACT_BYTES = DATE_BYTES + 4 * WORDS * BLOCK_ENTRIES;

const CORPUS_MASK = 7;
const ALIVE = 8;
const FIRST = 16;
const RELEASE_NOTES = 32;

/** Facts of an entry for filters and scores. The names are numbers of the table `name`. */
interface EntryFacts {
  lengths: Counts;
  corpus: Corpus;
  /** True if it is the first entry of its thing. */
  isFirst: boolean;
  isReleaseNotes: boolean;
  kind: number;
  customer: number;
  segment: number;
  source: number;
  date: Date | undefined;
}

/** Summary of each corpus in a block, in the order of `CORPORA`. */
interface CorpusSummary {
  things: number;
  entries: number;
  /** Milliseconds since 1970 of the newest entry that has a date. */
  newest: number | null;
}

/** Facts of a block that has none of the words of a search. */
export interface BlockSummary {
  alive: number;
  dead: number;
  /** Terms of each field, all living entries together. */
  lengths: Counts;
  corpora: CorpusSummary[];
}

/** The facts of the entries of one block, as they are stored: one array of dates and one of numbers. */
export class BlockFacts {
  readonly #bytes: Uint8Array;
  readonly #dates: Float64Array;
  readonly #words: Int32Array;

  constructor(bytes: Uint8Array = new Uint8Array(FACT_BYTES)) {
    // Arrays of numbers need a buffer that begins where the numbers do.
    this.#bytes = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const { buffer, byteOffset } = this.#bytes;
    this.#dates = new Float64Array(buffer, byteOffset, BLOCK_ENTRIES);
    this.#words = new Int32Array(buffer, byteOffset + DATE_BYTES, WORDS * BLOCK_ENTRIES);
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  set(offset: number, facts: EntryFacts): void {
    const flags = ALIVE | (facts.isFirst ? FIRST : 0) | (facts.isReleaseNotes ? RELEASE_NOTES : 0);
    const { kind, customer, segment, source } = facts;
    const state = CORPORA.indexOf(facts.corpus) | flags;
    this.#words.set([...facts.lengths, state, kind, customer, segment, source], offset * WORDS);
    this.#dates[offset] = facts.date?.getTime() ?? Number.NaN;
  }

  /** Copies what another block says of an entry. */
  copy(offset: number, from: BlockFacts, at: number): void {
    this.#words.set(from.#words.subarray(at * WORDS, (at + 1) * WORDS), offset * WORDS);
    this.#dates[offset] = from.#dates[at] ?? Number.NaN;
  }

  /** Marks an entry as removed. Its words stay among the postings until they are compacted. */
  remove(offset: number): void {
    this.#words[offset * WORDS + 4] = this.#state(offset) & ~ALIVE;
  }

  isAlive(offset: number): boolean {
    return (this.#state(offset) & ALIVE) !== 0;
  }

  isFirst(offset: number): boolean {
    return (this.#state(offset) & FIRST) !== 0;
  }

  isReleaseNotes(offset: number): boolean {
    return (this.#state(offset) & RELEASE_NOTES) !== 0;
  }

  /** Place of its corpus in `CORPORA`. */
  corpus(offset: number): number {
    return this.#state(offset) & CORPUS_MASK;
  }

  /** Terms of a field, by its place in `FIELDS`. */
  length(offset: number, field: number): number {
    return this.#words[offset * WORDS + field] ?? 0;
  }

  name(offset: number, which: 'kind' | 'customer' | 'segment' | 'source'): number {
    return this.#words[offset * WORDS + NAME_WORDS[which]] ?? 0;
  }

  /** Milliseconds since 1970; not a number when it has no date. */
  date(offset: number): number {
    return this.#dates[offset] ?? Number.NaN;
  }

  /** A bit for each removed entry before an offset; undefined when there is none. */
  removedUntil(end: number): Uint8Array | undefined {
    const bits = new Uint8Array(BLOCK_ENTRIES / 8);
    for (let offset = 0; offset < end; offset += 1)
      if (!this.isAlive(offset)) bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7));
    return bits.some((byte) => byte !== 0) ? bits : undefined;
  }

  #state(offset: number): number {
    return this.#words[offset * WORDS + 4] ?? 0;
  }
}

const NAME_WORDS = { kind: 5, customer: 6, segment: 7, source: 8 } as const;

/** Counts the entries of a block that `passes`: those before the offset `end`. */
export function summarize(facts: BlockFacts, end: number, passes?: (offset: number) => boolean): BlockSummary {
  const corpora = CORPORA.map((): CorpusSummary => ({ things: 0, entries: 0, newest: null }));
  const summary: BlockSummary = { alive: 0, dead: 0, lengths: [0, 0, 0, 0], corpora };
  for (let offset = 0; offset < end; offset += 1) {
    if (!facts.isAlive(offset)) {
      summary.dead += 1;
      continue;
    }
    const own = corpora[facts.corpus(offset)];
    if (own === undefined || passes?.(offset) === false) continue;
    summary.alive += 1;
    for (let field = 0; field < FIELDS.length; field += 1)
      summary.lengths[field] = (summary.lengths[field] ?? 0) + facts.length(offset, field);
    own.entries += 1;
    if (facts.isFirst(offset)) own.things += 1;
    const date = facts.date(offset);
    if (!Number.isNaN(date)) own.newest = Math.max(own.newest ?? date, date);
  }
  return summary;
}
