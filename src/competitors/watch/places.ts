/** Runs what it is given, at most so many at a time, in the order in which it was asked. */
export class Places {
  #free: number;
  readonly #next: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#next.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#next.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
