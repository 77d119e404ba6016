/**
 * Finds rows by a pair of integers (scope and name, owner and name). Open addressing over typed arrays: a program has
 * some hundred thousand rows, and one Map a scope costs five times the memory.
 */
export class PairIndex {
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  readonly #slots: Int32Array;
  readonly #next: Int32Array;
  readonly #mask: number;

  /** Row `i` has the pair `first[i]`, `second[i]`; rows whose `first` is negative are left out. */
  constructor(first: Int32Array, second: Int32Array) {
    this.#first = first;
    this.#second = second;
    let rows = 0;
    for (const key of first) if (key >= 0) rows += 1;
    let size = 4;
    while (size < rows * 2) size *= 2;
    this.#mask = size - 1;
    this.#slots = new Int32Array(size);
    this.#next = new Int32Array(first.length).fill(-1);
    // Inserted backwards and pushed to the front: a chain reads in row order.
    for (let row = first.length - 1; row >= 0; row -= 1) if ((first[row] ?? -1) >= 0) this.#insert(row);
  }

  /** The first row with this pair, or -1. */
  find(first: number, second: number): number {
    const slot = this.#slot(first, second);
    return (this.#slots[slot] ?? 0) - 1;
  }

  /** The next row with the same pair, or -1. */
  next(row: number): number {
    return this.#next[row] ?? -1;
  }

  #slot(first: number, second: number): number {
    let slot = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 7;
    for (slot &= this.#mask; ; slot = (slot + 1) & this.#mask) {
      const row = (this.#slots[slot] ?? 0) - 1;
      if (row < 0 || (this.#first[row] === first && this.#second[row] === second)) return slot;
    }
  }

  #insert(row: number): void {
    const slot = this.#slot(this.#first[row] ?? -1, this.#second[row] ?? -1);
    this.#next[row] = (this.#slots[slot] ?? 0) - 1;
    this.#slots[slot] = row + 1;
  }
}
