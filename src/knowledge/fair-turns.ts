/** Lets work of several keys begin in turns, so that one with much of it does not delay the others. */
export class FairTurns {
  readonly #size: number;
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  /** `size`: how many run at a time. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Runs `work` when it is the key's turn. Work that is no longer needed when its turn comes should return at once. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#size) await this.#wait(key);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(key: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]);
    return promise;
  }

  /** Gives the turn to the key that has waited longest since its last one. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [key, [start, ...later]] = first;
    this.#waiting.delete(key);
    if (later.length > 0) this.#waiting.set(key, later);
    start?.();
  }
}
