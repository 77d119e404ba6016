/** A hit before its entry is read. */
export interface Ranked {
  entry: number;
  score: number;
  /** Similarity of its meaning above the usual, 0..1. */
  meaning: number;
  /** Milliseconds since 1970; not a number when it has no date. */
  date: number;
  /** Place in `CORPORA`. */
  corpus: number;
  /** A bit for each term of the question: whether it is anywhere in the entry, and in its title or section. */
  any: number;
  head: number;
}

/** Hits beyond the limit that are collected before the worst are dropped. */
const SLACK = 1000;

/** Collects the best of many hits, in memory that depends on their requested number alone. */
export class BestHits {
  readonly #limit: number;
  #hits: Ranked[] = [];
  #worst: Ranked | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Copies the hit, if it is one of the best so far. */
  add(hit: Readonly<Ranked>): void {
    if (this.#limit === 0 || (this.#worst !== undefined && compareHits(hit, this.#worst) > 0)) return;
    this.#hits.push({ ...hit });
    if (this.#hits.length < 2 * this.#limit + SLACK) return;
    this.#hits = this.sorted();
    this.#worst = this.#hits.at(-1);
  }

  /** Best first. */
  sorted(): Ranked[] {
    return this.#hits.toSorted(compareHits).slice(0, this.#limit);
  }
}

/** Best first; among equals the newest, then in the order of the corpora, and in which they were written. */
export function compareHits(a: Readonly<Ranked>, b: Readonly<Ranked>): number {
  return b.score - a.score || (b.date || 0) - (a.date || 0) || a.corpus - b.corpus || a.entry - b.entry;
}
