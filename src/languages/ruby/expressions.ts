import { NodeOp } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { identifierNode, memberNode } from '../walk/tree-define.ts';
import { CALL, nameOf, READ, refer, visit } from '../walk/tree-walk.ts';
import { block } from './definitions.ts';
import { findVariable } from '../walk/table-define.ts';
import { at, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { valuesOf } from '../walk/tree-handlers.ts';

/** A constant, or the last of a path of them, used as `flags` say. */
export function constantValue(walk: TableWalk, node: number, scope: number, flags: number): number {
  if (is(walk, node, 'constant')) return identifierNode(walk, node, scope, flags);
  const outer = at(walk, node, Field.scope);
  const name = at(walk, node, Field.name);
  if (outer === 0) {
    refer(walk, name, 0, flags);
    return walk.facts.node(NodeOp.Identifier, nameOf(walk, name), 0);
  }
  const receiver = visit(walk, outer, scope);
  return memberNode(walk, name, { receiver, scope, flags });
}

/** A name without arguments: a variable, or a call of a method. */
const identifier: TableHandler = (walk, node, scope) => {
  const isVariable = findVariable(walk, scope, textOf(walk.tree, node)) !== -1;
  if (isVariable) return identifierNode(walk, node, scope, READ);
  if (walk.type !== -1 && textOf(walk.tree, node) === 'new') {
    walk.facts.understood.push(walk.tree.start[node] ?? 0);
    return walk.facts.node(NodeOp.New, walk.facts.node(NodeOp.This, scope), [], []);
  }
  return walk.facts.node(NodeOp.Call, identifierNode(walk, node, scope, CALL), [], []);
};

/** Handlers of expressions in Ruby, by type of node. */
export const RUBY_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  identifier,
  constant: (walk, node, scope) => constantValue(walk, node, scope, READ),
  scope_resolution: (walk, node, scope) => constantValue(walk, node, scope, READ),
  instance_variable: (walk, node, scope) =>
    walk.type === -1
      ? 0
      : memberNode(walk, node, { receiver: walk.facts.node(NodeOp.This, scope), scope, flags: READ }),
  class_variable: (walk, node, scope) =>
    walk.type === -1
      ? 0
      : memberNode(walk, node, { receiver: walk.facts.node(NodeOp.This, scope), scope, flags: READ }),
  self: (walk, _, scope) => walk.facts.node(NodeOp.This, scope),
  super: (walk, _, scope) => walk.facts.node(NodeOp.Super, scope),
  array: (walk, node, scope) => walk.facts.node(NodeOp.ArrayLiteral, valuesOf(walk, node, scope)),
  element_reference: (walk, node, scope) => {
    const object = visit(walk, at(walk, node, Field.object), scope);
    for (const child of childrenOf(walk.tree, node).slice(1)) visit(walk, child, scope);
    return object === 0 ? 0 : walk.facts.node(NodeOp.Element, object);
  },
  pair: (walk, node, scope) => {
    const [key, value] = [at(walk, node, Field.key), at(walk, node, Field.value)];
    visit(walk, key, scope);
    // `{ status: }` is `{ status: status }`.
    if (value === 0 && is(walk, key, 'hash_key_symbol')) identifier(walk, key, scope);
    visit(walk, value, scope);
    return 0;
  },
  do_block: (walk, node, scope) => {
    block(walk, node, scope, 0);
    return 0;
  },
  block: (walk, node, scope) => {
    block(walk, node, scope, 0);
    return 0;
  },
};
