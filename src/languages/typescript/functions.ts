import { DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind, Definition } from '../facts/facts.ts';
import { addMetrics } from './metrics.ts';
import { readAnnotation } from './types.ts';
import { type FunctionLike, newFrame, type Walk } from './walk.ts';

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

/** What a returned expression is expected to be. */
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
