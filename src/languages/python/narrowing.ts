import { ScopeKind } from '../facts/facts.ts';
import { childIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { nameOf } from '../walk/tree-walk.ts';
import { Kind, type PythonWalk } from './walk.ts';
import { namedTypes } from './types.ts';

/** A name (node) that is tested to be an instance of classes (node: one, or a tuple of several). */
export type InstanceTest = readonly [name: number, classes: number];

/** The names that a condition tests with `isinstance`, with their classes: alone or joined by `and`. */
export function instanceTests(walk: PythonWalk, condition: number): InstanceTest[] {
  const { tree } = walk;
  if (tree.kind[condition] === Kind.parenthesized_expression) return instanceTests(walk, tree.first[condition] ?? 0);
  if (tree.kind[condition] === Kind.boolean_operator) {
    if (!joinsByAnd(walk, condition)) return [];
    const [left, right] = [childIn(tree, condition, Field.left), childIn(tree, condition, Field.right)];
    return [...instanceTests(walk, left), ...instanceTests(walk, right)];
  }
  if (tree.kind[condition] !== Kind.call || textOf(tree, childIn(tree, condition, Field.function)) !== 'isinstance')
    return [];
  const [name = 0, classes = 0, more = 0] = childrenOf(tree, childIn(tree, condition, Field.arguments));
  return classes !== 0 && more === 0 && tree.kind[name] === Kind.identifier ? [[name, classes]] : [];
}

export function joinsByAnd(walk: PythonWalk, operation: number): boolean {
  return walk.tree.kind[childIn(walk.tree, operation, Field.operator)] === Kind['"and"'];
}

/** A scope in which the tests hold: a new one inside `scope`, or `scope` itself when there is nothing to hold. */
export function narrowedScope(walk: PythonWalk, tests: readonly InstanceTest[], scope: number): number {
  if (tests.length === 0) return scope;
  const inside = walk.facts.scope(scope, ScopeKind.block);
  for (const [name, classes] of tests)
    walk.facts.narrowings.add(inside, nameOf(walk, name), namedTypes(walk, classes, scope));
  return inside;
}
