import { Definition, DefinitionKind, Facet } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { type LanguageGroup, languageOf } from '../../languages/languages.ts';
import type { BuiltinTypes } from './builtins.ts';
import { callType } from './calls.ts';
import { evaluateDefinition, selfType } from './evaluate-definitions.ts';
import { bindingsOf, declaredType } from './evaluate-types.ts';
import { type BoundMember, type Evaluation, MEMBER_STEPS, outsideQuery, startQuery } from './evaluation.ts';
import type { Names } from '../names/names.ts';
import { createEvaluation } from './evaluation-typescript.ts';
import { elementType, findMembers } from './members.ts';
import { overloadRulesOf } from './overload-rules.ts';
import { overloadedEvaluation } from './evaluation-overloaded.ts';
import { type Entity, facetsOf, ownerOf, type Program, read, unitOf, ownMembers } from '../program/program.ts';
import { dirnameOf } from '../program/paths.ts';
import { type Bindings, eachOf, instancesIn, type LazyType, type OfKind, type Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

type Holder = OfKind<'instance'> | OfKind<'class'>;
/** Methods that are written outside their type, by type and name. */
export type Attached = Map<Entity, Map<number, Entity[]>>;

/**
 * Evaluation of Go, Java and Rust: values and types share their members, methods may be written outside their type (Go
 * receivers, Rust `impl`), a type made from another one has members of its own and those of what it is made from.
 */
export function attachedEvaluation(
  program: Program,
  names: Names,
  {
    builtins,
    group,
    collections,
  }: {
    builtins: BuiltinTypes;
    group: LanguageGroup;
    /** Overrides for the collections of the language. */
    collections?: (on: Evaluation) => Pick<Evaluation, 'member'>;
  },
): Evaluation {
  return createEvaluation(program, names, builtins, (self) => {
    const outside = new OutsideReader(self, group);
    const rules = overloadRulesOf(group);
    const overloaded = rules === undefined ? {} : overloadedEvaluation(self, rules);
    return {
      declared: (entity, generics) => namedType(self, entity, generics),
      value: (entity, bindings) => value(self, entity, bindings),
      call: (callee, site) =>
        eachOf(callee, (type) => {
          if (type.kind === 'class') return { ...type, kind: 'instance' };
          // `Shape::Circle(1)`.
          if (type.kind === 'instance' && isVariant(self, type.definition)) return type;
          return callType(self, underlyingType(self, type) ?? type, site);
        }),
      element: (type) => elementOf(self, type),
      ...collections?.(self),
      members: (type, name, visited) => members(self, outside, { type, name, visited: visited ?? new Set() }),
      self: (unit, scope) => selfOf(self, unit, scope),
      bases: (type) => bases(self, type),
      ...overloaded,
    };
  });
}

/**
 * Returns the type that iterating or indexing a value gives, also of a type that is made from another one or is an iterator
 * itself.
 */
function elementOf(on: Evaluation, type: Type | undefined): Type | undefined {
  return elementType(on, type === undefined ? undefined : (underlyingType(on, type) ?? type)) ?? iterationOf(on, type);
}

/** Returns the type that iterating a type that is an iterator itself gives: the result of its `next`, if any. */
function iterationOf(on: Evaluation, type: Type | undefined): Type | undefined {
  if (type?.kind !== 'instance') return undefined;
  const given = on.call(on.member(type, on.program.names.find('next')));
  return given?.kind === 'promise' ? given.value : given;
}

/** What the files of a group write outside of the types that it belongs to. */
interface WrittenOutside {
  /** Methods, by type and name. */
  methods: Attached;
  /** Traits that blocks of a language with `impl` implement, by the type that they do it for. */
  traits: ReadonlyMap<Entity, readonly Type[]>;
}

/** Reads what is written outside of types as they are asked for: all files at once, or those of the folder that a package is. */
class OutsideReader {
  readonly #on: Evaluation;
  readonly #group: LanguageGroup;
  readonly #isByFolder: boolean;
  readonly #folders = new Map<string, WrittenOutside>();
  #files: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(on: Evaluation, group: LanguageGroup) {
    this.#on = on;
    this.#group = group;
    this.#isByFolder = languageOf(group).packsFolders === true;
  }

  /** What is written outside of a type, and of others. */
  of(type: Entity): WrittenOutside {
    const folder = this.#folderOf(this.#on.program.fileOf[type] ?? -1);
    const existing = this.#folders.get(folder);
    if (existing !== undefined) return existing;
    const outside = readOutside(this.#on, this.#unitsIn(folder));
    this.#folders.set(folder, outside);
    return outside;
  }

  #folderOf(file: number): string {
    return this.#isByFolder ? dirnameOf(this.#on.program.files[file]?.path ?? '') : '';
  }

  *#unitsIn(folder: string): Generator<Unit> {
    const { groups, units } = this.#on.program;
    this.#files ??= Map.groupBy(
      [...groups.keys()].filter((file) => groups[file] === this.#group),
      (file) => this.#folderOf(file),
    );
    for (const file of this.#files.get(folder) ?? []) {
      const unit = units[file];
      if (unit !== undefined) yield unit;
    }
  }
}

/** Reads some files, in the middle of whatever query comes first. */
export function readOutside(on: Evaluation, units: Iterable<Unit>): WrittenOutside {
  const methods: Attached = new Map();
  const traits = new Map<Entity, Type[]>();
  return outsideQuery(on.budget, () => {
    for (const unit of units) {
      for (let local = 0; local < unit.count; local += 1) {
        const [receiver] = facetsOf(on.program, unit.base + local, Facet.receiver);
        if (receiver === undefined) continue;
        startQuery(on.budget, MEMBER_STEPS);
        if (unit.facts.definitions.kind(local) === DefinitionKind.container)
          addTrait(on, unit, { local, receiver }, traits);
        else addMethod(on, unit, { local, receiver }, methods);
      }
    }
    return { methods, traits };
  });
}

/** A definition and the type node that it names as what it belongs to. */
interface Outside {
  local: number;
  receiver: number;
}

function addMethod(on: Evaluation, unit: Unit, { local, receiver }: Outside, methods: Attached): void {
  const name = intAt(unit.definitionNames, local);
  for (const { definition } of instancesIn(on.type(unit, receiver))) {
    const byName = methods.get(definition) ?? new Map<number, Entity[]>();
    methods.set(definition, byName);
    byName.set(name, [...(byName.get(name) ?? []), unit.base + local]);
  }
}

function addTrait(on: Evaluation, unit: Unit, { local, receiver }: Outside, traits: Map<Entity, Type[]>): void {
  const [trait] = facetsOf(on.program, unit.base + local, Facet.trait);
  const implemented = trait === undefined ? undefined : on.type(unit, trait);
  if (implemented === undefined) return;
  for (const { definition } of instancesIn(on.type(unit, receiver)))
    traits.set(definition, [...(traits.get(definition) ?? []), implemented]);
}

/** A named type is its own, whatever it is made from: it can have methods. */
function namedType(on: Evaluation, entity: Entity, generics: readonly LazyType[] | undefined): Type | undefined {
  if (isVariant(on, entity)) return { kind: 'instance', definition: entity };
  if (entity < 0 || read(on.program, entity, Definition.kind) !== DefinitionKind.type)
    return declaredType(on, entity, generics);
  return generics === undefined
    ? { kind: 'instance', definition: entity }
    : { kind: 'instance', definition: entity, arguments: generics };
}

function value(on: Evaluation, entity: Entity, bindings: Bindings | undefined): Type | undefined {
  const kind = read(on.program, entity, Definition.kind);
  if (kind === DefinitionKind.type || kind === DefinitionKind.enum) return { kind: 'class', definition: entity };
  if (kind === DefinitionKind.type_parameter) {
    const bound = on.declared(entity);
    return bound?.kind === 'instance' ? { ...bound, kind: 'class' } : undefined;
  }
  const owner = kind === DefinitionKind.enum_member ? ownerOf(on.program, entity) : -1;
  if (owner < 0) return evaluateDefinition(on, entity, bindings);
  return { kind: 'instance', definition: isVariant(on, entity) ? entity : owner };
}

/** True if a member of an enum holds values of its own: it is then a type, made from the enum. */
function isVariant(on: Evaluation, entity: Entity): boolean {
  if (entity < 0 || read(on.program, entity, Definition.kind) !== DefinitionKind.enum_member) return false;
  const unit = unitOf(on.program, entity);
  // Its fields follow it.
  return entity + 1 < unit.base + unit.count && ownerOf(on.program, entity + 1) === entity;
}

/** Returns the type that a named type is made from. */
function underlyingType(on: Evaluation, type: Type): Type | undefined {
  if (type.kind !== 'instance' || read(on.program, type.definition, Definition.kind) !== DefinitionKind.type)
    return undefined;
  const unit = unitOf(on.program, type.definition);
  return on.type(unit, unit.facts.definitions.type(type.definition - unit.base), bindingsOf(on, type));
}

function members(
  on: Evaluation,
  outside: OutsideReader,
  { type, name, visited }: { type: Type | undefined; name: number; visited: Set<number> },
): readonly BoundMember[] {
  if (type?.kind !== 'instance' && type?.kind !== 'class') return findMembers(on, type, name, visited);
  if (visited.has(type.definition)) return [];
  visited.add(type.definition);
  const { methods, traits } = outside.of(type.definition);
  const written = methods.get(type.definition)?.get(name) ?? [];
  // `Type::name` is a method also where a field has that name.
  const isPath = type.kind === 'class' && written.length > 0;
  const entities = isPath ? written : [...ownMembers(on.program, type.definition, name), ...written];
  const bindings = bindingsOf(on, type);
  if (entities.length > 0)
    return entities.map((entity) => (bindings === undefined ? { entity } : { entity, bindings }));
  // What a trait gives that the type does not write itself.
  for (const base of [...on.bases(type), ...(traits.get(type.definition) ?? [])]) {
    const inherited = on.members(base, name, visited);
    if (inherited.length > 0) return inherited;
  }
  return [];
}

function* bases(on: Evaluation, type: Holder): Generator<Type> {
  const unit = unitOf(on.program, type.definition);
  const bindings = bindingsOf(on, type);
  for (const facet of [Facet.extends, Facet.implements])
    for (const node of facetsOf(on.program, type.definition, facet)) {
      const base = on.type(unit, node, bindings);
      if (base !== undefined) yield base;
    }
  if (isVariant(on, type.definition)) yield { ...type, definition: ownerOf(on.program, type.definition) };
  const made = underlyingType(on, { ...type, kind: 'instance' });
  if (made !== undefined) yield made;
}

/** `self` of a method is the type that it is attached to. */
function selfOf(on: Evaluation, unit: Unit, scope: number): Type | undefined {
  for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
    const local = unit.facts.scopes.definition(at);
    if (local < 0) continue;
    const [receiver] = facetsOf(on.program, unit.base + local, Facet.receiver);
    const type = receiver === undefined ? undefined : on.type(unit, receiver);
    if (instancesIn(type).length > 0) return type;
  }
  return selfType(on, unit, scope);
}
