import { DefinitionFlag, DefinitionKind, ExportHow, NodeOp } from '../../languages/facts/facts.ts';
import { lineOf } from '../../languages/facts/lines.ts';
import { intAt } from '../../languages/facts/table.ts';
import { languageOf } from '../../languages/languages.ts';
import { listAt, operand, opOf } from './nodes.ts';
import { definedIn, loadProgram, type Program, type ProgramFile } from './program.ts';
import type { Unit } from './unit.ts';

/** Symbols of all files and their definitions. Ids count the symbols of all files in file order, by position in each. */
export interface SymbolTable {
  count: number;
  /** Symbol of each definition, or -1. Accessors and merged declarations share one. */
  symbolOf: Int32Array;
  /** First symbol of each file; one more entry than files. */
  firstOf: Int32Array;
  /** Definition at which each symbol stands: the first of those that share it. */
  definitionOf: Int32Array;
  /** Symbol around each symbol, of the same file, or -1. */
  parentOf: Int32Array;
}

/** Declarations of these kinds with one name in one place are one symbol. */
const MERGED = new Set<number>([
  DefinitionKind.function,
  DefinitionKind.method,
  DefinitionKind.interface,
  DefinitionKind.module,
  DefinitionKind.macro,
  DefinitionKind.variable,
  DefinitionKind.property,
]);
/** Lines from which on a function that is the value of a property is a symbol. */
const LEAST_LINES = 3;
const FUNCTIONS = new Set<number>([DefinitionKind.function, DefinitionKind.method]);
/** Room to begin with; it doubles. */
const LEAST_DEFINITIONS = 1024;
const ACCESSOR = DefinitionFlag.getter | DefinitionFlag.setter;

/** A program with its symbols. */
export interface LoadedProgram {
  program: Program;
  table: SymbolTable;
  /** The name id of each symbol, twice, and 1 more of one that is a member. */
  spellings: Int32Array;
}

/** Loads a program and its symbols, each file once. */
export function loadSymbols(files: readonly ProgramFile[]): LoadedProgram {
  let symbolOf = new Int32Array(LEAST_DEFINITIONS).fill(-1);
  const firstOf = new Int32Array(files.length + 1);
  const definitions: number[] = [];
  const parents: number[] = [];
  const spellings: number[] = [];
  const program = loadProgram(files, (file, unit) => {
    firstOf[file] = definitions.length;
    if (unit === undefined) return;
    symbolOf = withRoomFor(symbolOf, unit.base + unit.count);
    addSymbols(unit, { symbolOf, definitions, parents });
    for (let symbol = spellings.length; symbol < definitions.length; symbol += 1) {
      const local = (definitions[symbol] ?? 0) - unit.base;
      const isMember = unit.facts.definitions.owner(local) >= 0;
      spellings.push(intAt(unit.definitionNames, local) * 2 + Number(isMember));
    }
  });
  firstOf[files.length] = definitions.length;
  const table = {
    count: definitions.length,
    symbolOf: symbolOf.slice(0, program.fileOf.length),
    firstOf,
    definitionOf: Int32Array.from(definitions),
    parentOf: Int32Array.from(parents),
  };
  return { program, table, spellings: Int32Array.from(spellings) };
}

function withRoomFor(symbolOf: Int32Array<ArrayBuffer>, count: number): Int32Array<ArrayBuffer> {
  if (count <= symbolOf.length) return symbolOf;
  const grown = new Int32Array(count * 2).fill(-1, symbolOf.length);
  grown.set(symbolOf);
  return grown;
}

interface Growing {
  symbolOf: Int32Array;
  definitions: number[];
  parents: number[];
}

/** Appends the symbols of one file. */
export function addSymbols(unit: Unit, { symbolOf, definitions, parents }: Growing): void {
  const namers = containerNamers(unit);
  const locals = chooseLocals(unit, namers);
  const first = definitions.length;
  const bySpot = new Map<string, number>();
  for (const { spot, local } of firstOfSpots(unit, locals)) {
    bySpot.set(spot, definitions.length);
    definitions.push(unit.base + local);
    parents.push(-1);
  }
  for (const local of locals) symbolOf[unit.base + local] = bySpot.get(spotOf(unit, local)) ?? -1;
  const ranges = symbolRanges(unit, symbolOf);
  for (let symbol = first; symbol < definitions.length; symbol += 1) {
    const local = (definitions[symbol] ?? 0) - unit.base;
    parents[symbol] = parentOf(unit, local, { namers, symbolOf, ranges, symbol });
  }
}

/** The definition at which each symbol stands: the first of its spot, or the first accessor, which declares it. */
function firstOfSpots(unit: Unit, locals: readonly number[]): { spot: string; local: number }[] {
  const bySpot = new Map<string, number>();
  const isAccessor = (local: number): boolean => (unit.facts.definitions.flags(local) & ACCESSOR) !== 0;
  for (const local of locals) {
    const spot = spotOf(unit, local);
    const previous = bySpot.get(spot);
    if (previous === undefined || (isAccessor(local) && !isAccessor(previous))) bySpot.set(spot, local);
  }
  return [...bySpot]
    .map(([spot, local]) => ({ spot, local }))
    .toSorted((a, b) => positionOf(unit, a.local) - positionOf(unit, b.local) || a.local - b.local);
}

/** Local definitions that are symbols, by position of their names. */
function chooseLocals(unit: Unit, namers: ReadonlyMap<number, number>): number[] {
  const isSymbol = new Uint8Array(unit.count);
  for (const holder of holdersOfFunctions(unit, namers)) isSymbol[holder] = 1;
  const locals: number[] = [];
  // A member of a literal is a symbol when what the literal is the value of is one, which may come after it.
  const decide = (local: number, depth: number): boolean => {
    const state = isSymbol[local] ?? 0;
    if (state !== 0) return state === 1;
    const is =
      depth < 30 &&
      canBeSymbol(unit, local, (owner) => {
        const namer = namers.get(owner);
        return namer !== undefined && decide(namer, depth + 1);
      });
    isSymbol[local] = is ? 1 : 2;
    return is;
  };
  for (let local = 0; local < unit.count; local += 1) if (decide(local, 0)) locals.push(local);
  return locals.toSorted((a, b) => positionOf(unit, a) - positionOf(unit, b) || a - b);
}

function canBeSymbol(unit: Unit, local: number, isNamed: (container: number) => boolean): boolean {
  const kind = unit.facts.definitions.kind(local);
  if (kind >= DefinitionKind.parameter || unit.facts.definitions.name(local) === 0) return false;
  const owner = unit.facts.definitions.owner(local);
  const isTop = (unit.facts.definitions.flags(local) & DefinitionFlag.topLevel) !== 0;
  if (owner >= 0) {
    if (unit.facts.definitions.kind(owner) !== DefinitionKind.container) return true;
    return isFunctionOfLiteral(unit, local) || isSignature(unit, local) || (isTop && isNamed(owner));
  }
  if (kind === DefinitionKind.constant || kind === DefinitionKind.variable) return isTop;
  return kind !== DefinitionKind.property || isTop;
}

/**
 * A function that a literal or an anonymous class holds: a method, an accessor, or a value of some lines. It is code that is
 * looked for by its name, wherever the literal is.
 */
function isFunctionOfLiteral(unit: Unit, local: number): boolean {
  const { definitions, lines } = unit.facts;
  const owner = definitions.owner(local);
  if (owner < 0 || definitions.kind(owner) !== DefinitionKind.container) return false;
  if (definitions.kind(local) === DefinitionKind.method) return definitions.bodyScope(local) >= 0;
  if ((definitions.flags(local) & DefinitionFlag.functionValue) === 0) return false;
  return lineOf(lines, definitions.end(local) - 1) - lineOf(lines, definitions.start(local)) >= LEAST_LINES - 1;
}

/** The properties whose literals hold such functions, which are called after them: `reducers/add`. */
function holdersOfFunctions(unit: Unit, namers: ReadonlyMap<number, number>): Set<number> {
  const { definitions } = unit.facts;
  const holders = new Set<number>();
  for (let local = 0; local < unit.count; local += 1) {
    if (!isFunctionOfLiteral(unit, local)) continue;
    let holder = namers.get(definitions.owner(local));
    while (holder !== undefined && definitions.kind(holder) === DefinitionKind.property && !holders.has(holder)) {
      holders.add(holder);
      holder = namers.get(definitions.owner(holder));
    }
  }
  return holders;
}

/** A property or method of a type literal: it has no value and no body. */
function isSignature(unit: Unit, local: number): boolean {
  return unit.facts.definitions.value(local) === 0 && unit.facts.definitions.bodyScope(local) < 0;
}

/** Returns the offset of the name of a definition, or its start when it has none. */
export function positionOf(unit: Unit, local: number): number {
  const at = unit.facts.definitions.nameStart(local);
  return at < 0 ? unit.facts.definitions.start(local) : at;
}

/** Definitions with the same spot are one symbol. */
function spotOf(unit: Unit, local: number): string {
  const kind = unit.facts.definitions.kind(local);
  if (FUNCTIONS.has(kind) && languageOf(unit.facts.language).hasOverloads === true) return `d${local}`;
  const flags = unit.facts.definitions.flags(local);
  const owner = unit.facts.definitions.owner(local);
  const scope = unit.facts.definitions.scope(local);
  if (!MERGED.has(kind) || (owner < 0 && scope < 0)) return `d${local}`;
  const sort = (flags & ACCESSOR) === 0 ? kind : DefinitionKind.property;
  const container = owner >= 0 ? `o${owner}` : `s${scope}`;
  return `${container} ${sort} ${flags & DefinitionFlag.static} ${unit.definitionNames[local]}`;
}

/** The definition that an anonymous literal is the value or the type of. */
function containerNamers(unit: Unit): Map<number, number> {
  const namers = new Map<number, number>();
  const visit = (node: number, namer: number, depth: number): void => {
    if (node === 0 || depth > 4) return;
    switch (opOf(unit, node)) {
      case NodeOp.ObjectLiteral:
      case NodeOp.MembersType:
        if (!namers.has(operand(unit, node, 0))) namers.set(operand(unit, node, 0), namer);
        return;
      case NodeOp.ArrayType:
      case NodeOp.MapType:
      case NodeOp.Typed:
        visit(operand(unit, node, 0), namer, depth + 1);
        return;
      case NodeOp.Union:
        for (const child of listAt(unit, node, 0)) visit(child, namer, depth + 1);
        return;
      default:
    }
  };
  for (let local = 0; local < unit.count; local += 1) {
    if (unit.facts.definitions.kind(local) >= DefinitionKind.parameter) continue;
    visit(unit.facts.definitions.value(local), local, 0);
    visit(unit.facts.definitions.type(local), local, 0);
  }
  return namers;
}

interface Around {
  namers: ReadonlyMap<number, number>;
  symbolOf: Int32Array;
  ranges: SymbolRanges;
  symbol: number;
}

function parentOf(unit: Unit, local: number, { namers, symbolOf, ranges, symbol }: Around): number {
  let owner = unit.facts.definitions.owner(local);
  for (let step = 0; owner >= 0 && step < 30; step += 1) {
    const candidate = symbolOf[unit.base + owner] ?? -1;
    if (candidate >= 0 && candidate !== symbol) return candidate;
    owner = namers.get(owner) ?? unit.facts.definitions.owner(owner);
  }
  return symbolAround(ranges, positionOf(unit, local), symbol);
}

/** Ranges of the symbols of a file by start, each knowing the range around it. */
export interface SymbolRanges {
  starts: Int32Array;
  ends: Int32Array;
  symbols: Int32Array;
  outer: Int32Array;
}

export function symbolRanges(unit: Unit, symbolOf: Int32Array): SymbolRanges {
  const locals: number[] = [];
  for (let local = 0; local < unit.count; local += 1) if ((symbolOf[unit.base + local] ?? -1) >= 0) locals.push(local);
  const start = (local: number): number => unit.facts.definitions.start(local);
  const end = (local: number): number => unit.facts.definitions.end(local);
  locals.sort((a, b) => start(a) - start(b) || end(b) - end(a) || a - b);
  const outer = new Int32Array(locals.length).fill(-1);
  const open: number[] = [];
  locals.forEach((local, index) => {
    while (open.length > 0 && end(locals[open.at(-1) ?? 0] ?? 0) <= start(local)) open.pop();
    outer[index] = open.at(-1) ?? -1;
    open.push(index);
  });
  return {
    starts: Int32Array.from(locals, start),
    ends: Int32Array.from(locals, end),
    symbols: Int32Array.from(locals, (local) => symbolOf[unit.base + local] ?? -1),
    outer,
  };
}

/** The innermost symbol around a position other than `but`, or -1. */
export function symbolAround({ starts, ends, symbols, outer }: SymbolRanges, position: number, but = -1): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  while (at >= 0 && ((ends[at] ?? 0) <= position || symbols[at] === but)) at = outer[at] ?? -1;
  return symbols[at] ?? -1;
}

/** Local definitions that the file exports by a row of its own (`export { a }`, `module.exports = a`). */
export function exportedByRow(unit: Unit): Set<number> {
  const { exports } = unit.facts;
  const exportedLocals = new Set<number>();
  for (let row = 0; row < exports.count; row += 1) {
    const [how, a] = [exports.how(row), exports.a(row)];
    if (how === ExportHow.local) exportedLocals.add(a);
    if (how !== ExportHow.named) continue;
    for (const definition of definedIn(unit, a, intAt(unit.names, exports.b(row))))
      exportedLocals.add(definition - unit.base);
  }
  return exportedLocals;
}
