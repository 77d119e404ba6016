import { Definition, DefinitionFlag, DefinitionKind, Facet } from '../../languages/facts/facts.ts';
import { definitionOf, languageOf } from '../../languages/languages.ts';
import { type Evaluation, MEMBER_STEPS, startQuery } from '../evaluation/evaluation.ts';
import { definedIn, facetsOf, hasFlag, holdsMembers, ownMembers, read, unitOf } from '../program/program.ts';
import type { SymbolTable } from '../program/symbols.ts';
import type { Type } from '../evaluation/type-model.ts';
import type { Unit } from '../program/unit.ts';

/** Members that a class has for itself: they are called by its name, not through a base. */
const OWN = new Set(['constructor', '__init__', '__new__', '__init_subclass__', '__class_getitem__', '__slots__']);

/** Types that the classes of one file are made from. */
export interface Heritage {
  /** Symbols that a symbol extends or implements. */
  supers: Map<number, number[]>;
  /** Pairs of members: one overrides or implements the other. */
  overrides: [number, number][];
}

export function findHeritage(on: Evaluation, table: SymbolTable, unit: Unit): Heritage {
  const members = membersByOwner(unit, table);
  const heritage: Heritage = { supers: new Map(), overrides: [] };
  for (let local = 0; local < unit.count; local += 1) {
    if (!holdsMembers(unit.facts.definitions.kind(local))) continue;
    const symbol = table.symbolOf[unit.base + local] ?? -1;
    const own = members.get(local) ?? [];
    // An anonymous class is no symbol, its members are.
    const isAnonymous = own.length > 0 && facetsOf(on.program, unit.base + local, Facet.extends).length > 0;
    if (symbol >= 0 || isAnonymous)
      addClass(on, table, { definition: unit.base + local, symbol, members: own }, heritage);
  }
  addTraits(on, table, unit, heritage);
  addDescribed(on, table, { unit, members }, heritage);
  return heritage;
}

interface ClassAt {
  definition: number;
  symbol: number;
  members: readonly number[];
}

function addClass(
  on: Evaluation,
  table: SymbolTable,
  { definition, symbol, members }: ClassAt,
  heritage: Heritage,
): void {
  startQuery(on.budget, MEMBER_STEPS);
  for (const base of on.bases({ kind: 'instance', definition })) {
    if (symbol >= 0) addSupers(table, symbol, base, heritage);
    for (const member of members) addOverrides(on, table, { member, base }, heritage);
  }
}

function addSupers(table: SymbolTable, symbol: number, base: Type, { supers }: Heritage): void {
  const existing = supers.get(symbol) ?? [];
  for (const type of base.kind === 'union' ? base.types : [base]) {
    if (type.kind !== 'instance' && type.kind !== 'class') continue;
    const target = table.symbolOf[type.definition] ?? -1;
    if (target >= 0 && target !== symbol && !existing.includes(target)) existing.push(target);
  }
  if (existing.length > 0) supers.set(symbol, existing);
}

function addOverrides(
  on: Evaluation,
  table: SymbolTable,
  { member, base }: { member: number; base: Type },
  { overrides }: Heritage,
): void {
  if (!canOverride(on, member)) return;
  startQuery(on.budget, MEMBER_STEPS);
  const unit = on.program.units[on.program.fileOf[member] ?? -1];
  const name = unit?.definitionNames[member - unit.base] ?? -1;
  const own = table.symbolOf[member] ?? -1;
  const isStatic = hasFlag(on.program, member, DefinitionFlag.static);
  const side: Type = isStatic && base.kind === 'instance' ? { ...base, kind: 'class' } : base;
  const members = on.members(side, name);
  for (const entity of on.overloads?.overridden(member, members) ?? members.map((overridden) => overridden.entity)) {
    const target = entity < 0 ? -1 : (table.symbolOf[entity] ?? -1);
    if (target >= 0 && target !== own && canOverride(on, entity)) overrides.push([own, target]);
  }
}

/**
 * True if a member can override that of a base. Where only methods override, a field hides it, and so does a static or private
 * method.
 */
function canOverride(on: Evaluation, member: number): boolean {
  if (languageOf(unitOf(on.program, member).facts.language).overridesMethodsOnly !== true) return true;
  const isHidden =
    hasFlag(on.program, member, DefinitionFlag.private) || hasFlag(on.program, member, DefinitionFlag.static);
  return !isHidden && read(on.program, member, Definition.kind) === DefinitionKind.method;
}

/** Methods written outside their type for a trait (Rust). */
function addTraits(on: Evaluation, table: SymbolTable, unit: Unit, heritage: Heritage): void {
  for (let local = 0; local < unit.count; local += 1) {
    const symbol = table.symbolOf[unit.base + local] ?? -1;
    if (symbol < 0) continue;
    for (const node of facetsOf(on.program, unit.base + local, Facet.trait)) {
      startQuery(on.budget, MEMBER_STEPS);
      const base = on.type(unit, node);
      if (base !== undefined) addOverrides(on, table, { member: unit.base + local, base }, heritage);
    }
  }
}

/** What a declaration file and the file that it describes both name: the code implements what is declared. */
function addDescribed(
  { program }: Evaluation,
  table: SymbolTable,
  { unit, members }: { unit: Unit; members: ReadonlyMap<number, readonly number[]> },
  { overrides }: Heritage,
): void {
  const paths = definitionOf(unit.path)?.describedPaths?.(unit.path) ?? [];
  const described = paths.map((path) => program.units[program.fileIds.get(path) ?? -1]).find(Boolean);
  if (described === undefined) return;
  const nameOfLocal = (local: number): number => unit.definitionNames[local] ?? -1;
  const add = (declared: number, codes: readonly number[]): void => {
    for (const code of codes) {
      const [own, target] = [table.symbolOf[code] ?? -1, table.symbolOf[unit.base + declared] ?? -1];
      if (own < 0 || target < 0 || !hasFlag(program, code, DefinitionFlag.value)) continue;
      overrides.push([own, target]);
      for (const member of members.get(declared) ?? [])
        add(member - unit.base, ownMembers(program, code, nameOfLocal(member - unit.base)));
    }
  };
  const { definitions } = unit.facts;
  for (let local = 0; local < unit.count; local += 1) {
    if (definitions.scope(local) !== 0 || definitions.owner(local) >= 0) continue;
    if ((definitions.flags(local) & DefinitionFlag.value) !== 0)
      add(local, definedIn(described, 0, nameOfLocal(local)));
  }
}

function nameAt(unit: Unit, local: number): string {
  return unit.facts.strings[unit.facts.definitions.name(local)] ?? '';
}

function membersByOwner(unit: Unit, table: SymbolTable): Map<number, number[]> {
  const members = new Map<number, number[]>();
  for (let local = 0; local < unit.count; local += 1) {
    const owner = unit.facts.definitions.owner(local);
    if (owner < 0 || (table.symbolOf[unit.base + local] ?? -1) < 0) continue;
    if (OWN.has(nameAt(unit, local))) continue;
    const list = members.get(owner);
    if (list === undefined) members.set(owner, [unit.base + local]);
    else list.push(unit.base + local);
  }
  return members;
}

/** Groups of two or more symbols that pairs connect, each ascending, by their first symbol. */
export function groupFamilies(count: number, pairs: Iterable<readonly [number, number]>): number[][] {
  const leader = Int32Array.from({ length: count }, (_, symbol) => symbol);
  const find = (symbol: number): number => {
    let at = symbol;
    while (leader[at] !== at) {
      leader[at] = leader[leader[at] ?? at] ?? at;
      at = leader[at] ?? at;
    }
    return at;
  };
  for (const [a, b] of pairs) {
    const [first, second] = [find(a), find(b)];
    leader[Math.max(first, second)] = Math.min(first, second);
  }
  const groups = new Map<number, number[]>();
  for (let symbol = 0; symbol < count; symbol += 1) {
    const first = find(symbol);
    if (first === symbol) continue;
    const group = groups.get(first);
    if (group === undefined) groups.set(first, [first, symbol]);
    else group.push(symbol);
  }
  return [...groups.values()].toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
}

/**
 * The pairs of keys that give one member. A key that may give members of several types (of a union) is a use of each, and
 * makes them no family of one another.
 */
export function onlyOfOne(pairs: readonly [key: number, member: number][]): [number, number][] {
  const given = Map.groupBy(pairs, ([key]) => key);
  return [...given.values()].flatMap((same) =>
    new Set(same.map(([, member]) => member)).size === 1 ? same.slice(0, 1) : [],
  );
}
