import { Definition, DefinitionKind, Facet, NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { CallSite, Evaluation } from './evaluation.ts';
import { resolveName } from '../names/names-typescript.ts';
import { argumentsOf, genericsOf, listAt, namesOf, operand, opOf, typeArgumentsOf } from '../program/nodes.ts';
import { type Entity, facetsOf, read, typeParametersOf, unitOf } from '../program/program.ts';
import { type Bindings, type LazyType, lazyType, type Type } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** A list of parameters (Parameter nodes) and where it is written. */
export interface Parameters {
  unit: Unit;
  nodes: readonly number[] | Int32Array;
}

/** The parameters of a function or class constructor definition. */
export function parametersOf(on: Evaluation, definition: Entity, facet: number = Facet.parameter): Parameters {
  return { unit: unitOf(on.program, definition), nodes: facetsOf(on.program, definition, facet) };
}

/**
 * Returns the types bound to the type parameters of a function at one call: its explicit type arguments, then those that the
 * types of the arguments imply. Functions written as arguments are skipped when `plain`, for they may be what is being
 * evaluated.
 */
export function bindCall(
  on: Evaluation,
  callee: { definition?: Entity; parameters: Parameters; bindings?: Bindings | undefined },
  site: CallSite | undefined,
  plain = false,
): Bindings | undefined {
  if (site === undefined) return callee.bindings;
  const bindings = new Map<Entity, LazyType>(callee.bindings);
  if (callee.definition !== undefined) {
    const explicit = typeArgumentsOf(site.unit, site.node);
    typeParametersOf(on.program, callee.definition).forEach((parameter, index) => {
      const node = explicit[index];
      if (node !== undefined)
        bindings.set(
          parameter,
          lazyType(on.budget, () => on.type(site.unit, node, site.bindings)),
        );
      else bindings.delete(parameter);
    });
  }
  const values = argumentsOf(site.unit, site.node);
  callee.parameters.nodes.forEach((parameter, index) => {
    const value = values[index] ?? 0;
    if (value === 0 || (plain && opOf(site.unit, value) === NodeOp.FunctionValue)) return;
    const node = operand(callee.parameters.unit, parameter, 0);
    infer(on, { unit: callee.parameters.unit, node }, () => on.expression(site.unit, value, site.bindings), bindings);
  });
  return bindings.size === 0 ? undefined : bindings;
}

/** Binds the type parameters that a type node mentions to what the same places of `given` hold; the first wins. */
function infer(
  on: Evaluation,
  at: { unit: Unit; node: number },
  given: () => Type | undefined,
  bindings: Map<Entity, LazyType>,
): void {
  const { unit, node } = at;
  const deeper = (inner: number, take: (type: Type) => Type | undefined): void =>
    infer(on, { unit, node: inner }, () => mapTypes(given(), take), bindings);
  switch (opOf(unit, node)) {
    case NodeOp.TypeName:
      return inferName(on, at, given, bindings);
    case NodeOp.ArrayType:
      return deeper(operand(unit, node, 0), (type) => on.element(type));
    case NodeOp.PromiseType:
      return deeper(operand(unit, node, 0), awaited);
    case NodeOp.Union:
      for (const child of listAt(unit, node, 0)) infer(on, { unit, node: child }, given, bindings);
      return undefined;
    case NodeOp.FunctionType:
      return deeper(operand(unit, node, 0), (type) => on.call(type));
    case NodeOp.ClassOf:
      return deeper(operand(unit, node, 0), (type) => on.construct(type));
    default:
      return undefined;
  }
}

function inferName(
  on: Evaluation,
  { unit, node }: { unit: Unit; node: number },
  given: () => Type | undefined,
  bindings: Map<Entity, LazyType>,
): void {
  const names = namesOf(unit, node);
  const generics = genericsOf(unit, node);
  const scoped = { program: on.program, unit, scope: operand(unit, node, 0) };
  const [entity] =
    names.length === 1 ? resolveName(on.names, scoped, intAt(unit.names, names[0] ?? 0), UseFlag.type) : [];
  if (entity !== undefined && entity >= 0 && isTypeParameter(on, entity)) {
    if (bindings.has(entity)) return;
    const type = given();
    if (type !== undefined) bindings.set(entity, { type });
    return;
  }
  if (generics.length === 0) return;
  generics.forEach((generic, index) =>
    infer(on, { unit, node: generic }, () => argumentOf(on, given(), entity, index), bindings),
  );
}

const isTypeParameter = (on: Evaluation, entity: Entity): boolean =>
  read(on.program, entity, Definition.kind) === DefinitionKind.type_parameter;

const awaited = (type: Type): Type | undefined => (type.kind === 'promise' ? type.value : undefined);

function mapTypes(type: Type | undefined, take: (type: Type) => Type | undefined): Type | undefined {
  return type === undefined ? undefined : take(type);
}

/** Type argument `index` of a value whose declared type is the generic `entity` (undefined: a builtin). */
function argumentOf(
  on: Evaluation,
  type: Type | undefined,
  entity: Entity | undefined,
  index: number,
): Type | undefined {
  if (type === undefined) return undefined;
  if (entity !== undefined) {
    if (type.kind !== 'instance' || type.definition !== entity) return undefined;
    return type.arguments?.[index]?.type;
  }
  if (type.kind === 'promise') return type.value;
  if (type.kind === 'array' || type.kind === 'tuple') return on.element(type);
  if (type.kind === 'map') return index === 1 ? type.value : undefined;
  return index === 0 ? type : undefined;
}
