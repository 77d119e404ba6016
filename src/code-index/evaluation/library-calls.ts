import { NodeOp, UseFlag } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { CallSite, Evaluation } from './evaluation.ts';
import { pairsOf } from './members.ts';
import { argumentsOf, operand, opOf } from '../program/nodes.ts';
import { eachOf, type Type, unionOf } from './type-model.ts';

/** Types that functions of TypeScript's own library give, by `Object.name`; most return what they are given. */
const CALLS: Readonly<Record<string, (on: Evaluation, given: Given) => Type | undefined>> = {
  'Promise.all': (on, given) => ({ kind: 'promise', value: awaitElements(on, given.first()) }),
  'Promise.race': (on, given) => ({ kind: 'promise', value: awaited(on.element(given.first())) }),
  'Promise.any': (on, given) => ({ kind: 'promise', value: awaited(on.element(given.first())) }),
  'Promise.resolve': (_on, given) => ({ kind: 'promise', value: awaited(given.first()) }),
  'Object.values': (on, given) => ({ kind: 'array', element: on.element(given.first()) }),
  'Object.entries': (on, given) => pairsOf(on.element(given.first())),
  'Object.freeze': (_on, given) => given.first(),
  'Object.seal': (_on, given) => given.first(),
  'Object.assign': (_on, given) => unionOf(given.all()),
  'Array.from': (on, given) => {
    const mapped = given.mapped();
    return { kind: 'array', element: mapped === undefined ? on.element(given.first()) : on.call(mapped) };
  },
  'Array.of': (_on, given) => ({ kind: 'array', element: unionOf(given.all()) }),
};

/** The arguments of a call, evaluated when they are asked for. */
interface Given {
  first: () => Type | undefined;
  all: () => (Type | undefined)[];
  /** The function that is applied to each element. */
  mapped: () => Type | undefined;
}

/** Returns the type that a call of the language's own library gives, when its object is no name of the repository. */
export function libraryCall(on: Evaluation, site: CallSite): Type | undefined {
  const { unit, node, bindings } = site;
  const callee = operand(unit, node, 0);
  const object = operand(unit, callee, 0);
  if (opOf(unit, callee) !== NodeOp.MemberOf || opOf(unit, object) !== NodeOp.Identifier) return undefined;
  const { strings } = unit.facts;
  const call = CALLS[`${strings[operand(unit, object, 0)]}.${strings[operand(unit, callee, 1)]}`];
  if (call === undefined) return undefined;
  const name = intAt(unit.names, operand(unit, object, 0));
  if (on.names.lookup(unit, name, operand(unit, object, 1), UseFlag.value).length > 0) return undefined;
  const values = argumentsOf(unit, node);
  const at = (index: number): Type | undefined => on.expression(unit, values[index] ?? 0, bindings);
  return call(on, { first: () => at(0), all: () => Array.from(values, (_, index) => at(index)), mapped: () => at(1) });
}

/** Returns the type that waiting for all elements gives: a tuple stays one. */
function awaitElements(on: Evaluation, type: Type | undefined): Type | undefined {
  if (type?.kind === 'tuple') return { kind: 'tuple', elements: type.elements.map(awaited) };
  return type === undefined ? undefined : { kind: 'array', element: awaited(on.element(type)) };
}

const awaited = (type: Type | undefined): Type | undefined =>
  eachOf(type, (part) => (part.kind === 'promise' ? part.value : part));
