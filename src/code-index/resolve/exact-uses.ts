import { UseFlag } from '../../languages/facts/facts.ts';
import type { Table } from '../../languages/facts/table.ts';
import { ambientNames } from '../names/names-typescript.ts';
import { inOwnPackage } from '../names/workspaces.ts';
import { onlyOfOne } from './families.ts';
import { type FileUses, UseList } from './occurrences.ts';
import { type Program, unitOf } from '../program/program.ts';
import { positionOf, symbolRanges, type SymbolTable } from '../program/symbols.ts';
import type { Unit } from '../program/unit.ts';
import { type ExactFile, type ExactNames, ROLES } from '../program/exact-names.ts';
import { selectBySpace, referenceFlags } from './used-spaces-typescript.ts';

/** Names that lead on to one another further than this are circles. */
const MOST_STEPS = 4;

/** Names of one file by offset: symbols, and what the text does with them. */
interface Places {
  symbols: ReadonlyMap<number, number>;
  /** Flags of references and of members or keys, by offset. */
  references: ReadonlyMap<number, number>;
  members: ReadonlyMap<number, number>;
  /** True if the use at an offset means a symbol that shares its name with others there. */
  meant: (start: number, symbol: number) => boolean;
}

/**
 * Puts what a compiler knows in the place of what was resolved: names that it knows lead where it says, all others stay.
 */
export class ExactOverlay {
  readonly #program: Program;
  readonly #table: SymbolTable;
  readonly #exact: ExactNames;
  readonly #packages: ReadonlySet<string>;
  readonly #symbols = new Map<number, ReadonlyMap<number, number>>();
  /** Declarations for all files of names that have several, each by its file and start. */
  readonly #repeatedDeclarations: ReadonlyMap<string, readonly Declared[]>;

  /** `packages` are the folders with a `package.json`. */
  constructor(program: Program, table: SymbolTable, exact: ExactNames, packages: ReadonlySet<string>) {
    this.#program = program;
    this.#table = table;
    this.#exact = exact;
    this.#packages = packages;
    this.#repeatedDeclarations = collectRepeatedDeclarations(program);
  }

  /** The uses of one file; as they were when no compiler read it. */
  refine(unit: Unit, resolved: FileUses): FileUses {
    const exact = this.#exact.files.get(unit.file);
    if (exact === undefined) return resolved;
    const starts = new Set(exact.start);
    const uses = new UseList(unit, symbolRanges(unit, this.#table.symbolOf));
    uses.keep(resolved, (start) => !starts.has(start));
    const own = this.#symbolsOf(unit.file);
    const isExact = (symbol: number): boolean =>
      starts.has(positionOf(unit, (this.#table.definitionOf[symbol] ?? 0) - unit.base));
    const sameMember = [
      ...resolved.sameMember.filter(([key]) => !isExact(key)),
      ...this.#add(uses, this.#repeatedDeclarations.size === 0 ? exact : this.#amongOwn(unit, exact), {
        symbols: own,
        ...flagsOf(unit),
        meant: this.#createMeaningTest(unit, exact),
      }),
    ];
    return { ...uses.finish(), imports: resolved.imports, sameMember };
  }

  /**
   * With what the file's own package declares for all of its files, where other packages declare it too: the compiler is given the
   * packages of a repository as one program, and names one of these declarations or all.
   */
  #amongOwn(unit: Unit, exact: ExactFile): ExactFile {
    const { start: starts, file: files, target: targets, roles } = exact;
    const at = { path: unit.path, packages: this.#packages };
    const rows = new Map<string, { index: number; file: number; target: number }>();
    for (const [index, start] of starts.entries()) {
      const named = { file: files[index] ?? -1, target: targets[index] ?? -1 };
      const declared = this.#repeatedDeclarations.get(`${named.file} ${named.target}`) ?? [named];
      const own = inOwnPackage(at, declared, ({ file }) => this.#program.files[file]?.path ?? '');
      for (const declaration of own.length === declared.length ? [named] : own)
        rows.set(`${start} ${declaration.file} ${declaration.target}`, { index, ...declaration });
    }
    const distinctRows = [...rows.values()];
    return {
      start: Int32Array.from(distinctRows, ({ index }) => starts[index] ?? 0),
      file: Int32Array.from(distinctRows, ({ file }) => file),
      target: Int32Array.from(distinctRows, ({ target }) => target),
      ...(roles !== undefined && { roles: Uint8Array.from(distinctRows, ({ index }) => roles[index] ?? 0) }),
    };
  }

  /** Pairs of symbols of which one overrides or implements the other. */
  *overrides(): Generator<[number, number]> {
    for (const [file, start, otherFile, otherStart] of this.#exact.overrides) {
      const symbol = this.#symbolsOf(file).get(start);
      const other = this.#symbolsOf(otherFile).get(otherStart);
      if (symbol !== undefined && other !== undefined && symbol !== other) yield [symbol, other];
    }
  }

  /** Adds the uses; gives the pairs of a literal's key that is a symbol and the member that it gives. */
  #add(uses: UseList, exact: ExactFile, places: Places): [number, number][] {
    const { start: starts, file: files, target: targets, roles } = exact;
    const same: [number, number][] = [];
    for (const [index, start] of starts.entries()) {
      const file = files[index] ?? -1;
      if (file < 0) continue;
      const symbol = this.#symbolAt(file, targets[index] ?? -1);
      const own = places.symbols.get(start);
      if (symbol === undefined || symbol === own || !places.meant(start, symbol)) continue;
      const flags =
        this.#flags(places, start, symbol) | roleFlags(roles?.[index] ?? 0) || this.#omittedFlags(symbol, roles);
      if (flags === 0) continue;
      uses.add(symbol, start, flags, 'exact');
      if (own !== undefined && this.#isMember(symbol)) same.push([own, symbol]);
    }
    return onlyOfOne(same);
  }

  /**
   * Returns the test of whether a use means one of the declarations that are one to the compiler: a constant and an interface
   * of its name.
   */
  #createMeaningTest(unit: Unit, { start: starts, file: files, target: targets }: ExactFile): Places['meant'] {
    const named = Map.groupBy(starts.keys(), (index) => starts[index] ?? 0);
    const flagsAt = referenceFlags(unit);
    const { references, members } = unit.facts;
    const flags = new Map<number, number>();
    for (let row = 0; row < members.count; row += 1) flags.set(members.start(row), members.flags(row));
    for (let row = 0; row < references.count; row += 1) flags.set(references.start(row), flagsAt(row));
    return (start, symbol) => {
      const rows = named.get(start) ?? [];
      if (rows.length < 2) return true;
      const symbols = rows.map((row) => this.#symbolAt(files[row] ?? -1, targets[row] ?? -1) ?? -1);
      const entities = symbols.flatMap((each) => this.#table.definitionOf[each] ?? []);
      const entity = this.#table.definitionOf[symbol] ?? -1;
      return selectBySpace(this.#program, unit, entities, flags.get(start) ?? 0).includes(entity);
    };
  }

  /**
   * The symbol that is declared at a place. What is declared there may lead on to another: `a` of
   * `module.exports = { a }`.
   */
  #symbolAt(file: number, start: number, step = 0): number | undefined {
    const symbol = this.#symbolsOf(file).get(start);
    const names = this.#exact.files.get(file);
    if (names === undefined || symbol === undefined || step > MOST_STEPS || !this.#isOfExport(symbol)) return symbol;
    for (let index = indexOfStart(names.start, start); names.start[index] === start; index += 1) {
      const [nextFile, next] = [names.file[index] ?? -1, names.target[index] ?? -1];
      if (nextFile < 0 || (nextFile === file && next === start)) continue;
      const resolvedSymbol = this.#symbolAt(nextFile, next, step + 1);
      if (resolvedSymbol !== undefined) return resolvedSymbol;
    }
    return symbol;
  }

  /** True if a symbol is a member of what a module exports as a whole (`default`): no other name leads to it. */
  #isOfExport(symbol: number): boolean {
    const around = this.#table.definitionOf[this.#table.parentOf[symbol] ?? -1];
    const unit = around === undefined ? undefined : this.#program.units[this.#program.fileOf[around] ?? -1];
    if (around === undefined || unit === undefined) return false;
    return unit.definitionNames[around - unit.base] === this.#program.names.find('default');
  }

  /** Returns the use flags of a name: of `{ a }` one thing is done with the variable, another with the member. */
  #flags({ references, members }: Places, start: number, symbol: number): number {
    const [reference, member] = [references.get(start), members.get(start)];
    if (reference === undefined || member === undefined) return reference ?? member ?? 0;
    return this.#isMember(symbol) ? member : reference;
  }

  /**
   * Returns the use flags of a name that the facts omit: a tag `<div>` that the repository declares as a member of all
   * elements.
   */
  #omittedFlags(symbol: number, roles: Uint8Array | undefined): number {
    return roles === undefined && this.#isMember(symbol) ? UseFlag.read : 0;
  }

  #isMember(symbol: number): boolean {
    const definition = this.#table.definitionOf[symbol] ?? 0;
    const unit = this.#program.units[this.#program.fileOf[definition] ?? -1];
    return unit !== undefined && unit.facts.definitions.owner(definition - unit.base) >= 0;
  }

  /** Symbols of a file by where they are declared. */
  #symbolsOf(file: number): ReadonlyMap<number, number> {
    const cached = this.#symbols.get(file);
    if (cached !== undefined) return cached;
    const unit = this.#program.units[file];
    const made = unit === undefined ? new Map<number, number>() : symbolsByPosition(unit, this.#table);
    this.#symbols.set(file, made);
    return made;
  }
}

interface Declared {
  file: number;
  target: number;
}

function collectRepeatedDeclarations(program: Program): Map<string, readonly Declared[]> {
  const declarations = new Map<string, readonly Declared[]>();
  for (const entities of ambientNames(program).values()) {
    if (entities.length < 2) continue;
    const places = entities.map((entity) => {
      const unit = unitOf(program, entity);
      return { file: unit.file, target: positionOf(unit, entity - unit.base) };
    });
    for (const { file, target } of places) declarations.set(`${file} ${target}`, places);
  }
  return declarations;
}

/** The first entry of an ascending list that is the start; -1 when there is none. */
function indexOfStart(starts: Int32Array, start: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return starts[low] === start ? low : -1;
}

function symbolsByPosition(unit: Unit, { symbolOf }: SymbolTable): Map<number, number> {
  const symbols = new Map<number, number>();
  for (let local = 0; local < unit.count; local += 1) {
    const symbol = symbolOf[unit.base + local] ?? -1;
    if (symbol >= 0) symbols.set(positionOf(unit, local), symbol);
  }
  return symbols;
}

function flagsOf({ facts }: Unit): Omit<Places, 'symbols' | 'meant'> {
  return {
    references: collectFlags(facts.references),
    members: new Map([...collectFlags(facts.keys), ...collectFlags(facts.members)]),
  };
}

function collectFlags(rows: Table<{ start: number; flags: number }>): ReadonlyMap<number, number> {
  const flagsByStart = new Map<number, number>();
  for (let row = 0; row < rows.count; row += 1) {
    const start = rows.start(row);
    // A row that does nothing with the name still says that it is one.
    if (!flagsByStart.has(start)) flagsByStart.set(start, rows.flags(row) | UseFlag.value);
  }
  return flagsByStart;
}

/** Returns the use flags of the roles that an index gives, for what the text alone does not show. */
function roleFlags(roles: number): number {
  if ((roles & ROLES.import) !== 0) return UseFlag.import;
  if ((roles & ROLES.write) !== 0) return UseFlag.write;
  return (roles & ROLES.read) === 0 ? 0 : UseFlag.read;
}
