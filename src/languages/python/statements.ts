import { Definition, DefinitionFlag, ExportHow, NodeOp, Scope, ScopeKind, UseFlag } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { accessMember, nameOf, READ, refer, skip, typeOf, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import { bind, Kind, type PythonHandler, type PythonWalk } from './walk.ts';
import { bindTarget } from './targets.ts';
import { type InstanceTest, instanceTests, narrowedScope } from './narrowing.ts';
import { isTypeForm, namedType, namedTypes } from './types.ts';
import { returned } from '../walk/tree-handlers.ts';

/** Statements after which the block is not read on. */
const LEAVING = new Set<number>([
  Kind.return_statement,
  Kind.raise_statement,
  Kind.continue_statement,
  Kind.break_statement,
]);

function assignment(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const targets = [childIn(tree, node, Field.left)];
  const annotation = childIn(tree, node, Field.type);
  const type = typeOf(walk, annotation, scope);
  let right = childIn(tree, node, Field.right);
  for (; tree.kind[right] === Kind.assignment; right = childIn(tree, right, Field.right)) {
    targets.push(childIn(tree, right, Field.left));
  }
  // `X: TypeAlias = C` says what X stands for, not what type it has.
  const isAlias = type !== 0 && /(^|\.)TypeAlias$/.test(textOf(tree, annotation));
  const [target = 0] = targets;
  if (targets.length === 1 && tree.kind[target] === Kind.identifier && standsForType(walk, right, isAlias)) {
    bindAlias(walk, target, scope, right);
    return 0;
  }
  const value = visit(walk, right, outsideOfItself(walk, target, right, scope));
  if (scope === 0 && targets.some((name) => isAll(walk, name))) exportNames(walk, right);
  for (const name of targets) bindTarget(walk, name, scope, { value, type: isAlias ? 0 : type });
  return 0;
}

/** True if the value of an assignment is a type that is no plain name: `Optional[A]`, or anything that is declared to be. */
function standsForType(walk: PythonWalk, value: number, isAlias: boolean): boolean {
  const { tree } = walk;
  const kind = tree.kind[value];
  if (kind === Kind.subscript) return isAlias || isTypeForm(textOf(tree, childIn(tree, value, Field.value)));
  return isAlias && (kind === Kind.string || kind === Kind.binary_operator);
}

/** Binds a name to a type. */
function bindAlias(walk: PythonWalk, name: number, scope: number, type: number): void {
  const { tree, facts } = walk;
  const node = typeOf(walk, type, scope);
  bind(walk, name, scope, { value: 0, type: 0 });
  const definition = facts.definitions.count - 1;
  if (definition < 0 || facts.definitions.get(definition, Definition.nameStart) !== tree.start[name]) return;
  facts.amend(definition, 'type', node);
  facts.amend(definition, 'flags', facts.definitions.get(definition, Definition.flags) | DefinitionFlag.type);
}

/** `X = X` in a class body gives the class the X from around it, and `x = x.y` what that X has. */
function outsideOfItself(walk: PythonWalk, target: number, value: number, scope: number): number {
  const { tree, facts } = walk;
  let first = value;
  while (tree.kind[first] === Kind.attribute) first = childIn(tree, first, Field.object);
  if (tree.kind[first] !== Kind.identifier || tree.kind[target] !== Kind.identifier) return scope;
  const isClass = facts.scopes.get(scope, Scope.kind) === ScopeKind.class;
  return isClass && textOf(tree, first) === textOf(tree, target) ? facts.scopes.get(scope, Scope.parent) : scope;
}

function isAll(walk: PythonWalk, target: number): boolean {
  return walk.tree.kind[target] === Kind.identifier && textOf(walk.tree, target) === '__all__';
}

/** `__all__.append("a")`, `__all__.extend(["a"])`: the strings are exported as those of the list itself. */
function extendExports(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  for (const child of childrenOf(tree, node)) {
    const callee = tree.kind[child] === Kind.call ? childIn(tree, child, Field.function) : 0;
    const isGrown =
      scope === 0 &&
      tree.kind[callee] === Kind.attribute &&
      isAll(walk, childIn(tree, callee, Field.object)) &&
      /^(append|extend)$/.test(textOf(tree, childIn(tree, callee, Field.attribute)));
    if (isGrown) exportNames(walk, childIn(tree, child, Field.arguments));
    visit(walk, child, scope);
  }
  return 0;
}

/** The strings of `__all__` are exports, and each is a use of its name. */
function exportNames(walk: PythonWalk, list: number): void {
  const { tree, facts } = walk;
  walk.all ??= new Set();
  for (const child of childrenOf(tree, list)) {
    if (tree.kind[child] === Kind.list || tree.kind[child] === Kind.tuple) exportNames(walk, child);
    const content = tree.kind[child] === Kind.string ? childOf(tree, child, Kind.string_content) : 0;
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
  visit(walk, body, narrowedScope(walk, instanceTests(walk, condition), scope));
}

/**
 * `assert isinstance(x, C)` holds for the rest of the block, which is read in a scope of its own; so does a negated test
 * whose branch leaves the block.
 */
function statements(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  let inside = scope;
  for (const statement of childrenOf(tree, node)) {
    visit(walk, statement, inside);
    const isAssert = tree.kind[statement] === Kind.assert_statement;
    const tests = isAssert ? instanceTests(walk, tree.first[statement] ?? 0) : testsAfter(walk, statement);
    inside = narrowedScope(walk, tests, inside);
  }
  return 0;
}

/** Returns the tests that hold after `if not isinstance(x, C): return`. */
function testsAfter(walk: PythonWalk, statement: number): InstanceTest[] {
  const { tree } = walk;
  if (tree.kind[statement] !== Kind.if_statement || childIn(tree, statement, Field.alternative) !== 0) return [];
  const condition = childIn(tree, statement, Field.condition);
  if (tree.kind[condition] !== Kind.not_operator) return [];
  const last = childrenOf(tree, childIn(tree, statement, Field.consequence)).at(-1) ?? 0;
  return LEAVING.has(tree.kind[last] ?? 0) ? instanceTests(walk, tree.first[condition] ?? 0) : [];
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
      bindClassPattern(walk, children, scope);
      return;
    case Kind.keyword_pattern:
      // Outside of a class pattern nobody says whose member it is.
      accessMember(walk, first, { receiver: 0, scope, flags: READ });
      for (const child of rest) bindPattern(walk, child, scope);
      return;
    case Kind.as_pattern:
      bindAsPattern(walk, children, scope);
      return;
    default:
      for (const child of children) bindPattern(walk, child, scope);
  }
}

/** `case Point(x=a)`: x is a member of a Point. */
function bindClassPattern(walk: PythonWalk, [name = 0, ...parts]: number[], scope: number): void {
  const { tree, facts } = walk;
  dottedValue(walk, name, scope);
  const type = namedDotted(walk, name, scope);
  const receiver = type === 0 ? 0 : facts.node(NodeOp.Typed, type);
  for (const part of parts) {
    let pattern = part;
    while (tree.kind[pattern] === Kind.case_pattern) pattern = tree.first[pattern] ?? 0;
    if (tree.kind[pattern] === Kind.keyword_pattern) {
      const [member = 0, ...values] = childrenOf(tree, pattern);
      accessMember(walk, member, { receiver, scope, flags: READ });
      for (const value of values) bindPattern(walk, value, scope);
    } else bindPattern(walk, part, scope);
  }
}

/** `case Point() as p`: p is a Point. */
function bindAsPattern(walk: PythonWalk, children: number[], scope: number): void {
  const { tree, facts } = walk;
  const alias = children.at(-1) ?? 0;
  for (const child of children.slice(0, -1)) bindPattern(walk, child, scope);
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
  const names = childrenOf(walk.tree, dotted).map((child) => nameOf(walk, child));
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

/** `type Name = T`, `type Name[P] = T`. */
function typeAlias(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const left = childIn(tree, node, Field.left);
  const head = tree.kind[left] === Kind.type ? (tree.first[left] ?? 0) : left;
  const name = tree.kind[head] === Kind.generic_type ? (tree.first[head] ?? 0) : head;
  const right = childIn(tree, node, Field.right);
  if (tree.kind[name] === Kind.identifier) bindAlias(walk, name, scope, right);
  else typeOf(walk, right, scope);
  return 0;
}

/** Handlers of statements, by kind of node. */
export const PYTHON_STATEMENTS: Partial<Record<keyof typeof Kind, PythonHandler>> = {
  assignment,
  augmented_assignment: augmentedAssignment,
  expression_statement: extendExports,
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
