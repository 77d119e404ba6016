import { NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { memberNode } from '../walk/tree-define.ts';
import { accessMember, CALL, READ, sameFor, skip, typeOf, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import { callNode, closureNode } from '../walk/table-calls.ts';
import { defineVariable } from '../walk/table-define.ts';
import { defineParameters } from './definitions.ts';
import { nameOfValue } from './types.ts';
import { at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { anyOf, inBlock, returned, typeAlone, valuesOf } from '../walk/tree-handlers.ts';

/** Templates whose call gives a value of the type that they are given. */
const MAKES = /^(static|dynamic|reinterpret|const)_cast$|^make_(unique|shared)$|_(pointer_)?cast$/;

/** Reads what is called, read or written; `flags` say what is done to its last name. */
function target(walk: TableWalk, node: number, scope: number, flags: number): number {
  if (is(walk, node, 'identifier', 'qualified_identifier', 'template_function'))
    return nameOfValue(walk, node, scope, flags);
  if (is(walk, node, 'parenthesized_expression')) return target(walk, walk.tree.first[node] ?? 0, scope, flags);
  if (!is(walk, node, 'field_expression')) return visit(walk, node, scope);
  const receiver = visit(walk, at(walk, node, Field.argument), scope);
  const written = at(walk, node, Field.field);
  const field = is(walk, written, 'dependent_name') ? (walk.tree.last[written] ?? 0) : written;
  const isTemplate = is(walk, field, 'template_method');
  const name = isTemplate ? at(walk, field, Field.name) : field;
  if (isTemplate) visit(walk, at(walk, field, Field.arguments), scope);
  if (is(walk, name, 'field_identifier')) return memberNode(walk, name, { receiver, scope, flags });
  visitChildren(walk, field, scope);
  return 0;
}

/** The template of a call such as `static_cast<T>(x)`: the name with its arguments, or 0. */
function templateOf(walk: TableWalk, node: number): number {
  let name = node;
  while (is(walk, name, 'qualified_identifier')) name = at(walk, name, Field.name);
  const isMade = is(walk, name, 'template_function') && MAKES.test(textOf(walk.tree, at(walk, name, Field.name)));
  return isMade ? name : 0;
}

const call: TableHandler = (walk, node, scope) => {
  const written = at(walk, node, Field.function);
  const list = at(walk, node, Field.arguments);
  const template = templateOf(walk, written);
  if (template !== 0) {
    const [type = 0] = childrenOf(walk.tree, at(walk, template, Field.arguments));
    const made = typeOf(walk, type, scope);
    visitChildren(walk, list, scope);
    return made === 0 ? 0 : walk.facts.node(NodeOp.Typed, made);
  }
  // `int(x)` is a conversion.
  if (is(walk, written, 'primitive_type')) return visitChildren(walk, list, scope);
  const callee = target(walk, written, scope, CALL);
  return callNode(walk, { callee, given: childrenOf(walk.tree, list) }, (argument, context) =>
    is(walk, argument, 'lambda_expression') ? lambda(walk, argument, scope, context) : visit(walk, argument, scope),
  );
};

function lambda(walk: TableWalk, node: number, scope: number, context: number): number {
  visitChildren(walk, at(walk, node, Field.captures), scope);
  const declarator = at(walk, node, Field.declarator);
  return closureNode(walk, node, scope, {
    context,
    parameters: () => [],
    body: (inside, definition) => {
      defineParameters(walk, at(walk, declarator, Field.parameters), inside, definition);
      visitChildren(walk, at(walk, node, Field.body), inside);
      return 0;
    },
  });
}

const creation: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  for (const child of childrenOf(walk.tree, node)) if (walk.tree.field[child] !== Field.type) visit(walk, child, scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
};

const cast: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  visit(walk, at(walk, node, Field.value), scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
};

/** Reads an element of an array, or of what a pointer points to: both are written the same way. */
const element: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const [object = 0, ...rest] = childrenOf(tree, node);
  const value = visit(walk, object, scope);
  for (const child of rest) visit(walk, child, scope);
  return value === 0 ? 0 : facts.node(NodeOp.Either, [facts.node(NodeOp.Element, value), value]);
};

const forEach: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const source = visit(walk, at(walk, node, Field.right), scope);
  const value = source === 0 ? 0 : facts.node(NodeOp.Element, source);
  let name = at(walk, node, Field.declarator);
  while (is(walk, name, 'reference_declarator', 'pointer_declarator')) name = tree.last[name] ?? 0;
  if (is(walk, name, 'identifier')) defineVariable(walk, name, inside, { type, value });
  else
    for (const child of childrenOf(tree, name))
      if (is(walk, child, 'identifier')) defineVariable(walk, child, inside, {});
  visit(walk, at(walk, node, Field.body), inside);
  return 0;
};

const caught: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  defineParameters(walk, at(walk, node, Field.parameters), inside, -1);
  visit(walk, at(walk, node, Field.body), inside);
  return 0;
};

const assignment: TableHandler = (walk, node, scope) => {
  const written = target(walk, at(walk, node, Field.left), scope, WRITE);
  visit(walk, at(walk, node, Field.right), scope);
  return written;
};

const either: TableHandler = (walk, node, scope) => {
  visit(walk, at(walk, node, Field.condition), scope);
  return anyOf(
    walk,
    [Field.consequence, Field.alternative].map((field) => visit(walk, at(walk, node, field), scope)),
  );
};

/** Handlers of expressions and statements in C and C++, by type of node. */
export const C_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  identifier: (walk, node, scope) => target(walk, node, scope, READ),
  qualified_identifier: (walk, node, scope) => target(walk, node, scope, READ),
  template_function: (walk, node, scope) => target(walk, node, scope, READ),
  field_expression: (walk, node, scope) => target(walk, node, scope, READ),
  call_expression: call,
  lambda_expression: (walk, node, scope) => lambda(walk, node, scope, 0),
  new_expression: creation,
  compound_literal_expression: creation,
  cast_expression: cast,
  subscript_expression: element,
  assignment_expression: assignment,
  conditional_expression: either,
  pointer_expression: (walk, node, scope) => visit(walk, at(walk, node, Field.argument), scope),
  update_expression: (walk, node, scope) => target(walk, at(walk, node, Field.argument), scope, WRITE),
  type_descriptor: typeAlone,
  sizeof_expression: (walk, node, scope) => {
    typeOf(walk, at(walk, node, Field.type), scope);
    visit(walk, at(walk, node, Field.value), scope);
    return 0;
  },
  type_identifier: typeAlone,
  for_range_loop: forEach,
  catch_clause: caught,
  ...sameFor('compound_statement for_statement if_statement while_statement switch_statement', inBlock),
  return_statement: returned,
  initializer_list: (walk, node, scope) => {
    valuesOf(walk, node, scope);
    return 0;
  },
  // `.x = 1`: whose member it is, the type around says.
  field_designator: (walk, node, scope) => {
    for (const name of childrenOf(walk.tree, node)) accessMember(walk, name, { receiver: 0, scope, flags: WRITE });
    return 0;
  },
  statement_identifier: skip,
  this: (walk, _, scope) => walk.facts.node(NodeOp.This, scope),
  attribute_declaration: skip,
  ms_declspec_modifier: skip,
  linkage_specification: (walk, node, scope) => {
    visit(walk, first(walk, node, 'declaration_list') || at(walk, node, Field.body), scope);
    return 0;
  },
};
