import { Definition, DefinitionKind, Facet, NodeOp, ReferenceHow, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { languageOf } from '../../languages/languages.ts';
import { GRADE_CODES, NAME_GRADES, type NameOnlyInput, type OccurrenceInput } from '../format/shard-input.ts';
import { type BoundMember, type Evaluation, MEMBER_STEPS, NAME_STEPS, startQuery } from '../evaluation/evaluation.ts';
import { calledMethods, calledName } from './called-methods.ts';
import { importedFiles } from './imported-files.ts';
import { onlyOfOne } from './families.ts';
import { IntList } from '../../kernel/int-list.ts';
import { valueKey } from '../evaluation/literal-keys.ts';
import { lineOf } from '../../languages/facts/lines.ts';
import { narrowByProperties, type LiteralProperty, literalProperties } from '../evaluation/narrowing.ts';
import { operand, opOf } from '../program/nodes.ts';
import { type Entity, facetsOf, NOTHING, type Program, read } from '../program/program.ts';
import { type SymbolRanges, symbolAround, symbolRanges, type SymbolTable } from '../program/symbols.ts';
import type { Type } from '../evaluation/type-model.ts';
import type { Unit } from '../program/unit.ts';
import { lostImport } from './lost-imports.ts';
import { selectBySpace, referenceFlags } from './used-spaces-typescript.ts';

const BOTH = UseFlag.value | UseFlag.type;
/** A type of which an instance is made. */
const MADE = UseFlag.type | UseFlag.call;

/** Uses that resolution finds in one file. */
export interface FileUses {
  occurrences: OccurrenceInput;
  nameOnly: NameOnlyInput;
  /** Files it imports, ascending. */
  imports: Int32Array;
  /** Pairs of symbols that are one member: an object literal's key and the member it gives. */
  sameMember: [number, number][];
}

/** Parts needed to find the uses in the files of one group of languages. */
export interface UseFinder {
  program: Program;
  table: SymbolTable;
  on: Evaluation;
  /** Flags of names that symbols have: 1 of any, 2 of one that is not a member. */
  symbolNames: Uint8Array;
}

/** All uses in one file, in the order of its facts. */
export function findUses(finder: UseFinder, unit: Unit): FileUses {
  const uses = new UseList(unit, symbolRanges(unit, finder.table.symbolOf));
  resolveReferences(finder, unit, uses);
  resolveMembers(finder, unit, uses);
  const sameMember = resolveKeys(finder, unit, uses);
  addUnread(finder, unit, uses);
  return { ...uses.finish(), imports: importedFiles(finder, unit), sameMember };
}

function resolveReferences({ table, on, symbolNames }: UseFinder, unit: Unit, uses: UseList): void {
  const { references } = unit.facts;
  const called = calledName(on, unit, symbolNames);
  // Where members need no receiver, a name may be one that a type inherits from somewhere unknown.
  const namesMeant = on.names.hasBareMembers === true ? 3 : 2;
  const flagsOf = referenceFlags(unit);
  for (let row = 0; row < references.count; row += 1) {
    const how = references.how(row);
    if (how === ReferenceHow.module) continue;
    startQuery(on.budget, NAME_STEPS);
    const name = references.name(row);
    const flags = flagsOf(row);
    const start = references.start(row);
    if (how !== ReferenceHow.scoped) {
      const [a, b] = [references.a(row), references.b(row)];
      const entities = how === ReferenceHow.bound ? on.names.follow(unit.base + a) : offeredName(on, unit, a, b);
      uses.addAll(table.symbolOf, selectBySpace(on.program, unit, entities, flags), start, flags);
      const lost =
        how === ReferenceHow.bound && entities.length === 0
          ? lostImport({ on, symbolNames }, unit, [unit.base + a])
          : undefined;
      if (lost !== undefined) uses.addName(lost, start, flags);
      continue;
    }
    const scope = references.scope(row);
    const space = ((flags & BOTH) === 0 ? BOTH : flags & BOTH) | (flags & UseFlag.macro);
    const bound = on.names.lookup(unit, intAt(unit.names, name), scope, space);
    if (bound.some((definition) => on.names.isReopened?.(definition) === true)) continue;
    if (bound.length > 0) {
      const meant = namedEntities(on, unit, bound, { start, flags });
      uses.addAll(table.symbolOf, meant, start, flags);
      uses.addAll(table.symbolOf, calledMethods(on, meant, { called, flags }), start, flags);
      const lost = meant.length === 0 ? lostImport({ on, symbolNames }, unit, bound) : undefined;
      if (lost !== undefined) uses.addName(lost, start, flags);
    } else if (((symbolNames[intAt(unit.names, name)] ?? 0) & namesMeant) !== 0)
      uses.addName(unit.facts.strings[name] ?? '', start, flags);
  }
}

/** Identifiers that no reader accounts for: their text is all that is known of them. */
function addUnread({ symbolNames }: UseFinder, unit: Unit, uses: UseList): void {
  const { unread, strings } = unit.facts;
  for (let row = 0; row < unread.count; row += 1) {
    const name = unread.name(row);
    if ((symbolNames[intAt(unit.names, name)] ?? 0) === 0) continue;
    uses.addName(strings[name] ?? '', unread.start(row), UseFlag.read, NAME_GRADES.text);
  }
}

/** Name `name` of the module `source`, both strings of the file. */
function offeredName(on: Evaluation, unit: Unit, source: number, name: number): readonly Entity[] {
  const module = on.names.module(unit, unit.facts.strings[source] ?? '');
  return module < 0 ? NOTHING : on.names.exported(module, intAt(unit.names, name));
}

function resolveMembers({ table, on, symbolNames }: UseFinder, unit: Unit, uses: UseList): void {
  const { members, language } = unit.facts;
  const { extendsBuiltins = false } = languageOf(language);
  const called = calledName(on, unit, symbolNames);
  for (let row = 0; row < members.count; row += 1) {
    startQuery(on.budget, MEMBER_STEPS);
    const name = members.name(row);
    // A name that no symbol has cannot be a use of one.
    if ((symbolNames[intAt(unit.names, name)] ?? 0) === 0) continue;
    const receiver = members.receiver(row);
    const [start, flags] = [members.start(row), members.flags(row)];
    const type = receiver === 0 ? undefined : on.expression(unit, receiver);
    const visible = type === undefined ? [] : findVisibleMembers(on, unit, type, intAt(unit.names, name));
    const isExtension = visible.length === 0 && extendsBuiltins;
    const entities = isExtension
      ? extensionsNamed(on, unit, row, isBuiltin(type))
      : visible.map(({ entity }) => entity);
    for (const entity of selectMeant(on, unit, entities, { start, flags }))
      uses.add(table.symbolOf[entity] ?? -1, start, flags);
    uses.addAll(table.symbolOf, calledMethods(on, entities, { called, flags }), start, flags);
    if (entities.length > 0 || isBuiltin(type) || isForeign(on, unit, receiver)) continue;
    uses.addName(unit.facts.strings[name] ?? '', start, flags);
  }
}

/** Members of a type that a file may name. */
function findVisibleMembers(on: Evaluation, unit: Unit, type: Type, name: number): readonly BoundMember[] {
  const members = on.members(type, name);
  return on.names.isHidden === undefined
    ? members
    : members.filter(({ entity }) => on.names.isHidden?.(unit, entity) !== true);
}

/**
 * Extensions that a name means where it stands, for values of the language's own types; for others those that the file
 * imports by name. `row` is one of members.
 */
function extensionsNamed(on: Evaluation, unit: Unit, row: number, isBuiltinType: boolean): readonly Entity[] {
  const { members } = unit.facts;
  const name = intAt(unit.names, members.name(row));
  const isImport = (definition: Entity): boolean =>
    definition >= 0 && read(on.program, definition, Definition.kind) === DefinitionKind.import;
  return on.names
    .lookup(unit, name, members.scope(row), UseFlag.value)
    .filter((candidate) => isBuiltinType || isImport(candidate))
    .flatMap((definition) => on.names.follow(definition))
    .filter((definition) => definition >= 0 && facetsOf(on.program, definition, Facet.receiver).length > 0);
}

/** Returns what a name stands for where it is used, imports followed; where an instance is made, the constructors too. */
function namedEntities(on: Evaluation, unit: Unit, bound: readonly Entity[], at: NameUse): readonly Entity[] {
  const [first = -1] = bound;
  const entities =
    bound.length === 1 ? on.names.follow(first) : bound.flatMap((definition) => on.names.follow(definition));
  const meant = selectMeant(on, unit, entities, at);
  const { overloads } = on;
  if (overloads === undefined || (at.flags & MADE) !== MADE) return meant;
  return [...meant, ...meant.flatMap((type) => overloads.constructors(unit, at.start, type))];
}

interface NameUse {
  start: number;
  flags: number;
}

/** Selects what a name means where it is used, of what it can mean. */
function selectMeant(on: Evaluation, unit: Unit, ids: readonly Entity[], { start, flags }: NameUse): readonly Entity[] {
  if (ids.length < 2) return ids;
  const fitting = selectBySort(on, unit, selectBySpace(on.program, unit, ids, flags), flags);
  return on.overloads === undefined ? fitting : on.overloads.meant(unit, start, fitting);
}

/** Selects by sort where a field and a method may share a name: a call means the method, anything else the field. */
function selectBySort(on: Evaluation, unit: Unit, entities: readonly Entity[], flags: number): readonly Entity[] {
  if (entities.length < 2 || languageOf(unit.facts.language).separatesMethods !== true) return entities;
  const isCall = (flags & UseFlag.call) !== 0;
  const fitting = entities.filter(
    (definition) =>
      definition < 0 || (read(on.program, definition, Definition.kind) === DefinitionKind.method) === isCall,
  );
  return fitting.length === 0 ? entities : fitting;
}

/** Values of the language's own types have none of the repository's members. */
function isBuiltin(type: Type | undefined): boolean {
  switch (type?.kind) {
    case 'array':
    case 'tuple':
    case 'map':
    case 'promise':
    case 'primitive':
    case 'builtin':
      return true;
    default:
      return false;
  }
}

/** True if a receiver is an import of something outside the repository. */
function isForeign(on: Evaluation, unit: Unit, receiver: number): boolean {
  if (opOf(unit, receiver) !== NodeOp.Identifier) return false;
  const name = intAt(unit.names, operand(unit, receiver, 0));
  const bound = on.names.lookup(unit, name, operand(unit, receiver, 1), UseFlag.value);
  if (bound.length === 0) return false;
  return bound.every(
    (definition) =>
      definition >= unit.base &&
      definition < unit.base + unit.count &&
      unit.facts.definitions.kind(definition - unit.base) === DefinitionKind.import &&
      on.names.follow(definition).length === 0 &&
      on.names.module(unit, unit.facts.strings[unit.facts.definitions.source(definition - unit.base)] ?? '') < 0,
  );
}

/** Keys name members of what their context expects; a key of a literal that is a symbol itself is that member as well. */
function resolveKeys({ table, on, symbolNames }: UseFinder, unit: Unit, uses: UseList): [number, number][] {
  const { keys } = unit.facts;
  const same: [number, number][] = [];
  const memberAt = keys.count === 0 ? new Map<number, number>() : membersByStart(unit);
  const literals = new Map<number, LiteralProperty[]>();
  const propertiesAround = (member: number | undefined): readonly LiteralProperty[] => {
    if (member === undefined) return [];
    const container = unit.facts.definitions.owner(member);
    let properties = literals.get(container);
    if (properties === undefined) literals.set(container, (properties = literalProperties(unit, container)));
    return properties;
  };
  for (let row = 0; row < keys.count; row += 1) {
    const name = intAt(unit.names, keys.name(row));
    if ((symbolNames[name] ?? 0) === 0) continue;
    startQuery(on.budget, MEMBER_STEPS);
    const context = keys.context(row);
    const start = keys.start(row);
    const type =
      opOf(unit, context) === NodeOp.ContextKeyword ? keywordType(on, unit, context) : on.context(unit, context);
    const value = valueKey(on, unit, row, type);
    if (value?.isCertain === true) uses.addAll(table.symbolOf, value.entities, start, keys.flags(row));
    else if (value?.entities.some((definition) => symbolIn(table, definition) !== undefined) === true)
      uses.addName(unit.facts.strings[keys.name(row)] ?? '', start, keys.flags(row));
    if (type === undefined || value !== undefined) continue;
    const member = memberAt.get(start);
    const own = member === undefined ? undefined : symbolIn(table, unit.base + member);
    const part = type.kind === 'union' ? narrowByProperties(on, type, propertiesAround(member)) : type;
    for (const { entity } of on.members(part, name)) {
      const symbol = entity < 0 ? -1 : (table.symbolOf[entity] ?? -1);
      if (symbol < 0 || symbol === own) continue;
      uses.add(symbol, start, keys.flags(row));
      if (own !== undefined) same.push([own, symbol]);
    }
  }
  return onlyOfOne(same);
}

function symbolIn(table: SymbolTable, definition: number): number | undefined {
  const symbol = table.symbolOf[definition] ?? -1;
  return symbol < 0 ? undefined : symbol;
}

/** Definitions of a file that are members, by position. */
function membersByStart(unit: Unit): Map<number, number> {
  const members = new Map<number, number>();
  for (let local = 0; local < unit.count; local += 1)
    if (unit.facts.definitions.owner(local) >= 0) members.set(unit.facts.definitions.nameStart(local), local);
  return members;
}

/** Keyword arguments of a class without a constructor name its fields (data classes). */
function keywordType(on: Evaluation, unit: Unit, context: number): Type | undefined {
  const callee = on.expression(unit, operand(unit, operand(unit, context, 0), 0));
  if (callee?.kind !== 'class') return undefined;
  const instance: Type = { kind: 'instance', definition: callee.definition };
  const constructor = on.program.names.find('__init__');
  return constructor >= 0 && on.members(instance, constructor).length > 0 ? undefined : instance;
}

/** Uses of one file as they are found. */
export class UseList {
  readonly #lines: Int32Array;
  readonly #ranges: SymbolRanges;
  readonly #resolved = {
    line: new IntList(),
    column: new IntList(),
    use: new IntList(),
    grade: new IntList(),
    target: new IntList(),
    enclosing: new IntList(),
  };
  readonly #named = {
    name: [] as string[],
    grade: new IntList(),
    line: new IntList(),
    column: new IntList(),
    use: new IntList(),
    enclosing: new IntList(),
  };

  constructor(unit: Unit, ranges: SymbolRanges) {
    this.#lines = unit.facts.lines;
    this.#ranges = ranges;
  }

  addAll(symbolOf: Int32Array, entities: readonly Entity[], start: number, flags: number): void {
    for (const entity of entities) if (entity >= 0) this.add(symbolOf[entity] ?? -1, start, flags);
  }

  add(symbol: number, start: number, flags: number, grade: (typeof GRADE_CODES)[number] = 'resolved'): void {
    if (symbol < 0) return;
    this.#append(this.#resolved, start, flags);
    this.#resolved.grade.push(GRADE_CODES.indexOf(grade));
    this.#resolved.target.push(symbol);
  }

  addName(name: string, start: number, flags: number, grade: number = NAME_GRADES.name): void {
    this.#append(this.#named, start, flags);
    this.#named.name.push(name);
    this.#named.grade.push(grade);
  }

  /** Takes over the uses at the offsets that are to be kept. */
  keep(
    { occurrences, nameOnly }: Pick<FileUses, 'occurrences' | 'nameOnly'>,
    isRetained: (start: number) => boolean,
  ): void {
    for (const row of this.#rowsAt(occurrences, isRetained)) {
      copyRow(this.#resolved, occurrences, row);
      this.#resolved.grade.push(occurrences.grade[row] ?? 0);
      this.#resolved.target.push(occurrences.target[row] ?? -1);
    }
    for (const row of this.#rowsAt(nameOnly, isRetained)) {
      copyRow(this.#named, nameOnly, row);
      this.#named.name.push(nameOnly.name[row] ?? '');
      this.#named.grade.push(nameOnly.grade[row] ?? 0);
    }
  }

  finish(): Pick<FileUses, 'occurrences' | 'nameOnly'> {
    const { line, column, use, grade, target, enclosing } = this.#resolved;
    return {
      occurrences: {
        line: line.finish(),
        column: column.finish(),
        use: Uint8Array.from(use.finish()),
        grade: Uint8Array.from(grade.finish()),
        target: target.finish(),
        enclosing: enclosing.finish(),
      },
      nameOnly: {
        name: this.#named.name,
        grade: Uint8Array.from(this.#named.grade.finish()),
        line: this.#named.line.finish(),
        column: this.#named.column.finish(),
        use: Uint8Array.from(this.#named.use.finish()),
        enclosing: this.#named.enclosing.finish(),
      },
    };
  }

  #rowsAt({ line, column }: UsePlaces, isRetained: (start: number) => boolean): number[] {
    return [...line.keys()].filter((row) => isRetained((this.#lines[(line[row] ?? 1) - 1] ?? 0) + (column[row] ?? 0)));
  }

  #append(
    into: { line: IntList; column: IntList; use: IntList; enclosing: IntList },
    start: number,
    flags: number,
  ): void {
    const line = lineOf(this.#lines, start);
    into.line.push(line + 1);
    into.column.push(start - (this.#lines[line] ?? 0));
    into.use.push(useCode(flags));
    into.enclosing.push(symbolAround(this.#ranges, start));
  }
}

/** Columns that uses and names have in common. */
type UsePlaces = Pick<OccurrenceInput, 'line' | 'column' | 'use' | 'enclosing'>;

function copyRow(into: Record<keyof UsePlaces, IntList>, from: UsePlaces, row: number): void {
  into.line.push(from.line[row] ?? 0);
  into.column.push(from.column[row] ?? 0);
  into.use.push(from.use[row] ?? 0);
  into.enclosing.push(from.enclosing[row] ?? -1);
}

/** Index in USE_CODES. */
function useCode(flags: number): number {
  if ((flags & UseFlag.call) !== 0) return 0;
  if ((flags & UseFlag.import) !== 0) return 1;
  if ((flags & UseFlag.typeUse) !== 0) return 2;
  if ((flags & UseFlag.write) !== 0) return 4;
  return (flags & UseFlag.export) !== 0 ? 5 : 3;
}
