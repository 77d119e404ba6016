import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { FileInput } from './shard-input.ts';
import { packIds, packReferences, VarintWriter, writeUse, type UseEntry } from './store-codec.ts';

/** A blob of uses that grows in order. */
interface UseList {
  out: VarintWriter;
  last: UseEntry | undefined;
  count: number;
}

/**
 * Collects who uses what while files come by in order, and writes it as blobs. What leaves a file is written at once;
 * what arrives at a symbol, a name or a file is complete only at the end.
 */
export class EdgeWriter {
  readonly #db: DatabaseSync;
  readonly #insertEdge: StatementSync;
  readonly #insertFileEdge: StatementSync;
  readonly #uses = new Map<number, UseList>();
  readonly #named = new Map<string, UseList>();
  readonly #extendedBy = new Map<number, number[]>();
  readonly #importedBy = new Map<number, number[]>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insertEdge = db.prepare('insert into edge values (?, ?, ?, null)');
    this.#insertFileEdge = db.prepare('insert into file_edge values (?, ?, ?, null)');
  }

  /** Takes one file. `firstSymbol` is the id of its first symbol. */
  add(file: number, firstSymbol: number, input: FileInput): void {
    const refers = this.#addUses(file, firstSymbol, input);
    this.#addNamed(file, firstSymbol, input);
    for (const [index, { supers }] of input.symbols.entries()) {
      const symbol = firstSymbol + index;
      const targets = packReferences(refers.get(symbol) ?? new Map());
      if (targets !== null || supers.length > 0) this.#insertEdge.run(symbol, targets, packIds(supers));
      for (const above of supers) append(this.#extendedBy, above, symbol);
    }
    const imports = new Set(input.imports);
    for (const imported of imports) append(this.#importedBy, imported, file);
    const topLevel = packReferences(refers.get(-1) ?? new Map());
    if (topLevel !== null || imports.size > 0) this.#insertFileEdge.run(file, topLevel, packIds(imports));
  }

  /**
   * Writes what arrives at symbols, names and files. `names` gives the id of each symbol name: unresolved uses of other
   * names are dropped, because nothing in the repository can be meant.
   */
  finish(totals: { files: number; symbols: number }, names: ReadonlyMap<string, number>): void {
    const insertUsage = this.#db.prepare('insert into usage values (?, ?, ?)');
    for (const [symbol, list] of ascending(this.#uses, totals.symbols, 'target symbol'))
      insertUsage.run(symbol, list.count, list.out.bytes());
    const extendBy = this.#db.prepare(
      'insert into edge values (?1, null, null, ?2) on conflict (symbol) do update set extended_by = ?2',
    );
    for (const [symbol, below] of ascending(this.#extendedBy, totals.symbols, 'super symbol'))
      extendBy.run(symbol, packIds(below));
    const importBy = this.#db.prepare(
      'insert into file_edge values (?1, null, null, ?2) on conflict (file) do update set imported_by = ?2',
    );
    for (const [file, importers] of ascending(this.#importedBy, totals.files, 'imported file'))
      importBy.run(file, packIds(importers));
    this.#finishNamed(names);
  }

  /** Records each use at its target, and gives per enclosing symbol (-1: none) what it refers to and how. */
  #addUses(
    file: number,
    firstSymbol: number,
    { path, occurrences, symbols }: FileInput,
  ): Map<number, Map<number, number>> {
    const { line, column, use, grade, target, enclosing } = occurrences;
    const order = Array.from(line.keys()).toSorted(
      (a, b) =>
        at(line, a) - at(line, b) ||
        at(column, a) - at(column, b) ||
        at(target, a) - at(target, b) ||
        at(grade, b) - at(grade, a) ||
        at(use, a) - at(use, b),
    );
    const refers = new Map<number, Map<number, number>>();
    for (const index of order) {
      const entry = entryAt({ ...occurrences, file }, index);
      checkEnclosing(entry.enclosing, { path, firstSymbol, count: symbols.length });
      if (!appendUse(this.#uses, at(target, index), entry, firstSymbol)) continue;
      const from = refers.get(at(enclosing, index)) ?? new Map<number, number>();
      refers.set(at(enclosing, index), from);
      from.set(at(target, index), (from.get(at(target, index)) ?? 0) | (1 << at(use, index)));
    }
    return refers;
  }

  #addNamed(file: number, firstSymbol: number, { path, nameOnly, symbols }: FileInput): void {
    const { name, line, column } = nameOnly;
    const grade = new Uint8Array(line.length);
    const order = Array.from(line.keys()).toSorted(
      (a, b) => at(line, a) - at(line, b) || at(column, a) - at(column, b) || at(nameOnly.use, a) - at(nameOnly.use, b),
    );
    for (const index of order) {
      const entry = entryAt({ ...nameOnly, grade, file }, index);
      checkEnclosing(entry.enclosing, { path, firstSymbol, count: symbols.length });
      appendUse(this.#named, name[index] ?? '', entry, firstSymbol);
    }
  }

  #finishNamed(names: ReadonlyMap<string, number>): void {
    const insert = this.#db.prepare('insert into named values (?, ?)');
    const known = new Map([...this.#named].map(([name, list]) => [names.get(name) ?? -1, list]));
    known.delete(-1);
    for (const [name, list] of ascending(known, names.size, 'name')) insert.run(name, list.out.bytes());
  }
}

interface UseColumns {
  file: number;
  line: Int32Array;
  column: Int32Array;
  use: Uint8Array;
  grade: Uint8Array;
  enclosing: Int32Array;
}

function entryAt({ file, line, column, use, grade, enclosing }: UseColumns, index: number): UseEntry {
  return {
    file,
    line: at(line, index),
    column: at(column, index),
    use: at(use, index),
    grade: at(grade, index),
    enclosing: at(enclosing, index),
  };
}

/** Appends a use to the list of its target; false when the same position is there already. */
function appendUse<Key>(lists: Map<Key, UseList>, key: Key, entry: UseEntry, firstSymbol: number): boolean {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = { out: new VarintWriter(16), last: undefined, count: 0 }));
  const { last } = list;
  if (last?.file === entry.file && last.line === entry.line && last.column === entry.column) return false;
  writeUse(list.out, entry, last, firstSymbol);
  list.last = entry;
  list.count++;
  return true;
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function* ascending<T>(lists: ReadonlyMap<number, T>, total: number, what: string): Generator<[number, T]> {
  for (const [id, value] of [...lists].toSorted(([a], [b]) => a - b)) {
    if (id < 0 || id >= total) throw new Error(`There is no ${what} ${id}: ids go from 0 to ${total - 1}.`);
    yield [id, value];
  }
}

function checkEnclosing(enclosing: number, file: { path: string; firstSymbol: number; count: number }): void {
  const { path, firstSymbol, count } = file;
  if (enclosing === -1 || (enclosing >= firstSymbol && enclosing < firstSymbol + count)) return;
  throw new Error(`${path}: the enclosing symbol ${enclosing} is not one of this file.`);
}

function at(array: ArrayLike<number>, index: number): number {
  return array[index] ?? 0;
}
