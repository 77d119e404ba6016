import type { AssignmentExpression, Expression } from 'oxc-parser';
import { DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind, Definition, UseFlag } from '../facts/facts.ts';
import { addMetrics } from './metrics.ts';
import { readAnnotation } from './types.ts';
import {
  attachDocumentation,
  type FunctionLike,
  isFunctionExpression,
  memberFlag,
  newFrame,
  type Walk,
} from './walk.ts';

/**
 * Reads a function into its definition: parameters, result, body, measures. `context` is the node of the function type
 * that is expected here, 0 for none.
 */
export function readFunction(
  walk: Walk,
  node: FunctionLike,
  scope: number,
  as: { definition: number; context: number },
): void {
  const { facts, visit } = walk;
  const { definition, context } = as;
  const inside = facts.scope(scope, ScopeKind.function, definition);
  visit.typeParameters(walk, node.typeParameters, inside, definition);
  for (const parameter of visit.parameters(walk, node.params, inside, context))
    facts.facet(definition, Facet.parameter, parameter);
  const result = readAnnotation(walk, node.returnType, inside);
  facts.amend(definition, 'type', result);
  facts.amend(definition, 'bodyScope', inside);
  addFlags(walk, definition, functionFlags(node));
  if (node.body === null) return;
  facts.amend(definition, 'head', node.body.start);
  const outer = walk.frame;
  walk.frame = newFrame(definition, returnContext(walk, node.async, result, context));
  readBody(walk, node, inside);
  addMetrics(walk, walk.frame, node.params.length);
  walk.frame = outer;
}

function readBody(walk: Walk, { body }: FunctionLike, scope: number): void {
  if (body === null) return;
  if (body.type === 'BlockStatement') {
    walk.visit.block(walk, body.body, scope);
    return;
  }
  const { frame } = walk;
  const value = walk.visit.expression(walk, body, scope, frame.returns);
  if (value !== 0) walk.facts.facet(frame.definition, Facet.returned, value);
}

/** Returns the context node of a returned expression: what it is expected to be. */
function returnContext({ facts }: Walk, isAsync: boolean, result: number, context: number): number {
  if (result === 0) return context === 0 ? 0 : facts.node(NodeOp.ContextResult, context);
  return facts.node(NodeOp.ContextType, isAsync ? facts.node(NodeOp.AwaitedType, result) : result);
}

function functionFlags({ async, generator, body }: FunctionLike): number {
  const isAsync = async ? DefinitionFlag.async : 0;
  const isGenerator = generator ? DefinitionFlag.generator : 0;
  return isAsync | isGenerator | (body === null ? 0 : DefinitionFlag.callable);
}

export function addFlags({ facts }: Walk, definition: number, flags: number): void {
  facts.amend(definition, 'flags', facts.definitions.get(definition, Definition.flags) | flags);
}

/** A function without a definition of its own: an expression. Gives the node of its value. */
export function readFunctionExpression(walk: Walk, node: FunctionLike, scope: number, context: number): number {
  const { facts } = walk;
  const around = node.id === null ? scope : facts.scope(scope, ScopeKind.block);
  const definition = facts.define({
    name: node.id?.name ?? '',
    kind: DefinitionKind.function,
    flags: DefinitionFlag.value,
    nameStart: node.id?.start ?? -1,
    start: node.start,
    end: node.end,
    scope: node.id === null ? -1 : around,
  });
  readFunction(walk, node, around, { definition, context });
  return facts.node(NodeOp.FunctionValue, definition);
}

/**
 * `Parser.prototype.read = function () {}` and `app.handle = function () {}` name their function: a method of the class that is
 * written so, or a function. Gives the node of the value; undefined for anything else, and for arrows of one line.
 */
export function readAssignedFunction(walk: Walk, node: AssignmentExpression, scope: number): number | undefined {
  const { left, right } = node;
  if (node.operator !== '=' || left.type !== 'MemberExpression' || !isFunctionExpression(right)) return undefined;
  const name = propertyOf(left);
  const isShort = right.type === 'ArrowFunctionExpression' && !walk.text.slice(right.start, right.end).includes('\n');
  if (name === undefined || left.object.type === 'ThisExpression' || right.id !== null || isShort) return undefined;
  const { facts, visit } = walk;
  const isMethod = propertyOf(left.object) === 'prototype';
  // In JavaScript this is the declaration. TypeScript declares elsewhere what is assigned to.
  const isDeclared = !isMethod && walk.language !== 'javascript';
  const target = isDeclared ? visit.used(walk, left, scope, UseFlag.value | UseFlag.write) : 0;
  if (!isDeclared) visit.expression(walk, left.object, scope);
  const definition = facts.define({
    name,
    kind: isMethod ? DefinitionKind.method : DefinitionKind.function,
    flags: DefinitionFlag.value | memberFlag(walk),
    nameStart: left.property.start,
    start: node.start,
    end: node.end,
    scope: -1,
  });
  attachDocumentation(walk, definition, node.start);
  const holder = nameOfHolder(left.object);
  if (holder !== undefined)
    facts.facet(definition, Facet.receiver, facts.node(NodeOp.TypeName, scope, [facts.string(holder)], []));
  const context = target === 0 ? 0 : facts.node(NodeOp.ContextOf, target);
  readFunction(walk, right, scope, { definition, context });
  return facts.node(NodeOp.FunctionValue, definition);
}

/** The name of the property that an expression reads, without running anything. */
function propertyOf(node: Expression): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  return node.property.name;
}

/** The last name of what a function is assigned to: of `Parser.prototype` that of the class. */
function nameOfHolder(node: Expression): string | undefined {
  if (node.type === 'Identifier') return node.name;
  const name = propertyOf(node);
  return name === 'prototype' && node.type === 'MemberExpression' ? nameOfHolder(node.object) : name;
}
