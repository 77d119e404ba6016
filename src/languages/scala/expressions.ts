import { DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { CALL, READ, typeOf, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import {
  defineParameter,
  defineType,
  defineVariable,
  inFunction,
  outsideType,
  readMembers,
  removeName,
} from '../walk/table-define.ts';
import { all, at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { defineFunctionValue, identifierNode, memberNode } from '../walk/tree-define.ts';
import { constructedType } from './types.ts';
import { returned, tuple, typeAlone } from '../walk/tree-handlers.ts';

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
    defineVariable(walk, at(walk, node, Field.name), scope, { value });
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

/** Methods whose function is given the elements of what they are called on. */
const EACH = new Set(
  'map flatMap foreach filter filterNot find exists forall collect withFilter takeWhile dropWhile partition groupBy sortBy count maxBy minBy'.split(
    ' ',
  ),
);

function name(walk: TableWalk, node: number, scope: number, flags: number): number {
  const text = textOf(walk.tree, node);
  if (text === 'this') return walk.facts.node(NodeOp.This, scope);
  if (text === 'super') return walk.facts.node(NodeOp.Super, scope);
  return identifierNode(walk, node, scope, flags);
}

/** Reads what is called or read; `flags` say what is done to its last name. */
function target(walk: TableWalk, node: number, scope: number, flags: number): { value: number; receiver: number } {
  if (is(walk, node, 'identifier')) return { value: name(walk, node, scope, flags), receiver: 0 };
  if (is(walk, node, 'generic_function')) {
    const callee = target(walk, at(walk, node, Field.function), scope, flags);
    typeOf(walk, at(walk, node, Field.type_arguments), scope);
    return callee;
  }
  if (!is(walk, node, 'field_expression')) return { value: visit(walk, node, scope), receiver: 0 };
  const receiver = visit(walk, at(walk, node, Field.value), scope);
  const value = memberNode(walk, at(walk, node, Field.field), { receiver, scope, flags });
  return { value, receiver };
}

const call: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const written = at(walk, node, Field.function);
  const { value, receiver } = target(walk, written, scope, CALL);
  const method = textOf(tree, at(walk, written, Field.field));
  const element = receiver !== 0 && EACH.has(method) ? facts.node(NodeOp.Element, receiver) : 0;
  const list = at(walk, node, Field.arguments);
  const values = is(walk, list, 'arguments')
    ? childrenOf(tree, list).map((child) => argument(walk, child, scope, element))
    : [argument(walk, list, scope, element)];
  return value === 0 ? 0 : facts.node(NodeOp.Call, value, values, []);
};

/** Reads an argument; `element` is what a function is given here. The name of a named one is no name here. */
function argument(walk: TableWalk, node: number, scope: number, element: number): number {
  if (is(walk, node, 'lambda_expression')) return lambda(walk, node, scope, element);
  if (is(walk, node, 'case_block', 'indented_cases')) {
    cases(walk, node, scope, element);
    return 0;
  }
  if (is(walk, node, 'block')) {
    const only = walk.tree.first[node] ?? 0;
    if (is(walk, only, 'lambda_expression') && walk.tree.next[only] === 0) return lambda(walk, only, scope, element);
  }
  const isNamed = is(walk, node, 'assignment_expression') && is(walk, at(walk, node, Field.left), 'identifier');
  return visit(walk, isNamed ? at(walk, node, Field.right) : node, scope);
}

function lambda(walk: TableWalk, node: number, scope: number, element: number): number {
  const { facts, tree } = walk;
  const { definition, inside } = defineFunctionValue(walk, node, scope, tree.last[node] ?? 0);
  const written = at(walk, node, Field.parameters);
  const parameters = is(walk, written, 'bindings') ? all(walk, written, 'binding') : [written];
  parameters.forEach((parameter, index) => {
    const nameNode = is(walk, parameter, 'binding') ? at(walk, parameter, Field.name) : parameter;
    const type = is(walk, parameter, 'binding') ? typeOf(walk, at(walk, parameter, Field.type), inside) : 0;
    if (is(walk, nameNode, 'identifier'))
      defineParameter(walk, nameNode, inside, { of: definition, type, value: index === 0 && type === 0 ? element : 0 });
  });
  inFunction(walk, definition, () => {
    for (const child of childrenOf(tree, node)) {
      if (child === written) continue;
      const value = visit(walk, child, inside);
      if (value !== 0 && tree.next[child] === 0) facts.facet(definition, Facet.returned, value);
    }
  });
  return facts.node(NodeOp.FunctionValue, definition);
}

/** The clauses of a `match` or of a function made of cases. */
function cases(walk: TableWalk, node: number, scope: number, value: number): void {
  for (const clause of all(walk, node, 'case_clause')) {
    const inside = walk.facts.scope(scope, ScopeKind.block);
    bindPattern(walk, at(walk, clause, Field.pattern), inside, value);
    for (const child of childrenOf(walk.tree, clause))
      if (walk.tree.field[child] !== Field.pattern) visit(walk, child, inside);
  }
}

const match: TableHandler = (walk, node, scope) => {
  const value = visit(walk, at(walk, node, Field.value), scope);
  cases(walk, at(walk, node, Field.body), scope, value);
  return 0;
};

/** `for (x <- xs; y = f(x) if c) body`. */
const forEach: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  for (const enumerator of all(walk, first(walk, node, 'enumerators'), 'enumerator')) {
    const [pattern = 0, source = 0, ...rest] = childrenOf(tree, enumerator);
    const value = visit(walk, source, inside);
    const isGenerator = tree.text.slice(tree.end[pattern], tree.start[source]).includes('<-');
    bindPattern(walk, pattern, inside, isGenerator && value !== 0 ? facts.node(NodeOp.Element, value) : value);
    for (const other of rest) visit(walk, other, inside);
  }
  visit(walk, at(walk, node, Field.body), inside);
  return 0;
};

/** `new C(x)`, and a class without a name when a body follows. */
const instance: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const body = first(walk, node, 'template_body');
  const written = tree.first[node] ?? 0;
  const parts = is(walk, written, 'compound_type') ? childrenOf(tree, written) : [written];
  const types = parts.map((part) => constructedType(walk, part, scope)).filter((id) => id !== 0);
  for (const list of all(walk, node, 'arguments')) visit(walk, list, scope);
  const [type] = types;
  if (body === 0) return type === undefined ? 0 : facts.node(NodeOp.Typed, type);
  const { definition, inside } = outsideType(walk, () =>
    defineType(walk, node, scope, { kind: DefinitionKind.class, name: written, body }),
  );
  removeName(walk, definition);
  for (const base of types) facts.facet(definition, Facet.extends, base);
  readMembers(walk, body, inside, { definition });
  return facts.node(NodeOp.ObjectLiteral, definition);
};

/** `a op b` calls the method `op` of a. */
const infix: TableHandler = (walk, node, scope) => {
  const receiver = visit(walk, at(walk, node, Field.left), scope);
  const operator = at(walk, node, Field.operator);
  const callee = memberNode(walk, operator, { receiver, scope, flags: CALL });
  const isEach = receiver !== 0 && EACH.has(textOf(walk.tree, operator));
  const element = isEach ? walk.facts.node(NodeOp.Element, receiver) : 0;
  const value = argument(walk, at(walk, node, Field.right), scope, element);
  return callee === 0 ? 0 : walk.facts.node(NodeOp.Call, callee, [value], []);
};

/** Handlers of expressions in Scala, by type of node. */
export const SCALA_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  identifier: (walk, node, scope) => name(walk, node, scope, READ),
  field_expression: (walk, node, scope) => target(walk, node, scope, READ).value,
  generic_function: (walk, node, scope) => target(walk, node, scope, READ).value,
  stable_identifier: (walk, node, scope) => {
    const [root = 0, ...rest] = childrenOf(walk.tree, node);
    return rest.reduce(
      (receiver, segment) => memberNode(walk, segment, { receiver, scope, flags: READ }),
      visit(walk, root, scope),
    );
  },
  call_expression: call,
  infix_expression: infix,
  instance_expression: instance,
  lambda_expression: (walk, node, scope) => lambda(walk, node, scope, 0),
  match_expression: match,
  case_block: (walk, node, scope) => {
    cases(walk, node, scope, 0);
    return 0;
  },
  for_expression: forEach,
  assignment_expression: (walk, node, scope) => {
    target(walk, at(walk, node, Field.left), scope, WRITE);
    visit(walk, at(walk, node, Field.right), scope);
    return 0;
  },
  return_expression: returned,
  tuple_expression: tuple,
  interpolated_string: (walk, node, scope) => visitChildren(walk, node, scope),
  type_identifier: typeAlone,
};
