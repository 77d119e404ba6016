import { DefinitionKind, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { identifierNode, memberNode } from '../walk/tree-define.ts';
import { CALL, nameOf, READ, refer, typeOf, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import { callNode, closureNode } from '../walk/table-calls.ts';
import {
  defineParameter,
  defineType,
  defineVariable,
  outsideType,
  readMembers,
  removeName,
} from '../walk/table-define.ts';
import { defineParameters, supertypes } from './definitions.ts';
import { argument, type Expected, lambdaArgument, lambda, receiverOf, SAME } from './lambdas.ts';
import { narrow, plainType } from './narrowing.ts';
import { readCalculation, classLiteral, genericCall, typeOfName } from './operators.ts';
import { constructedType, isNamedArgument, isType, readConstructorArguments } from './types.ts';
import { all, at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { anyOf, returns, valuesOf } from '../walk/tree-handlers.ts';

const WORDS = new Set(['null', 'true', 'false', '_']);
const NOTHING_EXPECTED: Expected = { context: 0, element: 0, receiver: 0 };

function name(walk: TableWalk, node: number, scope: number, flags: number): number {
  const text = textOf(walk.tree, node);
  if (text === 'true' || text === 'false') return walk.facts.node(NodeOp.Literal, walk.facts.string('Boolean'));
  return WORDS.has(text) ? 0 : identifierNode(walk, node, scope, flags);
}

/** Reads what is called, read or written; `flags` say what is done to its last name. */
function target(walk: TableWalk, node: number, scope: number, flags: number): { value: number; receiver: number } {
  if (is(walk, node, 'identifier')) return { value: name(walk, node, scope, flags), receiver: 0 };
  if (!is(walk, node, 'navigation_expression')) return { value: visit(walk, node, scope), receiver: 0 };
  const [object = 0, ...rest] = childrenOf(walk.tree, node);
  let receiver = 0;
  let value = visit(walk, object, scope);
  rest.forEach((child, index) => {
    receiver = value;
    if (textOf(walk.tree, child) === 'class' || !is(walk, child, 'identifier')) return;
    value = memberNode(walk, child, { receiver, scope, flags: index === rest.length - 1 ? flags : READ });
  });
  return { value: classLiteral(walk, node) || value, receiver };
}

/** `f(x)`, `a.f<T>(x) { ... }`: a function in braces is the last argument. */
const call: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const [written = 0, ...parts] = childrenOf(tree, node);
  const trailing = parts.filter((part) => is(walk, part, 'annotated_lambda'));
  const isSplit = trailing.length > 0 && is(walk, written, 'call_expression') && parts.length === 1;
  const [inner = 0, ...innerParts] = isSplit ? childrenOf(tree, written) : [written, ...parts];
  const { value: callee, receiver } = target(walk, inner, scope, CALL);
  const method = textOf(tree, is(walk, inner, 'navigation_expression') ? (tree.last[inner] ?? 0) : inner);
  const element = lambdaArgument(walk, method, receiver);
  const generics = innerParts
    .filter((part) => is(walk, part, 'type_arguments'))
    .flatMap((part) => childrenOf(tree, part).map((type) => typeOf(walk, type, scope)));
  const given = [
    ...innerParts.filter((part) => is(walk, part, 'value_arguments')).flatMap((part) => childrenOf(tree, part)),
    ...trailing,
  ];
  const last = is(walk, inner, 'navigation_expression') ? (tree.last[inner] ?? 0) : inner;
  const called = is(walk, last, 'identifier') ? last : 0;
  const isNamed = isNamedArgument(walk);
  const calledOn = (argumentNode: number, context: number): number => {
    // Where a named argument stands says nothing of its parameter.
    if (context === 0 || element !== 0 || isNamed(argumentNode)) return 0;
    return receiverOf(walk, { method, receiver, context });
  };
  const isForLast = (argumentNode: number): boolean => trailing.includes(argumentNode);
  const made = callNode(walk, { callee, given, generics, name: called, isNamed, isForLast }, (argumentNode, context) =>
    argument(walk, argumentNode, scope, { context, element, receiver: calledOn(argumentNode, context) }),
  );
  // Where the call makes an instance, the name of an argument may be that of a property.
  const keyword = made !== 0 && given.some(isNamed) ? facts.node(NodeOp.ContextKeyword, made) : 0;
  for (const argumentNode of keyword === 0 ? [] : given.filter(isNamed)) {
    const [parameter = 0] = childrenOf(tree, argumentNode);
    facts.keys.add(nameOf(walk, parameter), tree.start[parameter] ?? 0, keyword, READ, scope);
  }
  if (receiver !== 0 && SAME.has(method)) return receiver;
  const container = receiver === 0 ? containerOf(walk, method, generics) : 0;
  if (container !== 0) return container;
  const isFiltered = method === 'filterIsInstance' && generics[0] !== undefined;
  return isFiltered ? facts.node(NodeOp.Typed, facts.node(NodeOp.ArrayType, generics[0] ?? 0)) : made;
};

/** `listOf<T>()`: what functions of the library make when their type arguments are written. */
function containerOf({ facts }: TableWalk, method: string, generics: readonly number[]): number {
  const type = generics.at(-1) ?? 0;
  if (type === 0) return 0;
  if (/^(mutable|empty|array)?(list|set|array|sequence)(of)?$/i.test(method))
    return facts.node(NodeOp.Typed, facts.node(NodeOp.ArrayType, type));
  return /^(mutable|empty|hash|linked)?map(of)?$/i.test(method)
    ? facts.node(NodeOp.Typed, facts.node(NodeOp.MapType, type))
    : 0;
}

const anonymousFunction: TableHandler = (walk, node, scope) => {
  const { facts } = walk;
  const value = closureNode(walk, node, scope, {
    context: 0,
    parameters: () => [],
    body: (inside, definition) => {
      defineParameters(walk, first(walk, node, 'function_value_parameters'), inside, definition);
      const result = childrenOf(walk.tree, node).findLast((child) => isType(walk, child)) ?? 0;
      facts.amend(definition, 'type', typeOf(walk, result, inside));
      return visit(walk, first(walk, node, 'function_body'), inside);
    },
  });
  return value;
};

/** `object : A(), B { ... }`: a class without a name, and its only instance. */
const objectLiteral: TableHandler = (walk, node, scope) => {
  const { facts } = walk;
  const body = first(walk, node, 'class_body');
  const { definition, inside } = outsideType(walk, () =>
    defineType(walk, node, scope, { kind: DefinitionKind.class, name: node, body }),
  );
  removeName(walk, definition);
  supertypes(walk, node, inside, { definition, isInterface: false });
  readMembers(walk, body, inside, { definition });
  return facts.node(NodeOp.ObjectLiteral, definition);
};

const branch: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const condition = at(walk, node, Field.condition);
  const inside = facts.scope(scope, ScopeKind.block);
  narrow(walk, condition, scope, inside);
  visit(walk, condition, inside);
  const branches = childrenOf(tree, node).filter((child) => child !== condition);
  return anyOf(
    walk,
    branches.map((child, index) => visit(walk, child, index === 0 ? inside : scope)),
  );
};

/** `when (x) { is A, B -> ... }`: in a branch x is what the branch asks for. */
const when: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const outer = facts.scope(scope, ScopeKind.block);
  const subject = first(walk, node, 'when_subject');
  const [head = 0, given = 0] = childrenOf(tree, subject);
  const isDeclared = is(walk, head, 'variable_declaration');
  const value = visit(walk, isDeclared ? given : head, outer);
  const variable = isDeclared ? first(walk, head, 'identifier') : is(walk, head, 'identifier') ? head : 0;
  if (isDeclared) defineVariable(walk, variable, outer, { around: head, value });
  const results: number[] = [];
  for (const entry of all(walk, node, 'when_entry')) {
    const inside = facts.scope(outer, ScopeKind.block);
    const parts = childrenOf(tree, entry);
    const tests = parts.filter((part) => tree.field[part] === Field.condition);
    for (const test of tests) {
      const tested = is(walk, test, 'type_test') ? (tree.last[test] ?? 0) : 0;
      if (tested === 0) visit(walk, test, inside);
      else typeOf(walk, tested, inside);
      if (tests.length > 1) continue;
      narrow(walk, test, outer, inside);
      const isTest = is(walk, tested, 'user_type') && variable !== 0 && !textOf(tree, test).startsWith('!');
      if (isTest) facts.narrowings.add(inside, nameOf(walk, variable), plainType(walk, tested, outer));
    }
    for (const part of parts) {
      if (tests.includes(part)) continue;
      results.push(visit(walk, part, inside));
    }
  }
  return anyOf(walk, results);
};

const forEach: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  const [variable = 0, source = 0, ...rest] = childrenOf(tree, node).filter(
    (id) => !is(walk, id, 'label', 'annotation'),
  );
  const from = visit(walk, source, scope);
  const value = from === 0 ? 0 : facts.node(NodeOp.Element, from);
  const parts = is(walk, variable, 'multi_variable_declaration')
    ? all(walk, variable, 'variable_declaration')
    : [variable];
  parts.forEach((child, index) => {
    const type = typeOf(walk, childrenOf(tree, child).find((part) => isType(walk, part)) ?? 0, inside);
    const part = parts.length === 1 || value === 0 ? value : facts.node(NodeOp.ElementAt, value, index);
    defineVariable(walk, first(walk, child, 'identifier'), inside, { around: child, type, value: part });
  });
  for (const child of rest) visit(walk, child, inside);
  return 0;
};

const caught: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  const type = typeOf(walk, childrenOf(walk.tree, node).find((child) => isType(walk, child)) ?? 0, scope);
  defineParameter(walk, first(walk, node, 'identifier'), inside, { of: -1, type });
  visit(walk, first(walk, node, 'block'), inside);
  return 0;
};

/** The value of a block is that of its last statement. */
const block: TableHandler = (walk, node, scope) => {
  const values = valuesOf(walk, node, walk.facts.scope(scope, ScopeKind.block));
  return values.at(-1) ?? 0;
};

const body: TableHandler = (walk, node, scope) => {
  const only = walk.tree.first[node] ?? 0;
  if (!is(walk, only, 'block')) return visit(walk, only, scope);
  visitChildren(walk, only, scope);
  return 0;
};

/** `a.b = x`, `a += x`. */
const assignment: TableHandler = (walk, node, scope) => {
  target(walk, at(walk, node, Field.left), scope, WRITE);
  visit(walk, at(walk, node, Field.right), scope);
  return 0;
};

const returned: TableHandler = (walk, node, scope) => {
  const label = at(walk, node, Field.label);
  for (const child of childrenOf(walk.tree, node)) if (child !== label) returns(walk, visit(walk, child, scope));
  return 0;
};

const conversion: TableHandler = (walk, node, scope) => {
  visit(walk, at(walk, node, Field.left), scope);
  const type = typeOf(walk, at(walk, node, Field.right), scope);
  return type === 0 || is(walk, node, 'is_expression') ? 0 : walk.facts.node(NodeOp.Typed, type);
};

/** `a op b` of a function called op. */
const infix: TableHandler = (walk, node, scope) => {
  const [left = 0, operator = 0, right = 0] = childrenOf(walk.tree, node);
  const receiver = visit(walk, left, scope);
  const callee = memberNode(walk, operator, { receiver, scope, flags: CALL });
  return callNode(walk, { callee, given: [right], name: operator }, (operand) => visit(walk, operand, scope));
};

/** `f<T>(x)` and `f<T> { }` with one argument. */
function readGenericCall(walk: TableWalk, scope: number, parts: NonNullable<ReturnType<typeof genericCall>>): number {
  const { value: callee } = target(walk, parts.callee, scope, CALL);
  visit(walk, parts.type, scope);
  const last = is(walk, parts.callee, 'identifier') ? parts.callee : (walk.tree.last[parts.callee] ?? 0);
  const generics = [typeOfName(walk, parts.type, scope)];
  const isForLast = (given: number): boolean => is(walk, given, 'lambda_literal');
  return callNode(walk, { callee, given: parts.given, generics, name: last, isForLast }, (given, context) => {
    const receiver = context === 0 ? 0 : receiverOf(walk, { method: '', receiver: 0, context });
    return argument(walk, given, scope, { context, element: 0, receiver });
  });
}

const binary: TableHandler = (walk, node, scope) => {
  const written = genericCall(walk, node);
  if (written !== undefined) return readGenericCall(walk, scope, written);
  const left = visit(walk, at(walk, node, Field.left), scope);
  const inside = is(walk, at(walk, node, Field.operator), '"&&"') ? walk.facts.scope(scope, ScopeKind.block) : scope;
  if (inside !== scope) narrow(walk, at(walk, node, Field.left), scope, inside);
  const right = visit(walk, at(walk, node, Field.right), inside);
  const operator = at(walk, node, Field.operator);
  if (!is(walk, operator, '"?:"')) return readCalculation(walk, operator, left);
  return left !== 0 && right !== 0 ? walk.facts.node(NodeOp.Either, [left, right]) : left || right;
};

/** `"${a.b} $c"`: the grammar shows a name alone as text behind a `$`. */
const template: TableHandler = (walk, node, scope) => {
  let isName = false;
  for (const child of childrenOf(walk.tree, node)) {
    const text = textOf(walk.tree, child);
    if (isName) {
      const word = /^[A-Za-z_]\w*/.exec(text)?.[0];
      if (word !== undefined && word !== 'this') {
        const { facts } = walk;
        facts.references.add(facts.string(word), walk.tree.start[child] ?? 0, scope, READ, 0, 0, 0);
      }
    } else visit(walk, child, scope);
    isName = text === '$' && is(walk, child, 'string_content');
  }
  return walk.facts.node(NodeOp.Literal, walk.facts.string('String'));
};

/** `@A(x)` names a class. */
const annotation: TableHandler = (walk, node, scope) => {
  // A modifier, see `plainKotlin`.
  if (walk.tree.text[walk.tree.start[node] ?? 0] !== '@') return 0;
  for (const child of childrenOf(walk.tree, node)) {
    const invoked = is(walk, child, 'constructor_invocation');
    const written = invoked ? (walk.tree.first[child] ?? 0) : child;
    const type = is(walk, written, 'user_type') ? constructedType(walk, written, scope) : 0;
    if (invoked) readConstructorArguments(walk, first(walk, child, 'value_arguments'), { type, scope });
  }
  return 0;
};

/** Handlers of expressions and statements in Kotlin, by type of node. */
export const KOTLIN_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  identifier: (walk, node, scope) => name(walk, node, scope, READ),
  navigation_expression: (walk, node, scope) => target(walk, node, scope, READ).value,
  call_expression: call,
  lambda_literal: (walk, node, scope) => lambda(walk, node, scope, NOTHING_EXPECTED),
  anonymous_function: anonymousFunction,
  object_literal: objectLiteral,
  callable_reference: (walk, node, scope) => {
    const parts = childrenOf(walk.tree, node);
    const last = parts.at(-1) ?? 0;
    if (parts.length === 1) return is(walk, last, 'identifier') ? name(walk, last, scope, READ) : 0;
    const [object = 0] = parts;
    const receiver = is(walk, object, 'user_type')
      ? walk.facts.node(NodeOp.Typed, typeOf(walk, object, scope))
      : visit(walk, object, scope);
    return is(walk, last, 'identifier') ? memberNode(walk, last, { receiver, scope, flags: READ }) : 0;
  },
  if_expression: branch,
  when_expression: when,
  for_statement: forEach,
  catch_block: caught,
  block,
  function_body: body,
  assignment,
  return_expression: returned,
  as_expression: conversion,
  is_expression: conversion,
  infix_expression: infix,
  binary_expression: binary,
  index_expression: (walk, node, scope) => {
    const [object = 0, ...rest] = childrenOf(walk.tree, node);
    const value = visit(walk, object, scope);
    for (const child of rest) visit(walk, child, scope);
    return value === 0 ? 0 : walk.facts.node(NodeOp.Element, value);
  },
  unary_expression: (walk, node, scope) => visit(walk, at(walk, node, Field.argument), scope),
  // A label of a jump is no name of anything else.
  labeled_expression: (walk, node, scope) =>
    /^(break|continue)@/.test(textOf(walk.tree, node)) ? 0 : visitChildren(walk, node, scope),
  value_argument: (walk, node, scope) => argument(walk, node, scope, NOTHING_EXPECTED),
  string_literal: template,
  multiline_string_literal: template,
  annotation,
  file_annotation: annotation,
  this_expression: (walk, node, scope) => {
    const outer = first(walk, node, 'identifier');
    if (outer === 0) return walk.facts.node(NodeOp.This, scope);
    refer(walk, outer, scope, READ);
    return walk.facts.node(NodeOp.Typed, walk.facts.node(NodeOp.TypeName, scope, [nameOf(walk, outer)], []));
  },
  super_expression: (walk, node, scope) => {
    for (const child of childrenOf(walk.tree, node)) typeOf(walk, child, scope);
    return walk.facts.node(NodeOp.Super, scope);
  },
};
