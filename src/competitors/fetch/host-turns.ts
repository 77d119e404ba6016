/** Waits so long, or less when the signal aborts; then it throws the reason of the signal. */
export type Wait = (delayMs: number, signal: AbortSignal) => Promise<void>;

interface Turn {
  /** Settles when everybody who asked before is done. */
  last: Promise<unknown>;
  /** Time at which the last request ended. */
  endedAt: number;
  waiting: number;
}

/** One request at a time to a host, and a pause between two. */
export class HostTurns {
  readonly #hosts = new Map<string, Turn>();
  readonly #wait: Wait;
  readonly #clock: () => number;

  /** `clock` gives milliseconds that never go back. */
  constructor(wait: Wait, clock: () => number = () => performance.now()) {
    this.#wait = wait;
    this.#clock = clock;
  }

  /** Runs `request` when its turn has come and `pauseMs` have passed since the end of the one before. */
  async run<Result>(
    host: string,
    { pauseMs, signal }: { pauseMs: number; signal: AbortSignal },
    request: () => Promise<Result>,
  ): Promise<Result> {
    const turn = this.#hosts.get(host) ?? { last: Promise.resolve(), endedAt: -Infinity, waiting: 0 };
    this.#hosts.set(host, turn);
    turn.waiting += 1;
    const before = turn.last;
    const { promise, resolve } = Promise.withResolvers<void>();
    turn.last = promise;
    try {
      await before;
      signal.throwIfAborted();
      const leftMs = turn.endedAt + pauseMs - this.#clock();
      if (leftMs > 0) await this.#wait(leftMs, signal);
      try {
        return await request();
      } finally {
        turn.endedAt = this.#clock();
      }
    } finally {
      turn.waiting -= 1;
      resolve();
      this.#forget();
    }
  }

  /** Removes hosts without waiting requests whose longest pause is over. */
  #forget(): void {
    if (this.#hosts.size < 1_000) return;
    for (const [host, turn] of this.#hosts)
      if (turn.waiting === 0 && this.#clock() - turn.endedAt > 60_000) this.#hosts.delete(host);
  }
}
