import type { FileFacts } from '../../languages/facts/facts.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import { NameTable } from '../program/name-table.ts';
import { type FileHead, headOf } from '../program/file-head.ts';
import { fileIdsOf, type ListedFile } from '../program/linked-files.ts';
import type { Program } from '../program/program.ts';
import { addSymbols, type SymbolTable } from '../program/symbols.ts';
import { loadUnit, type Unit } from '../program/unit.ts';
import { NotUpdatable } from './base-shard.ts';

/** A file whose facts come when they are asked for. */
interface LazyFile extends ListedFile {
  /** Absent when there are no facts. */
  group?: LanguageGroup | undefined;
  definitions: number;
  symbols: number;
  facts?: () => FileFacts;
  /** Of a file with facts. */
  head?: () => FileHead;
}

/** Names that are asked for are given a number: the file that has them may be loaded later. */
class GrowingNames extends NameTable {
  override find(text: string): number {
    return this.id(text);
  }
}

/** A program whose files are loaded when resolution first comes to them, with their symbols. `loaded` grows. */
export interface LazyProgram {
  program: Program;
  table: SymbolTable;
  loaded: Set<number>;
}

/** A program over files of which only the numbers of definitions and symbols are known. */
export function lazyProgram(files: readonly LazyFile[]): LazyProgram {
  const names = new GrowingNames();
  const bases = new Int32Array(files.length + 1);
  const firstOf = new Int32Array(files.length + 1);
  for (const [file, { definitions, symbols }] of files.entries()) {
    bases[file + 1] = (bases[file] ?? 0) + definitions;
    firstOf[file + 1] = (firstOf[file] ?? 0) + symbols;
  }
  const definitions = bases[files.length] ?? 0;
  const count = firstOf[files.length] ?? 0;
  const table: SymbolTable = {
    count,
    symbolOf: new Int32Array(definitions).fill(-1),
    firstOf,
    definitionOf: new Int32Array(count).fill(-1),
    parentOf: new Int32Array(count).fill(-1),
  };
  const fileOf = new Int32Array(definitions);
  const loaded = new Set<number>();
  const units: (Unit | undefined)[] = files.map(() => undefined);
  for (const [file, { path, facts }] of files.entries()) {
    if (facts === undefined) continue;
    fileOf.fill(file, bases[file], bases[file + 1]);
    const load = (): Unit => {
      const unit = loadUnit(file, path, facts(), { base: bases[file] ?? 0, table: names });
      enterSymbols(unit, table);
      Object.defineProperty(units, file, { value: unit, enumerable: true });
      loaded.add(file);
      return unit;
    };
    Object.defineProperty(units, file, { configurable: true, enumerable: true, get: load });
  }
  const groups = files.map(({ facts, group }) => (facts === undefined ? undefined : group));
  const program = {
    files,
    units,
    headOf: (file: number) => ({ base: bases[file] ?? 0, head: headIn(files[file]) }),
    groups,
    names,
    fileOf,
    fileIds: fileIdsOf(files),
    packages: [],
  };
  return { program, table, loaded };
}

function headIn(file: LazyFile | undefined): FileHead {
  const head = file?.head?.() ?? (file?.facts && headOf(file.facts()));
  if (head === undefined) throw new Error(`${file?.path} has no facts`);
  return head;
}

/** The number of symbols of a file. */
export function countSymbols(path: string, facts: FileFacts): number {
  const unit = loadUnit(0, path, facts, { base: 0, table: new NameTable() });
  const definitions: number[] = [];
  addSymbols(unit, { symbolOf: new Int32Array(unit.count).fill(-1), definitions, parents: [] });
  return definitions.length;
}

/** Puts the symbols of a file in their places. */
function enterSymbols(unit: Unit, { symbolOf, firstOf, definitionOf, parentOf }: SymbolTable): void {
  const [first, after] = [firstOf[unit.file] ?? 0, firstOf[unit.file + 1] ?? 0];
  const [definitions, parents]: [number[], number[]] = [[], []];
  addSymbols(unit, { symbolOf, definitions, parents });
  if (definitions.length !== after - first) throw new NotUpdatable(`${unit.path} has other symbols than it had`);
  const end = unit.base + unit.count;
  for (let row = unit.base; row < end; row += 1)
    if ((symbolOf[row] ?? -1) >= 0) symbolOf[row] = (symbolOf[row] ?? 0) + first;
  definitionOf.set(definitions, first);
  parentOf.set(
    parents.map((parent) => (parent < 0 ? -1 : parent + first)),
    first,
  );
}
