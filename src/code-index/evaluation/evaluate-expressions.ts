import { Facet, NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import { typeOfDeclarations } from './evaluate-definitions.ts';
import type { CallSite, Evaluation } from './evaluation.ts';
import { libraryCall } from './library-calls.ts';
import { resolveName } from '../names/names-typescript.ts';
import { narrowedType } from './narrowing.ts';
import { argumentsOf, listAt, operand, opOf, typeArgumentsOf } from '../program/nodes.ts';
import { definedIn, facetsOf, ownerOf } from '../program/program.ts';
import { type Bindings, eachOf, notPrimitive, PRIMITIVE, type Type, unionOf } from './type-model.ts';
import type { Unit } from '../program/unit.ts';

/** The type of an expression in TypeScript, and of what the other languages share with it. */
export function evaluateExpression(on: Evaluation, unit: Unit, node: number, bindings?: Bindings): Type | undefined {
  const inner = (): Type | undefined => on.expression(unit, operand(unit, node, 0), bindings);
  const each = (nodes: Int32Array): (Type | undefined)[] =>
    Array.from(nodes, (element) => on.expression(unit, element, bindings));
  const local = unit.base + operand(unit, node, 0);
  switch (opOf(unit, node)) {
    case NodeOp.Identifier:
      return nameType(on, unit, node);
    case NodeOp.This:
      return declaredThis(on, unit, operand(unit, node, 0)) ?? on.self(unit, operand(unit, node, 0));
    case NodeOp.Super:
      return superType(on, unit, operand(unit, node, 0));
    case NodeOp.Module: {
      const module = on.names.module(unit, unit.facts.strings[operand(unit, node, 0)] ?? '');
      return module < 0 ? undefined : { kind: 'module', module };
    }
    case NodeOp.MemberOf:
      return on.member(inner(), intAt(unit.names, operand(unit, node, 1)));
    case NodeOp.Call:
      return calledType(on, inner(), bindings === undefined ? { unit, node } : { unit, node, bindings });
    case NodeOp.New:
      return newType(on, unit, node, bindings);
    case NodeOp.Await:
      return eachOf(inner(), (type) => (type.kind === 'promise' ? type.value : type));
    case NodeOp.Typed:
      return on.type(unit, operand(unit, node, 0), bindings);
    case NodeOp.Element:
    case NodeOp.Subscript:
      return on.element(inner());
    case NodeOp.ElementAt:
      return elementAt(on, pairOf(on, unit, operand(unit, node, 0), bindings) ?? inner(), operand(unit, node, 1));
    case NodeOp.ObjectLiteral:
      return bindings === undefined
        ? { kind: 'instance', definition: local }
        : { kind: 'instance', definition: local, bindings };
    case NodeOp.FunctionValue:
      return bindings === undefined
        ? { kind: 'function', definition: local }
        : { kind: 'function', definition: local, bindings };
    case NodeOp.ClassValue:
      return { kind: 'class', definition: local };
    case NodeOp.ArrayLiteral:
      return { kind: 'array', element: each(listAt(unit, node, 0)).find((type) => type !== undefined) };
    case NodeOp.TupleLiteral:
      return { kind: 'tuple', elements: each(listAt(unit, node, 0)) };
    case NodeOp.MapLiteral:
      return { kind: 'map', value: inner() };
    case NodeOp.Either:
      return unionOf(each(listAt(unit, node, 0)).filter(notPrimitive));
    case NodeOp.Literal:
      return PRIMITIVE;
    case NodeOp.ContextParameter:
      return on.parameter(on.context(unit, operand(unit, node, 0)), operand(unit, node, 1));
    case NodeOp.Deref:
      return inner();
    default:
      return undefined;
  }
}

/** The type of the parameter `this` of the function around, when it has one. */
function declaredThis(on: Evaluation, unit: Unit, scope: number): Type | undefined {
  const name = on.program.names.find('this');
  if (name < 0) return undefined;
  for (let at = scope; at >= 0; at = unit.facts.scopes.parent(at)) {
    const [parameter] = definedIn(unit, at, name);
    if (parameter !== undefined) return on.definition(parameter);
    // A function of its own has a `this` of its own; in an arrow function it is that of the code around.
    const local = unit.facts.scopes.definition(at);
    if (local >= 0 && ownerOf(on.program, unit.base + local) >= 0) return undefined;
  }
  return undefined;
}

function calledType(on: Evaluation, callee: Type | undefined, site: CallSite): Type | undefined {
  return callee === undefined ? libraryCall(on, site) : on.call(callee, site);
}

function nameType(on: Evaluation, unit: Unit, node: number): Type | undefined {
  const name = intAt(unit.names, operand(unit, node, 0));
  const scoped = { program: on.program, unit, scope: operand(unit, node, 1) };
  const type = typeOfDeclarations(on, resolveName(on.names, scoped, name, UseFlag.value));
  return narrowedType(on, { unit, name, scope: operand(unit, node, 1) }, type);
}

function superType(on: Evaluation, unit: Unit, scope: number): Type | undefined {
  const self = on.self(unit, scope);
  if (self?.kind !== 'instance' && self?.kind !== 'class') return undefined;
  if (facetsOf(on.program, self.definition, Facet.extends).length === 0) return undefined;
  for (const base of on.bases(self)) return base;
  return undefined;
}

function newType(on: Evaluation, unit: Unit, node: number, bindings: Bindings | undefined): Type | undefined {
  const callee = operand(unit, node, 0);
  const type = on.expression(unit, callee, bindings);
  if (type !== undefined || opOf(unit, callee) !== NodeOp.Identifier)
    return on.construct(type, bindings === undefined ? { unit, node } : { unit, node, bindings });
  const generics = typeArgumentsOf(unit, node);
  const generic = (index: number): Type | undefined => {
    const argument = generics[index];
    return argument === undefined ? undefined : on.type(unit, argument, bindings);
  };
  switch (unit.facts.strings[operand(unit, callee, 0)]) {
    case 'Map':
    case 'WeakMap':
      return { kind: 'map', value: generic(1) };
    case 'Set':
    case 'Array':
      return { kind: 'array', element: generic(0) ?? elementOfFirst(on, unit, node) };
    case 'Promise':
      return { kind: 'promise', value: generic(0) };
    default:
      return undefined;
  }
}

function elementOfFirst(on: Evaluation, unit: Unit, node: number): Type | undefined {
  const [first] = argumentsOf(unit, node);
  return first === undefined ? undefined : on.element(on.expression(unit, first));
}

/**
 * Returns the pair that iterating a map gives, as in `for (const [key, value] of map)`. Undefined for a map of lists, whose
 * elements may be meant.
 */
function pairOf(on: Evaluation, unit: Unit, node: number, bindings: Bindings | undefined): Type | undefined {
  if (opOf(unit, node) !== NodeOp.Element) return undefined;
  const map = on.expression(unit, operand(unit, node, 0), bindings);
  if (map?.kind !== 'map' || map.value?.kind === 'array' || map.value?.kind === 'tuple') return undefined;
  return { kind: 'tuple', elements: [undefined, map.value] };
}

function elementAt(on: Evaluation, type: Type | undefined, position: number): Type | undefined {
  return type?.kind === 'tuple' ? type.elements[position] : on.element(type);
}
