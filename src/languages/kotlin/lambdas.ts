import { NodeOp } from '../facts/facts.ts';
import { childrenOf } from '../walk/tree.ts';
import { typeOf, visit } from '../walk/tree-walk.ts';
import { closureNode } from '../walk/table-calls.ts';
import { defineVariable } from '../walk/table-define.ts';
import { defineVariableNamed } from './definitions.ts';
import { isType } from './types.ts';
import { all, first, is, type TableWalk } from '../walk/table-walk.ts';

/** Methods of collections whose function is given their elements. */
const EACH = new Set(
  (
    'map mapNotNull mapIndexed flatMap forEach filter filterNot filterNotNull filterIsInstance find findLast first ' +
    'firstOrNull last lastOrNull any all none count sumOf minBy maxBy minByOrNull maxByOrNull sortedBy ' +
    'sortedByDescending sortBy groupBy associate associateBy associateWith partition takeWhile dropWhile onEach ' +
    'distinctBy indexOfFirst indexOfLast single singleOrNull removeIf removeAll joinToString'
  ).split(' '),
);
/** Functions that give what they are called on, and those whose function is given it. */
export const SAME = new Set(['also', 'apply', 'takeIf', 'takeUnless', 'onEach']);
const GIVEN = new Set(['also', 'let', 'takeIf', 'takeUnless']);
/** Functions whose function is called on what they are called on. */
const CALLED_ON = new Set(['apply', 'run']);

/** Returns the value that a function in braces is given, by the method that it is passed to. */
export function lambdaArgument(walk: TableWalk, method: string, receiver: number): number {
  if (receiver === 0) return 0;
  if (GIVEN.has(method)) return receiver;
  return EACH.has(method) ? walk.facts.node(NodeOp.Element, receiver) : 0;
}

/** Expectations of a function in braces where it is written, as nodes, 0 for none. */
export interface Expected {
  context: number;
  element: number;
  /** Receiver that it is called on: the members of that are names inside. */
  receiver: number;
}

/**
 * Returns the receiver of a function that is an argument of a call: the value that `x.apply { }` and `with(x) { }` name, else
 * what the parameter requires (`T.() -> R`). `context` is its ContextArgument.
 */
export function receiverOf(
  { facts }: TableWalk,
  { method, receiver, context }: { method: string; receiver: number; context: number },
): number {
  if (receiver !== 0 && CALLED_ON.has(method)) return facts.node(NodeOp.TypeOf, receiver);
  // The first argument is read by now.
  const given = receiver === 0 && method === 'with' ? facts.word(facts.word(context + 1) + FIRST_ARGUMENT) : 0;
  return given === 0 ? facts.node(NodeOp.ContextReceiver, context) : facts.node(NodeOp.TypeOf, given);
}

/** Position of the first argument in a Call node. */
const FIRST_ARGUMENT = 3;

/** Reads an argument. The name of a named one is no name here. */
export function argument(walk: TableWalk, node: number, scope: number, expected: Expected): number {
  const { tree } = walk;
  if (is(walk, node, 'lambda_literal')) return lambda(walk, node, scope, expected);
  if (is(walk, node, 'annotated_lambda')) return argument(walk, tree.last[node] ?? 0, scope, expected);
  if (!is(walk, node, 'value_argument')) return visit(walk, node, scope);
  return argument(walk, tree.last[node] ?? 0, scope, expected);
}

/** `{ a, b -> ... }`; without parameters it has one called `it`. */
export function lambda(walk: TableWalk, node: number, scope: number, { context, element, receiver }: Expected): number {
  const { facts, tree } = walk;
  const list = first(walk, node, 'lambda_parameters');
  return closureNode(walk, node, scope, {
    context,
    parameters: (inside) => {
      const written = childrenOf(tree, list);
      for (const declaration of written.filter((each) => is(walk, each, 'multi_variable_declaration')))
        for (const part of all(walk, declaration, 'variable_declaration'))
          defineVariable(walk, first(walk, part, 'identifier'), inside, { around: part });
      return written
        .filter((child) => is(walk, child, 'variable_declaration'))
        .map((child, index) => {
          const type = typeOf(walk, childrenOf(tree, child).find((part) => isType(walk, part)) ?? 0, inside);
          const value = index === 0 && type === 0 && written.length === 1 ? element : 0;
          return { name: first(walk, child, 'identifier'), type, value };
        });
    },
    body: (inside) => {
      if (receiver !== 0) facts.narrowings.add(inside, facts.string('this'), receiver);
      if (list === 0) {
        const it = defineVariableNamed(walk, 'it', inside, { node, value: element });
        if (element === 0 && context !== 0) facts.amend(it, 'context', facts.node(NodeOp.ContextParameter, context, 0));
      }
      let value = 0;
      for (const child of childrenOf(tree, node)) if (child !== list) value = visit(walk, child, inside);
      return value;
    },
  });
}
