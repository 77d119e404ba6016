import { NodeOp, ScopeKind } from '../facts/facts.ts';
import { childIn, childOf, childrenOf, Field, textOf } from '../walk/tree.ts';
import { sameFor, skip, typeOf, visit } from '../walk/tree-walk.ts';
import { Kind, type RustHandler, type RustWalk } from './walk.ts';
import { bindPattern, patternNames } from './patterns.ts';
import { returned } from '../walk/tree-handlers.ts';

/** Values of a `match` or block that are enough to tell its type. */
const MOST_VALUES = 4;

/** A block gives its last expression. */
function block(walk: RustWalk, node: number, scope: number): number {
  return readStatements(walk, node, walk.facts.scope(scope, ScopeKind.block));
}

/** Reads the statements of a block in a scope. A `let` that declares a name again starts a scope of its own. */
export function readStatements(walk: RustWalk, node: number, scope: number): number {
  const { tree } = walk;
  let inside = scope;
  let value = 0;
  for (const statement of childrenOf(tree, node)) {
    if (tree.kind[statement] === Kind.let_declaration) {
      inside = readLet(walk, statement, inside);
      value = 0;
    } else value = visit(walk, statement, inside);
  }
  return tree.kind[tree.last[node] ?? 0] === Kind.expression_statement ? 0 : value;
}

function readLet(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const pattern = childIn(tree, node, Field.pattern);
  const declared = childIn(tree, node, Field.type);
  const declaredType = typeOf(walk, declared, scope);
  const value = visit(walk, childIn(tree, node, Field.value), scope);
  // `Vec<_>` leaves to the value what it holds.
  const type = value !== 0 && mentions(textOf(tree, declared), '_') ? 0 : declaredType;
  visit(walk, childIn(tree, node, Field.alternative), scope);
  const locals = walk.locals.get(scope);
  const given = tree.text.slice(tree.end[pattern], tree.end[node]);
  const isShadowing = patternNames(walk, pattern).some((name) => locals?.has(name) === true || mentions(given, name));
  const inside = isShadowing ? facts.scope(scope, ScopeKind.block) : scope;
  bindPattern(walk, pattern, inside, { value, type });
  return inside;
}

/** True if a text has a name as a word of its own. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '')) return true;
  return false;
}

/** `let pattern = value` as a condition: its names hold where the condition does. */
function letCondition(walk: RustWalk, node: number, scope: number): number {
  const pattern = childIn(walk.tree, node, Field.pattern);
  const outer = walk.pending;
  walk.pending = { scope, names: new Set(patternNames(walk, pattern)) };
  const value = visit(walk, childIn(walk.tree, node, Field.value), scope);
  walk.pending = outer;
  bindPattern(walk, pattern, scope, { value, type: 0 });
  return 0;
}

function ifExpression(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  visit(walk, childIn(tree, node, Field.condition), inside);
  const yes = visit(walk, childIn(tree, node, Field.consequence), inside);
  const otherwise = childIn(tree, node, Field.alternative);
  if (otherwise === 0) return 0;
  const no = visit(walk, tree.first[otherwise] ?? 0, scope);
  return facts.node(NodeOp.Either, [yes, no]);
}

function whileExpression(walk: RustWalk, node: number, scope: number): number {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  visit(walk, childIn(walk.tree, node, Field.condition), inside);
  visit(walk, childIn(walk.tree, node, Field.body), inside);
  return 0;
}

function forExpression(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  const source = visit(walk, childIn(tree, node, Field.value), scope);
  const value = source === 0 ? 0 : facts.node(NodeOp.Element, source);
  bindPattern(walk, childIn(tree, node, Field.pattern), inside, { value, type: 0 });
  visit(walk, childIn(tree, node, Field.body), inside);
  return 0;
}

function matchExpression(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const value = visit(walk, childIn(tree, node, Field.value), scope);
  const results: number[] = [];
  for (const arm of childrenOf(tree, childIn(tree, node, Field.body))) {
    const inside = facts.scope(scope, ScopeKind.block);
    for (const child of childrenOf(tree, arm)) {
      if (tree.kind[child] === Kind.match_pattern) matchPattern(walk, child, inside, value);
      else if (tree.field[child] === Field.value) results.push(visit(walk, child, inside));
      else visit(walk, child, inside);
    }
  }
  const values = results.filter((result) => result !== 0).slice(0, MOST_VALUES);
  return values.length === 0 ? 0 : facts.node(NodeOp.Either, values);
}

function matchPattern(walk: RustWalk, node: number, scope: number, value: number): void {
  for (const child of childrenOf(walk.tree, node)) {
    if (walk.tree.field[child] === Field.condition) visit(walk, child, scope);
    else bindPattern(walk, child, scope, { value, type: 0 });
  }
}

/** `break 'label value`: the label is no name. */
function leave(walk: RustWalk, node: number, scope: number): number {
  const label = childOf(walk.tree, node, Kind.label);
  for (const child of childrenOf(walk.tree, node)) if (child !== label) visit(walk, child, scope);
  return 0;
}

/** Handlers of statements and the expressions that hold blocks, by kind of node. */
export const RUST_STATEMENTS: Partial<Record<keyof typeof Kind, RustHandler>> = {
  block,
  let_condition: letCondition,
  if_expression: ifExpression,
  while_expression: whileExpression,
  for_expression: forExpression,
  match_expression: matchExpression,
  return_expression: returned,
  break_expression: leave,
  continue_expression: leave,
  ...sameFor('label lifetime visibility_modifier', skip),
};
