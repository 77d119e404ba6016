import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { heritage, relationBit, relationsOfUses } from '../format/relations.ts';
import { EXACT_BIT, fileOfSymbolId, GRADE_CODES, type FileInput, type SymbolInput } from '../format/shard-input.ts';
import { SYMBOL_KINDS } from '../format/shard-schema.ts';
import { packIds, packNumbers, packReferences, writeUse, type UseEntry } from '../format/store-codec.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { VarintWriter } from '../../kernel/varints.ts';

/** Languages whose imports name packages of many files. */
const PACKAGED = namesOfLanguages(({ importsPackages }) => importsPackages === true);

const EXACT_GRADE = GRADE_CODES.indexOf('exact');

/** A blob of uses that grows in order. */
interface UseList {
  out: VarintWriter;
  last: UseEntry | undefined;
  count: number;
}

/** What a file refers to, until the files of all targets are known. */
interface FileReferences {
  folder: string;
  isPackaged: boolean;
  topLevel: Uint8Array | null;
  imports: readonly number[];
  /** Pairs of target symbol and uses. */
  uses: Int32Array;
  /** Pairs of symbol and what it extends. */
  supers: Int32Array;
}

/** What the edges of a file are made from. */
type EdgeInput = Pick<FileInput, 'path' | 'language' | 'occurrences' | 'nameOnly' | 'imports' | 'alike'> & {
  symbols: readonly Pick<SymbolInput, 'supers'>[];
};

/** All symbols of the shard: the first of each file, and the kind of each as index in SYMBOL_KINDS. */
interface AllSymbols {
  firstSymbols: readonly number[];
  kinds: ArrayLike<number>;
}

/**
 * Collects who uses what while files come by in order, and writes it as blobs. What leaves a file is written at once;
 * what arrives at a symbol, a name or a file is complete only at the end.
 */
export class EdgeWriter {
  readonly #db: DatabaseSync;
  readonly #insertEdge: StatementSync;
  readonly #insertLink: StatementSync;
  readonly #uses = new Map<number, UseList>();
  readonly #named = new Map<string, UseList>();
  readonly #extendedBy = new Map<number, number[]>();
  readonly #files: FileReferences[] = [];

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#insertEdge = db.prepare('insert into edge values (?, ?, ?, null)');
    this.#insertLink = db.prepare('insert into link values (?, ?, ?)');
  }

  /** Takes one file. `firstSymbol` is the id of its first symbol. */
  add(file: number, firstSymbol: number, input: EdgeInput): void {
    const refers = this.#addUses(file, firstSymbol, input);
    this.#addNamed(file, firstSymbol, input);
    for (const [index, { supers }] of input.symbols.entries()) {
      const symbol = firstSymbol + index;
      const targets = packReferences(refers.get(symbol) ?? new Map());
      if (targets !== null || supers.length > 0) this.#insertEdge.run(symbol, targets, packIds(supers));
      for (const above of supers) append(this.#extendedBy, above, symbol);
    }
    const [imports, alike] = [packIds(input.imports), packNumbers(input.alike)];
    if (imports !== null || alike !== null) this.#insertLink.run(file, imports, alike);
    this.#files.push({
      folder: input.path.slice(0, input.path.lastIndexOf('/') + 1),
      isPackaged: PACKAGED.has(input.language),
      topLevel: packReferences(refers.get(-1) ?? new Map()),
      imports: [...input.imports],
      uses: Int32Array.from([...refers.values()].flatMap((targets) => [...targets].flat())),
      supers: Int32Array.from(
        input.symbols.flatMap(({ supers }, index) => supers.flatMap((above) => [firstSymbol + index, above])),
      ),
    });
  }

  /**
   * Writes what arrives at symbols, names and files. `names` gives the id of each symbol name: unresolved uses of other
   * names are dropped, because nothing in the repository can be meant.
   */
  finish(symbols: AllSymbols, names: ReadonlyMap<string, number>): void {
    const total = symbols.kinds.length;
    const insertUsage = this.#db.prepare('insert into usage values (?, ?, ?)');
    for (const [symbol, list] of readAscending(this.#uses, total, 'target symbol'))
      insertUsage.run(symbol, list.count, list.out.bytes());
    const extendBy = this.#db.prepare(
      'insert into edge values (?1, null, null, ?2) on conflict (symbol) do update set extended_by = ?2',
    );
    for (const [symbol, below] of readAscending(this.#extendedBy, total, 'super symbol'))
      extendBy.run(symbol, packIds(below));
    this.#finishFiles(symbols);
    this.#finishNamed(names);
  }

  /** Writes what files depend on and what depends on them. */
  #finishFiles(symbols: AllSymbols): void {
    const insert = this.#db.prepare('insert into file_edge values (?, ?, ?, ?)');
    const depends = this.#files.map((_, file) => dependsOf(file, this.#files, symbols));
    const dependedBy = depends.map(() => new Map<number, number>());
    for (const [file, targets] of depends.entries()) {
      for (const [target, bits] of targets) dependedBy[target]?.set(file, bits);
    }
    for (const [file, { topLevel }] of this.#files.entries()) {
      const [out, back] = [packReferences(depends[file] ?? new Map()), packReferences(dependedBy[file] ?? new Map())];
      if (topLevel !== null || out !== null || back !== null) insert.run(file, topLevel, out, back);
    }
  }

  /** Records each use at its target, and gives per enclosing symbol (-1: none) what it refers to and how. */
  #addUses(
    file: number,
    firstSymbol: number,
    { path, occurrences, symbols }: EdgeInput,
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
      const bits = (1 << at(use, index)) | (at(grade, index) === EXACT_GRADE ? EXACT_BIT : 0);
      from.set(at(target, index), (from.get(at(target, index)) ?? 0) | bits);
    }
    return refers;
  }

  #addNamed(file: number, firstSymbol: number, { path, nameOnly, symbols }: EdgeInput): void {
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
    for (const [name, list] of readAscending(known, names.size, 'name')) insert.run(name, list.out.bytes());
  }
}

/** The files that a file depends on, with one bit a relation. */
function dependsOf(file: number, files: readonly FileReferences[], symbols: AllSymbols): Map<number, number> {
  const { imports = [], uses = [], supers = [], folder, isPackaged = false } = files[file] ?? {};
  const { firstSymbols, kinds } = symbols;
  const depends = new Map<number, number>();
  const add = (target: number, bits: number): void => {
    if (target === file) return;
    if (target >= firstSymbols.length) throw new Error(`There is no imported file ${target}.`);
    depends.set(target, (depends.get(target) ?? 0) | bits);
  };
  for (let pair = 0; pair < uses.length; pair += 2) {
    const bits = at(uses, pair + 1);
    // A name may come from a file by way of others: only the import itself says which file is imported.
    add(fileOfSymbolId(firstSymbols, at(uses, pair)), withoutImport(relationsOfUses(bits)));
  }
  for (let pair = 0; pair < supers.length; pair += 2) {
    const [below, above] = [at(supers, pair), at(supers, pair + 1)];
    const relation = heritage(SYMBOL_KINDS[at(kinds, below)], SYMBOL_KINDS[at(kinds, above)]);
    add(fileOfSymbolId(firstSymbols, above), relationBit(relation));
  }
  for (const imported of imports) {
    // The files of one package know each other without an import.
    const isPackage = isPackaged && (!depends.has(imported) || files[imported]?.folder === folder);
    if (!isPackage) add(imported, relationBit('imports'));
  }
  return depends;
}

function withoutImport(bits: number): number {
  const imports = relationBit('imports');
  return (bits & imports) === 0 ? bits : (bits & ~imports) | relationBit('references');
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

function* readAscending<T>(lists: ReadonlyMap<number, T>, total: number, what: string): Generator<[number, T]> {
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
