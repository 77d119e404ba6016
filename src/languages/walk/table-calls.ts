import { Facet, NodeOp } from '../facts/facts.ts';
import { defineParameter, inFunction } from './table-define.ts';
import type { TableWalk } from './table-walk.ts';
import { defineFunctionValue } from './tree-define.ts';

/** Arguments of a call whose way of being given is kept. */
const MOST_NAMED = 31;

/** A call as it is written. */
interface WrittenCall {
  /** Node of the expression that is called, or 0. */
  callee: number;
  given: readonly number[];
  /** Type nodes of the type arguments. */
  generics?: number[];
  /** The name that is called, where functions of one name are told apart by what they take. */
  name?: number;
  /** True if an argument is given by the name of its parameter, or in a position of its own. */
  isNamed?: (given: number) => boolean;
  /** True if an argument is given for the last parameter, whatever is omitted before it. */
  isForLast?: (given: number) => boolean;
}

/**
 * Writes a call. Its node comes before those of its arguments, since functions among them take their parameters from it:
 * `read` gets what the position of an argument expects.
 */
export function callNode(
  walk: TableWalk,
  { callee, given, generics = [], name = 0, isNamed, isForLast }: WrittenCall,
  read: (node: number, context: number) => number,
): number {
  const { facts } = walk;
  if (callee === 0) {
    for (const argument of given) read(argument, 0);
    return 0;
  }
  const made = facts.node(
    NodeOp.Call,
    callee,
    given.map(() => 0),
    generics,
  );
  if (name !== 0) {
    const named = given.map((argument, index) => (index < MOST_NAMED && isNamed?.(argument) === true ? 1 << index : 0));
    facts.sites.add(
      walk.tree.start[name] ?? 0,
      made,
      named.reduce((bits, bit) => bits | bit, 0),
    );
  }
  given.forEach((argument, position) => {
    facts.patch(
      made,
      2 + position,
      read(argument, facts.node(NodeOp.ContextArgument, made, isForLast?.(argument) === true ? -1 : position)),
    );
  });
  return made;
}

/** A parameter of a function without a name: its name node, type node of the facts, or what it is given. */
interface ClosureParameter {
  name: number;
  type: number;
  value: number;
}

/** A function without a name. */
interface Closure {
  /** Reads the parameters in the scope of the inside. */
  parameters: (inside: number) => readonly ClosureParameter[];
  /** Reads the body and gives the value that it ends with, or 0. */
  body: (inside: number, definition: number) => number;
  /** Node of what is expected where the function is written. */
  context: number;
}

/** Defines a function without a name and gives it as a value. Parameters without a type take it from the context. */
export function closureNode(walk: TableWalk, node: number, scope: number, closure: Closure): number {
  const { facts } = walk;
  const { definition, inside } = defineFunctionValue(walk, node, scope, node);
  closure.parameters(inside).forEach(({ name, type, value }, index) => {
    const parameter = defineParameter(walk, name, inside, { of: definition, type, value });
    if (type === 0 && value === 0 && closure.context !== 0)
      facts.amend(parameter, 'context', facts.node(NodeOp.ContextParameter, closure.context, index));
  });
  inFunction(walk, definition, () => {
    const value = closure.body(inside, definition);
    if (value !== 0) facts.facet(definition, Facet.returned, value);
  });
  return facts.node(NodeOp.FunctionValue, definition);
}
