import { DefinitionFlag, Facet, Definition, ExportHow, NodeOp, ScopeKind, UseFlag } from '../facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from './tree.ts';
import { accessMember, nameOf, refer, skip, typeOf, visit, visitChildren } from './tree-walk.ts';
import { bind, Kind, type PythonHandler, type PythonWalk, READ, WRITE } from './python-walk.ts';
import { bindTarget } from './python-targets.ts';
import { namedType, namedTypes } from './python-types.ts';

function assignment(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const targets = [childIn(tree, node, Field.left)];
  const annotation = childIn(tree, node, Field.type);
  const type = typeOf(walk, annotation, scope);
  let right = childIn(tree, node, Field.right);
  for (; tree.kind[right] === Kind.assignment; right = childIn(tree, right, Field.right)) {
    targets.push(childIn(tree, right, Field.left));
  }
  const value = visit(walk, right, scope);
  if (scope === 0 && targets.some((target) => isAll(walk, target))) exportNames(walk, right);
  // `X: TypeAlias = C` says what X stands for, not what type it has.
  const isAlias = type !== 0 && /(^|\.)TypeAlias$/.test(textOf(tree, annotation));
  for (const target of targets) bindTarget(walk, target, scope, { value, type: isAlias ? 0 : type });
  return 0;
}

function isAll(walk: PythonWalk, target: number): boolean {
  return walk.tree.kind[target] === Kind.identifier && textOf(walk.tree, target) === '__all__';
}

/** The strings of `__all__` are exports, and each is a use of its name. */
function exportNames(walk: PythonWalk, list: number): void {
  const { tree, facts } = walk;
  walk.all ??= new Set();
  for (const one of childrenOf(tree, list)) {
    if (tree.kind[one] === Kind.list || tree.kind[one] === Kind.tuple) exportNames(walk, one);
    const content = tree.kind[one] === Kind.string ? childOf(tree, one, Kind.string_content) : 0;
    if (content === 0) continue;
    walk.all.add(textOf(tree, content));
    refer(walk, content, 0, UseFlag.value | UseFlag.type | UseFlag.export);
    facts.exports.add(nameOf(walk, content), ExportHow.named, 0, nameOf(walk, content), tree.start[content] ?? 0);
  }
}

/** `x += value` reads and writes x; it is noted as a write. */
function augmentedAssignment(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const left = childIn(tree, node, Field.left);
  const right = childIn(tree, node, Field.right);
  visit(walk, right, scope);
  if (scope === 0 && isAll(walk, left)) exportNames(walk, right);
  if (tree.kind[left] === Kind.identifier) refer(walk, left, scope, WRITE);
  else if (tree.kind[left] === Kind.attribute) {
    const receiver = visit(walk, childIn(tree, left, Field.object), scope);
    accessMember(walk, childIn(tree, left, Field.attribute), { receiver, scope, flags: WRITE });
  } else visit(walk, left, scope);
  return 0;
}

function ifStatement(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  guardedBlock(walk, node, scope);
  for (const other of childrenIn(tree, node, Field.alternative)) {
    if (tree.kind[other] === Kind.elif_clause) guardedBlock(walk, other, scope);
    else visitChildren(walk, other, scope);
  }
  return 0;
}

function guardedBlock(walk: PythonWalk, node: number, scope: number): void {
  const condition = childIn(walk.tree, node, Field.condition);
  visit(walk, condition, scope);
  const body = childIn(walk.tree, node, Field.consequence);
  const tests = instanceTests(walk, condition);
  const inside = tests.length === 0 ? scope : walk.facts.scope(scope, ScopeKind.block);
  for (const [name, classes] of tests)
    walk.facts.narrowings.add(inside, nameOf(walk, name), namedTypes(walk, classes, scope));
  visit(walk, body, inside);
}

/** The names that a condition tests with `isinstance`, with their classes: alone or joined by `and`. */
function instanceTests(walk: PythonWalk, condition: number): [name: number, classes: number][] {
  const { tree } = walk;
  if (tree.kind[condition] === Kind.parenthesized_expression) return instanceTests(walk, tree.first[condition] ?? 0);
  if (tree.kind[condition] === Kind.boolean_operator) {
    if (tree.kind[childIn(tree, condition, Field.operator)] !== Kind['"and"']) return [];
    const [left, right] = [childIn(tree, condition, Field.left), childIn(tree, condition, Field.right)];
    return [...instanceTests(walk, left), ...instanceTests(walk, right)];
  }
  if (tree.kind[condition] !== Kind.call || textOf(tree, childIn(tree, condition, Field.function)) !== 'isinstance')
    return [];
  const [name = 0, classes = 0, more = 0] = childrenOf(tree, childIn(tree, condition, Field.arguments));
  return classes !== 0 && more === 0 && tree.kind[name] === Kind.identifier ? [[name, classes]] : [];
}

/** `assert isinstance(x, C)` holds for the rest of the block, which is read in a scope of its own. */
function statements(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  let inside = scope;
  for (const statement of childrenOf(tree, node)) {
    visit(walk, statement, inside);
    const tests = tree.kind[statement] === Kind.assert_statement ? instanceTests(walk, tree.first[statement] ?? 0) : [];
    if (tests.length > 0) inside = facts.scope(inside, ScopeKind.block);
    for (const [name, classes] of tests)
      facts.narrowings.add(inside, nameOf(walk, name), namedTypes(walk, classes, inside));
  }
  return 0;
}

function forStatement(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const source = visit(walk, childIn(tree, node, Field.right), scope);
  const value = source === 0 ? 0 : facts.node(NodeOp.Element, source);
  bindTarget(walk, childIn(tree, node, Field.left), scope, { value, type: 0 });
  visit(walk, childIn(tree, node, Field.body), scope);
  visitChildren(walk, childIn(tree, node, Field.alternative), scope);
  return 0;
}

function withStatement(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  for (const item of childrenOf(tree, childOf(tree, node, Kind.with_clause))) {
    const value = childIn(tree, item, Field.value);
    withItem(walk, value === 0 ? item : value, scope);
  }
  visit(walk, childIn(tree, node, Field.body), scope);
  return 0;
}

function withItem(walk: PythonWalk, node: number, scope: number): void {
  const { tree, facts } = walk;
  if (tree.kind[node] !== Kind.as_pattern) {
    visit(walk, node, scope);
    return;
  }
  const manager = visit(walk, tree.first[node] ?? 0, scope);
  const value = manager === 0 ? 0 : facts.node(NodeOp.Enter, manager);
  bindTarget(walk, childIn(tree, node, Field.alias), scope, { value, type: 0 });
}

function exceptClause(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  let value = childIn(tree, node, Field.value);
  let alias = childIn(tree, node, Field.alias);
  if (tree.kind[value] === Kind.as_pattern) {
    alias = childIn(tree, value, Field.alias);
    value = tree.first[value] ?? 0;
  }
  visit(walk, value, scope);
  const type = namedTypes(walk, value, scope);
  if (alias !== 0) bindTarget(walk, alias, scope, { value: type === 0 ? 0 : facts.node(NodeOp.Typed, type), type: 0 });
  visit(walk, childOf(tree, node, Kind.block), scope);
  return 0;
}

function returned(walk: PythonWalk, node: number, scope: number): number {
  const value = visit(walk, walk.tree.first[node] ?? 0, scope);
  if (value !== 0 && walk.current !== undefined) walk.facts.facet(walk.current.definition, Facet.returned, value);
  return 0;
}

function globalNames(walk: PythonWalk, node: number, scope: number): number {
  const isGlobal = walk.tree.kind[node] === Kind.global_statement;
  for (const name of childrenOf(walk.tree, node)) refer(walk, name, isGlobal ? 0 : scope, READ);
  return 0;
}

function caseClause(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  for (const child of childrenOf(tree, node)) {
    if (tree.kind[child] === Kind.case_pattern) bindPattern(walk, child, scope);
    else visit(walk, child, scope);
  }
  return 0;
}

function bindPattern(walk: PythonWalk, node: number, scope: number): void {
  const { tree } = walk;
  const children = childrenOf(tree, node);
  const [first = 0, ...rest] = children;
  switch (tree.kind[node]) {
    case Kind.identifier:
      if (textOf(tree, node) !== '_') bind(walk, node, scope, { value: 0, type: 0 });
      return;
    case Kind.dotted_name:
      if (children.length === 1) bindPattern(walk, first, scope);
      else dottedValue(walk, node, scope);
      return;
    case Kind.class_pattern:
      dottedValue(walk, first, scope);
      for (const one of rest) bindPattern(walk, one, scope);
      return;
    case Kind.keyword_pattern:
      for (const one of rest) bindPattern(walk, one, scope);
      return;
    case Kind.as_pattern:
      bindAsPattern(walk, children, scope);
      return;
    default:
      for (const one of children) bindPattern(walk, one, scope);
  }
}

/** `case Point() as p`: p is a Point. */
function bindAsPattern(walk: PythonWalk, children: number[], scope: number): void {
  const { tree, facts } = walk;
  const alias = children.at(-1) ?? 0;
  for (const one of children.slice(0, -1)) bindPattern(walk, one, scope);
  let name = alias;
  while (tree.first[name] !== 0) name = tree.first[name] ?? 0;
  let inner = children[0] ?? 0;
  while (tree.kind[inner] === Kind.case_pattern) inner = tree.first[inner] ?? 0;
  const isClass = tree.kind[inner] === Kind.class_pattern;
  const type = isClass ? namedDotted(walk, tree.first[inner] ?? 0, scope) : 0;
  const value = type === 0 ? 0 : facts.node(NodeOp.Typed, type);
  if (tree.kind[name] === Kind.identifier) bind(walk, name, scope, { value, type: 0 });
}

function namedDotted(walk: PythonWalk, dotted: number, scope: number): number {
  const names = childrenOf(walk.tree, dotted).map((one) => nameOf(walk, one));
  return names.length === 0 ? namedType(walk, dotted, scope) : walk.facts.node(NodeOp.TypeName, scope, names, []);
}

/** `a.b.C` where the grammar sees a dotted name: the first is looked up, the others are its members. */
function dottedValue(walk: PythonWalk, node: number, scope: number): void {
  const { tree, facts } = walk;
  const parts = tree.kind[node] === Kind.identifier ? [node] : childrenOf(tree, node);
  let receiver = 0;
  for (const part of parts) {
    if (receiver === 0) {
      refer(walk, part, scope, READ);
      receiver = facts.node(NodeOp.Identifier, nameOf(walk, part), scope);
    } else {
      accessMember(walk, part, { receiver, scope, flags: READ });
      receiver = facts.node(NodeOp.MemberOf, receiver, nameOf(walk, part));
    }
  }
}

/** `type Name = T`. */
function typeAlias(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const left = childIn(tree, node, Field.left);
  const name = tree.kind[left] === Kind.type ? (tree.first[left] ?? 0) : left;
  const type = typeOf(walk, childIn(tree, node, Field.right), scope);
  if (tree.kind[name] !== Kind.identifier) return 0;
  bind(walk, name, scope, { value: 0, type: 0 });
  const definition = facts.definitions.count - 1;
  if (facts.definitions.get(definition, Definition.nameStart) !== tree.start[name]) return 0;
  facts.amend(definition, 'type', type);
  facts.amend(definition, 'flags', facts.definitions.get(definition, Definition.flags) | DefinitionFlag.type);
  return 0;
}

/** How statements are read. */
export const PYTHON_STATEMENTS: Partial<Record<keyof typeof Kind, PythonHandler>> = {
  assignment,
  augmented_assignment: augmentedAssignment,
  if_statement: ifStatement,
  for_statement: forStatement,
  with_statement: withStatement,
  except_clause: exceptClause,
  return_statement: returned,
  global_statement: globalNames,
  nonlocal_statement: globalNames,
  case_clause: caseClause,
  type_alias_statement: typeAlias,
  block: statements,
  string_content: skip,
};
