import { NodeOp, Scope, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { memberNode } from '../walk/tree-define.ts';
import { READ, refer, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import { namesOfPattern } from './definitions.ts';
import { defineVariable } from '../walk/table-define.ts';
import { isType } from './types.ts';
import { at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { returns } from '../walk/tree-handlers.ts';

/**
 * Conditions in a row, as `if`, `guard` and `while` have them: `let name = value` binds in `scope` what its value holds,
 * `let name` alone the variable of that name, `case .some(let name) = value` a name inside of it.
 */
function conditions(walk: TableWalk, node: number, scope: number): void {
  const { tree, facts } = walk;
  let pending: number[] = [];
  let isCase = false;
  const bind = (value: number): void => {
    for (const name of pending) {
      if (!isCase && value === 0) {
        const outer = Math.max(facts.scopes.get(scope, Scope.parent), 0);
        refer(walk, name, outer, READ);
        value = facts.node(NodeOp.Identifier, facts.string(textOf(tree, name)), outer);
      }
      defineVariable(walk, name, scope, { value: isCase ? 0 : value });
    }
    [pending, isCase] = [[], false];
  };
  for (const child of childrenOf(tree, node)) {
    const field = tree.field[child];
    const text = CONDITION_TOKENS.has(textOf(tree, child)) ? textOf(tree, child) : '';
    if (is(walk, child, 'statements', 'else', 'if_statement')) break;
    if (field === Field.bound_identifier) {
      bind(0);
      pending = [child];
    } else if (field !== Field.condition) continue;
    else if (isCase && is(walk, child, 'pattern')) pattern(walk, child, scope, 0);
    else if (isCase && isCaseName(walk, child)) memberNode(walk, child, { receiver: 0, scope, flags: READ });
    else if (text === 'case') {
      bind(0);
      isCase = true;
    } else if (is(walk, child, 'pattern')) pending.push(...namesOfPattern(walk, child));
    else if (is(walk, child, 'value_binding_pattern')) {
      if (!isCase) bind(0);
    } else if (text === '')
      bind(isType(walk, child) ? typeOf(walk, child, scope) : boundValue(walk, child, scope, pending));
  }
  bind(0);
}

/** In `let name = name` the value is the name outside. */
function boundValue(walk: TableWalk, node: number, scope: number, names: readonly number[]): number {
  const isOuter = names.some((name) => textOf(walk.tree, name) === textOf(walk.tree, node));
  return visit(walk, node, isOuter ? Math.max(walk.facts.scopes.get(scope, Scope.parent), 0) : scope);
}

const CONDITION_TOKENS = new Set(['case', '.', ',', '(', ')', '=']);

/** The name in `case .some(...)`: nothing says what it is a member of. */
function isCaseName(walk: TableWalk, node: number): boolean {
  return is(walk, node, 'simple_identifier') && walk.tree.text[(walk.tree.start[node] ?? 0) - 1] === '.';
}

const branch: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  conditions(walk, node, inside);
  let isElse = false;
  for (const child of childrenOf(walk.tree, node)) {
    if (is(walk, child, 'else')) isElse = true;
    else if (is(walk, child, 'statements'))
      visitChildren(walk, child, walk.facts.scope(isElse ? scope : inside, ScopeKind.block));
    else if (is(walk, child, 'if_statement')) visit(walk, child, scope);
  }
  return 0;
};

/** Reads a `guard`: what it binds is known after it. */
const guard: TableHandler = (walk, node, scope) => {
  const body = first(walk, node, 'statements');
  visitChildren(walk, body, walk.facts.scope(scope, ScopeKind.block));
  conditions(walk, node, scope);
  return 0;
};

const forIn: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const source = visit(walk, at(walk, node, Field.collection), scope);
  const inside = facts.scope(scope, ScopeKind.block);
  const names = namesOfPattern(walk, at(walk, node, Field.item));
  const element = source === 0 ? 0 : facts.node(NodeOp.Element, source);
  names.forEach((name, index) => {
    const isOnly = names.length === 1 || element === 0;
    defineVariable(walk, name, inside, { value: isOnly ? element : facts.node(NodeOp.ElementAt, element, index) });
  });
  for (const child of childrenOf(tree, node)) {
    const field = tree.field[child];
    if (field !== Field.collection && field !== Field.item) visit(walk, child, inside);
  }
  return 0;
};

const switchOver: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const value = visit(walk, at(walk, node, Field.expr), scope);
  for (const entry of childrenOf(tree, node)) {
    if (!is(walk, entry, 'switch_entry')) continue;
    const inside = facts.scope(scope, ScopeKind.block);
    for (const child of childrenOf(tree, entry)) {
      if (is(walk, child, 'switch_pattern')) pattern(walk, child, inside, value);
      else visit(walk, child, inside);
    }
  }
  return 0;
};

/** `.taken(let x)`, `is Type`, `let x`, a value. */
function pattern(walk: TableWalk, node: number, scope: number, value: number): void {
  const { tree } = walk;
  for (const child of childrenOf(tree, node)) {
    if (is(walk, child, 'pattern')) pattern(walk, child, scope, value);
    else if (tree.field[child] === Field.bound_identifier) defineVariable(walk, child, scope, { value: 0 });
    else if (isCaseName(walk, child)) {
      memberNode(walk, child, { receiver: value, scope, flags: READ });
    } else if (isType(walk, child)) {
      typeOf(walk, child, scope);
    } else if (is(walk, child, 'simple_identifier')) defineVariable(walk, child, scope, { value: 0 });
    else if (!is(walk, child, 'value_binding_pattern')) visit(walk, child, scope);
  }
}

/** The error is called `error` unless the block names it. */
const caught: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  for (const child of childrenOf(walk.tree, node)) {
    if (is(walk, child, 'pattern')) pattern(walk, child, inside, 0);
    else visit(walk, child, inside);
  }
  return 0;
};

const transfer: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const word = textOf(tree, node).split(/\s/, 1)[0];
  // Names of labels are no names of anything else.
  if (word === 'break' || word === 'continue') return 0;
  for (const child of childrenOf(tree, node)) {
    const value = visit(walk, child, scope);
    if (word === 'return' && tree.field[child] === Field.result) returns(walk, value);
  }
  return 0;
};

/** Handlers of statements in Swift, by type of node. */
export const SWIFT_STATEMENTS: Readonly<Record<string, TableHandler>> = {
  if_statement: branch,
  while_statement: branch,
  guard_statement: guard,
  for_statement: forIn,
  switch_statement: switchOver,
  catch_block: caught,
  control_transfer_statement: transfer,
};
