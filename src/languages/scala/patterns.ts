import { NodeOp } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { READ, typeOf, visit } from '../walk/tree-walk.ts';
import { defineVariable } from '../walk/table-define.ts';
import { at, is, type TableWalk } from '../walk/table-walk.ts';
import { identifierNode } from '../walk/tree-define.ts';

/** Patterns that hold a value as it is. */
const HOLDERS = new Set(['Some', 'Success', 'Right', 'Left']);

/** Defines what a pattern binds: a name in lower case is bound, any other is a value to compare with. */
export function bindPattern(walk: TableWalk, node: number, scope: number, value: number): void {
  const { facts, tree } = walk;
  const each = (children: readonly number[], part: (index: number) => number): void =>
    children.forEach((child, index) => bindPattern(walk, child, scope, part(index)));
  if (is(walk, node, 'identifier')) {
    const isBound = /^[a-z_]/.test(textOf(tree, node));
    if (isBound) defineVariable(walk, node, scope, { value });
    else identifierNode(walk, node, scope, READ);
  } else if (is(walk, node, 'typed_pattern')) {
    const type = typeOf(walk, at(walk, node, Field.type), scope);
    bindPattern(walk, at(walk, node, Field.pattern), scope, type === 0 ? 0 : facts.node(NodeOp.Typed, type));
  } else if (is(walk, node, 'capture_pattern')) {
    const name = at(walk, node, Field.name);
    defineVariable(walk, name, scope, { value });
    bindPattern(walk, at(walk, node, Field.pattern), scope, value);
  } else if (is(walk, node, 'case_class_pattern')) {
    const type = at(walk, node, Field.type);
    typeOf(walk, type, scope);
    const isHolder = HOLDERS.has(textOf(tree, type));
    const inner = childrenOf(tree, node).filter((child) => child !== type && tree.kind[child] !== 0);
    each(inner, () => (isHolder ? value : 0));
  } else if (is(walk, node, 'tuple_pattern'))
    each(childrenOf(tree, node), (index) => (value === 0 ? 0 : facts.node(NodeOp.ElementAt, value, index)));
  else if (is(walk, node, 'alternative_pattern', 'infix_pattern')) each(childrenOf(tree, node), () => 0);
  else if (!is(walk, node, 'wildcard', 'operator_identifier')) visit(walk, node, scope);
}
