/** A list of integers that grows, for columns of unknown length. */
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

  /** The integers so far, copied to their exact size. */
  finish(): Int32Array {
    return this.#data.slice(0, this.#length);
  }
}
