/** Places for work: at most so many hold one at a time, in the order in which they asked. */
export class Places {
  #free: number;
  readonly #next: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  /** Does the work when there is a place for it. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#take();
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  /** Leaves the place of the caller to others while it waits. */
  async pause(wait: () => Promise<void>): Promise<void> {
    this.#give();
    try {
      await wait();
    } finally {
      await this.#take();
    }
  }

  async #take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#next.push(resolve));
  }

  #give(): void {
    const next = this.#next.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
