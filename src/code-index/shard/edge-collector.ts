import { addToList } from '../../kernel/lists.ts';
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
export interface UseList {
  out: VarintWriter;
  last: UseEntry | undefined;
  count: number;
}

/** References of a file, until the files of all targets are known. */
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

/** Input of the edges of a file. */
type EdgeInput = Pick<FileInput, 'path' | 'language' | 'occurrences' | 'nameOnly' | 'imports' | 'familyPairs'> & {
  symbols: readonly Pick<SymbolInput, 'supers'>[];
};

/** All symbols of the shard: the first of each file, and the kind of each as index in SYMBOL_KINDS. */
export interface AllSymbols {
  firstSymbols: ArrayLike<number>;
  kinds: ArrayLike<number>;
}

/** Takes what leaves a file: rows of `edge` (what a symbol refers to and extends) and of `link`. */
interface EdgeRows {
  edge: (symbol: number, refers: Uint8Array | null, extended: Uint8Array | null) => void;
  link: (file: number, imports: Uint8Array | null, familyPairs: Uint8Array | null) => void;
}

/**
 * Collects who uses what while files come by in order. What leaves a file is given on at once; what arrives at a symbol, a name or a
 * file is complete only at the end.
 */
export class EdgeCollector {
  /** Uses by target symbol, and unresolved ones by name. */
  readonly uses = new Map<number, UseList>();
  readonly named = new Map<string, UseList>();
  readonly extendedBy = new Map<number, number[]>();
  readonly #files = new Map<number, FileReferences>();
  readonly #rows: EdgeRows;

  constructor(rows: EdgeRows) {
    this.#rows = rows;
  }

  /** Takes one file. `firstSymbol` is the id of its first symbol. */
  add(file: number, firstSymbol: number, input: EdgeInput): void {
    const refers = this.#addUses(file, firstSymbol, input);
    this.#addNamed(file, firstSymbol, input);
    for (const [index, { supers }] of input.symbols.entries()) {
      const symbol = firstSymbol + index;
      const targets = packReferences(refers.get(symbol) ?? new Map());
      if (targets !== null || supers.length > 0) this.#rows.edge(symbol, targets, packIds(supers));
      for (const above of supers) addToList(this.extendedBy, above, symbol);
    }
    const [imports, familyPairs] = [packIds(input.imports), packNumbers(input.familyPairs)];
    if (imports !== null || familyPairs !== null) this.#rows.link(file, imports, familyPairs);
    this.#files.set(file, {
      folder: folderOfPath(input.path),
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
   * Yields the references of the top level of each file, and the files that it depends on, with one bit a relation. `folderOf`
   * gives the folder of files that were not added.
   */
  *files(
    symbols: AllSymbols,
    folderOf: (file: number) => string = (file) => this.#files.get(file)?.folder ?? '',
  ): Generator<[file: number, topLevel: Uint8Array | null, depends: Map<number, number>]> {
    for (const [file, references] of this.#files)
      yield [file, references.topLevel, dependsOf(file, references, { ...symbols, folderOf })];
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
      if (!appendUse(this.uses, at(target, index), entry, firstSymbol)) continue;
      const from = refers.get(at(enclosing, index)) ?? new Map<number, number>();
      refers.set(at(enclosing, index), from);
      const bits = (1 << at(use, index)) | (at(grade, index) === EXACT_GRADE ? EXACT_BIT : 0);
      from.set(at(target, index), (from.get(at(target, index)) ?? 0) | bits);
    }
    return refers;
  }

  #addNamed(file: number, firstSymbol: number, { path, nameOnly, symbols }: EdgeInput): void {
    const { name, line, column } = nameOnly;
    const order = Array.from(line.keys()).toSorted(
      (a, b) => at(line, a) - at(line, b) || at(column, a) - at(column, b) || at(nameOnly.use, a) - at(nameOnly.use, b),
    );
    for (const index of order) {
      const entry = entryAt({ ...nameOnly, file }, index);
      checkEnclosing(entry.enclosing, { path, firstSymbol, count: symbols.length });
      appendUse(this.named, name[index] ?? '', entry, firstSymbol);
    }
  }
}

/** The folder of a path, with its slash. */
export function folderOfPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The files that a file depends on, with one bit a relation. */
function dependsOf(
  file: number,
  { imports, uses, supers, folder, isPackaged }: FileReferences,
  { firstSymbols, kinds, folderOf }: AllSymbols & { folderOf: (file: number) => string },
): Map<number, number> {
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
    const isPackage = isPackaged && (!depends.has(imported) || folderOf(imported) === folder);
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

function checkEnclosing(enclosing: number, file: { path: string; firstSymbol: number; count: number }): void {
  const { path, firstSymbol, count } = file;
  if (enclosing === -1 || (enclosing >= firstSymbol && enclosing < firstSymbol + count)) return;
  throw new Error(`${path}: the enclosing symbol ${enclosing} is not one of this file.`);
}

function at(array: ArrayLike<number>, index: number): number {
  return array[index] ?? 0;
}
