import { NodeOp } from '../facts/facts.ts';
import { childIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { CALL, READ, sameFor, typeOf, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import { identifierNode, memberNode } from '../walk/tree-define.ts';
import { callNode, closureNode } from '../walk/table-calls.ts';
import { defineVariable } from '../walk/table-define.ts';
import { constructedType, typeArguments } from './types.ts';
import { at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { awaited, tuple, typeAsClass, valuesOf } from '../walk/tree-handlers.ts';

/** Methods of sequences whose function is given their elements. */
const EACH = new Set(
  (
    'Where Select SelectMany First FirstOrDefault Single SingleOrDefault Last LastOrDefault Any All Count Sum Min Max ' +
    'Average OrderBy OrderByDescending ThenBy GroupBy ToDictionary ToLookup TakeWhile SkipWhile DistinctBy MinBy MaxBy ' +
    'ForEach Find FindAll FindIndex Exists RemoveAll TrueForAll Partition Chunk AsParallel'
  ).split(' '),
);

/** Operators that give a truth value. */
const TESTS = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||', 'is']);

/** A name, with its type arguments or without. */
function plainName(walk: TableWalk, node: number): number {
  return is(walk, node, 'generic_name') ? first(walk, node, 'identifier') : node;
}

/** Reads what is called, read or written; `flags` say what is done to its last name. */
function target(walk: TableWalk, node: number, scope: number, flags: number): { value: number; receiver: number } {
  if (is(walk, node, 'identifier')) {
    const text = textOf(walk.tree, node);
    return { value: text === '_' ? 0 : identifierNode(walk, node, scope, flags), receiver: 0 };
  }
  if (is(walk, node, 'generic_name'))
    return { value: identifierNode(walk, plainName(walk, node), scope, flags), receiver: 0 };
  if (is(walk, node, 'conditional_access_expression')) return conditional(walk, node, scope, flags);
  const isBinding = is(walk, node, 'member_binding_expression');
  if (!isBinding && !is(walk, node, 'member_access_expression'))
    return { value: visit(walk, node, scope), receiver: 0 };
  const receiver = isBinding ? walk.conditional : visit(walk, walk.tree.first[node] ?? 0, scope);
  const name = plainName(walk, at(walk, node, Field.name));
  return { value: memberNode(walk, name, { receiver, scope, flags }), receiver };
}

/** `a?.b`: what is behind the question mark is a member of what is before it. */
function conditional(walk: TableWalk, node: number, scope: number, flags: number): { value: number; receiver: number } {
  const [object = 0, ...rest] = childrenOf(walk.tree, node);
  const outer = walk.conditional;
  const receiver = visit(walk, object, scope);
  walk.conditional = receiver;
  const result = target(walk, rest.at(-1) ?? 0, scope, flags);
  walk.conditional = outer;
  return result;
}

const call: TableHandler = (walk, node, scope) => {
  const written = at(walk, node, Field.function);
  const { value: callee, receiver } = target(walk, written, scope, CALL);
  const name = calledName(walk, written);
  const generics = is(walk, name, 'generic_name') ? typeArguments(walk, name, scope) : [];
  const isEach = receiver !== 0 && EACH.has(textOf(walk.tree, plainName(walk, name)));
  const element = isEach ? walk.facts.node(NodeOp.Element, receiver) : 0;
  return readCall(walk, at(walk, node, Field.arguments), scope, {
    callee,
    generics,
    element,
    name: plainName(walk, name),
  });
};

/** The last name of what is called, 0 when it is none. */
function calledName(walk: TableWalk, node: number): number {
  if (is(walk, node, 'identifier', 'generic_name')) return node;
  if (is(walk, node, 'conditional_access_expression')) return calledName(walk, walk.tree.last[node] ?? 0);
  return is(walk, node, 'member_access_expression', 'member_binding_expression') ? at(walk, node, Field.name) : 0;
}

/** Reads the arguments of a call. `element` is what a function among them is given. */
function readCall(
  walk: TableWalk,
  list: number,
  scope: number,
  {
    callee,
    generics = [],
    element = 0,
    name = 0,
  }: { callee: number; generics?: number[]; element?: number; name?: number },
): number {
  const isNamed = (node: number): boolean => at(walk, node, Field.name) !== 0;
  const given = childrenOf(walk.tree, list);
  return callNode(walk, { callee, given, generics, name, isNamed }, (argumentNode, context) => {
    let value = 0;
    for (const child of childrenOf(walk.tree, argumentNode)) {
      // The name of a named argument is no use of a name here.
      if (walk.tree.field[child] === Field.name) continue;
      value = (is(walk, child, 'lambda_expression') ? lambda(walk, child, scope, { context, element }) : 0) || value;
      if (!is(walk, child, 'lambda_expression')) value = visit(walk, child, scope) || value;
    }
    return value;
  });
}

interface Expected {
  context: number;
  element: number;
}

/** `x => y`, `(A x, y) => { ... }`, `delegate (A x) { ... }`. */
export function lambda(walk: TableWalk, node: number, scope: number, { context, element }: Expected): number {
  const { tree } = walk;
  const written = at(walk, node, Field.parameters);
  const list = is(walk, written, 'parameter_list') ? childrenOf(tree, written) : written === 0 ? [] : [written];
  const body = at(walk, node, Field.body) || first(walk, node, 'block');
  return closureNode(walk, node, scope, {
    context,
    parameters: (inside) =>
      list
        .filter((child) => is(walk, child, 'parameter', 'implicit_parameter', 'identifier'))
        .map((child, index) => ({
          name: childIn(tree, child, Field.name) || child,
          type: typeOf(walk, childIn(tree, child, Field.type), inside),
          value: index === 0 && childIn(tree, child, Field.type) === 0 ? element : 0,
        })),
    body: (inside) => visit(walk, body, inside),
  });
}

/** `new T(...) { A = x }`. */
const creation: TableHandler = (walk, node, scope) => {
  const written = at(walk, node, Field.type);
  const type = constructedType(walk, written, scope);
  return construct(walk, node, scope, { type, name: constructedName(walk, written) });
};

/** The last name of a type that is constructed. */
function constructedName(walk: TableWalk, node: number): number {
  const last = is(walk, node, 'qualified_name') ? (walk.tree.last[node] ?? 0) : node;
  return is(walk, last, 'identifier', 'generic_name') ? plainName(walk, last) : 0;
}

/** Makes an instance of a type that is known: the arguments, and the members that are set at once. */
export function construct(
  walk: TableWalk,
  node: number,
  scope: number,
  { type, name }: { type: number; name: number },
): number {
  const { facts } = walk;
  const value = type === 0 ? 0 : facts.node(NodeOp.Typed, type);
  const callee = type === 0 ? 0 : facts.node(NodeOp.Typed, facts.node(NodeOp.ClassOf, type));
  readCall(walk, first(walk, node, 'argument_list'), scope, { callee, name });
  initialise(walk, first(walk, node, 'initializer_expression'), scope, value);
  return value;
}

/** `{ A = x, B = { C = y } }` behind something: A is a member of it. */
function initialise(walk: TableWalk, node: number, scope: number, receiver: number): void {
  for (const child of childrenOf(walk.tree, node)) {
    const left = at(walk, child, Field.left);
    if (!is(walk, child, 'assignment_expression') || !is(walk, left, 'identifier')) {
      visit(walk, child, scope);
      continue;
    }
    const value = memberNode(walk, left, { receiver, scope, flags: WRITE });
    const right = at(walk, child, Field.right);
    if (is(walk, right, 'initializer_expression')) initialise(walk, right, scope, value);
    else visit(walk, right, scope);
  }
}

/** `a with { B = x }`: pairs of a name and a value. */
const withExpression: TableHandler = (walk, node, scope) => {
  const [object = 0, ...rest] = childrenOf(walk.tree, node);
  const receiver = visit(walk, object, scope);
  for (const child of rest) {
    const [name = 0, value = 0] = childrenOf(walk.tree, child);
    if (is(walk, name, 'identifier')) memberNode(walk, name, { receiver, scope, flags: WRITE });
    visit(walk, value, scope);
  }
  return receiver;
};

const assignment: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const left = at(walk, node, Field.left);
  const right = at(walk, node, Field.right);
  if (is(walk, left, 'tuple_expression')) {
    const value = visit(walk, right, scope);
    childrenOf(tree, left).forEach((child, index) => {
      const inner = tree.first[child] ?? 0;
      const part = value === 0 ? 0 : facts.node(NodeOp.ElementAt, value, index);
      if (is(walk, inner, 'declaration_expression')) readDeclaration(walk, inner, scope, part);
      else target(walk, inner, scope, WRITE);
    });
    return 0;
  }
  const written = target(walk, left, scope, WRITE).value;
  const context = written === 0 ? 0 : facts.node(NodeOp.ContextOf, written);
  return is(walk, right, 'lambda_expression')
    ? lambda(walk, right, scope, { context, element: 0 })
    : visit(walk, right, scope);
};

/** `out T x`, `var (a, b)`: a variable in the place of a value. */
function readDeclaration(walk: TableWalk, node: number, scope: number, value: number): void {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const name = at(walk, node, Field.name);
  if (is(walk, name, 'identifier')) defineVariable(walk, name, scope, { around: node, type, value });
}

const conversion: TableHandler = (walk, node, scope) => {
  visit(walk, at(walk, node, Field.value) || at(walk, node, Field.left), scope);
  const type = typeOf(walk, at(walk, node, Field.type) || at(walk, node, Field.right), scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
};

const typeOnly: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  return is(walk, node, 'default_expression') && type !== 0 ? walk.facts.node(NodeOp.Typed, type) : 0;
};

/** `a is T` names a type; of `a ?? b` and of conditional expressions either may be the value. */
const binary: TableHandler = (walk, node, scope) => {
  const left = visit(walk, at(walk, node, Field.left), scope);
  const right = visit(walk, at(walk, node, Field.right), scope);
  const operator = at(walk, node, Field.operator);
  if (!is(walk, operator, '"??"')) return readCalculation(walk, textOf(walk.tree, operator), { left, right });
  return left !== 0 && right !== 0 ? walk.facts.node(NodeOp.Either, [left, right]) : left || right;
};

/** Returns the value of an operator: a truth value, a text when either side is one, or what the first side is. */
function readCalculation(
  { facts }: TableWalk,
  operator: string,
  { left, right }: { left: number; right: number },
): number {
  const isText = (value: number): boolean =>
    value !== 0 && facts.word(value) === NodeOp.Literal && facts.word(value + 1) === facts.string('string');
  if (operator === '+' && (isText(left) || isText(right))) return facts.node(NodeOp.Literal, facts.string('string'));
  if (TESTS.has(operator)) return facts.node(NodeOp.Literal, facts.string('bool'));
  return 0;
}

const element: TableHandler = (walk, node, scope) => {
  const isBinding = is(walk, node, 'element_binding_expression');
  const object = isBinding ? walk.conditional : visit(walk, walk.tree.first[node] ?? 0, scope);
  for (const child of childrenOf(walk.tree, node).slice(isBinding ? 0 : 1)) visitChildren(walk, child, scope);
  return object === 0 ? 0 : walk.facts.node(NodeOp.Element, object);
};

const array: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  for (const child of childrenOf(walk.tree, node)) if (walk.tree.field[child] !== Field.type) visit(walk, child, scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
};

/** Names of an object without a type are no uses of names here. */
const anonymous: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  for (const child of childrenOf(tree, node)) {
    const isName = /^\s*=(?!=)/.test(tree.text.slice(tree.end[child], (tree.end[child] ?? 0) + 16));
    if (!isName) visit(walk, child, scope);
  }
  return 0;
};

/** `from x in xs join y in ys on a equals b let z = v ... select`. */
const query: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  for (const clause of childrenOf(tree, node)) {
    const name = at(walk, clause, Field.name);
    if (!is(walk, clause, 'from_clause', 'join_clause', 'let_clause') || name === 0) {
      visit(walk, clause, scope);
      continue;
    }
    const type = typeOf(walk, at(walk, clause, Field.type), scope);
    const others = childrenOf(tree, clause).filter((child) => child !== name && tree.field[child] !== Field.type);
    const source = visit(walk, others[0] ?? 0, scope);
    const value = is(walk, clause, 'let_clause') || source === 0 ? source : facts.node(NodeOp.Element, source);
    defineVariable(walk, name, scope, { around: clause, type, value });
    for (const child of others.slice(1)) visit(walk, child, scope);
  }
  return 0;
};

/** Handlers of expressions in C#, by type of node. */
export const CSHARP_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  identifier: (walk, node, scope) => target(walk, node, scope, READ).value,
  generic_name: (walk, node, scope) => {
    typeArguments(walk, node, scope);
    return target(walk, node, scope, READ).value;
  },
  member_access_expression: (walk, node, scope) => target(walk, node, scope, READ).value,
  member_binding_expression: (walk, node, scope) => target(walk, node, scope, READ).value,
  conditional_access_expression: (walk, node, scope) => target(walk, node, scope, READ).value,
  alias_qualified_name: (walk, node, scope) => visit(walk, walk.tree.last[node] ?? 0, scope),
  qualified_name: (walk, node, scope) => {
    const [object = 0, name = 0] = childrenOf(walk.tree, node);
    const receiver = visit(walk, object, scope);
    return memberNode(walk, plainName(walk, name), { receiver, scope, flags: READ });
  },
  invocation_expression: call,
  object_creation_expression: creation,
  implicit_object_creation_expression: (walk, node, scope) => construct(walk, node, scope, { type: 0, name: 0 }),
  with_expression: withExpression,
  lambda_expression: (walk, node, scope) => lambda(walk, node, scope, { context: 0, element: 0 }),
  anonymous_method_expression: (walk, node, scope) => lambda(walk, node, scope, { context: 0, element: 0 }),
  assignment_expression: assignment,
  declaration_expression: (walk, node, scope) => {
    readDeclaration(walk, node, scope, 0);
    return 0;
  },
  cast_expression: conversion,
  as_expression: conversion,
  typeof_expression: (walk, node, scope) => {
    typeOnly(walk, node, scope);
    return walk.facts.node(NodeOp.Typed, walk.facts.node(NodeOp.TypeName, scope, [walk.facts.string('Type')], []));
  },
  default_expression: typeOnly,
  sizeof_expression: typeOnly,
  binary_expression: binary,
  element_access_expression: element,
  element_binding_expression: element,
  array_creation_expression: array,
  implicit_array_creation_expression: (walk, node, scope) =>
    walk.facts.node(NodeOp.ArrayLiteral, valuesOf(walk, first(walk, node, 'initializer_expression'), scope)),
  anonymous_object_creation_expression: anonymous,
  query_expression: query,
  tuple_expression: tuple,
  argument: (walk, node, scope) => {
    let value = 0;
    for (const child of childrenOf(walk.tree, node))
      if (walk.tree.field[child] !== Field.name) value = visit(walk, child, scope) || value;
    return value;
  },
  await_expression: awaited,
  ...sameFor('predefined_type nullable_type array_type', typeAsClass),
  '"this"': (walk, _, scope) => walk.facts.node(NodeOp.This, scope),
  '"base"': (walk, _, scope) => walk.facts.node(NodeOp.Super, scope),
};
