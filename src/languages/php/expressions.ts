import { DefinitionKind, Facet, NodeOp, ReferenceHow } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { identifierNode, memberNode } from '../walk/tree-define.ts';
import { CALL, IMPORT, READ, refer, sameFor, skip, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import { heritage, plainName } from './definitions.ts';
import { readConstructed, referName } from './types.ts';
import { at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { elementOf, returned, valuesOf } from '../walk/tree-handlers.ts';
import {
  assignVariable,
  defineType,
  findVariable,
  outsideType,
  readMembers,
  removeName,
} from '../walk/table-define.ts';

/** Reads what precedes `::`: a class by name, the class around, what it extends, or a value. */
function scopeOf(walk: TableWalk, node: number, scope: number): number {
  const { facts, tree } = walk;
  if (is(walk, node, 'relative_scope')) {
    const isParent = textOf(tree, node).toLowerCase() === 'parent';
    return facts.node(isParent ? NodeOp.Super : NodeOp.This, scope);
  }
  if (is(walk, node, 'name', 'qualified_name', 'relative_name'))
    return facts.node(NodeOp.Identifier, referName(walk, node, scope, READ), scope);
  return visit(walk, node, scope);
}

/** A member that a name says; one that an expression says is not known. */
function member(walk: TableWalk, name: number, access: { receiver: number; scope: number; flags: number }): number {
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

const methodCall: TableHandler = (walk, node, scope) =>
  callMethod(walk, node, scope, visit(walk, at(walk, node, Field.object), scope));

const staticCall: TableHandler = (walk, node, scope) =>
  callMethod(walk, node, scope, scopeOf(walk, at(walk, node, Field.scope), scope));

const staticProperty: TableHandler = (walk, node, scope) => {
  const receiver = scopeOf(walk, at(walk, node, Field.scope), scope);
  return member(walk, at(walk, node, Field.name), { receiver, scope, flags: READ });
};

/** `A::B`, `self::B`, `A::class`. */
const constant: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const qualifier = tree.first[node] ?? 0;
  const name = tree.next[qualifier] ?? 0;
  const receiver = scopeOf(walk, qualifier, scope);
  if (textOf(walk.tree, name) === 'class') return receiver;
  return is(walk, name, 'name') ? memberNode(walk, name, { receiver, scope, flags: READ }) : 0;
};

/** Handlers of accesses to members in PHP, by type of node. */
export const PHP_MEMBERS: Readonly<Record<string, TableHandler>> = {
  member_access_expression: accessAs(READ),
  nullsafe_member_access_expression: accessAs(READ),
  member_call_expression: methodCall,
  nullsafe_member_call_expression: methodCall,
  scoped_call_expression: staticCall,
  scoped_property_access_expression: staticProperty,
  class_constant_access_expression: constant,
};

/** The name of a named argument is no use of a name here. */
const argument: TableHandler = (walk, node, scope) => {
  let value = 0;
  for (const child of childrenOf(walk.tree, node))
    if (walk.tree.field[child] !== Field.name) value = visit(walk, child, scope) || value;
  return value;
};

const variable: TableHandler = (walk, node, scope) =>
  textOf(walk.tree, node) === '$this' ? walk.facts.node(NodeOp.This, scope) : identifierNode(walk, node, scope, READ);

const call: TableHandler = (walk, node, scope) => {
  const written = at(walk, node, Field.function);
  const isName = is(walk, written, 'name', 'qualified_name', 'relative_name');
  const callee = isName
    ? walk.facts.node(NodeOp.Identifier, referName(walk, written, scope, CALL), scope)
    : visit(walk, written, scope);
  const values = valuesOf(walk, at(walk, node, Field.arguments), scope);
  return callee === 0 ? 0 : walk.facts.node(NodeOp.Call, callee, values, []);
};

const creation: TableHandler = (walk, node, scope) => {
  const { tree, facts } = walk;
  const written = tree.first[node] ?? 0;
  if (is(walk, written, 'anonymous_class')) return anonymousClass(walk, written, scope);
  const list = first(walk, node, 'arguments');
  const isName = is(walk, written, 'name', 'qualified_name', 'relative_name');
  if (!isName) visit(walk, written, scope);
  const type = isName ? readConstructed(walk, written, scope) : 0;
  valuesOf(walk, list, scope);
  return type === 0 ? 0 : facts.node(NodeOp.Typed, type);
};

function anonymousClass(walk: TableWalk, node: number, scope: number): number {
  const { facts, tree } = walk;
  valuesOf(walk, first(walk, node, 'arguments'), scope);
  const body = at(walk, node, Field.body);
  const { definition, inside } = outsideType(walk, () =>
    defineType(walk, node, scope, { kind: DefinitionKind.class, name: body, body }),
  );
  removeName(walk, definition);
  facts.amend(definition, 'start', tree.start[node] ?? 0);
  heritage(walk, node, inside, { definition, facet: Facet.implements });
  readMembers(walk, body, inside, { definition });
  return facts.node(NodeOp.ObjectLiteral, definition);
}

const assignment: TableHandler = (walk, node, scope) => {
  const value = visit(walk, at(walk, node, Field.right), scope);
  assign(walk, at(walk, node, Field.left), scope, { value, around: node });
  return value;
};

function assign(walk: TableWalk, left: number, scope: number, assigned: { value: number; around: number }): void {
  const { facts } = walk;
  if (is(walk, left, 'variable_name')) {
    if (textOf(walk.tree, left) !== '$this') assignVariable(walk, left, scope, { ...assigned, isFunctionScoped: true });
  } else if (is(walk, left, 'member_access_expression', 'nullsafe_member_access_expression')) {
    const receiver = visit(walk, at(walk, left, Field.object), scope);
    member(walk, at(walk, left, Field.name), { receiver, scope, flags: WRITE });
  } else if (is(walk, left, 'scoped_property_access_expression')) {
    const receiver = scopeOf(walk, at(walk, left, Field.scope), scope);
    member(walk, at(walk, left, Field.name), { receiver, scope, flags: WRITE });
  } else if (is(walk, left, 'list_literal', 'array_creation_expression', 'array_element_initializer', 'pair')) {
    childrenOf(walk.tree, left).forEach((child, index) => {
      const part = assigned.value === 0 ? 0 : facts.node(NodeOp.ElementAt, assigned.value, index);
      assign(walk, child, scope, { value: part, around: child });
    });
  } else visit(walk, left, scope);
}

/** `foreach (source as key => element)`. */
const forEach: TableHandler = (walk, node, scope) => {
  const body = at(walk, node, Field.body);
  const [source = 0, target = 0] = childrenOf(walk.tree, node).filter((child) => child !== body);
  const from = visit(walk, source, scope);
  const value = from === 0 ? 0 : walk.facts.node(NodeOp.Element, from);
  if (is(walk, target, 'pair')) {
    const [key = 0, element = 0] = childrenOf(walk.tree, target);
    assign(walk, key, scope, { value: 0, around: key });
    assign(walk, element, scope, { value, around: element });
  } else assign(walk, target, scope, { value, around: target });
  visit(walk, body, scope);
  return 0;
};

/** `$x instanceof C` names a class. */
const binary: TableHandler = (walk, node, scope) => {
  const [left, right] = [at(walk, node, Field.left), at(walk, node, Field.right)];
  const value = visit(walk, left, scope);
  if (is(walk, right, 'name', 'qualified_name')) constantOrClass(walk, right, scope);
  else visit(walk, right, scope);
  return is(walk, at(walk, node, Field.operator), '"??"') ? value : 0;
};

/** `true`, `PHP_EOL` or a class: whatever is called so. */
function constantOrClass(walk: TableWalk, node: number, scope: number): number {
  return walk.facts.node(NodeOp.Identifier, referName(walk, node, scope, READ), scope);
}

/** `require` with a path that is a literal, or one behind `__DIR__`. */
const require: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const text = textOf(tree, node);
  const match = /(?:__DIR__|dirname\s*\(\s*__FILE__\s*\))?\s*\.?\s*(["'])([^"'$]+)\1\s*\)?\s*$/.exec(text);
  if (match?.[2] === undefined) {
    visitChildren(walk, node, scope);
    return 0;
  }
  const path = match[2];
  const start = (tree.start[node] ?? 0) + text.lastIndexOf(path);
  facts.references.add(facts.string(path), start, -1, IMPORT, ReferenceHow.module, facts.string(path), 0);
  return 0;
};

const statics: TableHandler = (walk, node, scope) => {
  const value = visit(walk, at(walk, node, Field.value), scope);
  assignVariable(walk, at(walk, node, Field.name), scope, { value, around: node, isFunctionScoped: true });
  return 0;
};

/** `global $x` reads variables of the top level. */
const globals: TableHandler = (walk, node, scope) => {
  for (const child of childrenOf(walk.tree, node)) {
    if (findVariable(walk, scope, textOf(walk.tree, child)) === -1) refer(walk, child, 0, READ);
  }
  return 0;
};

/** Handlers of expressions and statements in PHP, by type of node. */
export const PHP_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  argument,
  variable_name: variable,
  ...sameFor('name qualified_name relative_name', constantOrClass),
  function_call_expression: call,
  object_creation_expression: creation,
  ...sameFor('assignment_expression augmented_assignment_expression reference_assignment_expression', assignment),
  foreach_statement: forEach,
  binary_expression: binary,
  ...sameFor('require_expression require_once_expression include_expression include_once_expression', require),
  static_variable_declaration: statics,
  global_declaration: globals,
  return_statement: returned,
  subscript_expression: elementOf,
  goto_statement: skip,
  named_label_statement: skip,
};
