import type {
  Argument,
  AssignmentExpression,
  CallExpression,
  Expression,
  NewExpression,
  Node,
  ObjectProperty,
} from 'oxc-parser';
import {
  DefinitionFlag,
  DefinitionKind,
  Facet,
  NodeOp,
  type NodeOpCode,
  ReferenceHow,
  ScopeKind,
  UseFlag,
} from '../facts/facts.ts';
import { addFlags, readAssignedFunction, readFunctionExpression } from './functions.ts';
import { addAssignedProperty, amendValueHead } from './classes.ts';
import { countLogical, countStructure, readNested } from './metrics.ts';
import { assignCommonJs, requireCall } from './commonjs.ts';
import { checksOf, narrowedScope } from './narrowing.ts';
import { assignPattern } from './patterns.ts';
import { newContainer, readType, typeArguments } from './types.ts';
import {
  attachDocumentation,
  literalText,
  memberFlag,
  memberName,
  nameStart,
  isFunctionExpression,
  type NodeOf,
  type Walk,
} from './walk.ts';

const VALUE_READ = UseFlag.value | UseFlag.read;
const VALUE_WRITE = UseFlag.value | UseFlag.write;
const LOGICAL_ASSIGNMENTS: ReadonlySet<string> = new Set(['&&=', '||=', '??=']);

type Reader<T extends Node['type']> = (walk: Walk, node: NodeOf<T>, scope: number, context: number) => number;

const READERS: { readonly [T in Expression['type'] | 'SpreadElement' | 'JSXExpressionContainer']?: Reader<T> } = {
  Identifier: (walk, node, scope) => readIdentifier(walk, node, scope, VALUE_READ),
  MemberExpression: (walk, node, scope) => readMember(walk, node, scope, VALUE_READ),
  CallExpression: (walk, node, scope) => readCall(walk, node, scope),
  Literal: ({ facts }, node) => facts.node(NodeOp.Literal, facts.string(typeof node.value)),
  ArrowFunctionExpression: readFunctionExpression,
  FunctionExpression: readFunctionExpression,
  ObjectExpression: readObject,
  ThisExpression: (walk, _node, scope) => walk.facts.node(NodeOp.This, scope),
  Super: (walk, _node, scope) => walk.facts.node(NodeOp.Super, scope),
  TemplateLiteral: (walk, node, scope) => {
    for (const expression of node.expressions) readExpression(walk, expression, scope);
    return walk.facts.node(NodeOp.Literal, walk.facts.string('string'));
  },
  AwaitExpression: (walk, node, scope) => wrap(walk, NodeOp.Await, readExpression(walk, node.argument, scope)),
  ChainExpression: (walk, node, scope, context) => readExpression(walk, node.expression, scope, context),
  NewExpression: (walk, node, scope) => readNew(walk, node, scope),
  BinaryExpression: (walk, node, scope) => {
    if (node.left.type !== 'PrivateIdentifier') readExpression(walk, node.left, scope);
    readExpression(walk, node.right, scope);
    return walk.facts.node(NodeOp.Literal, walk.facts.string('number'));
  },
  LogicalExpression: (walk, node, scope, context) => {
    countLogical(walk.frame, node);
    return readLogical(walk, node, scope, context);
  },
  ConditionalExpression: (walk, node, scope, context) => {
    countStructure(walk.frame, 1);
    readExpression(walk, node.test, scope);
    const values: number[] = [];
    readNested(walk, () => {
      const [then, otherwise] = [true, false].map((holds) =>
        narrowedScope(walk, checksOf(walk, node.test, scope, holds), scope),
      );
      values.push(readExpression(walk, node.consequent, then ?? scope, context));
      values.push(readExpression(walk, node.alternate, otherwise ?? scope, context));
    });
    return either(walk, values);
  },
  AssignmentExpression: readAssignment,
  ArrayExpression: (walk, node, scope, context) => {
    const expected = wrap(walk, NodeOp.ContextElement, context);
    const elements = node.elements.map((element) => {
      if (element === null) return 0;
      if (element.type !== 'SpreadElement') return readExpression(walk, element, scope, expected);
      return wrap(walk, NodeOp.Element, readExpression(walk, element.argument, scope));
    });
    return walk.facts.node(NodeOp.ArrayLiteral, elements);
  },
  UnaryExpression: (walk, node, scope) => {
    readExpression(walk, node.argument, scope);
    return walk.facts.node(NodeOp.Literal, walk.facts.string('number'));
  },
  UpdateExpression: (walk, node, scope) => {
    readUsed(walk, node.argument, scope, VALUE_WRITE);
    return walk.facts.node(NodeOp.Literal, walk.facts.string('number'));
  },
  SequenceExpression: (walk, node, scope, context) =>
    node.expressions.reduce((_last, expression) => readExpression(walk, expression, scope, context), 0),
  ParenthesizedExpression: (walk, node, scope, context) => readExpression(walk, node.expression, scope, context),
  TSNonNullExpression: (walk, node, scope, context) => readExpression(walk, node.expression, scope, context),
  TSInstantiationExpression: (walk, node, scope, context) => {
    const value = readExpression(walk, node.expression, scope, context);
    typeArguments(walk, node.typeArguments, scope);
    return value;
  },
  TSAsExpression: (walk, node, scope, context) => readAssertion(walk, node, scope, context),
  TSTypeAssertion: (walk, node, scope, context) => readAssertion(walk, node, scope, context),
  TSSatisfiesExpression: (walk, node, scope) => {
    const type = readType(walk, node.typeAnnotation, scope);
    const value = readExpression(walk, node.expression, scope, wrap(walk, NodeOp.ContextType, type));
    return value === 0 ? wrap(walk, NodeOp.Typed, type) : value;
  },
  TaggedTemplateExpression: (walk, node, scope) => {
    const callee = readUsed(walk, node.tag, scope, UseFlag.value | UseFlag.call);
    const generics = typeArguments(walk, node.typeArguments, scope);
    readExpression(walk, node.quasi, scope);
    return callee === 0 ? 0 : walk.facts.node(NodeOp.Call, callee, [], generics);
  },
  ImportExpression: (walk, node, scope) => {
    const { facts } = walk;
    if (node.options !== null) readExpression(walk, node.options, scope);
    if (node.source.type !== 'Literal' || typeof node.source.value !== 'string') {
      readExpression(walk, node.source, scope);
      return 0;
    }
    const module = readModule(walk, node.source, node.source.value, scope);
    return facts.node(NodeOp.Typed, facts.node(NodeOp.PromiseType, facts.node(NodeOp.TypeOf, module)));
  },
  YieldExpression: (walk, node, scope) => {
    const value = node.argument === null ? 0 : readExpression(walk, node.argument, scope);
    const { definition } = walk.frame;
    if (value !== 0 && definition >= 0) walk.facts.facet(definition, Facet.yielded, value);
    return 0;
  },
  ClassExpression: (walk, node, scope) =>
    walk.facts.node(
      NodeOp.ClassValue,
      walk.visit.class(walk, node, walk.facts.scope(scope, ScopeKind.block), undefined),
    ),
  SpreadElement: (walk, node, scope) => readExpression(walk, node.argument, scope),
  JSXElement: (walk, node, scope) => {
    walk.visit.jsx(walk, node, scope);
    return 0;
  },
  JSXFragment: (walk, node, scope) => {
    walk.visit.jsx(walk, node, scope);
    return 0;
  },
};

/**
 * References of an expression. Gives the node of its value, 0 when nothing can be said of it. `context` is the node of
 * what is expected here.
 */
export function readExpression(walk: Walk, node: Expression, scope: number, context = 0): number {
  // Each reader takes the nodes whose type is its key.
  const reader = READERS[node.type] as
    | ((walk: Walk, node: Expression, scope: number, context: number) => number)
    | undefined;
  return reader === undefined ? 0 : reader(walk, node, scope, context);
}

/** As `readExpression` for an expression that is called, written, extended: `use` holds its flags. */
export function readUsed(walk: Walk, node: Expression, scope: number, use: number): number {
  const space = (use & (UseFlag.value | UseFlag.type)) === 0 ? use | UseFlag.value : use;
  switch (node.type) {
    case 'Identifier':
      return readIdentifier(walk, node, scope, space);
    case 'MemberExpression':
      return readMember(walk, node, scope, space);
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return readUsed(walk, node.expression, scope, use);
    default:
      return readExpression(walk, node, scope);
  }
}

function wrap({ facts }: Walk, op: NodeOpCode, node: number): number {
  return node === 0 ? 0 : facts.node(op, node);
}

function either({ facts }: Walk, values: readonly number[]): number {
  const nodes = values.filter((value) => value !== 0);
  return nodes.length > 1 ? facts.node(NodeOp.Either, nodes) : (nodes[0] ?? 0);
}

function readIdentifier(
  { facts }: Walk,
  { name, start }: { name: string; start: number },
  scope: number,
  flags: number,
): number {
  const id = facts.string(name);
  facts.references.add(id, start, scope, flags, ReferenceHow.scoped, -1, -1);
  return facts.node(NodeOp.Identifier, id, scope);
}

function readMember(walk: Walk, node: NodeOf<'MemberExpression'>, scope: number, flags: number): number {
  const { facts } = walk;
  const object = readExpression(walk, node.object, scope);
  const { property } = node;
  if (node.computed && property.type !== 'Literal') {
    readExpression(walk, property as Expression, scope);
    return wrap(walk, NodeOp.Element, object);
  }
  const name = memberName(property, node.computed) ?? '';
  const id = facts.string(name);
  if (property.type === 'Literal' && typeof property.value !== 'string') return wrap(walk, NodeOp.Element, object);
  facts.members.add(id, nameStart(property), object, flags, scope);
  return facts.node(NodeOp.MemberOf, object, id);
}

function readCall(walk: Walk, node: CallExpression, scope: number): number {
  const required = requireCall(node);
  if (required !== undefined) {
    readIdentifier(walk, required.callee, scope, UseFlag.value | UseFlag.call);
    return readModule(walk, required.source, required.source.value, scope);
  }
  const callee = readUsed(walk, node.callee, scope, UseFlag.value | UseFlag.call);
  return readArguments(walk, node, scope, { callee, op: NodeOp.Call, expected: NodeOp.ContextArgument });
}

function readNew(walk: Walk, node: NewExpression, scope: number): number {
  const callee = readUsed(walk, node.callee, scope, UseFlag.value | UseFlag.call);
  return readArguments(walk, node, scope, { callee, op: NodeOp.New, expected: NodeOp.ContextNewArgument });
}

/** The node of a call is written before its arguments, since they are expected by it; it gets them afterwards. */
function readArguments(
  walk: Walk,
  node: CallExpression | NewExpression,
  scope: number,
  { callee, op, expected }: { callee: number; op: NodeOpCode; expected: NodeOpCode },
): number {
  const { facts } = walk;
  const generics = typeArguments(walk, node.typeArguments, scope);
  const list: readonly Argument[] = node.arguments;
  const call = facts.node(
    op,
    callee,
    list.map(() => 0),
    generics,
  );
  list.forEach((argument, position) => {
    if (argument.type === 'SpreadElement') {
      readExpression(walk, argument.argument, scope);
      return;
    }
    const context = needsContext(argument) ? facts.node(expected, call, position) : 0;
    facts.patch(call, 2 + position, readExpression(walk, argument, scope, context));
  });
  return call;
}

/** Names, literals and calls mean the same whatever is expected of them. */
function needsContext({ type }: Expression): boolean {
  return type !== 'Identifier' && type !== 'Literal' && type !== 'MemberExpression' && type !== 'CallExpression';
}

/** References a module that an expression loads and gives it as a value. */
function readModule({ facts }: Walk, literal: { start: number }, source: string, scope: number): number {
  const id = facts.string(source);
  facts.references.add(id, literal.start + 1, scope, VALUE_READ, ReferenceHow.module, id, -1);
  return facts.node(NodeOp.Module, id);
}

/** Operands of a logical expression whose operators were counted. */
export function readLogical(walk: Walk, node: NodeOf<'LogicalExpression'>, scope: number, context: number): number {
  const operand = (expression: Expression, inside: number): number =>
    expression.type === 'LogicalExpression'
      ? readLogical(walk, expression, inside, context)
      : readExpression(walk, expression, inside, context);
  const left = operand(node.left, scope);
  const checks = node.operator === '??' ? [] : checksOf(walk, node.left, scope, node.operator === '&&');
  return either(walk, [left, operand(node.right, narrowedScope(walk, checks, scope))]);
}

function readAssertion(
  walk: Walk,
  node: NodeOf<'TSAsExpression'> | NodeOf<'TSTypeAssertion'>,
  scope: number,
  context: number,
): number {
  const { typeAnnotation: annotation } = node;
  const isConst =
    annotation.type === 'TSTypeReference' &&
    annotation.typeName.type === 'Identifier' &&
    annotation.typeName.name === 'const';
  if (isConst) return readExpression(walk, node.expression, scope, context);
  const type = readType(walk, annotation, scope);
  readExpression(walk, node.expression, scope, wrap(walk, NodeOp.ContextType, type));
  return wrap(walk, NodeOp.Typed, type);
}

function readAssignment(walk: Walk, node: AssignmentExpression, scope: number): number {
  const { left, right } = node;
  if (left.type === 'ObjectPattern' || left.type === 'ArrayPattern') {
    const value = readExpression(walk, right, scope);
    assignPattern(walk, left, scope, value);
    return value;
  }
  if (LOGICAL_ASSIGNMENTS.has(node.operator)) walk.frame.cyclomatic += 1;
  const exported = assignCommonJs(walk, node, scope);
  if (exported !== undefined) return exported;
  const assigned = readAssignedFunction(walk, node, scope);
  if (assigned !== undefined) return assigned;
  const target = readUsed(walk, left, scope, VALUE_WRITE);
  const value = readExpression(walk, right, scope, wrap(walk, NodeOp.ContextOf, target));
  addAssignedProperty(walk, left, value);
  return value;
}

function readObject(walk: Walk, node: NodeOf<'ObjectExpression'>, scope: number, context: number): number {
  const container = newContainer(walk, node);
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = readExpression(walk, property.argument, scope);
      if (spread !== 0) walk.facts.facet(container, Facet.spread, spread);
    } else readProperty(walk, property, scope, { container, context });
  }
  return walk.facts.node(NodeOp.ObjectLiteral, container);
}

function readProperty(
  walk: Walk,
  node: ObjectProperty,
  scope: number,
  { container, context }: { container: number; context: number },
): void {
  const { facts } = walk;
  if (node.computed) readExpression(walk, node.key as Expression, scope);
  const name = memberName(node.key, node.computed);
  if (name === undefined) {
    readExpression(walk, node.value, scope);
    return;
  }
  const id = facts.string(name);
  const expected = context === 0 ? 0 : facts.node(NodeOp.ContextProperty, context, id);
  const isMethod = node.method || node.kind !== 'init';
  const definition = facts.define({
    name,
    kind: isMethod ? DefinitionKind.method : DefinitionKind.property,
    flags: DefinitionFlag.value | memberFlag(walk),
    nameStart: nameStart(node.key),
    start: node.start,
    end: node.end,
    scope: -1,
    owner: container,
  });
  attachDocumentation(walk, definition, node.start);
  if (context !== 0) facts.keys.add(id, nameStart(node.key), context, VALUE_WRITE, scope);
  if (isMethod && isFunctionExpression(node.value)) {
    addFlags(walk, definition, ACCESSORS[node.kind]);
    walk.visit.function(walk, node.value, scope, { definition, context: expected });
    return;
  }
  facts.amend(definition, 'value', propertyValue(walk, node, scope, expected));
  amendValueHead(walk, definition, node.value);
}

const ACCESSORS = { init: 0, get: DefinitionFlag.getter, set: DefinitionFlag.setter } as const;

function propertyValue(walk: Walk, node: ObjectProperty, scope: number, expected: number): number {
  const literal = literalText(node.value);
  // Values of properties tell the types of a union apart.
  if (literal !== undefined) return walk.facts.node(NodeOp.Literal, walk.facts.string(literal));
  if (!node.shorthand || node.value.type !== 'Identifier') return readExpression(walk, node.value, scope, expected);
  return readIdentifier(walk, node.value, scope, VALUE_READ | UseFlag.shorthand);
}
