import type { CallContext } from './operation.ts';

/** Reports to the client of a call what is done, of how much, in words and numbers: `1 of 2 indexes have answered`. */
export class Tally {
  readonly #progress: CallContext['progress'];
  readonly #words: string;
  #done = 0;
  #total = 0;

  /** `words` follow the numbers. */
  constructor(progress: CallContext['progress'], words: string) {
    this.#progress = progress;
    this.#words = words;
  }

  /** Adds to what is to be done. */
  expect(more: number): void {
    this.#total += more;
    this.#tell();
  }

  /** Adds to what is done. */
  count(more = 1): void {
    this.#done += more;
    this.#tell();
  }

  /** Does some work for all at once, and counts each as it ends, however it ends. */
  fromEach<One, Result>(all: readonly One[], work: (item: One) => Promise<Result>): Promise<Result[]> {
    this.expect(all.length);
    return Promise.all(all.map((item) => work(item).finally(() => this.count())));
  }

  #tell(): void {
    if (this.#total === 0) return;
    this.#progress(this.#done, this.#total, `${this.#done} of ${this.#total} ${this.#words}`);
  }
}
