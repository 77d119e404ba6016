import type {
  ArrowFunctionExpression,
  Class,
  Comment as SourceComment,
  Expression,
  Function as FunctionNode,
  JSXElement,
  JSXFragment,
  Node,
  ParamPattern,
  Statement,
  TSSignature,
  TSType,
  TSTypeParameterDeclaration,
} from 'oxc-parser';
import type { FactsBuilder } from '../facts/facts-builder.ts';
import { Comment, CommentKind, DefinitionFlag, type Language, Metric, Scope, ScopeKind } from '../facts/facts.ts';

/** A node whose `type` is T. Intersections narrow the nodes that share one interface (classes, functions). */
export type NodeOf<T extends Node['type']> = Node & { type: T };

/** A function, method, accessor or arrow. */
export type FunctionLike = FunctionNode | ArrowFunctionExpression;

/** State of the function whose body is being read. The module has a frame too, whose measures are dropped. */
export interface Frame {
  definition: number;
  /** Context node of what it returns, or 0. */
  returns: number;
  cyclomatic: number;
  cognitive: number;
  /** Nesting of control structures here, and the deepest so far. */
  nesting: number;
  deepest: number;
}

/** The class whose body is being read: members a JavaScript constructor may add by assignment are not known before. */
interface ClassFrame {
  definition: number;
  members: Set<string>;
}

/**
 * One file being read. Each concern (types, patterns, statements, ...) lives in a file of its own and reaches the others
 * through `visit`. Nodes and contexts are offsets in the node pool, 0 for none.
 */
export interface Walk {
  readonly facts: FactsBuilder;
  readonly text: string;
  readonly language: Language;
  readonly comments: readonly SourceComment[];
  readonly moduleFrame: Frame;
  /** Every declaration of the file is visible outside its name space (declaration files). */
  readonly isAmbient: boolean;
  /** Scopes that a condition opened: nothing is declared there. */
  readonly flowScopes: Set<number>;
  frame: Frame;
  classFrame: ClassFrame | undefined;
  /** Inside a name space or ambient module, where `export` does not export from the file. */
  isInNamespace: boolean;
  readonly visit: Visitors;
}

/** Functions by which the concerns of extraction call each other. */
export interface Visitors {
  /** References of an expression; gives the node of its value. */
  expression(walk: Walk, node: Expression, scope: number, context?: number): number;
  /** As `expression`, for an expression that is called, written or otherwise used than read. */
  used(walk: Walk, node: Expression, scope: number, use: number): number;
  /** References of a type; gives its node. */
  type(walk: Walk, node: TSType, scope: number): number;
  typeParameters(walk: Walk, list: TSTypeParameterDeclaration | null | undefined, scope: number, owner: number): void;
  signature(walk: Walk, node: TSSignature, owner: number, scope: number): void;
  statement(walk: Walk, node: Statement, scope: number): void;
  /** Statements of a block or body, in their order. */
  block(walk: Walk, list: readonly Statement[], scope: number): void;
  parameters(walk: Walk, list: readonly ParamPattern[], scope: number, context: number): number[];
  function(walk: Walk, node: FunctionLike, scope: number, as: { definition: number; context: number }): void;
  class(walk: Walk, node: Class, scope: number, declared: Declared | undefined): number;
  jsx(walk: Walk, node: JSXElement | JSXFragment, scope: number): void;
}

/** Position of a declaration in its module. */
export interface Declared {
  /** Start of the whole statement: at `export`, `declare` or a decorator. */
  start: number;
  flags: number;
}

export function newFrame(definition: number, returns: number): Frame {
  return { definition, returns, cyclomatic: 1, cognitive: 0, nesting: 0, deepest: 0 };
}

/** The name that a property key gives, or undefined when only running the program would tell. */
export function keyName(key: Node): string | undefined {
  switch (key.type) {
    case 'Identifier':
      return key.name;
    case 'PrivateIdentifier':
      return `#${key.name}`;
    case 'Literal':
      return String(key.value);
    default:
      return undefined;
  }
}

/** The name of a key that may be computed: `[x]` has none, `['x']` is x. */
export function memberName(key: Node, isComputed: boolean): string | undefined {
  return isComputed && key.type !== 'Literal' ? undefined : keyName(key);
}

/** Longer texts tell no types apart. */
const LONGEST_LITERAL = 40;

/** A literal that can tell the types of a union apart, as JSON: a short string, a number or a boolean. */
export function literalText(node: Node): string | undefined {
  if (node.type !== 'Literal' || node.value === null || typeof node.value === 'object') return undefined;
  const text = typeof node.value === 'bigint' ? undefined : JSON.stringify(node.value);
  return text === undefined || text.length > LONGEST_LITERAL ? undefined : text;
}

/** Returns the start of the characters of a name: inside the quotes of a string. */
export function nameStart(key: Node): number {
  return key.type === 'Literal' && typeof key.value === 'string' ? key.start + 1 : key.start;
}

/** `DefinitionFlag.topLevel` for what is declared in this scope, outside any function. */
export function topLevelFlag(walk: Walk, scope: number): number {
  const isTop = walk.frame === walk.moduleFrame && walk.facts.scopes.get(scope, Scope.kind) === ScopeKind.module;
  return isTop ? DefinitionFlag.topLevel : 0;
}

/** The same for members: those of anything that is not inside a function. */
export function memberFlag(walk: Walk): number {
  return walk.frame === walk.moduleFrame ? DefinitionFlag.topLevel : 0;
}

/** Attaches the documentation comment that ends right before `start`, if there is one, to a definition. */
export function attachDocumentation(walk: Walk, definition: number, start: number): void {
  const index = lastCommentBefore(walk.comments, start);
  const comment = walk.comments[index];
  if (comment === undefined || walk.facts.comments.get(index, Comment.kind) !== CommentKind.documentation) return;
  for (let at = comment.end; at < start; at += 1) if (walk.text.charCodeAt(at) > 32) return;
  walk.facts.comments.set(index, Comment.definition, definition);
  walk.facts.amend(definition, 'docStart', comment.start);
  walk.facts.amend(definition, 'docEnd', comment.end);
}

/** Index of the last comment that ends at or before an offset, or -1. */
function lastCommentBefore(comments: readonly SourceComment[], offset: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Gives the measures of a function expression that was just read to the definition that names it. */
export function nameMetrics(walk: Walk, definition: number): void {
  const { metrics } = walk.facts;
  metrics.set(metrics.count - 1, Metric.definition, definition);
}

export function isFunctionExpression(node: Node | null): node is FunctionLike {
  return node !== null && (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression');
}
