import { Facet, NodeOp } from '../facts/facts.ts';
import { childOf, childrenOf, textOf } from '../walk/tree.ts';
import {
  appliedTypeName,
  defineTypeParameter,
  extendedTypeName,
  typeNameAsValue,
  typeNameNode,
} from '../walk/tree-define.ts';
import { accessMember, nameOf, sameFor, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { CONSTRUCT, type JavaHandler, type JavaWalk, Kind } from './walk.ts';
import { anyType, innerType, primitive, typesOf } from '../walk/tree-handlers.ts';

/** Reads a type whose last name is constructed, not only named. */
export function constructedType(walk: JavaWalk, node: number, scope: number): number {
  switch (walk.tree.kind[node]) {
    case Kind.type_identifier:
      return readTypeName(walk, node, scope, CONSTRUCT);
    case Kind.scoped_type_identifier:
      return readScoped(walk, node, scope, CONSTRUCT);
    case Kind.generic_type:
      return generic(walk, node, scope, constructedType);
    default:
      return typeOf(walk, node, scope);
  }
}

/** The last name of a type that is constructed. */
export function constructedName({ tree }: Pick<JavaWalk, 'tree'>, node: number): number {
  const kind = tree.kind[node];
  if (kind === Kind.type_identifier) return node;
  const inner = childrenOf(tree, node).filter(
    (child) => tree.kind[child] === Kind.type_identifier || tree.kind[child] === Kind.scoped_type_identifier,
  );
  return kind === Kind.generic_type || kind === Kind.scoped_type_identifier
    ? constructedName({ tree }, inner.at(-1) ?? 0)
    : 0;
}

/** Counts the pairs of brackets of a node of dimensions; 0 for any other node. */
export function dimensionsOf({ tree }: JavaWalk, node: number): number {
  if (tree.kind[node] === Kind.dimensions_expr) return 1;
  return tree.kind[node] === Kind.dimensions ? textOf(tree, node).split('[').length - 1 : 0;
}

/** Arrays of arrays of a type, as deep as its brackets say. */
export function arrayOf({ facts }: Pick<JavaWalk, 'facts'>, type: number, depth: number): number {
  return depth < 1 ? type : arrayOf({ facts }, facts.node(NodeOp.ArrayType, type), depth - 1);
}

function readTypeName(walk: JavaWalk, node: number, scope: number, flags: number): number {
  // `var` leaves the type to the value.
  return textOf(walk.tree, node) === 'var' ? 0 : typeNameNode(walk, node, scope, flags);
}

/** `a.b.C` or `Outer.Inner`. */
function readScoped(walk: JavaWalk, node: number, scope: number, flags: number): number {
  const { tree, facts } = walk;
  const parts = childrenOf(tree, node).filter((child) => isName(walk, child));
  const [outer = 0] = parts;
  const name = parts.at(-1) ?? 0;
  if (parts.length < 2) return 0;
  const base = typeOf(walk, outer, scope);
  accessMember(walk, name, { receiver: typeNameAsValue(walk, base), scope, flags });
  if (base === 0 || facts.word(base) !== NodeOp.TypeName) return 0;
  return extendedTypeName(walk, base, nameOf(walk, name));
}

function isName(walk: JavaWalk, node: number): boolean {
  const kind = walk.tree.kind[node];
  return kind === Kind.type_identifier || kind === Kind.scoped_type_identifier || kind === Kind.generic_type;
}

function generic(walk: JavaWalk, node: number, scope: number, readBase: typeof constructedType): number {
  const { tree } = walk;
  const base = readBase(walk, tree.first[node] ?? 0, scope);
  const list = childOf(tree, node, Kind.type_arguments);
  return appliedTypeName(walk, base, typesOf(walk, list, scope));
}

/** Defines the type parameters of a class or method in the scope of its inside. */
export function defineTypeParameters(walk: JavaWalk, list: number, scope: number, definition: number): void {
  const { tree, facts } = walk;
  for (const child of childrenOf(tree, list)) {
    const name = childOf(tree, child, Kind.type_identifier);
    if (name === 0) continue;
    const parameter = defineTypeParameter(walk, name, scope, { of: definition });
    facts.amend(parameter, 'type', typeOf(walk, childOf(tree, child, Kind.type_bound), scope));
  }
}

/** Reads annotations: the type of each, and the elements that it sets. Gives where the last leading one ends, or -1. */
export function readAnnotations(walk: JavaWalk, modifiers: number, scope: number, definition: number): number {
  const { tree, facts } = walk;
  let end = -1;
  let isLeading = true;
  for (const child of childrenOf(tree, modifiers)) {
    const isAnnotation = tree.kind[child] === Kind.annotation || tree.kind[child] === Kind.marker_annotation;
    isLeading &&= isAnnotation;
    if (!isAnnotation) continue;
    if (isLeading) end = tree.end[child] ?? 0;
    const value = visit(walk, child, scope);
    if (value !== 0) facts.facet(definition, Facet.decorator, value);
  }
  return end;
}

/** Handlers of types, by kind of node. */
export const JAVA_TYPES: Partial<Record<keyof typeof Kind, JavaHandler>> = {
  type_identifier: (walk, node, scope) => readTypeName(walk, node, scope, TYPE),
  scoped_type_identifier: (walk, node, scope) => readScoped(walk, node, scope, TYPE),
  generic_type: (walk, node, scope) => generic(walk, node, scope, typeOf),
  array_type: (walk, node, scope) => {
    const type = typeOf(walk, walk.tree.first[node] ?? 0, scope);
    return arrayOf(walk, type, Math.max(dimensionsOf(walk, childOf(walk.tree, node, Kind.dimensions)), 1));
  },
  annotated_type: innerType,
  // `? extends T` is a T.
  wildcard: innerType,
  type_bound: anyType,
  catch_type: anyType,
  ...sameFor('void_type integral_type floating_point_type boolean_type', primitive),
  annotation: visit,
  marker_annotation: visit,
};
