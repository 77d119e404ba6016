type Given = Record<string, unknown>;

/** Reads arguments that the schema does not have, and remembers which. */
export class OtherArguments {
  readonly used: string[] = [];
  readonly #others: Given;

  constructor(others: Given) {
    this.#others = others;
  }

  /** The first of these arguments that says yes (`is` true) or no. */
  says(is: boolean, ...names: string[]): boolean {
    return this.#first(names, (value) => (value === is || value === String(is) ? true : undefined)) ?? false;
  }

  /** The first of these arguments that is a line or column: whole and from 1. */
  number(...names: string[]): number | undefined {
    return this.#wholeFrom(1, names);
  }

  /** The first of these arguments that counts from 0. */
  count(...names: string[]): number | undefined {
    return this.#wholeFrom(0, names);
  }

  #wholeFrom(least: number, names: readonly string[]): number | undefined {
    return this.#first(names, (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isSafeInteger(number) && number >= least ? number : undefined;
    });
  }

  text(...names: string[]): string | undefined {
    return this.#first(names, (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined));
  }

  /** A pair of lines. */
  range(...names: string[]): [number, number] | undefined {
    return this.#first(names, (value) => {
      const [from, to, more] = Array.isArray(value) ? (value as unknown[]).map(Number) : [];
      const isRange = from !== undefined && to !== undefined && more === undefined && from >= 1 && to >= from;
      return isRange ? [from, to] : undefined;
    });
  }

  #first<T>(names: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
    for (const name of names) {
      const value = Object.hasOwn(this.#others, name) ? read(this.#others[name]) : undefined;
      if (value === undefined) continue;
      this.used.push(name);
      return value;
    }
    return undefined;
  }
}
