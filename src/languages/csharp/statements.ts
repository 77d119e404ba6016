import { DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { READ, sameFor, skip, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import { memberNode } from '../walk/tree-define.ts';
import { defineVariable } from '../walk/table-define.ts';
import { attributes } from './types.ts';
import { construct, lambda } from './expressions.ts';
import { all, at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { anyOf, inBlock, returned } from '../walk/tree-handlers.ts';

/** `T a = x, b = new()`, `var (a, b) = x`: gives each name with its type and value. */
export function readDeclarators(
  walk: TableWalk,
  node: number,
  scope: number,
  declare: (name: number, declared: { type: number; value: number; around: number }) => void,
): void {
  const { tree } = walk;
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  for (const declarator of all(walk, node, 'variable_declarator')) {
    const [name = 0, ...rest] = childrenOf(tree, declarator);
    const written = rest.find((child) => !is(walk, child, 'bracketed_argument_list')) ?? 0;
    // `fixed byte buffer[LENGTH]`.
    for (const size of all(walk, declarator, 'bracketed_argument_list')) visit(walk, size, scope);
    const value = valueOf(walk, written, scope, type);
    if (!is(walk, name, 'tuple_pattern')) declare(name, { type, value, around: declarator });
    else
      for (const part of tupleNames(walk, name, value))
        declare(part.name, { type: 0, value: part.value, around: part.name });
  }
}

/** The names of `(a, (b, c))`, each with its part of the value. */
function tupleNames(walk: TableWalk, tuple: number, value: number): { name: number; value: number }[] {
  return childrenOf(walk.tree, tuple).flatMap((name, index) => {
    const part = value === 0 ? 0 : walk.facts.node(NodeOp.ElementAt, value, index);
    if (is(walk, name, 'tuple_pattern')) return tupleNames(walk, name, part);
    return is(walk, name, 'identifier') ? [{ name, value: part }] : [];
  });
}

/** A value in a place that has a type: `new()` makes one of it, and a lambda takes what it says. */
export function valueOf(walk: TableWalk, node: number, scope: number, type: number): number {
  if (is(walk, node, 'lambda_expression') && type !== 0)
    return lambda(walk, node, scope, { context: walk.facts.node(NodeOp.ContextType, type), element: 0 });
  if (is(walk, node, 'implicit_object_creation_expression')) return construct(walk, node, scope, { type, name: 0 });
  return visit(walk, node, scope);
}

const variables: TableHandler = (walk, node, scope) => {
  readDeclarators(walk, node, scope, (name, declared) => {
    if (is(walk, name, 'identifier')) defineVariable(walk, name, scope, declared);
  });
  return 0;
};

const forEach: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const source = visit(walk, at(walk, node, Field.right), scope);
  const value = source === 0 ? 0 : facts.node(NodeOp.Element, source);
  const left = at(walk, node, Field.left);
  const names = is(walk, left, 'identifier') ? [left] : all(walk, left, 'identifier');
  names.forEach((name, index) => {
    const part = names.length === 1 || value === 0 ? value : facts.node(NodeOp.ElementAt, value, index);
    defineVariable(walk, name, inside, { type: names.length === 1 ? type : 0, value: part });
  });
  if (is(walk, left, 'tuple_expression', 'declaration_expression')) visit(walk, left, inside);
  visit(walk, at(walk, node, Field.body), inside);
  for (const child of childrenOf(tree, node))
    if (tree.field[child] === 0 && !is(walk, child, 'block')) visit(walk, child, inside);
  return 0;
};

const caught: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  const declaration = first(walk, node, 'catch_declaration');
  const type = typeOf(walk, at(walk, declaration, Field.type), scope);
  const name = at(walk, declaration, Field.name);
  if (name !== 0) defineVariable(walk, name, inside, { around: declaration, type });
  for (const child of childrenOf(walk.tree, node)) if (child !== declaration) visit(walk, child, inside);
  return 0;
};

/** A pattern tests `value`, and binds what it names. A name alone is a constant or a type. */
function readPattern(walk: TableWalk, node: number, scope: number, value: number): void {
  const { facts, tree } = walk;
  if (is(walk, node, 'declaration_pattern', 'recursive_pattern', 'var_pattern')) {
    const type = typeOf(walk, at(walk, node, Field.type), scope);
    const held = type === 0 ? value : facts.node(NodeOp.Typed, type);
    for (const clause of all(walk, node, 'property_pattern_clause'))
      for (const child of all(walk, clause, 'subpattern')) subpattern(walk, child, scope, held);
    for (const clause of all(walk, node, 'positional_pattern_clause'))
      for (const child of all(walk, clause, 'subpattern'))
        for (const inner of childrenOf(tree, child)) readPattern(walk, inner, scope, 0);
    const name = at(walk, node, Field.name) || (is(walk, node, 'var_pattern') ? (tree.first[node] ?? 0) : 0);
    if (is(walk, name, 'identifier') && textOf(tree, name) !== '_')
      defineVariable(walk, name, scope, { around: node, type, value: held });
  } else if (PATTERNS.some((pattern) => is(walk, node, pattern)))
    for (const child of childrenOf(tree, node)) readPattern(walk, child, scope, value);
  else if (is(walk, node, 'type_pattern')) typeOf(walk, at(walk, node, Field.type), scope);
  else if (is(walk, node, 'generic_name', 'qualified_name', 'predefined_type', 'array_type')) typeOf(walk, node, scope);
  else visit(walk, node, scope);
}

/** Patterns that hold others and declare nothing. */
export const PATTERNS = [
  'constant_pattern',
  'negated_pattern',
  'and_pattern',
  'or_pattern',
  'parenthesized_pattern',
  'relational_pattern',
  'list_pattern',
];

/** `A: pattern`, `A.B: pattern`. */
function subpattern(walk: TableWalk, node: number, scope: number, receiver: number): void {
  const [name = 0, ...rest] = childrenOf(walk.tree, node);
  let value = receiver;
  if (is(walk, name, 'identifier')) value = memberNode(walk, name, { receiver, scope, flags: READ });
  else visit(walk, name, scope);
  for (const child of rest) readPattern(walk, child, scope, value);
}

const isPattern: TableHandler = (walk, node, scope) => {
  const value = visit(walk, walk.tree.first[node] ?? 0, scope);
  readPattern(walk, at(walk, node, Field.pattern), scope, value);
  return 0;
};

const switchOver: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const value = visit(walk, at(walk, node, Field.value) || (tree.first[node] ?? 0), scope);
  const isExpression = is(walk, node, 'switch_expression');
  const sections = isExpression
    ? all(walk, node, 'switch_expression_arm')
    : childrenOf(tree, at(walk, node, Field.body));
  const results: number[] = [];
  for (const section of sections) {
    const inside = facts.scope(scope, ScopeKind.block);
    const children = childrenOf(tree, section);
    children.forEach((child, index) => {
      const isLabel = isExpression ? index === 0 : isPatternNode(walk, child);
      if (isLabel) readPattern(walk, child, inside, value);
      else {
        const result = visit(walk, child, inside);
        if (isExpression && index === children.length - 1) results.push(result);
      }
    });
  }
  return anyOf(walk, results);
};

function isPatternNode(walk: TableWalk, node: number): boolean {
  return (
    PATTERNS.some((pattern) => is(walk, node, pattern)) ||
    is(walk, node, 'declaration_pattern', 'recursive_pattern', 'var_pattern', 'type_pattern')
  );
}

const yielded: TableHandler = (walk, node, scope) => {
  const value = visit(walk, walk.tree.first[node] ?? 0, scope);
  const isReturned = value !== 0 && walk.current !== -1;
  if (isReturned) walk.facts.facet(walk.current, Facet.returned, walk.facts.node(NodeOp.ArrayLiteral, [value]));
  return 0;
};

/** Names of labels are no names of anything else. */
const labelled: TableHandler = (walk, node, scope) => {
  for (const child of childrenOf(walk.tree, node)) if (!is(walk, child, 'identifier')) visit(walk, child, scope);
  return 0;
};

/** Handlers of statements in C#, by type of node. */
export const CSHARP_STATEMENTS: Readonly<Record<string, TableHandler>> = {
  ...sameFor('block for_statement using_statement fixed_statement', inBlock),
  variable_declaration: variables,
  foreach_statement: forEach,
  catch_clause: caught,
  is_pattern_expression: isPattern,
  switch_statement: switchOver,
  switch_expression: switchOver,
  return_statement: returned,
  yield_statement: yielded,
  labeled_statement: labelled,
  goto_statement: (walk, node, scope) =>
    /^goto\s+case\b/.test(textOf(walk.tree, node)) ? visitChildren(walk, node, scope) : 0,
  arrow_expression_clause: (walk, node, scope) => visit(walk, walk.tree.first[node] ?? 0, scope),
  modifier: skip,
  attribute_list: attributes,
  global_attribute: attributes,
};

/** Returns the kind of a field in facts. A constant declares itself as one, or never changes and belongs to its type. */
export const fieldKind = (isConstant: boolean): number =>
  isConstant ? DefinitionKind.constant : DefinitionKind.property;
