import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { typeOfVariants } from './evaluate-definitions.ts';
import { bindingsOf } from './evaluate-types.ts';
import type { BoundMember, Evaluation } from './evaluation.ts';
import { namesInside, resolveName } from '../names/names-typescript.ts';
import { isExpression, namesOf, operand, opOf } from '../program/nodes.ts';
import {
  definedIn,
  type Entity,
  facetsOf,
  hasFlag,
  holdsMembers,
  nameOf,
  ownMembers,
  read,
  unitOf,
} from '../program/program.ts';
import { type Bindings, type OfKind, type Type, unionOf } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Array methods that give an array of the same elements, and those that give one element. */
const SAME = words(
  'filter slice concat reverse sort toSorted toReversed splice flat values take drop ' +
    // Iterators of Rust.
    'rev skip chain collect to_vec drain skip_while take_while inspect peekable step_by ' +
    // Collections and streams of Java.
    'stream parallelStream iterator listIterator toList sorted distinct limit takeWhile dropWhile subList reversed',
);
const ONE = words(
  'find at pop shift findLast first last get get_mut first_mut last_mut next nth peek max_by_key min_by_key swap_remove ' +
    'getFirst getLast removeFirst removeLast poll pollFirst pollLast peekFirst peekLast previous',
);
/** Methods of arrays that give what their callback returns, with what it holds where they flatten. */
const MAPPING: Readonly<Record<string, boolean>> = { map: false, flatMap: true, filter_map: true, flat_map: true };
/** Methods of promises, options and results that give the same, and those that give what their callback returns. */
const HELD_SAME = words('catch finally ok ok_or ok_or_else or_else filter take map_err inspect as_deref');
const HELD_MAPPING = words('then map and_then flatMap thenApply thenCompose');
/** Methods of Java that take out what something holds, and those of its streams that give what may hold one. */
const HELD_ONE = words('get orElse orElseGet orElseThrow join getNow call');
const MAYBE_ONE = words('findFirst findAny max min');
/** Methods of maps that give a value. */
const MAP_ONE = words('get getOrDefault computeIfAbsent computeIfPresent getValue');

type Holder = OfKind<'instance'> | OfKind<'class'>;
const NONE: readonly BoundMember[] = [];

/** The type of `.name` in TypeScript: what its definitions say, or what a builtin container gives. */
export function memberType(on: Evaluation, type: Type | undefined, name: number): Type | undefined {
  if (type === undefined) return undefined;
  switch (type.kind) {
    case 'union':
      return unionOf(type.types.map((part) => on.member(part, name)));
    case 'array':
    case 'tuple':
      return arrayMember(on.element(type), on.program.names.text(name));
    case 'map':
      return mapMember(type.value, on.program.names.text(name));
    case 'promise':
      return promiseMember(type, on.program.names.text(name));
    case 'class':
      if (on.program.names.text(name) === 'prototype') return { ...type, kind: 'instance' };
      break;
    default:
  }
  const member = typeOfVariants(on, on.members(type, name), ({ entity, bindings }) => {
    const definitionType = on.definition(entity, bindings);
    const isFluent =
      definitionType?.kind === 'function' && type.kind === 'instance' && returnsThis(on, definitionType.definition);
    return isFluent ? { ...definitionType, self: type } : definitionType;
  });
  return member ?? (type.kind === 'instance' ? indexType(on, type) : undefined);
}

/** True if a method gives what it is called on: it declares so, or declares nothing and returns only that. */
function returnsThis(on: Evaluation, method: Entity): boolean {
  const unit = unitOf(on.program, method);
  const annotation = unit.facts.definitions.type(method - unit.base);
  if (annotation !== 0) return opOf(unit, annotation) === NodeOp.ThisType;
  const returned = facetsOf(on.program, method, Facet.returned);
  return returned.length > 0 && returned.every((node) => opOf(unit, node) === NodeOp.This);
}

function arrayMember(element: Type | undefined, name: string): Type | undefined {
  if (ONE.has(name)) return { kind: 'builtin', result: element };
  if (MAYBE_ONE.has(name)) return { kind: 'builtin', result: { kind: 'promise', value: element } };
  if (SAME.has(name)) return { kind: 'builtin', result: { kind: 'array', element } };
  const flat = MAPPING[name];
  if (flat !== undefined) return { kind: 'mapper', flat };
  return name === 'entries' || name === 'enumerate' ? { kind: 'builtin', result: pairsOf(element) } : undefined;
}

function promiseMember(type: OfKind<'promise'>, name: string): Type | undefined {
  if (HELD_SAME.has(name)) return { kind: 'builtin', result: type };
  if (HELD_ONE.has(name)) return { kind: 'builtin', result: type.value };
  return HELD_MAPPING.has(name) ? { kind: 'mapper', flat: true, isPromise: true } : undefined;
}

function mapMember(value: Type | undefined, name: string): Type | undefined {
  if (MAP_ONE.has(name)) return { kind: 'builtin', result: value };
  if (name === 'entrySet') return { kind: 'builtin', result: { kind: 'array', element: { kind: 'map', value } } };
  if (name === 'values') return { kind: 'builtin', result: { kind: 'array', element: value } };
  return name === 'entries' ? { kind: 'builtin', result: pairsOf(value) } : value;
}

export function pairsOf(value: Type | undefined): Type {
  return { kind: 'array', element: { kind: 'tuple', elements: [undefined, value] } };
}

function indexType(on: Evaluation, type: OfKind<'instance'>): Type | undefined {
  const [node] = facetsOf(on.program, type.definition, Facet.indexSignature);
  return node === undefined ? undefined : on.type(unitOf(on.program, type.definition), node, bindingsOf(on, type));
}

/** Returns the type that indexing or iterating a value gives. */
export function elementType(on: Evaluation, type: Type | undefined): Type | undefined {
  switch (type?.kind) {
    case 'array':
      return type.element;
    case 'map':
      return type.value;
    case 'tuple':
      return unionOf(type.elements);
    case 'union':
      return unionOf(type.types.map((part) => on.element(part)));
    case 'instance':
      return indexType(on, type);
    default:
      return undefined;
  }
}

/** Definitions of `.name` in TypeScript: of the type itself, then of merged declarations, then of what it is made from. */
export function findMembers(
  on: Evaluation,
  type: Type | undefined,
  name: number,
  visited: Set<number> = new Set(),
): readonly BoundMember[] {
  switch (type?.kind) {
    case 'union':
      return distinctMembers(type.types.flatMap((part) => on.members(part, name, visited)));
    case 'module':
      return on.names.exported(type.module, name).map((entity) => ({ entity }));
    case 'namespace':
    case 'enum':
      return namesInside(on.names, on.program, type.definition, name).map((entity) => ({ entity }));
    case 'instance':
    case 'class':
      return heldMembers(on, type, name, visited);
    default:
      return NONE;
  }
}

export function distinctMembers(members: readonly BoundMember[]): readonly BoundMember[] {
  const entities = new Set<Entity>();
  return members.filter(({ entity }) => !entities.has(entity) && entities.add(entity));
}

function heldMembers(on: Evaluation, type: Holder, name: number, visited: Set<number>): readonly BoundMember[] {
  const { definition } = type;
  if (visited.has(definition)) return NONE;
  visited.add(definition);
  const members = [...ownedBySide(on, definition, type, name)];
  for (const sibling of mergedWith(on, definition)) {
    if (visited.has(sibling)) continue;
    members.push(...ownedBySide(on, sibling, type, name));
  }
  if (members.length > 0) return members;
  for (const base of on.bases(type)) {
    const inherited = on.members(base, name, visited);
    if (inherited.length > 0) return inherited;
  }
  return NONE;
}

/** Members written in one declaration, on the static or on the instance side. */
function ownedBySide(on: Evaluation, definition: Entity, type: Holder, name: number): BoundMember[] {
  const owned = ownMembers(on.program, definition, name);
  if (owned.length === 0) return [];
  const wantsStatic = type.kind === 'class';
  const bindings = bindingsOf(on, { ...type, definition });
  return owned
    .filter((candidate) => hasFlag(on.program, candidate, DefinitionFlag.static) === wantsStatic)
    .map((entity) => (bindings === undefined ? { entity } : { entity, bindings }));
}

/** Other declarations of the same class or interface, in the same scope. */
function mergedWith(on: Evaluation, definition: Entity): Entity[] {
  const scope = read(on.program, definition, Definition.scope);
  const kind = read(on.program, definition, Definition.kind);
  if (scope < 0 || (kind !== DefinitionKind.interface && kind !== DefinitionKind.class)) return [];
  return definedIn(unitOf(on.program, definition), scope, nameOf(on.program, definition)).filter((candidate) => {
    const other = read(on.program, candidate, Definition.kind);
    return candidate !== definition && other !== DefinitionKind.enum && holdsMembers(other);
  });
}

/**
 * Yields the types that a TypeScript class, interface or literal is made from, lazily: extended classes, interfaces, spread
 * values.
 */
export function* typescriptBases(on: Evaluation, type: Holder): Generator<Type> {
  for (const declaration of [type.definition, ...mergedWith(on, type.definition)]) {
    const unit = unitOf(on.program, declaration);
    const bindings = bindingsOf(on, { ...type, definition: declaration });
    for (const node of facetsOf(on.program, declaration, Facet.extends)) {
      const base = extendedType(on, unit, node, bindings);
      if (base?.kind === 'class' || base?.kind === 'instance') yield { ...base, kind: type.kind };
      else if (base !== undefined && type.kind === 'instance') yield base;
    }
    for (const node of facetsOf(on.program, declaration, Facet.spread)) {
      const spread = on.expression(unit, node, bindings);
      if (spread !== undefined) yield spread;
    }
    if (type.kind === 'class') continue;
    for (const node of facetsOf(on.program, declaration, Facet.implements)) {
      const base = on.type(unit, node, bindings);
      if (base !== undefined) yield base;
    }
  }
}

/** Returns the type that an `extends` clause names: a type, or a class that an expression gives (New: with type arguments). */
function extendedType(on: Evaluation, unit: Unit, node: number, bindings: Bindings | undefined): Type | undefined {
  if (isExpression(opOf(unit, node))) return on.expression(unit, node, bindings);
  const type = on.type(unit, node, bindings);
  if (type !== undefined || opOf(unit, node) !== NodeOp.TypeName) return type;
  // A variable that holds a class is no type: `const Base = mix(A); class B extends Base {}`.
  const [first, ...rest] = namesOf(unit, node);
  if (first === undefined || rest.length > 0) return undefined;
  const scoped = { program: on.program, unit, scope: operand(unit, node, 0) };
  const [entity] = resolveName(on.names, scoped, intAt(unit.names, first), UseFlag.value);
  return entity === undefined ? undefined : on.definition(entity);
}
