import { NodeOp } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { appliedTypeName, identifierNode, memberNode } from '../walk/tree-define.ts';
import { CALL, nameOf, READ, typeOf, visit, WRITE } from '../walk/tree-walk.ts';
import { constructedType } from './types.ts';
import { at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { typeAsClass, valuesOf } from '../walk/tree-handlers.ts';

/** `a.b`, with what is done to b. */
function navigation(walk: TableWalk, node: number, scope: number, flags: number): number {
  const { facts, tree } = walk;
  const target = at(walk, node, Field.target);
  const name = at(walk, at(walk, node, Field.suffix), Field.suffix);
  const receiver = visit(walk, target, scope);
  if (!is(walk, name, 'simple_identifier')) return receiver === 0 ? 0 : facts.node(NodeOp.Element, receiver);
  const text = textOf(tree, name);
  if (text === 'self') return receiver;
  // `A.init(x)` makes an A.
  if (text === 'init') return receiver;
  return memberNode(walk, name, { receiver, scope, flags });
}

const call: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const [written = 0, suffix = 0] = childrenOf(tree, node);
  let callee = 0;
  if (is(walk, written, 'simple_identifier')) callee = identifierNode(walk, written, scope, CALL);
  else if (is(walk, written, 'navigation_expression')) callee = navigation(walk, written, scope, CALL);
  else if (is(walk, written, 'prefix_expression')) callee = implicitMember(walk, written, scope, CALL);
  else callee = visit(walk, written, scope);
  const isSubscript = tree.text[tree.start[suffix] ?? 0] === '[';
  const values = argumentsOf(walk, suffix, scope);
  const made = callee === 0 || isSubscript ? 0 : facts.node(NodeOp.Call, callee, values, []);
  noteLabels(walk, suffix, { scope, context: made === 0 ? 0 : facts.node(NodeOp.ContextKeyword, made) });
  return callee !== 0 && isSubscript ? facts.node(NodeOp.Element, callee) : made;
};

/** Notes the labels of arguments: where the call makes an instance, one may be that of a property. */
function noteLabels(walk: TableWalk, suffix: number, { scope, context }: { scope: number; context: number }): void {
  const { facts, tree } = walk;
  const list = first(walk, suffix, 'value_arguments');
  for (const argument of childrenOf(tree, list)) {
    const label = at(walk, argument, Field.name);
    if (label !== 0) facts.keys.add(nameOf(walk, label), tree.start[label] ?? 0, context, READ, scope);
  }
}

/** Values in parentheses, then the closures behind them. */
function argumentsOf(walk: TableWalk, suffix: number, scope: number): number[] {
  return childrenOf(walk.tree, suffix).flatMap((part) => {
    if (!is(walk, part, 'value_arguments')) return [visit(walk, part, scope)];
    return childrenOf(walk.tree, part).map((argument) => {
      let value = 0;
      for (const child of childrenOf(walk.tree, argument))
        if (walk.tree.field[child] !== Field.name) value = visit(walk, child, scope) || value;
      return value;
    });
  });
}

/** `.name`: a member of the type that is expected here, which is not followed. */
function implicitMember(walk: TableWalk, node: number, scope: number, flags: number): number {
  const target = at(walk, node, Field.target);
  const isMember = walk.tree.text[walk.tree.start[node] ?? 0] === '.' && is(walk, target, 'simple_identifier');
  if (!isMember) return visit(walk, target, scope);
  memberNode(walk, target, { receiver: 0, scope, flags });
  return 0;
}

const assignment: TableHandler = (walk, node, scope) => {
  const target = walk.tree.first[at(walk, node, Field.target)] ?? 0;
  if (is(walk, target, 'simple_identifier')) {
    if (textOf(walk.tree, target) !== '_') identifierNode(walk, target, scope, WRITE);
  } else if (is(walk, target, 'navigation_expression')) navigation(walk, target, scope, WRITE);
  else visit(walk, target, scope);
  visit(walk, at(walk, node, Field.result), scope);
  return 0;
};

const conversion: TableHandler = (walk, node, scope) => {
  visit(walk, at(walk, node, Field.expr) || at(walk, node, Field.target), scope);
  const type = typeOf(walk, at(walk, node, Field.name), scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
};

const construction: TableHandler = (walk, node, scope) => {
  const type = constructedType(walk, at(walk, node, Field.constructed_type), scope);
  for (const child of childrenOf(walk.tree, node))
    if (walk.tree.field[child] !== Field.constructed_type) argumentsOf(walk, child, scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
};

/** Handlers of expressions in Swift, by type of node. */
export const SWIFT_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  simple_identifier: (walk, node, scope) =>
    /^[_$]\d*$/.test(textOf(walk.tree, node)) ? 0 : identifierNode(walk, node, scope, READ),
  navigation_expression: (walk, node, scope) => navigation(walk, node, scope, READ),
  prefix_expression: (walk, node, scope) => implicitMember(walk, node, scope, READ),
  call_expression: call,
  constructor_expression: construction,
  assignment,
  as_expression: conversion,
  check_expression: (walk, node, scope) => {
    conversion(walk, node, scope);
    return 0;
  },
  array_literal: (walk, node, scope) => walk.facts.node(NodeOp.ArrayLiteral, valuesOf(walk, node, scope)),
  tuple_expression: (walk, node, scope) => {
    const values = valuesOf(walk, node, scope);
    return values.length === 1 ? (values[0] ?? 0) : walk.facts.node(NodeOp.TupleLiteral, values);
  },
  // `\K.a` reads `a` of a K, and `\.a` that of whatever is expected.
  key_path_expression: (walk, node, scope) => {
    const [type = 0, ...rest] = childrenOf(walk.tree, node).map((child) => typeOf(walk, child, scope));
    const isApplied = type !== 0 && rest.length > 0 && walk.facts.word(type) === NodeOp.TypeName;
    return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, isApplied ? appliedTypeName(walk, type, rest) : type);
  },
  self_expression: (walk, _, scope) => walk.facts.node(NodeOp.This, scope),
  super_expression: (walk, _, scope) => walk.facts.node(NodeOp.Super, scope),
  user_type: typeAsClass,
};
