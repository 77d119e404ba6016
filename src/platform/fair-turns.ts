interface Waiting {
  key: string;
  grant: () => void;
}

/**
 * Turns for work that keys share: at most so many at a time, the next one for the key with fewest, of those the one that has had no
 * turn for longest.
 */
export class FairTurns {
  readonly #most: number;
  /** Of each key that has a turn or waits for one: how many turns it has, and the number of its last one. */
  readonly #keys = new Map<string, { held: number; last: number }>();
  readonly #waiting: Waiting[] = [];
  #given = 0;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does work when it is the turn of a key.
   *
   * @throws the reason of the signal when it aborts before.
   */
  async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    if (this.#taken < this.#most) this.#begin(key);
    else await this.#wait(key, signal);
    try {
      return await work();
    } finally {
      this.#end(key);
    }
  }

  #begin(key: string): void {
    this.#taken += 1;
    this.#given += 1;
    this.#keys.set(key, { held: this.#held(key) + 1, last: this.#given });
  }

  #held(key: string): number {
    return this.#keys.get(key)?.held ?? 0;
  }

  /** Waits until a turn has begun for it. */
  async #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting = { key, grant: () => resolve(undefined) };
    const leave = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal?.reason);
    };
    this.#waiting.push(waiting);
    // Whoever comes is not before those that wait already.
    if (!this.#keys.has(key)) this.#keys.set(key, { held: 0, last: this.#given });
    signal?.addEventListener('abort', leave);
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #end(key: string): void {
    const ended = this.#keys.get(key);
    this.#taken -= 1;
    if (ended !== undefined) ended.held -= 1;
    const last = (waiting: Waiting): number => this.#keys.get(waiting.key)?.last ?? 0;
    const [next] = this.#waiting.toSorted((a, b) => this.#held(a.key) - this.#held(b.key) || last(a) - last(b));
    if (next !== undefined) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      // It begins here, so that nobody overtakes it until it goes on.
      this.#begin(next.key);
      next.grant();
    }
    if (this.#held(key) === 0 && this.#waiting.every((waiting) => waiting.key !== key)) this.#keys.delete(key);
  }
}
