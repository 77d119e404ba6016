import { DefinitionKind, NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { BuiltinTypes } from './builtins.ts';
import { isDeclaredOnce } from './evaluate-definitions.ts';
import { type Evaluation, withinAlias } from './evaluation.ts';
import { namesInside, resolveName } from '../names/names-typescript.ts';
import { genericsOf, listAt, nameIdsOf, operand, opOf } from '../program/nodes.ts';
import { type Entity, holdsMembers, moduleOf, typeParametersOf, unitOf } from '../program/program.ts';
import {
  type Bindings,
  eachOf,
  lazyContainer,
  type LazyType,
  lazyType,
  PRIMITIVE,
  type Type,
  UNKNOWN,
  unionOf,
} from './type-model.ts';
import type { Unit } from '../program/unit.ts';

const BOTH = UseFlag.value | UseFlag.type;

/** A type node of any language but for names, which are the language's own. */
export function evaluateType(on: Evaluation, unit: Unit, node: number, bindings?: Bindings): Type | undefined {
  const inner = (index: number): Type | undefined => on.type(unit, operand(unit, node, index), bindings);
  const all = (): (Type | undefined)[] => Array.from(listAt(unit, node, 0), (part) => on.type(unit, part, bindings));
  switch (opOf(unit, node)) {
    case NodeOp.Primitive:
    case NodeOp.Predicate:
      return PRIMITIVE;
    case NodeOp.ThisType:
      return on.self(unit, operand(unit, node, 0));
    case NodeOp.AwaitedType:
      return eachOf(inner(0), (type) => (type.kind === 'promise' ? type.value : type));
    case NodeOp.ImportType:
      return importedType(on, unit, node);
    case NodeOp.Union:
      return unionOf(all());
    case NodeOp.ArrayType:
      return lazyContainer('array', () => inner(0));
    case NodeOp.TupleType:
      return { kind: 'tuple', elements: all() };
    case NodeOp.MembersType:
      return withBindings({ kind: 'instance', definition: unit.base + operand(unit, node, 0) }, bindings);
    case NodeOp.FunctionType:
      return withBindings({ kind: 'signature', unit, node }, bindings);
    case NodeOp.TypeOf:
      return on.expression(unit, operand(unit, node, 0));
    case NodeOp.IndexedType:
      return on.member(inner(0), intAt(unit.names, operand(unit, node, 1)));
    case NodeOp.ElementType:
      return on.element(inner(0));
    case NodeOp.MapType:
      return lazyContainer('map', () => inner(0));
    case NodeOp.PromiseType:
      return lazyContainer('promise', () => inner(0));
    case NodeOp.ClassOf:
      return eachOf(inner(0), (type) => (type.kind === 'instance' ? { ...type, kind: 'class' } : type));
    case NodeOp.ContextManagerType:
      return { kind: 'entered', value: inner(0) };
    case NodeOp.Parameter:
      return inner(0);
    default:
      return undefined;
  }
}

function withBindings<T extends Type & { bindings?: Bindings }>(type: T, bindings: Bindings | undefined): T {
  return bindings === undefined ? type : { ...type, bindings };
}

function importedType(on: Evaluation, unit: Unit, node: number): Type | undefined {
  const module = on.names.module(unit, unit.facts.strings[operand(unit, node, 0)] ?? '');
  if (module < 0) return undefined;
  const [first, ...rest] = nameIdsOf(unit, node);
  if (first === undefined) return { kind: 'module', module };
  const entities = inside(on, on.names.exported(module, first), rest);
  return entities[0] === undefined ? undefined : on.declared(entities[0]);
}

function inside(on: Evaluation, start: readonly Entity[], path: readonly number[]): readonly Entity[] {
  return path.reduce<readonly Entity[]>(
    (at, name) => at.flatMap((entity) => namesInside(on.names, on.program, entity, name)),
    start,
  );
}

/** The type that a TypeName of TypeScript, Go, Java or Rust names. */
export function evaluateNamedType(
  on: Evaluation,
  builtins: BuiltinTypes,
  at: { unit: Unit; node: number },
  bindings?: Bindings,
): Type | undefined {
  const { unit, node } = at;
  const [first = 0, ...rest] = nameIdsOf(unit, node);
  const scoped = { program: on.program, unit, scope: operand(unit, node, 0) };
  const start = resolveName(on.names, scoped, first, rest.length === 0 ? UseFlag.type : BOTH);
  const entities = rest.length === 0 ? start : inside(on, start, rest);
  const [entity] = entities;
  const generics = genericsOf(unit, node);
  if (entity === undefined) {
    const name = rest.at(-1) ?? importedName(on, { unit, scope: scoped.scope, name: first });
    return builtins(on, { name: on.program.names.text(name), unit, generics, bindings });
  }
  const bound = bindings?.get(entity);
  if (bound !== undefined) return bound.type;
  const given = lazyTypes(on, unit, generics, bindings);
  const variants = entities.length > 1 && isDeclaredOnce(on, entity) ? entities : [entity];
  return unionOf(variants.map((variant) => on.declared(variant, given)));
}

/** The name that an import from elsewhere gave another name: `use std::result::Result as StdResult`. */
function importedName(on: Evaluation, { unit, scope, name }: { unit: Unit; scope: number; name: number }): number {
  const [bound] = on.names.lookup(unit, name, scope, UseFlag.type);
  if (bound === undefined || bound < unit.base || bound >= unit.base + unit.count) return name;
  const local = bound - unit.base;
  if (unit.facts.definitions.kind(local) !== DefinitionKind.import) return name;
  const text = unit.facts.strings[unit.facts.definitions.imported(local)] ?? '';
  return /^\w+$/.test(text) ? (unit.names[unit.facts.definitions.imported(local)] ?? name) : name;
}

/** The types that type nodes name; undefined when there are none. */
export function lazyTypes(
  on: Evaluation,
  unit: Unit,
  nodes: Int32Array,
  bindings?: Bindings,
): readonly LazyType[] | undefined {
  if (nodes.length === 0) return undefined;
  return Array.from(nodes, (node) => lazyType(on.budget, () => on.type(unit, node, bindings)));
}

/** Returns the type of values declared with a definition as their type: an instance, or what an alias stands for. */
export function declaredType(on: Evaluation, entity: Entity, generics?: readonly LazyType[]): Type | undefined {
  if (entity < 0) return { kind: 'module', module: moduleOf(entity) };
  const unit = unitOf(on.program, entity);
  const local = entity - unit.base;
  const kind = unit.facts.definitions.kind(local);
  const node = unit.facts.definitions.type(local);
  if (kind === DefinitionKind.type)
    return withinAlias(on.budget, entity, () => on.type(unit, node, bindParameters(on, entity, generics)));
  if (kind === DefinitionKind.type_parameter) return node === 0 ? undefined : on.type(unit, node);
  if (!holdsMembers(kind)) return undefined;
  return generics === undefined
    ? { kind: 'instance', definition: entity }
    : { kind: 'instance', definition: entity, arguments: generics };
}

/** Type arguments by the type parameters of a definition; undefined when it has none. */
function bindParameters(
  on: Evaluation,
  definition: Entity,
  generics: readonly LazyType[] | undefined,
): Bindings | undefined {
  const parameters = typeParametersOf(on.program, definition);
  if (parameters.length === 0) return undefined;
  return new Map(parameters.map((parameter, index) => [parameter, generics?.[index] ?? UNKNOWN]));
}

/** Returns the types bound to the type parameters inside an instance or class. */
export function bindingsOf(
  on: Evaluation,
  type: { definition: Entity; arguments?: readonly LazyType[]; bindings?: Bindings },
): Bindings | undefined {
  if (type.bindings !== undefined || type.arguments === undefined) return type.bindings;
  return bindParameters(on, type.definition, type.arguments);
}
