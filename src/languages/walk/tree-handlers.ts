import { Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { openScope } from './tree-define.ts';
import { childIn, childrenOf, Field, textOf } from './tree.ts';
import { nameOf, typeOf, visit, visitChildren, type Walk } from './tree-walk.ts';

/** Handlers that several languages have in common, and what their own are made of. */

/** A walk that knows the function whose body is read, or -1. */
export interface FunctionWalk<W> extends Walk<W> {
  current: number;
}

/** Visits the only child and stands for it: parentheses, statements of an expression, labels of arguments. */
export function transparent<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  let value = 0;
  for (let child = walk.tree.first[node] ?? 0; child !== 0; child = walk.tree.next[child] ?? 0)
    value = visit(walk, child, scope) || value;
  return value;
}

/** Visits the inside in a scope of its own. */
export function inBlock<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  return visitChildren(walk, node, walk.facts.scope(scope, ScopeKind.block));
}

/** A literal of the language. */
export function literal<W extends Walk<W>>(type: string) {
  return (walk: W, node: number, scope: number): number => {
    visitChildren(walk, node, scope);
    return walk.facts.node(NodeOp.Literal, walk.facts.string(type));
  };
}

/** The values of the children of a node, as of the arguments of a call. Unknown ones are 0. */
export function valuesOf<W extends Walk<W>>(walk: W, list: number, scope: number): number[] {
  return childrenOf(walk.tree, list).map((child) => visit(walk, child, scope));
}

/** The types of the children of a node. Unknown ones are 0. */
export function typesOf<W extends Walk<W>>(walk: W, list: number, scope: number): number[] {
  return childrenOf(walk.tree, list).map((child) => typeOf(walk, child, scope));
}

/** A value for each child, together. */
export function tuple<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  return walk.facts.node(NodeOp.TupleLiteral, valuesOf(walk, node, scope));
}

/** Any of the types of the children; the only one stands for itself. */
export function anyType<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  const types = typesOf(walk, node, scope);
  return types.length === 1 ? (types[0] ?? 0) : walk.facts.node(NodeOp.Union, types);
}

/** All types of the children that are known, as of `A with B`; the only one stands for itself. */
export function unionType<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  const types = typesOf(walk, node, scope).filter((type) => type !== 0);
  return types.length < 2 ? (types[0] ?? 0) : walk.facts.node(NodeOp.Union, types);
}

/** Reads a type in the place of an expression, which has no value there. */
export function typeAlone<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  typeOf(walk, node, scope);
  return 0;
}

/** Any of some values; the only one stands for itself. */
export function anyOf<W>({ facts }: Walk<W>, values: readonly number[]): number {
  const types = values.filter((value) => value !== 0);
  return types.length < 2 ? (types[0] ?? 0) : facts.node(NodeOp.Either, types);
}

/** `object[index]`: an element of the first child. */
export function elementOf<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  const [object = 0] = valuesOf(walk, node, scope);
  return object === 0 ? 0 : walk.facts.node(NodeOp.Element, object);
}

/** The type that is the last of what a node holds; 0 for none. */
export function innerType<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  let type = 0;
  for (const child of childrenOf(walk.tree, node)) type = typeOf(walk, child, scope) || type;
  return type;
}

/** A type of the language that has no declaration. */
export function primitive<W extends Walk<W>>(walk: W, node: number): number {
  return walk.facts.node(NodeOp.Primitive, walk.facts.string(textOf(walk.tree, node)));
}

/** A type in the place of a value: the class itself. */
export function typeAsClass<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  const type = typeOf(walk, node, scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, walk.facts.node(NodeOp.ClassOf, type));
}

/** Reads the first child as something that is awaited, or held. */
export function awaited<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  const value = visit(walk, walk.tree.first[node] ?? 0, scope);
  return value === 0 ? 0 : walk.facts.node(NodeOp.Await, value);
}

/** Reads `left operator right`: the left side decides what it gives. */
export function operation<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  const { tree, facts } = walk;
  const left = visit(walk, childIn(tree, node, Field.left), scope);
  visit(walk, childIn(tree, node, Field.right), scope);
  return left === 0 ? 0 : facts.node(NodeOp.Operation, left, nameOf(walk, childIn(tree, node, Field.operator)));
}

/** `return value`. */
export function returned<W extends FunctionWalk<W>>(walk: W, node: number, scope: number): number {
  returns(walk, visit(walk, walk.tree.first[node] ?? 0, scope));
  return 0;
}

/** Notes what the function gives whose body is read. */
export function returns<W>({ facts, current }: FunctionWalk<W>, value: number): void {
  if (value !== 0 && current !== -1) facts.facet(current, Facet.returned, value);
}

/** The parts of a function that are read once it is defined. */
interface FunctionParts {
  /** The scope around it. */
  scope: number;
  /** Node of the body, 0 for none: a function without one is not measured. */
  body: number;
  /** Defines the parameters in the scope of the inside, and gives the type node of the result. */
  head: (inside: number) => number;
  /** Reads the body there. */
  read: (inside: number) => void;
}

/** Reads what a function has inside: its head, then its body, which is measured. */
export function readFunction<W extends FunctionWalk<W>>(
  walk: W,
  node: number,
  definition: number,
  { scope, body, head, read }: FunctionParts,
): void {
  const inside = openScope(walk, scope, ScopeKind.function, definition);
  walk.facts.amend(definition, 'type', head(inside));
  if (body === 0) return;
  walk.functions.push(node, definition);
  readBody(walk, definition, () => read(inside));
}

/** Reads the body of a function: what is returned there is what it gives. */
export function readBody<W, T>(walk: FunctionWalk<W>, definition: number, read: () => T): T {
  const outer = walk.current;
  walk.current = definition;
  const made = read();
  walk.current = outer;
  return made;
}
