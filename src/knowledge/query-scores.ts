import type { QueryTerm } from './query-terms.ts';
import { type Counts, type Field, FIELDS } from './entry-terms.ts';
import type { BlockFacts } from './facts.ts';
import type { Block, IndexFile } from './index-file.ts';
import { BLOCK_ENTRIES, readPostings } from './postings.ts';
import { idfOf } from '../text/term-weights.ts';

/** BM25F with one saturation over all fields: weight of each field and how much its length counts, then k1. */
const WEIGHTS: Record<Field, number> = { text: 1, title: 3, section: 2.5, tags: 1.5 };
const LENGTH_WEIGHTS: Record<Field, number> = { text: 0.5, title: 0.3, section: 0.3, tags: 0 };
const K1 = 1.5;
const FIELD_WEIGHTS = FIELDS.map((field) => WEIGHTS[field]);
const FIELD_LENGTH_WEIGHTS = FIELDS.map((field) => LENGTH_WEIGHTS[field]);

/** Share of the score that says how much of the question an entry has at all; the rest is BM25F. */
const COVERAGE_SHARE = 0.4;

/** An entry is a hit when it has at least this share of what was asked, each term weighing by how rare it is. */
const LEAST_COVERAGE = 1 / 3;

/** Weight of release notes against documentation: they name everything once, and explain nothing. */
const RELEASE_NOTES_SHARE = 0.75;

/** Terms of a question for which hits state whether they have them. */
export const MASK_BITS = 31;

/** A term, and the blocks that have it. */
interface TermList {
  term: string;
  blocks: ReadonlySet<number>;
  /** Entries that have it. */
  entries: number;
}

/** A term of the question, or terms that together stand for one. */
interface Variant {
  lists: readonly TermList[];
  share: number;
  entries: number;
  rarity: number;
}

/** A term of the question: what finds it, how rare that is, and how many entries have it. */
interface TermReach {
  variants: readonly Variant[];
  weight: number;
  entries: number;
}

/** Scores of the entries of one block, by their offset; 0 for no hit. Valid until the next block is scored. */
interface BlockScores {
  scores: Float64Array;
  /** A bit for each term: whether it is anywhere in the entry, and in its title or section. */
  any: Uint32Array;
  head: Uint32Array;
}

/** The scores of all entries for the terms of a question, block by block. */
export class QueryScores {
  readonly #file: IndexFile;
  readonly #blocks: readonly Block[];
  readonly #alive: number;
  /** Mean length of each field. */
  readonly #means: readonly number[];
  readonly #lists = new Map<string, TermList>();
  readonly #queryTerms: readonly TermReach[];
  readonly #sums = {
    scores: new Float64Array(BLOCK_ENTRIES),
    covered: new Float64Array(BLOCK_ENTRIES),
    any: new Uint32Array(BLOCK_ENTRIES),
    head: new Uint32Array(BLOCK_ENTRIES),
  };
  readonly #best = { scores: new Float64Array(BLOCK_ENTRIES), covered: new Float64Array(BLOCK_ENTRIES) };

  constructor(file: IndexFile, blocks: readonly Block[], queryTerms: readonly QueryTerm[]) {
    this.#file = file;
    this.#blocks = blocks;
    this.#alive = sumOf(blocks, ({ summary }) => summary.alive);
    this.#means = FIELDS.map((_, field) => {
      return sumOf(blocks, ({ summary }) => summary.lengths[field] ?? 0) / Math.max(1, this.#alive) || 1;
    });
    this.#queryTerms = queryTerms.map(({ term, others }) => this.#reachOf(term, others));
  }

  /** Number of entries that have each of the terms or, where none has, a substitute for it. */
  get having(): number[] {
    return this.#queryTerms.map(({ entries }) => entries);
  }

  /** The scores in a block; undefined when it has none of the terms. */
  score(block: Block, factsOf: () => BlockFacts): BlockScores | undefined {
    const isHere = ({ lists }: Variant): boolean => lists.every(({ blocks }) => blocks.has(block.number));
    if (!this.#queryTerms.some(({ variants }) => variants.some(isHere))) return undefined;
    const facts = factsOf();
    for (const array of Object.values(this.#sums)) array.fill(0);
    for (const [at, { variants }] of this.#queryTerms.entries())
      this.#addTerm(variants.filter(isHere), at < MASK_BITS ? 1 << at : 0, { block, facts });
    this.#finish(facts);
    return this.#sums;
  }

  /** Adds the best that the variants of a term give to each entry. */
  #addTerm(variants: readonly Variant[], bit: number, { block, facts }: { block: Block; facts: BlockFacts }): void {
    const { scores, covered, any, head } = this.#sums;
    const best = this.#best;
    if (variants.length === 0) return;
    best.scores.fill(0);
    best.covered.fill(0);
    for (const { lists, share, rarity } of variants) {
      const coverage = Math.sqrt(share) * rarity;
      this.#frequencies(lists, { block, facts }, (offset, frequency, isHead) => {
        const score = (share * rarity * frequency * (K1 + 1)) / (frequency + K1);
        if ((best.scores[offset] ?? 0) < score) {
          best.scores[offset] = score;
          best.covered[offset] = coverage;
        }
        any[offset] = (any[offset] ?? 0) | bit;
        if (isHead) head[offset] = (head[offset] ?? 0) | bit;
      });
    }
    for (let offset = 0; offset < BLOCK_ENTRIES; offset += 1) {
      scores[offset] = (scores[offset] ?? 0) + (best.scores[offset] ?? 0);
      covered[offset] = (covered[offset] ?? 0) + (best.covered[offset] ?? 0);
    }
  }

  /** Makes scores of the sums, and leaves out what has too little of the question. */
  #finish(facts: BlockFacts): void {
    const { scores, covered } = this.#sums;
    const all = sumOf(this.#queryTerms, ({ weight }) => weight);
    const presentWeight = sumOf(this.#queryTerms, ({ weight, entries }) => (entries > 0 ? weight : 0));
    for (let offset = 0; offset < BLOCK_ENTRIES; offset += 1) {
      const coverage = covered[offset] ?? 0;
      if (coverage === 0) continue;
      const relevance = (scores[offset] ?? 0) / (all * (K1 + 1));
      const share = facts.isReleaseNotes(offset) ? RELEASE_NOTES_SHARE : 1;
      const score = share * ((1 - COVERAGE_SHARE) * relevance + (COVERAGE_SHARE * coverage) / all);
      scores[offset] = coverage >= presentWeight * LEAST_COVERAGE ? score : 0;
    }
  }

  /** A term with what stands for it, how rare that is, and how many entries have it. */
  #reachOf(term: string, others: QueryTerm['others']): TermReach {
    const own = this.#variantOf([term], 1);
    const standing = others
      .map(({ terms, weight }) => this.#variantOf(terms, weight))
      .filter(({ entries }) => entries > 0);
    const variants = [own, ...standing];
    if (own.entries > 0 || standing.length === 0) return { variants, weight: own.rarity, entries: own.entries };
    // Nothing has the term itself: the question asks for what stands for it.
    const weight = Math.max(...standing.map(({ rarity, share }) => Math.sqrt(share) * rarity));
    return { variants: standing, weight, entries: this.#countUnion(standing) };
  }

  #variantOf(terms: readonly string[], share: number): Variant {
    const lists = terms.map((term) => this.#listOf(term));
    const entries = lists.length === 1 ? (lists[0]?.entries ?? 0) : this.#countUnion([{ lists }]);
    return { lists, share, entries, rarity: idfOf(this.#alive, entries) };
  }

  #listOf(term: string): TermList {
    const cached = this.#lists.get(term);
    if (cached !== undefined) return cached;
    const rows = new Map(this.#file.blocksWith(term).map(({ block, entries }) => [block, entries]));
    const list: TermList = { term, blocks: new Set(rows.keys()), entries: 0 };
    for (const { number, removed } of this.#blocks) {
      const entries = rows.get(number) ?? 0;
      if (entries === 0 || removed === undefined) list.entries += entries;
      else this.#read(list, { number, removed }, () => void (list.entries += 1));
    }
    this.#lists.set(term, list);
    return list;
  }

  /** Counts the entries that have all terms of one of the variants. */
  #countUnion(variants: readonly Pick<Variant, 'lists'>[]): number {
    let count = 0;
    for (const block of this.#blocks) {
      const offsets = new Set<number>();
      for (const { lists } of variants) for (const offset of this.#offsetsOfAll(lists, block)) offsets.add(offset);
      count += offsets.size;
    }
    return count;
  }

  #offsetsOfAll(lists: readonly TermList[], block: Block): Set<number> {
    if (!lists.every(({ blocks }) => blocks.has(block.number))) return new Set();
    return lists
      .map((list) => {
        const offsets = new Set<number>();
        this.#read(list, block, (offset) => void offsets.add(offset));
        return offsets;
      })
      .reduce((all, other) => all.intersection(other));
  }

  /** Visits the entries of a block that have all of the terms, with the frequency of the rarest term in the entry. */
  #frequencies(
    [list, ...more]: readonly TermList[],
    { block, facts }: { block: Block; facts: BlockFacts },
    visit: (offset: number, frequency: number, isHead: boolean) => void,
  ): void {
    if (list === undefined) return;
    const read = (of: TermList, each: typeof visit): void =>
      this.#read(of, block, (offset, counts) =>
        each(offset, this.#frequency(facts, offset, counts), counts[1] + counts[2] > 0),
      );
    if (more.length === 0) return read(list, visit);
    const least = new Map<number, { frequency: number; isHead: boolean; terms: number }>();
    for (const [at, of] of [list, ...more].entries())
      read(of, (offset, frequency, isHead) => {
        const before = at === 0 ? { frequency, isHead, terms: 0 } : least.get(offset);
        if (before?.terms !== at) return;
        const both = { frequency: Math.min(before.frequency, frequency), isHead: before.isHead && isHead };
        least.set(offset, { ...both, terms: at + 1 });
      });
    for (const [offset, { frequency, isHead, terms }] of least)
      if (terms === more.length + 1) visit(offset, frequency, isHead);
  }

  #frequency(facts: BlockFacts, offset: number, counts: Counts): number {
    let frequency = 0;
    for (let field = 0; field < FIELDS.length; field += 1) {
      const count = counts[field] ?? 0;
      if (count === 0) continue;
      const share = FIELD_LENGTH_WEIGHTS[field] ?? 0;
      const length = facts.length(offset, field) / (this.#means[field] ?? 1);
      frequency += ((FIELD_WEIGHTS[field] ?? 0) * count) / (1 - share + share * length);
    }
    return frequency;
  }

  /** Calls `visit` for each living entry of a block that has the term. */
  #read(
    { term }: TermList,
    { number, removed }: Pick<Block, 'number' | 'removed'>,
    visit: (offset: number, counts: Counts) => void,
  ): void {
    const data = this.#file.postings(term, number);
    if (data === undefined) return;
    readPostings(data, (offset, counts) => {
      if (removed === undefined || ((removed[offset >> 3] ?? 0) & (1 << (offset & 7))) === 0) visit(offset, counts);
    });
  }
}

function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}
