import { NodeOp } from '../facts/facts.ts';
import { Field, textOf } from '../walk/tree.ts';
import { memberNode } from '../walk/tree-define.ts';
import { CALL, READ, visit } from '../walk/tree-walk.ts';
import { plainName } from './definitions.ts';
import { referName } from './types.ts';
import { at, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { valuesOf } from '../walk/tree-handlers.ts';

/** Reads what precedes `::`: a class by name, the class around, what it extends, or a value. */
export function scopeOf(walk: TableWalk, node: number, scope: number, flags = READ): number {
  const { facts, tree } = walk;
  if (is(walk, node, 'relative_scope')) {
    const isParent = textOf(tree, node).toLowerCase() === 'parent';
    return facts.node(isParent ? NodeOp.Super : NodeOp.This, scope);
  }
  if (is(walk, node, 'name', 'qualified_name', 'relative_name'))
    return facts.node(NodeOp.Identifier, referName(walk, node, scope, flags), scope);
  return visit(walk, node, scope);
}

/** A member that a name says; one that an expression says is not known. */
export function member(
  walk: TableWalk,
  name: number,
  access: { receiver: number; scope: number; flags: number },
): number {
  const plain = plainName(walk, name);
  if (!is(walk, plain, 'name')) {
    visit(walk, name, access.scope);
    return 0;
  }
  return memberNode(walk, plain, access);
}

function accessAs(flags: number): TableHandler {
  return (walk, node, scope) => {
    const receiver = visit(walk, at(walk, node, Field.object), scope);
    return member(walk, at(walk, node, Field.name), { receiver, scope, flags });
  };
}

/** The call of a method of what was read before it. */
function callMethod(walk: TableWalk, node: number, scope: number, receiver: number): number {
  const name = at(walk, node, Field.name);
  const callee = is(walk, name, 'name')
    ? memberNode(walk, name, { receiver, scope, flags: CALL })
    : visit(walk, name, scope);
  const values = valuesOf(walk, at(walk, node, Field.arguments), scope);
  return callee === 0 ? 0 : walk.facts.node(NodeOp.Call, callee, values, []);
}

const call: TableHandler = (walk, node, scope) =>
  callMethod(walk, node, scope, visit(walk, at(walk, node, Field.object), scope));

const staticCall: TableHandler = (walk, node, scope) =>
  callMethod(walk, node, scope, scopeOf(walk, at(walk, node, Field.scope), scope));

const staticProperty: TableHandler = (walk, node, scope) => {
  const receiver = scopeOf(walk, at(walk, node, Field.scope), scope);
  return member(walk, at(walk, node, Field.name), { receiver, scope, flags: READ });
};

/** `A::B`, `self::B`, `A::class`. */
const constant: TableHandler = (walk, node, scope) => {
  const { first, next } = walk.tree;
  const qualifier = first[node] ?? 0;
  const name = next[qualifier] ?? 0;
  const receiver = scopeOf(walk, qualifier, scope);
  if (textOf(walk.tree, name) === 'class') return receiver;
  return is(walk, name, 'name') ? memberNode(walk, name, { receiver, scope, flags: READ }) : 0;
};

/** Handlers of accesses to members in PHP, by type of node. */
export const PHP_MEMBERS: Readonly<Record<string, TableHandler>> = {
  member_access_expression: accessAs(READ),
  nullsafe_member_access_expression: accessAs(READ),
  member_call_expression: call,
  nullsafe_member_call_expression: call,
  scoped_call_expression: staticCall,
  scoped_property_access_expression: staticProperty,
  class_constant_access_expression: constant,
};
