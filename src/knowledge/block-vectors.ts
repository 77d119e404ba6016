import { BLOCK_ENTRIES } from './postings.ts';

const LENGTH_BYTES = 4 * BLOCK_ENTRIES;

/** The vectors of the entries of one block, as they are stored: their lengths, 0 for none, and one byte a component. */
export class BlockVectors {
  readonly #bytes: Uint8Array;
  readonly #lengths: Float32Array;
  readonly #components: Int8Array;
  readonly #dimensions: number;

  constructor(bytes: Uint8Array) {
    // Arrays of numbers need a buffer that begins where the numbers do.
    this.#bytes = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
    const { buffer, byteOffset } = this.#bytes;
    this.#dimensions = (bytes.length - LENGTH_BYTES) / BLOCK_ENTRIES;
    this.#lengths = new Float32Array(buffer, byteOffset, BLOCK_ENTRIES);
    this.#components = new Int8Array(buffer, byteOffset + LENGTH_BYTES, this.#dimensions * BLOCK_ENTRIES);
  }

  /** A block without vectors, for such of a length. */
  static ofLength(dimensions: number): BlockVectors {
    return new BlockVectors(new Uint8Array(LENGTH_BYTES + dimensions * BLOCK_ENTRIES));
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Sets the vector of an entry. One of another length cannot be compared with the others, and is left out. */
  set(offset: number, vector: Int8Array): void {
    if (vector.length !== this.#dimensions) return;
    this.#components.set(vector, offset * this.#dimensions);
    this.#lengths[offset] = Math.hypot(...vector);
  }

  get(offset: number): Int8Array | undefined {
    const start = offset * this.#dimensions;
    return this.#lengths[offset] === 0 ? undefined : this.#components.subarray(start, start + this.#dimensions);
  }

  /** The cosine of each entry with a vector, NaN for those that have none. 1.3 ns a component. */
  similarities(vector: Int8Array): Float32Array {
    const similarities = new Float32Array(BLOCK_ENTRIES).fill(Number.NaN);
    if (vector.length !== this.#dimensions) return similarities;
    const length = Math.hypot(...vector) || 1;
    for (let offset = 0; offset < BLOCK_ENTRIES; offset += 1) {
      const own = this.#lengths[offset] ?? 0;
      if (own === 0) continue;
      const start = offset * this.#dimensions;
      let sum = 0;
      for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) * (this.#components[start + at] ?? 0);
      similarities[offset] = sum / (own * length);
    }
    return similarities;
  }
}
