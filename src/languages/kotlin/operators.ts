import { NodeOp } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { nameOf } from '../walk/tree-walk.ts';
import { at, is, type TableWalk } from '../walk/table-walk.ts';

/** Operators that give a truth value. */
const TESTS = new Set(['==', '!=', '===', '!==', '<', '>', '<=', '>=', '&&', '||']);

/** Returns the value of an operator: a truth value, or what its left side is. */
export function readCalculation({ facts, tree }: TableWalk, operator: number, left: number): number {
  const text = textOf(tree, operator);
  if (TESTS.has(text)) return facts.node(NodeOp.Literal, facts.string('Boolean'));
  return left === 0 ? 0 : facts.node(NodeOp.Operation, left, facts.string(text));
}

/** The parts of `f<T>(x)`, which the grammar takes for two comparisons; undefined for any other operation. */
export function genericCall(
  walk: TableWalk,
  node: number,
): { callee: number; type: number; given: readonly number[] } | undefined {
  const { tree } = walk;
  const [left, right] = [at(walk, node, Field.left), at(walk, node, Field.right)];
  const isBlock = is(walk, right, 'lambda_literal');
  if (!is(walk, left, 'binary_expression') || !(isBlock || is(walk, right, 'parenthesized_expression')))
    return undefined;
  const [callee, type] = [at(walk, left, Field.left), at(walk, left, Field.right)];
  // A comparison has spaces around its operator.
  const opened = tree.text.slice(tree.end[callee], tree.start[type]);
  const closed = tree.text.slice(tree.end[type], tree.start[right]).trimEnd();
  if (opened !== '<' || closed !== '>' || !is(walk, type, 'identifier', 'navigation_expression')) return undefined;
  return { callee, type, given: isBlock ? [right] : childrenOf(tree, right) };
}

/** A type that stands where the grammar sees a value. */
export function typeOfName(walk: TableWalk, node: number, scope: number): number {
  const names = is(walk, node, 'identifier') ? [node] : childrenOf(walk.tree, node);
  return walk.facts.node(
    NodeOp.TypeName,
    scope,
    names.map((name) => nameOf(walk, name)),
    [],
  );
}

/** `T::class`, `T::class.java`: a value of the class of classes, whatever is read inside. */
export function classLiteral({ facts, tree }: TableWalk, node: number): number {
  const match = /::\s*class(\.java)?$/.exec(textOf(tree, node));
  if (match === null) return 0;
  return facts.node(NodeOp.Literal, facts.string(match[1] === undefined ? 'KClass' : 'Class'));
}
