/** One use as it stands in a `usage` or `named` blob. */
export interface UseEntry {
  file: number;
  line: number;
  column: number;
  /** Index in USE_CODES. */
  use: number;
  /** Index in GRADE_CODES; 0 in a `named` blob. */
  grade: number;
  /** Symbol id, or -1. */
  enclosing: number;
}

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
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
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

/** Reads what a `VarintWriter` wrote. Past the end it reads zeros. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get more(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** Bytes read so far. */
  get at(): number {
    return this.#at;
  }

  skip(bytes: number): void {
    this.#at += bytes;
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
 * Appends one use to a blob. Entries come in ascending order of file, line, column; `before` is the one that was
 * appended last, `firstSymbol` the first symbol id of the entry's file (the enclosing symbol is stored relative to it).
 */
export function writeUse(out: VarintWriter, entry: UseEntry, before: UseEntry | undefined, firstSymbol: number): void {
  const sameFile = before?.file === entry.file;
  const sameLine = sameFile && before.line === entry.line;
  out.push(entry.file - (before?.file ?? 0));
  out.push(sameFile ? entry.line - before.line : entry.line);
  out.push(sameLine ? entry.column - before.column : entry.column);
  out.push(entry.use | (entry.grade << 3));
  out.push(entry.enclosing === -1 ? 0 : entry.enclosing - firstSymbol + 1);
}

/** All uses of a blob in order. `firstSymbols` holds the first symbol id of each file. */
export function readUses(blob: Uint8Array, firstSymbols: Int32Array): UseEntry[] {
  const from = new VarintReader(blob);
  const entries: UseEntry[] = [];
  let [file, line, column] = [0, 0, 0];
  while (from.more) {
    const files = from.next();
    if (files !== 0) [file, line, column] = [file + files, 0, 0];
    const lines = from.next();
    if (lines !== 0) [line, column] = [line + lines, 0];
    column += from.next();
    const code = from.next();
    const enclosing = from.next();
    entries.push({
      file,
      line,
      column,
      use: code & 7,
      grade: code >> 3,
      enclosing: enclosing === 0 ? -1 : (firstSymbols[file] ?? 0) + enclosing - 1,
    });
  }
  return entries;
}

/** Distinct ids, sorted, as deltas. An empty list is `null`: no blob. */
export function packIds(ids: Iterable<number>): Uint8Array | null {
  const sorted = Int32Array.from(new Set(ids)).toSorted();
  if (sorted.length === 0) return null;
  const out = new VarintWriter(sorted.length * 2);
  let before = 0;
  for (const id of sorted) {
    out.push(id - before);
    before = id;
  }
  return out.bytes().slice();
}

export function unpackIds(blob: Uint8Array | null): number[] {
  if (blob === null) return [];
  const from = new VarintReader(blob);
  const ids: number[] = [];
  let id = 0;
  while (from.more) ids.push((id += from.next()));
  return ids;
}

/** What one symbol or file refers to: the target and how, one bit a use code (between files, a relation) and EXACT_BIT. */
export interface Reference {
  target: number;
  uses: number;
}

/** References, sorted by target, as pairs of delta and uses. An empty list is `null`: no blob. */
export function packReferences(uses: ReadonlyMap<number, number>): Uint8Array | null {
  if (uses.size === 0) return null;
  const out = new VarintWriter(uses.size * 3);
  let before = 0;
  for (const target of Int32Array.from(uses.keys()).toSorted()) {
    out.push(target - before);
    out.push(uses.get(target) ?? 0);
    before = target;
  }
  return out.bytes().slice();
}

export function unpackReferences(blob: Uint8Array | null): Reference[] {
  if (blob === null) return [];
  const from = new VarintReader(blob);
  const references: Reference[] = [];
  let target = 0;
  while (from.more) {
    target += from.next();
    references.push({ target, uses: from.next() });
  }
  return references;
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
