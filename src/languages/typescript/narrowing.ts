import type { Argument, Expression, Node, SwitchCase } from 'oxc-parser';
import { NodeOp, ScopeKind } from '../facts/facts.ts';
import { literalText, memberName, type NodeOf, type Walk } from './walk.ts';

/** Implication of a condition for a name: `node` is a type it has, or one of the tests of `NodeOp`. */
interface Check {
  name: string;
  node: number;
}

/** Names of functions that test the type of what they are given. */
const GUARD = /^(is|has|assert)[A-Z]/;
const EQUAL: ReadonlySet<string> = new Set(['===', '==']);
const UNEQUAL: ReadonlySet<string> = new Set(['!==', '!=']);

/** A scope in which the checks hold: a new one inside `scope`, or `scope` itself when there are none. */
export function narrowedScope(walk: Walk, checks: readonly Check[], scope: number): number {
  if (checks.length === 0) return scope;
  const inside = walk.facts.scope(scope, ScopeKind.block);
  walk.flowScopes.add(inside);
  for (const { name, node } of checks) walk.facts.narrowings.add(inside, walk.facts.string(name), node);
  return inside;
}

/** The scope that a declaration in `scope` belongs to: what a condition opened is none. */
export function declarationScope(walk: Walk, scope: number): number {
  let at = scope;
  while (walk.flowScopes.has(at)) at = walk.facts.scopes.get(at, 0);
  return at;
}

/** Returns the checks of names that hold where a condition is true, or false when not `holds`. */
export function checksOf(walk: Walk, test: Expression, scope: number, holds = true): Check[] {
  switch (test.type) {
    case 'ParenthesizedExpression':
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return checksOf(walk, test.expression, scope, holds);
    case 'UnaryExpression':
      return test.operator === '!' ? checksOf(walk, test.argument, scope, !holds) : [];
    case 'LogicalExpression':
      // Which side of a false `&&` was false is not known.
      if (test.operator !== (holds ? '&&' : '||')) return [];
      return [...checksOf(walk, test.left, scope, holds), ...checksOf(walk, test.right, scope, holds)];
    case 'BinaryExpression':
      return negateChecks(walk, comparison(walk, test, scope), holds !== UNEQUAL.has(test.operator));
    case 'CallExpression':
      return negateChecks(walk, guardedArguments(walk, test.callee, test.arguments, scope), holds);
    default:
      return [];
  }
}

/** Returns the checks that `case` clauses imply of `x` in `switch (x.kind)`: the clauses that fall into one body, together. */
export function checksOfCases(walk: Walk, discriminant: Expression, tests: readonly SwitchCase['test'][]): Check[] {
  const property = propertyOf(discriminant);
  const texts = tests.map((test) => (test === null ? undefined : literalText(test)));
  if (property === undefined || texts.includes(undefined)) return [];
  return [discriminantCheck(walk, property, texts)];
}

function negateChecks({ facts }: Walk, checks: Check[], holds: boolean): Check[] {
  return holds ? checks : checks.map(({ name, node }) => ({ name, node: facts.node(NodeOp.Without, node) }));
}

function comparison(walk: Walk, { left, operator, right }: NodeOf<'BinaryExpression'>, scope: number): Check[] {
  const { facts } = walk;
  if (operator === 'instanceof') {
    const type = typeNameOf(walk, right, scope);
    return left.type === 'Identifier' && type !== 0 ? [{ name: left.name, node: type }] : [];
  }
  if (operator === 'in') {
    if (right.type !== 'Identifier' || left.type !== 'Literal' || typeof left.value !== 'string') return [];
    return [{ name: right.name, node: facts.node(NodeOp.HasMember, facts.string(left.value)) }];
  }
  if (!EQUAL.has(operator) && !UNEQUAL.has(operator)) return [];
  const [property, text] = [propertyOf(left) ?? propertyOf(right), literalText(right) ?? literalText(left)];
  return property === undefined || text === undefined ? [] : [discriminantCheck(walk, property, [text])];
}

function discriminantCheck(
  { facts }: Walk,
  { name, property }: { name: string; property: string },
  texts: readonly (string | undefined)[],
): Check {
  const values = texts.map((text) => facts.string(text ?? ''));
  return { name, node: facts.node(NodeOp.Discriminant, facts.string(property), values) };
}

/** `x.property` or `x?.property`. */
function propertyOf(node: Node): { name: string; property: string } | undefined {
  if (node.type === 'ChainExpression') return propertyOf(node.expression);
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined;
  const property = memberName(node.property, node.computed);
  return property === undefined ? undefined : { name: node.object.name, property };
}

/** Returns the checks that `isKind(x)` implies of x when the function declares them. */
function guardedArguments(walk: Walk, callee: Expression, given: readonly Argument[], scope: number): Check[] {
  const called = callee.type === 'MemberExpression' ? memberName(callee.property, callee.computed) : undefined;
  const name = callee.type === 'Identifier' ? callee.name : called;
  const [argument] = given;
  if (name === undefined || !GUARD.test(name) || argument?.type !== 'Identifier') return [];
  const guard = valueOf(walk, callee, scope);
  return guard === 0 ? [] : [{ name: argument.name, node: walk.facts.node(NodeOp.GuardedBy, guard) }];
}

/** A dotted name as a type name; nothing is noted. 0 when it is none. */
function typeNameOf({ facts }: Walk, node: Node, scope: number): number {
  const names = dottedName(node);
  return names.length === 0
    ? 0
    : facts.node(
        NodeOp.TypeName,
        scope,
        names.map((name) => facts.string(name)),
        [],
      );
}

/** A dotted name as a value; nothing is noted. */
function valueOf({ facts }: Walk, node: Node, scope: number): number {
  if (node.type === 'MemberExpression' && node.object.type === 'ThisExpression') {
    const name = memberName(node.property, node.computed);
    return name === undefined ? 0 : facts.node(NodeOp.MemberOf, facts.node(NodeOp.This, scope), facts.string(name));
  }
  const [first, ...rest] = dottedName(node);
  if (first === undefined) return 0;
  const start = facts.node(NodeOp.Identifier, facts.string(first), scope);
  return rest.reduce((object, name) => facts.node(NodeOp.MemberOf, object, facts.string(name)), start);
}

function dottedName(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name];
  if (node.type !== 'MemberExpression') return [];
  const name = memberName(node.property, node.computed);
  const before = dottedName(node.object);
  return name === undefined || before.length === 0 ? [] : [...before, name];
}
