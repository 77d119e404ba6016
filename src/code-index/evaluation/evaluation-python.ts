import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { goTypes } from './builtins.ts';
import { isFunction, selfType } from './evaluate-definitions.ts';
import { evaluateExpression } from './evaluate-expressions.ts';
import { declaredType, lazyTypes } from './evaluate-types.ts';
import { type CallSite, enter, type Evaluation, type BoundMember, leave } from './evaluation.ts';
import type { Names } from '../names/names.ts';
import { createEvaluation } from './evaluation-typescript.ts';
import { callBindings, classBindings, isEnumeration, isEnumValue, madeInstance } from './generics-python.ts';
import { distinctMembers, elementType, memberType, pairsOf } from './members.ts';
import { returnsFirstParameter, returnsSelf } from './self-python.ts';
import { genericsOf, listAt, nameIdsOf, operand, opOf } from '../program/nodes.ts';
import {
  definedIn,
  type Entity,
  facetsOf,
  hasFlag,
  moduleOf,
  nameOf,
  ownMembers,
  ownerOf,
  type Program,
  read,
  unitOf,
} from '../program/program.ts';
import { type Bindings, eachOf, notPrimitive, type OfKind, type Type, unionOf } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const ONE = words('pop popleft get_nowait');
const SAME = words('copy union difference');
const MAP_ONE = words('get pop setdefault');
/** Methods whose first parameter is the class without a decorator. */
const ON_CLASS = words('__new__ __init_subclass__ __class_getitem__');
/** Values of one name that are looked at: assignments in several places. */
const MAX_VALUES = 5;
const MAX_RETURNS = 5;

type Holder = OfKind<'instance'> | OfKind<'class'>;

/** Evaluation of Python: classes are called, values come from every assignment, `isinstance` narrows. */
export function pythonEvaluation(program: Program, names: Names): Evaluation {
  return createEvaluation(program, names, goTypes, (on) => ({
    named: (unit, node, bindings) => namedType(on, unit, node, bindings),
    expressionNode: (unit, node, bindings) => expression(on, unit, node, bindings),
    value: (entity, bindings) => value(on, entity, bindings),
    returned: (entity, bindings) => returnedType(on, entity, bindings),
    call: (callee, site) => call(on, callee, site),
    member: (type, name) => member(on, type, name),
    members: (type, name, visited) => members(on, type, name, visited ?? new Set()),
    element: (type) => element(on, type),
    self: (unit, scope) => self(on, unit, scope),
    bases: (type) => bases(on, type),
  }));
}

function namedType(on: Evaluation, unit: Unit, node: number, bindings?: Bindings): Type | undefined {
  const [first = 0, ...rest] = nameIdsOf(unit, node);
  const scope = operand(unit, node, 0);
  if (on.program.names.text(rest.at(-1) ?? first) === 'Self') return on.self(unit, scope);
  let entities = on.names.lookup(unit, first, scope, 0).flatMap((definition) => on.names.follow(definition));
  for (const name of rest)
    entities = entities.flatMap((entity) =>
      entity < 0 ? on.names.exported(moduleOf(entity), name) : ownMembers(on.program, entity, name),
    );
  for (const entity of entities) {
    if (entity < 0) continue;
    const bound = bindings?.get(entity);
    if (bound !== undefined) return bound.type;
    if (read(on.program, entity, Definition.kind) === DefinitionKind.class) {
      return declaredType(on, entity, lazyTypes(on, unit, genericsOf(unit, node), bindings));
    }
    if (isTypeAlias(on, entity)) return aliasedType(on, entity);
    if (read(on.program, entity, Definition.kind) !== DefinitionKind.variable) continue;
    const type = on.definition(entity);
    return type?.kind === 'class' ? { ...type, kind: 'instance' } : undefined;
  }
  return undefined;
}

/** True if a name stands for a type that is no class: `X = Optional[A]`, `type X = A`. */
function isTypeAlias(on: Evaluation, entity: Entity): boolean {
  return (
    read(on.program, entity, Definition.kind) !== DefinitionKind.class &&
    read(on.program, entity, Definition.type) !== 0 &&
    hasFlag(on.program, entity, DefinitionFlag.type)
  );
}

/** Returns the type of values that are annotated with an alias. */
function aliasedType(on: Evaluation, entity: Entity): Type | undefined {
  return on.type(unitOf(on.program, entity), read(on.program, entity, Definition.type));
}

function self(on: Evaluation, unit: Unit, scope: number): Holder | undefined {
  for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
    const local = unit.facts.scopes.definition(at);
    if (local < 0 || unit.facts.scopes.kind(at) !== ScopeKind.function) continue;
    const owner = classAround(on, unit, at, unit.base + local);
    if (owner < 0) continue;
    const onClass = hasFlag(on.program, unit.base + local, DefinitionFlag.classMethod);
    return { kind: onClass ? 'class' : 'instance', definition: owner };
  }
  return selfType(on, unit, scope);
}

/** The class whose body a function is written in, or -1. */
function classAround(on: Evaluation, unit: Unit, scope: number, method: Entity): Entity {
  const owner = ownerOf(on.program, method);
  if (owner >= 0) return owner;
  const outer = unit.facts.scopes.parent(scope);
  const isClass = outer >= 0 && unit.facts.scopes.kind(outer) === ScopeKind.class;
  const local = isClass ? unit.facts.scopes.definition(outer) : -1;
  return local < 0 ? -1 : unit.base + local;
}

function value(on: Evaluation, entity: Entity, bindings?: Bindings): Type | undefined {
  const unit = unitOf(on.program, entity);
  const local = entity - unit.base;
  const kind = unit.facts.definitions.kind(local);
  if (kind === DefinitionKind.class) return { kind: 'class', definition: entity };
  if (kind === DefinitionKind.import) {
    const [target] = on.names.follow(entity);
    return target === undefined || target === entity ? undefined : on.definition(target);
  }
  const flags = unit.facts.definitions.flags(local);
  if ((flags & DefinitionFlag.getter) !== 0) return on.returned(entity, bindings);
  if (isFunction(on, entity))
    return bindings === undefined
      ? { kind: 'function', definition: entity }
      : { kind: 'function', definition: entity, bindings };
  if (isTypeAlias(on, entity))
    return eachOf(aliasedType(on, entity), (type) =>
      type.kind === 'instance' ? { ...type, kind: 'class' } : undefined,
    );
  const annotation = unit.facts.definitions.type(local);
  const isSelf = kind === DefinitionKind.parameter && (flags & DefinitionFlag.self) !== 0;
  const annotated = annotation === 0 ? undefined : on.type(unit, annotation, bindings);
  if (isSelf) return annotated ?? selfParameter(on, unit, local);
  if (annotation !== 0) return annotated;
  const first = unit.facts.definitions.value(local);
  const nodes = [first, ...facetsOf(on.program, entity, Facet.assigned)].slice(0, MAX_VALUES);
  return unionOf(nodes.map((node) => on.expression(unit, node, bindings)).filter(notPrimitive));
}

/** The first parameter of a method: an instance, or the class itself. */
function selfParameter(on: Evaluation, unit: Unit, local: number): Type | undefined {
  const scope = unit.facts.definitions.scope(local);
  const method = unit.facts.scopes.definition(scope);
  if (method < 0) return undefined;
  const owner = classAround(on, unit, scope, unit.base + method);
  if (owner < 0) return undefined;
  const name = on.program.names.text(nameOf(on.program, unit.base + method));
  const onClass = hasFlag(on.program, unit.base + method, DefinitionFlag.classMethod) || ON_CLASS.has(name);
  return { kind: onClass ? 'class' : 'instance', definition: owner };
}

function returnedType(on: Evaluation, definition: Entity, bindings?: Bindings): Type | undefined {
  const unit = unitOf(on.program, definition);
  const has = (flag: number): boolean => hasFlag(on.program, definition, flag);
  const annotation = unit.facts.definitions.type(definition - unit.base);
  const type = annotation === 0 ? inferReturn(on, definition, bindings) : on.type(unit, annotation, bindings);
  if (type === undefined) return undefined;
  if (has(DefinitionFlag.contextManager))
    return { kind: 'entered', value: type.kind === 'array' ? type.element : type };
  const promised = has(DefinitionFlag.async) && !has(DefinitionFlag.generator) && type.kind !== 'promise';
  return promised ? { kind: 'promise', value: type } : type;
}

function inferReturn(on: Evaluation, definition: Entity, bindings?: Bindings): Type | undefined {
  const unit = unitOf(on.program, definition);
  if (hasFlag(on.program, definition, DefinitionFlag.generator)) {
    const [first] = facetsOf(on.program, definition, Facet.yielded);
    return first === undefined ? undefined : { kind: 'array', element: on.expression(unit, first, bindings) };
  }
  const nodes = facetsOf(on.program, definition, Facet.returned).slice(0, MAX_RETURNS);
  return unionOf(nodes.map((node) => on.expression(unit, node, bindings)).filter(notPrimitive));
}

function call(on: Evaluation, callee: Type | undefined, site: CallSite | undefined): Type | undefined {
  return eachOf(callee, (type) => {
    switch (type.kind) {
      case 'class':
        return madeInstance(on, type, site);
      case 'instance':
        return resultOf(on, type, '__call__');
      case 'function':
        return on.returned(type.definition, callBindings(on, type.definition, type.bindings, site));
      case 'signature':
        return on.type(type.unit, operand(type.unit, type.node, 0), type.bindings);
      case 'builtin':
        return type.result;
      default:
        return undefined;
    }
  });
}

/** Returns the type that a special method of a value gives. */
function resultOf(on: Evaluation, type: Type, method: string): Type | undefined {
  const [match] = on.members(type, on.program.names.find(method));
  return match === undefined || match.entity < 0 ? undefined : on.returned(match.entity);
}

function member(on: Evaluation, type: Type | undefined, name: number): Type | undefined {
  const text = on.program.names.text(name);
  switch (type?.kind) {
    case 'array':
    case 'tuple':
      if (ONE.has(text)) return { kind: 'builtin', result: on.element(type) };
      return SAME.has(text) ? { kind: 'builtin', result: type } : undefined;
    case 'map':
      return mapMember(type, text);
    case 'instance':
    case 'class':
      if (text === '__class__') return { ...type, kind: 'class' };
      return heldMember(on, type, name);
    case 'super': {
      const [inherited] = on.members(type, name);
      return inherited === undefined ? undefined : on.definition(inherited.entity);
    }
    default:
      return memberType(on, type, name);
  }
}

function mapMember(type: OfKind<'map'>, name: string): Type | undefined {
  if (MAP_ONE.has(name)) return { kind: 'builtin', result: type.value };
  if (name === 'values') return { kind: 'builtin', result: { kind: 'array', element: type.value } };
  if (name === 'items') return { kind: 'builtin', result: pairsOf(type.value) };
  return name === 'copy' ? { kind: 'builtin', result: type } : undefined;
}

function heldMember(on: Evaluation, type: Holder, name: number): Type | undefined {
  for (const { entity, bindings } of on.members(type, name)) {
    if (type.kind === 'class' && entity >= 0 && isEnumValue(on, entity) && isEnumeration(on, type.definition))
      return { ...type, kind: 'instance' };
    if (entity >= 0 && returnsSelf(on, entity)) {
      const instance: Type = { ...type, kind: 'instance' };
      return hasFlag(on.program, entity, DefinitionFlag.getter) ? instance : { kind: 'builtin', result: instance };
    }
    const definitionType = on.definition(entity, bindings);
    if (definitionType !== undefined) return definitionType;
  }
  return undefined;
}

function members(on: Evaluation, type: Type | undefined, name: number, visited: Set<number>): readonly BoundMember[] {
  switch (type?.kind) {
    case 'union':
      return distinctMembers(type.types.flatMap((part) => on.members(part, name, visited)));
    case 'module':
      return on.names.exported(type.module, name).map((entity) => ({ entity }));
    case 'super':
      visited.add(type.definition);
      return boundMember(on, on.bases({ kind: 'instance', definition: type.definition }), name, visited);
    case 'instance':
    case 'class':
      return boundMember(on, [type], name, visited);
    default:
      return [];
  }
}

/**
 * Returns the members that `.name` is bound to: the first along the classes whose type is declared, whatever a nearer class
 * assigns without declaring its type. If none is declared, the first one that is assigned.
 */
function boundMember(
  on: Evaluation,
  holders: Iterable<Type>,
  name: number,
  visited: Set<number>,
): readonly BoundMember[] {
  let assigned: readonly BoundMember[] = [];
  const open = [...holders];
  for (let holder = open.shift(); holder !== undefined; holder = open.shift()) {
    if ((holder.kind !== 'instance' && holder.kind !== 'class') || visited.has(holder.definition)) continue;
    visited.add(holder.definition);
    const own = ownMembers(on.program, holder.definition, name).flatMap((definition) => on.names.follow(definition));
    const bindings = own.length === 0 ? undefined : classBindings(on, holder);
    const boundMembers = own.map((entity) => (bindings === undefined ? { entity } : { entity, bindings }));
    if (own.some((entity) => isDeclared(on, entity))) return boundMembers;
    if (assigned.length === 0) assigned = boundMembers;
    open.unshift(...on.bases(holder));
  }
  return assigned;
}

/** True if a definition declares its type: functions and classes do, variables by an annotation. */
function isDeclared(on: Evaluation, entity: Entity): boolean {
  if (entity < 0) return true;
  const kind = read(on.program, entity, Definition.kind);
  const isVariable =
    kind === DefinitionKind.property || kind === DefinitionKind.variable || kind === DefinitionKind.constant;
  return !isVariable || read(on.program, entity, Definition.type) !== 0;
}

function* bases(on: Evaluation, type: Holder): Generator<Type> {
  const unit = unitOf(on.program, type.definition);
  const nodes = facetsOf(on.program, type.definition, Facet.extends);
  const bindings = nodes.length === 0 ? undefined : classBindings(on, type);
  for (const node of nodes) {
    const baseType = on.expression(unit, node, bindings) ?? on.type(unit, node, bindings);
    for (const part of baseType?.kind === 'union' ? baseType.types : [baseType])
      if (part?.kind === 'class' || part?.kind === 'instance') yield { ...part, kind: type.kind };
  }
}

function element(on: Evaluation, type: Type | undefined): Type | undefined {
  if (type?.kind === 'map') return undefined;
  if (type?.kind === 'class' && isEnumeration(on, type.definition)) return { ...type, kind: 'instance' };
  if (type?.kind !== 'instance') return elementType(on, type);
  // An iterator is its own `__iter__`.
  if (!enter(on.budget)) return undefined;
  const item = on.element(resultOf(on, type, '__iter__') ?? resultOf(on, type, '__aiter__'));
  leave(on.budget);
  return item;
}

function expression(on: Evaluation, unit: Unit, node: number, bindings?: Bindings): Type | undefined {
  const inner = (): Type | undefined => on.expression(unit, operand(unit, node, 0), bindings);
  switch (opOf(unit, node)) {
    case NodeOp.Identifier:
      return nameType(on, unit, node);
    case NodeOp.Super: {
      const type = on.self(unit, operand(unit, node, 0));
      return type?.kind === 'instance' || type?.kind === 'class'
        ? { kind: 'super', definition: type.definition }
        : undefined;
    }
    case NodeOp.Subscript: {
      const object = inner();
      if (object?.kind === 'map') return object.value;
      // `Repository[Order]()`, `Color['red']`.
      if (object?.kind === 'class')
        return isEnumeration(on, object.definition) ? { ...object, kind: 'instance' } : object;
      return object?.kind === 'instance' ? resultOf(on, object, '__getitem__') : elementType(on, object);
    }
    case NodeOp.SequenceOf: {
      const sequence = inner();
      return sequence === undefined ? undefined : { kind: 'array', element: on.element(sequence) };
    }
    case NodeOp.Enumerate:
      return pairsOf(on.element(inner()));
    case NodeOp.Zip: {
      const elements = Array.from(listAt(unit, node, 0), (item) => on.element(on.expression(unit, item, bindings)));
      return { kind: 'array', element: { kind: 'tuple', elements } };
    }
    case NodeOp.ClassOfValue: {
      const object = inner();
      return object?.kind === 'instance' ? { ...object, kind: 'class' } : undefined;
    }
    case NodeOp.Enter:
      return eachOf(inner(), (type) => enteredType(on, type));
    case NodeOp.TypeName:
      return eachOf(on.type(unit, node, bindings), (type) =>
        type.kind === 'instance' ? { ...type, kind: 'class' } : type,
      );
    default:
      return evaluateExpression(on, unit, node, bindings);
  }
}

function nameType(on: Evaluation, unit: Unit, node: number): Type | undefined {
  const name = intAt(unit.names, operand(unit, node, 0));
  const scope = operand(unit, node, 1);
  const narrowed = findNarrowing(on, unit, name, scope);
  if (narrowed !== undefined) return narrowed;
  const entities = on.names.lookup(unit, name, scope, 0).flatMap((definition) => on.names.follow(definition));
  return unionOf(entities.map((entity) => on.definition(entity)));
}

/** Returns the type that `isinstance` gives a name, up to the function that binds it. */
function findNarrowing(on: Evaluation, unit: Unit, name: number, scope: number): Type | undefined {
  if (unit.narrowings.size === 0) return undefined;
  for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
    for (const row of unit.narrowings.get(at) ?? []) {
      if (unit.names[unit.facts.narrowings.name(row)] !== name) continue;
      return on.type(unit, unit.facts.narrowings.node(row));
    }
    const kind = unit.facts.scopes.kind(at);
    if (kind !== ScopeKind.block && definedIn(unit, at, name).length > 0) return undefined;
  }
  return undefined;
}

/** Returns the type that `with x as y` binds: what a context manager yields, or what `__enter__` returns. */
function enteredType(on: Evaluation, type: Type): Type | undefined {
  if (type.kind === 'entered') return type.value;
  if (type.kind !== 'instance') return undefined;
  const { names } = on.program;
  const [method = on.members(type, names.find('__aenter__'))[0]] = on.members(type, names.find('__enter__'));
  if (method === undefined || method.entity < 0) return undefined;
  if (returnsSelf(on, method.entity) || returnsFirstParameter(on, method.entity)) return type;
  const result = on.returned(method.entity);
  return result?.kind === 'promise' ? result.value : result;
}
