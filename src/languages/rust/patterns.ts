import { NodeOp, UseFlag } from '../facts/facts.ts';
import { childIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { nameOf, READ, TYPE, visit } from '../walk/tree-walk.ts';
import { defineLocal, Kind, readPath, type RustWalk } from './walk.ts';
import { typeOfPath } from './types.ts';

/** Nodes that a pattern is matched with, 0 for none. */
interface Matched {
  value: number;
  type: number;
}

/** Declares the names of a pattern. A single name that starts with an upper-case letter is a constant or variant. */
export function bindPattern(walk: RustWalk, node: number, scope: number, matched: Matched): void {
  const { tree, facts } = walk;
  const { value } = matched;
  const children = childrenOf(tree, node);
  const bindAll = (given: (position: number) => number): void => {
    const positions = positionsOf(walk, children, tree.start[node] ?? 0);
    children.forEach((child, index) => {
      const position = positions[index] ?? -1;
      bindPattern(walk, child, scope, { value: position < 0 ? 0 : given(position), type: 0 });
    });
  };
  switch (tree.kind[node]) {
    case Kind.identifier:
      if (/^[A-Z]/.test(textOf(tree, node))) readPath(walk, node, scope, READ);
      else defineLocal(walk, node, scope, matched);
      return;
    case Kind.mut_pattern:
    case Kind.ref_pattern:
    case Kind.reference_pattern:
      for (const child of children) bindPattern(walk, child, scope, matched);
      return;
    case Kind.captured_pattern:
    case Kind.or_pattern:
      bindAll(() => value);
      return;
    case Kind.tuple_pattern:
      bindAll((position) => (value === 0 ? 0 : facts.node(NodeOp.ElementAt, value, position)));
      return;
    case Kind.slice_pattern:
      bindAll(() => (value === 0 ? 0 : facts.node(NodeOp.Element, value)));
      return;
    case Kind.tuple_struct_pattern:
      bindVariant(walk, children, scope, value);
      return;
    case Kind.struct_pattern:
      bindFields(walk, children, scope);
      return;
    case Kind.mutable_specifier:
      return;
    default:
      visit(walk, node, scope);
  }
}

/** Positions of the parts of a tuple, from `start` on: `_` is no part of the tree. -1 behind `..`, which may stand for any number. */
function positionsOf({ tree }: RustWalk, parts: readonly number[], start: number): number[] {
  let [position, end, isOpen] = [0, start, false];
  return parts.map((part) => {
    const between = tree.text.slice(end, tree.start[part]);
    position += between.split(',').length - 1;
    isOpen ||= between.includes('..') || textOf(tree, part) === '..';
    end = tree.end[part] ?? 0;
    return isOpen ? -1 : position;
  });
}

/** `Some(x)`, `Shape::Circle(radius)`. */
function bindVariant(walk: RustWalk, [path = 0, ...rest]: number[], scope: number, value: number): void {
  const { facts } = walk;
  const name = textOf(walk.tree, path);
  const variant = readPath(walk, path, scope, READ);
  const positions = positionsOf(walk, rest, walk.tree.end[path] ?? 0);
  rest.forEach((child, index) => {
    const position = positions[index] ?? -1;
    let inside =
      variant === 0 || position < 0 ? 0 : facts.node(NodeOp.MemberOf, variant, facts.string(String(position)));
    if (name === 'Some' || name === 'Ok') inside = value === 0 ? 0 : facts.node(NodeOp.Await, value);
    bindPattern(walk, child, scope, { value: inside, type: 0 });
  });
}

/** `Point { x, y: other }`. */
function bindFields(walk: RustWalk, [path = 0, ...rest]: number[], scope: number): void {
  const { tree, facts } = walk;
  const value = readPath(walk, path, scope, TYPE);
  const type = value === 0 ? 0 : typeOfPath(walk, value);
  const context = type === 0 ? 0 : facts.node(NodeOp.ContextType, type);
  for (const field of rest) {
    if (tree.kind[field] !== Kind.field_pattern) continue;
    const name = childIn(tree, field, Field.name);
    const pattern = childIn(tree, field, Field.pattern);
    const isShorthand = pattern === 0;
    const flags = READ | UseFlag.pattern | (isShorthand ? UseFlag.shorthand : 0);
    facts.keys.add(nameOf(walk, name), tree.start[name] ?? 0, context, flags, scope);
    const member = type === 0 ? 0 : facts.node(NodeOp.MemberOf, facts.node(NodeOp.Typed, type), nameOf(walk, name));
    if (isShorthand) defineLocal(walk, name, scope, { value: member, type: 0 });
    else bindPattern(walk, pattern, scope, { value: member, type: 0 });
  }
}

/** The names that a pattern may declare. */
export function patternNames(walk: RustWalk, node: number): string[] {
  const { tree } = walk;
  const kind = tree.kind[node];
  if (kind === Kind.identifier || kind === Kind.shorthand_field_identifier) return [textOf(tree, node)];
  return childrenOf(tree, node).flatMap((child) => patternNames(walk, child));
}
