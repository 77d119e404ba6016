interface Waiting {
  key: string;
  grant: () => void;
}

/** Turns for work that keys share: at most so many at a time, the next one for the key with fewest. */
export class FairTurns {
  readonly #most: number;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Waits for a turn, and gives the way to end it. Of keys that have as few turns, the one that waits longest is next.
   *
   * @throws the reason of the signal when it aborts before.
   */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken >= this.#most) await this.#wait(key, signal);
    this.#taken += 1;
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end(key);
    };
  }

  async #wait(key: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting = { key, grant: () => resolve(undefined) };
    const leave = (): void => {
      const at = this.#waiting.indexOf(waiting);
      if (at === -1) return;
      this.#waiting.splice(at, 1);
      reject(signal.reason);
    };
    this.#waiting.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    // The turn was kept for it.
    this.#taken -= 1;
    this.#running.set(key, (this.#running.get(key) ?? 1) - 1);
  }

  #end(key: string): void {
    this.#taken -= 1;
    const left = (this.#running.get(key) ?? 1) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
    const held = (waiting: Waiting): number => this.#running.get(waiting.key) ?? 0;
    const [next] = this.#waiting.toSorted((a, b) => held(a) - held(b));
    if (next === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    // Kept for it until it goes on, so that nobody overtakes it.
    this.#taken += 1;
    this.#running.set(next.key, held(next) + 1);
    next.grant();
  }
}
