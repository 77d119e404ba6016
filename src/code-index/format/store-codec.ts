import { VarintReader, VarintWriter } from '../../kernel/varints.ts';

/** One use as it stands in a `usage` or `named` blob. */
export interface UseEntry {
  file: number;
  line: number;
  column: number;
  /** Index in USE_CODES. */
  use: number;
  /** Index in GRADE_CODES; in a `named` blob one of NAME_GRADES. */
  grade: number;
  /** Symbol id, or -1. */
  enclosing: number;
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

/** Goes through the uses of a blob in order; holds the one that `next` came to. */
export class UseCursor {
  readonly #from: VarintReader;
  file = 0;
  line = 0;
  column = 0;
  /** The use, with the grade above its three bits. */
  code = 0;
  /** From 1, relative to the symbols of the file; 0 for none. */
  enclosing = 0;

  constructor(blob: Uint8Array) {
    this.#from = new VarintReader(blob);
  }

  /** Advances to the next use; false when there is none. */
  next(): boolean {
    const from = this.#from;
    if (!from.more) return false;
    const files = from.next();
    const isOtherFile = files !== 0;
    if (isOtherFile) this.file += files;
    const lines = from.next();
    const isOtherLine = isOtherFile || lines !== 0;
    this.line = isOtherFile ? lines : this.line + lines;
    this.column = isOtherLine ? from.next() : this.column + from.next();
    this.code = from.next();
    this.enclosing = from.next();
    return true;
  }
}

/** The uses of a blob in order, at most so many of them. `firstSymbols` holds the first symbol id of each file. */
export function readUses(blob: Uint8Array, firstSymbols: Int32Array, most = Infinity): UseEntry[] {
  const at = new UseCursor(blob);
  const entries: UseEntry[] = [];
  while (entries.length < most && at.next()) {
    const { file, line, column, code, enclosing } = at;
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

/** Numbers from 0 in their order. None is `null`: no blob. */
export function packNumbers(numbers: ArrayLike<number> | undefined): Uint8Array | null {
  if (numbers === undefined || numbers.length === 0) return null;
  const out = new VarintWriter(numbers.length * 2);
  for (let at = 0; at < numbers.length; at += 1) out.push(numbers[at] ?? 0);
  return out.bytes().slice();
}

export function unpackNumbers(blob: Uint8Array | null): number[] {
  if (blob === null) return [];
  const from = new VarintReader(blob);
  const numbers: number[] = [];
  while (from.more) numbers.push(from.next());
  return numbers;
}

export function unpackIds(blob: Uint8Array | null): number[] {
  if (blob === null) return [];
  const from = new VarintReader(blob);
  const ids: number[] = [];
  let id = 0;
  while (from.more) ids.push((id += from.next()));
  return ids;
}

/** Reference of one symbol or file: the target and how, one bit a use code (between files, a relation) and EXACT_BIT. */
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
  const references: Reference[] = [];
  forEachReference(blob, (target, uses) => references.push({ target, uses }));
  return references;
}

/** The references of a blob one by one, without an object for each: what reads all of an index. */
export function forEachReference(blob: Uint8Array | null, visit: (target: number, uses: number) => void): void {
  if (blob === null) return;
  const from = new VarintReader(blob);
  let target = 0;
  while (from.more) {
    target += from.next();
    visit(target, from.next());
  }
}
