import { DefinitionFlag, DefinitionKind, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineNode, memberNode } from '../walk/tree-define.ts';
import { nameOf, refer, referBound, sameFor, typeOf, visit, WRITE } from '../walk/tree-walk.ts';
import { type GoHandler, type GoWalk, Kind, localsOf } from './walk.ts';
import { inBlock, returns, valuesOf } from '../walk/tree-handlers.ts';

function shortDeclaration(walk: GoWalk, node: number, scope: number): number {
  const left = childrenOf(walk.tree, childIn(walk.tree, node, Field.left));
  const right = childIn(walk.tree, node, Field.right);
  const values = beforeDeclared(walk, left, scope, () => assignedValues(walk, right, left.length, scope));
  left.forEach((name, position) => declareLocal(walk, name, scope, values[position] ?? 0));
  return 0;
}

/** Reads what a declaration in a scope is made of: there, the names that it declares still mean what is outside. */
export function beforeDeclared<T>(walk: GoWalk, left: readonly number[], scope: number, read: () => T): T {
  const locals = localsOf(walk, scope);
  const outer = walk.pending;
  const names = left.map((name) => textOf(walk.tree, name)).filter((name) => !locals.has(name));
  walk.pending = { scope, names: new Set(names), outer };
  const made = read();
  walk.pending = outer;
  return made;
}

/** Returns the value that each of `count` names on the left is given. One call may give a value to all of them. */
export function assignedValues(walk: GoWalk, right: number, count: number, scope: number): number[] {
  const { tree, facts } = walk;
  const nodes = tree.kind[right] === Kind.expression_list ? childrenOf(tree, right) : right === 0 ? [] : [right];
  const values = nodes.map((node) => visit(walk, node, scope));
  const [only = 0] = values;
  if (values.length !== 1 || count === 1 || only === 0) return values;
  // `value, ok := m[key]` and the like give the value first; a call gives a tuple.
  if (tree.kind[nodes[0] ?? 0] !== Kind.call_expression) return values;
  return Array.from({ length: count }, (_, position) => facts.node(NodeOp.ElementAt, only, position));
}

/** `:=` declares the names that the block does not have, and assigns to the others. */
function declareLocal(walk: GoWalk, name: number, scope: number, value: number): void {
  const { tree } = walk;
  if (tree.kind[name] !== Kind.identifier) {
    visit(walk, name, scope);
    return;
  }
  const text = textOf(tree, name);
  if (text === '_') return;
  const locals = localsOf(walk, scope);
  const earlier = locals.get(text);
  if (earlier !== undefined) {
    referBound(walk, name, earlier, WRITE);
    return;
  }
  locals.set(
    text,
    defineNode(walk, name, { kind: DefinitionKind.variable, flags: DefinitionFlag.value, scope, value }),
  );
}

function assignment(walk: GoWalk, node: number, scope: number): number {
  const { tree } = walk;
  visit(walk, childIn(tree, node, Field.right), scope);
  for (const target of childrenOf(tree, childIn(tree, node, Field.left))) assign(walk, target, scope);
  return 0;
}

function assign(walk: GoWalk, target: number, scope: number): void {
  const { tree } = walk;
  if (tree.kind[target] === Kind.identifier) {
    if (textOf(tree, target) !== '_') refer(walk, target, scope, WRITE);
  } else if (tree.kind[target] === Kind.selector_expression) {
    const receiver = visit(walk, childIn(tree, target, Field.operand), scope);
    memberNode(walk, childIn(tree, target, Field.field), { receiver, scope, flags: WRITE });
  } else visit(walk, target, scope);
}

function increment(walk: GoWalk, node: number, scope: number): number {
  for (const target of childrenOf(walk.tree, node)) assign(walk, target, scope);
  return 0;
}

/** `for position, element := range sequence`. */
function rangeClause(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const isDeclaration = childOf(tree, node, Kind['":="']) !== 0;
  const left = childrenOf(tree, childIn(tree, node, Field.left));
  const right = childIn(tree, node, Field.right);
  const source = beforeDeclared(walk, isDeclaration ? left : [], scope, () => visit(walk, right, scope));
  left.forEach((name, position) => {
    const value = position === 1 && source !== 0 ? facts.node(NodeOp.Element, source) : 0;
    if (isDeclaration) declareLocal(walk, name, scope, value);
    else assign(walk, name, scope);
  });
  return 0;
}

function receive(walk: GoWalk, node: number, scope: number): number {
  const { tree } = walk;
  const isDeclaration = childOf(tree, node, Kind['":="']) !== 0;
  const left = childrenOf(tree, childIn(tree, node, Field.left));
  const right = childIn(tree, node, Field.right);
  const value = beforeDeclared(walk, isDeclaration ? left : [], scope, () => visit(walk, right, scope));
  left.forEach((name, position) => {
    if (isDeclaration) declareLocal(walk, name, scope, position === 0 ? value : 0);
    else assign(walk, name, scope);
  });
  return 0;
}

/** `switch name := value.(type)`: in a case of one type, the name has that type. */
function typeSwitch(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  visit(walk, childIn(tree, node, Field.initializer), inside);
  const [alias = 0] = childrenOf(tree, childIn(tree, node, Field.alias));
  const switched = childIn(tree, node, Field.value);
  const value = beforeDeclared(walk, alias === 0 ? [] : [alias], inside, () => visit(walk, switched, inside));
  if (alias !== 0) declareLocal(walk, alias, inside, value);
  for (const clause of childrenOf(tree, node)) {
    if (tree.kind[clause] === Kind.default_case) inBlock(walk, clause, inside);
    if (tree.kind[clause] !== Kind.type_case) continue;
    const block = facts.scope(inside, ScopeKind.block);
    const types = childrenIn(tree, clause, Field.type).map((child) => typeOf(walk, child, inside));
    const [only = 0] = types;
    if (alias !== 0 && types.length === 1 && only !== 0) facts.narrowings.add(block, nameOf(walk, alias), only);
    for (const child of childrenOf(tree, clause)) if (tree.field[child] !== Field.type) visit(walk, child, block);
  }
  return 0;
}

function readReturn(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const values = valuesOf(walk, tree.first[node] ?? 0, scope);
  const [first = 0] = values;
  const value = values.length > 1 ? facts.node(NodeOp.TupleLiteral, values) : first;
  returns(walk, value);
  return 0;
}

/** Handlers of statements, by kind of node. */
export const GO_STATEMENTS: Partial<Record<keyof typeof Kind, GoHandler>> = {
  ...sameFor(
    'block if_statement for_statement expression_switch_statement select_statement expression_case communication_case default_case',
    inBlock,
  ),
  type_switch_statement: typeSwitch,
  short_var_declaration: shortDeclaration,
  assignment_statement: assignment,
  inc_statement: increment,
  dec_statement: increment,
  range_clause: rangeClause,
  receive_statement: receive,
  return_statement: readReturn,
};
