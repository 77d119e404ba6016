/** A growing array of bytes that holds unsigned integers as varints (7 bits a byte, low bits first). */
export class VarintWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 64) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** `value` is an integer from 0 to 2^31 - 1. */
  push(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow();
    let remaining = value;
    while (remaining > 127) {
      this.#bytes[this.#length++] = (remaining & 127) | 128;
      remaining >>>= 7;
    }
    this.#bytes[this.#length++] = remaining;
  }

  /** Copies bytes as they are. */
  append(bytes: Uint8Array): void {
    while (this.#length + bytes.length > this.#bytes.length) this.#grow();
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A view of what was written; valid until the next `push` or `clear`. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bytes.length * 2 + 16);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads what a `VarintWriter` wrote, all of it or the bytes from `at` up to `end`. Past the last byte it reads zeros. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  get more(): boolean {
    return this.#at < this.#end;
  }

  /** Bytes read so far. */
  get at(): number {
    return this.#at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  /** Passes over integers without reading them. */
  skipNext(integers: number): void {
    for (let remaining = integers; remaining > 0; this.#at += 1) if ((this.#bytes[this.#at] ?? 0) < 128) remaining -= 1;
  }

  next(): number {
    let byte = this.#bytes[this.#at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; ; shift += 7) {
      byte = this.#bytes[this.#at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  }
}

/**
 * A length as one byte: exact to 15, then within 1/16. Lengths only weigh in a score, so this much is enough, and one
 * byte a field and document keeps the array small in every reader thread.
 */
export function packLength(length: number): number {
  if (length < 16) return length;
  const exponent = 31 - Math.clz32(length);
  return Math.min(255, (exponent - 3) * 16 + ((length >> (exponent - 4)) & 15));
}

export function unpackLength(byte: number): number {
  if (byte < 16) return byte;
  return (16 + (byte & 15)) * 2 ** ((byte >> 4) - 1);
}
