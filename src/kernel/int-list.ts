/** A list of 32-bit integers that grows, for columns of unknown length: four bytes each, outside of the heap. */
export class IntList {
  #data = new Int32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#data.length) {
      const grown = new Int32Array(this.#data.length * 2);
      grown.set(this.#data);
      this.#data = grown;
    }
    this.#data[this.#length] = value;
    this.#length += 1;
  }

  at(index: number): number {
    return this.#data[index] ?? 0;
  }

  /** The integers so far without a copy: valid until the next `push`. */
  values(): Int32Array {
    return this.#data.subarray(0, this.#length);
  }

  /** The integers so far, copied to their exact size. */
  finish(): Int32Array {
    return this.#data.slice(0, this.#length);
  }
}
