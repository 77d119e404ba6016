import { FunctionForm, NodeOp } from '../../languages/facts/facts.ts';
import { intAt } from '../../languages/facts/table.ts';
import type { Unit } from './unit.ts';

/** The operation of a node. */
export function opOf(unit: Unit, node: number): number {
  return intAt(unit.facts.nodes, node);
}

/** Operand `index` (0 is the first word after the operation). */
export function operand(unit: Unit, node: number, index: number): number {
  return intAt(unit.facts.nodes, node + 1 + index);
}

/** The list whose count is operand `index`. */
export function listAt(unit: Unit, node: number, index: number): Int32Array {
  const start = node + 1 + index;
  return unit.facts.nodes.subarray(start + 1, start + 1 + intAt(unit.facts.nodes, start));
}

/** The list after the list whose count is operand `index`. */
function listAfter(unit: Unit, node: number, index: number): Int32Array {
  return listAt(unit, node, index + 1 + operand(unit, node, index));
}

/** Arguments of a Call or New. */
export const argumentsOf = (unit: Unit, call: number): Int32Array => listAt(unit, call, 1);
/** Type arguments of a Call or New. */
export const typeArgumentsOf = (unit: Unit, call: number): Int32Array => listAfter(unit, call, 1);
/** Names of a TypeName. */
export const namesOf = (unit: Unit, node: number): Int32Array => listAt(unit, node, 1);
/** Program-wide ids of the names of a TypeName. */
export const nameIdsOf = (unit: Unit, node: number): number[] =>
  Array.from(namesOf(unit, node), (text) => intAt(unit.names, text));
/** Type arguments of a TypeName. */
export const genericsOf = (unit: Unit, node: number): Int32Array => listAfter(unit, node, 1);

export const isExpression = (op: number): boolean => op >= NodeOp.Identifier && op < NodeOp.ContextType;

/** Returns the Parameter node of what a FunctionType is called on, 0 for nothing. */
export function receiverParameter(unit: Unit, node: number): number {
  const parameters = listAt(unit, node, 1);
  const form = operand(unit, node, 2 + parameters.length);
  return form === FunctionForm.onReceiver ? (parameters.at(-1) ?? 0) : 0;
}
