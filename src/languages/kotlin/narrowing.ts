import { NodeOp } from '../facts/facts.ts';
import { Field } from '../walk/tree.ts';
import { nameOf } from '../walk/tree-walk.ts';
import { all, at, is, type TableWalk } from '../walk/table-walk.ts';

/** Narrows names by a condition, where it holds: `x is T`, joined by `&&`. */
export function narrow(walk: TableWalk, condition: number, scope: number, inside: number): void {
  const { facts, tree } = walk;
  if (is(walk, condition, 'parenthesized_expression')) narrow(walk, tree.first[condition] ?? 0, scope, inside);
  else if (is(walk, condition, 'binary_expression') && is(walk, at(walk, condition, Field.operator), '"&&"')) {
    narrow(walk, at(walk, condition, Field.left), scope, inside);
    narrow(walk, at(walk, condition, Field.right), scope, inside);
  } else if (is(walk, condition, 'is_expression')) {
    const left = at(walk, condition, Field.left);
    const right = at(walk, condition, Field.right);
    const isTest = !tree.text.slice(tree.end[left], tree.start[right]).includes('!');
    if (isTest && is(walk, left, 'identifier') && is(walk, right, 'user_type'))
      facts.narrowings.add(inside, nameOf(walk, left), plainType(walk, right, scope));
  }
}

/** A type whose use is noted elsewhere. */
export function plainType(walk: TableWalk, node: number, scope: number): number {
  const names = all(walk, node, 'identifier').map((child) => nameOf(walk, child));
  return walk.facts.node(NodeOp.TypeName, scope, names, []);
}
