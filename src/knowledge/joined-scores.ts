import type { UsualSimilarity } from '../text/encoder/encoder.ts';
import { kindOf } from './encoded-text.ts';
import type { BlockFacts } from './facts.ts';
import type { Block, IndexFile } from './index-file.ts';
import { BLOCK_ENTRIES } from './postings.ts';
import type { BlockFilter, BlockFilters } from './query-filter.ts';
import type { QueryScores } from './query-scores.ts';
import type { QuestionMeaning, VectorCounts } from './query.ts';
import { CORPORA } from './store.ts';

/** Weight of words against meaning, both in standard deviations over the corpus. Measured in docs/search.md. */
const WORDS_SHARE = 0.5;
/** Few entries among many that have a rare word are many deviations away from the others: no more than so many count. */
const MOST_DEVIATIONS = 8;

/**
 * Entries without the words of a question that are hits by their meaning alone: so many of each corpus at most, nearer than
 * usual by so many deviations. A single word means little by itself.
 */
const MOST_BY_MEANING = 20;
const LEAST_DEVIATIONS = 1.5;
const LEAST_DEVIATIONS_OF_A_WORD = 2.5;

/**
 * Number of entries from which the usual similarity of a corpus to a question is known; for fewer, the usual similarity
 * anywhere counts.
 */
const ENOUGH_ENTRIES = 20;

/** Joined deviations as a score from 0 to 1: .5 at the middle. */
const MIDDLE = 4;
const STEEPNESS = 1.5;

/** Weight of release notes against documentation: they name everything once, and explain nothing. */
const RELEASE_NOTES_SHARE = 0.75;

/** Mean and spread of a number over the entries of a corpus. */
class Distribution {
  count = 0;
  #sum = 0;
  #squares = 0;

  add(value: number, times = 1): void {
    this.count += times;
    this.#sum += times * value;
    this.#squares += times * value * value;
  }

  /** Adds as many values of a known distribution. */
  addUsual({ mean, spread }: UsualSimilarity, times: number): void {
    this.add(mean + spread, times / 2);
    this.add(mean - spread, times / 2);
  }

  deviationsOf(value: number): number {
    const mean = this.#sum / this.count;
    const spread = Math.sqrt(Math.max(0, this.#squares / this.count - mean * mean));
    return spread === 0 ? 0 : (value - mean) / spread;
  }
}

/** Collects the largest of many numbers, at most the requested number of them. */
class Largest {
  readonly #count: number;
  #values: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  add(value: number): void {
    if (value <= this.least) return;
    this.#values = [...this.#values, value].toSorted((a, b) => b - a).slice(0, this.#count);
  }

  /** The least of them once there are as many; -Infinity before. */
  get least(): number {
    return this.#values[this.#count - 1] ?? -Infinity;
  }
}

/** The scores of the entries of a block by their offset, 0 for what is no hit. */
interface BlockScores {
  scores: Float64Array;
  any: Uint32Array;
  head: Uint32Array;
  /** Similarity of the meaning of each entry above the usual, 0..1. */
  meanings: Float64Array;
}

/**
 * The scores of all entries for a question by its words and its meaning: the deviations of both from what is usual in the
 * corpus, joined. What has neither enough of the words nor the meaning is no hit.
 */
export class JoinedScores {
  readonly #blocks = new Map<number, Omit<BlockScores, 'meanings'> & { similarities: Float32Array | undefined }>();
  readonly #words = new Distribution();
  #total = 0;
  #pending = 0;
  readonly #meanings = CORPORA.map(() => new Distribution());
  /** Of the entries that the filters let through and that have too little of the words. */
  readonly #nearest = CORPORA.map(() => new Largest(MOST_BY_MEANING));
  readonly #leastDeviations: number;

  constructor(
    file: IndexFile,
    blocks: readonly Block[],
    { words, meaning, filters }: { words: QueryScores; meaning: QuestionMeaning; filters: BlockFilters },
  ) {
    this.#leastDeviations = words.having.length > 1 ? LEAST_DEVIATIONS : LEAST_DEVIATIONS_OF_A_WORD;
    for (const block of blocks) {
      const facts = file.facts(block.number);
      const scored = words.score(block, () => facts);
      const { scores, any, head } = scored ?? emptyScores();
      const similarities = file.vectors(block.number)?.similarities(meaning.vector);
      this.#blocks.set(block.number, { scores: scores.slice(), any: any.slice(), head: head.slice(), similarities });
      this.#count(facts, filters(block.number, facts), { scores, similarities });
    }
    this.#words.addUsual({ mean: 0, spread: 0 }, Math.max(0, ENOUGH_ENTRIES - this.#words.count));
    for (const [corpus, meanings] of this.#meanings.entries()) {
      const name = CORPORA[corpus];
      if (name === undefined || meaning.usual === undefined || meanings.count >= ENOUGH_ENTRIES) continue;
      meanings.addUsual(meaning.usual[kindOf(name)], ENOUGH_ENTRIES - meanings.count);
    }
  }

  /** Number of entries, and of those that are compared by their words alone. */
  get vectors(): VectorCounts {
    return { total: this.#total, pending: this.#pending };
  }

  score({ number }: Block, factsOf: () => BlockFacts): BlockScores | undefined {
    const block = this.#blocks.get(number);
    if (block === undefined) return undefined;
    const facts = factsOf();
    const joined = { ...block, scores: new Float64Array(BLOCK_ENTRIES), meanings: new Float64Array(BLOCK_ENTRIES) };
    for (let offset = 0; offset < BLOCK_ENTRIES; offset += 1) {
      if (!facts.isAlive(offset)) continue;
      const corpus = facts.corpus(offset);
      const own = block.scores[offset] ?? 0;
      const similarity = block.similarities?.[offset] ?? Number.NaN;
      const byMeaning = Number.isNaN(similarity) ? 0 : (this.#meanings[corpus]?.deviationsOf(similarity) ?? 0);
      if (own === 0 && !this.#isNear(corpus, similarity, byMeaning)) continue;
      const byWords = Math.min(this.#words.deviationsOf(own), MOST_DEVIATIONS);
      const share = facts.isReleaseNotes(offset) ? RELEASE_NOTES_SHARE : 1;
      joined.scores[offset] = share * scoreOf(byMeaning + WORDS_SHARE * byWords);
      joined.meanings[offset] = share * meaningOf(byMeaning);
    }
    return joined;
  }

  #isNear(corpus: number, similarity: number, deviations: number): boolean {
    return deviations >= this.#leastDeviations && similarity >= (this.#nearest[corpus]?.least ?? Infinity);
  }

  #count(
    facts: BlockFacts,
    passes: BlockFilter | undefined,
    { scores, similarities }: { scores: Float64Array; similarities: Float32Array | undefined },
  ): void {
    for (let offset = 0; offset < BLOCK_ENTRIES; offset += 1) {
      if (!facts.isAlive(offset)) continue;
      const corpus = facts.corpus(offset);
      this.#words.add(scores[offset] ?? 0);
      this.#total += 1;
      const similarity = similarities?.[offset] ?? Number.NaN;
      if (Number.isNaN(similarity)) {
        this.#pending += 1;
        continue;
      }
      this.#meanings[corpus]?.add(similarity);
      if (scores[offset] === 0 && passes?.(offset) !== false) this.#nearest[corpus]?.add(similarity);
    }
  }
}

function emptyScores(): Omit<BlockScores, 'meanings'> {
  const masks = new Uint32Array(BLOCK_ENTRIES);
  return { scores: new Float64Array(BLOCK_ENTRIES), any: masks, head: masks };
}

function scoreOf(deviations: number): number {
  return 1 / (1 + Math.exp((MIDDLE - deviations) / STEEPNESS));
}

/** 0 for what is as near as anything, 1 for what stands out as the same said again does. */
function meaningOf(deviations: number): number {
  return Math.min(1, Math.max(0, (deviations - 1) / 5));
}
