import { Facet, NodeOp } from '../facts/facts.ts';
import { childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import {
  appliedTypeName,
  defineTypeParameter,
  extendedTypeName,
  typeNameAsValue,
  typeNameNode,
} from '../walk/tree-define.ts';
import { accessMember, nameOf, sameFor, skip, TYPE, typeOf } from '../walk/tree-walk.ts';
import { at, CONSTRUCT, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { innerType, typesOf, unionType } from '../walk/tree-handlers.ts';

const PRIMITIVES = new Set(
  'Int Long Short Byte Double Float Boolean Char String Unit Any AnyRef AnyVal Nothing'.split(' '),
);

function readTypeName(walk: TableWalk, node: number, scope: number, flags: number): number {
  const text = textOf(walk.tree, node);
  if (PRIMITIVES.has(text)) return walk.facts.node(NodeOp.Primitive, walk.facts.string(text));
  return typeNameNode(walk, node, scope, flags);
}

/** `a.b.C`: each part but the first is a member of what is before it. */
function path(walk: TableWalk, node: number, scope: number, flags: number): number {
  let type = 0;
  for (const part of parts(walk, node)) {
    if (type === 0) {
      type = typeNameNode(walk, part, scope, flags);
      continue;
    }
    accessMember(walk, part, { receiver: typeNameAsValue(walk, type), scope, flags });
    type = extendedTypeName(walk, type, nameOf(walk, part));
  }
  return type;
}

function parts(walk: TableWalk, node: number): number[] {
  return childrenOf(walk.tree, node).flatMap((child) =>
    is(walk, child, 'stable_identifier', 'stable_type_identifier') ? parts(walk, child) : [child],
  );
}

/** A type of which an instance is made. */
export function constructedType(walk: TableWalk, node: number, scope: number): number {
  if (is(walk, node, 'type_identifier')) return readTypeName(walk, node, scope, CONSTRUCT);
  if (is(walk, node, 'stable_type_identifier')) return path(walk, node, scope, CONSTRUCT);
  if (is(walk, node, 'generic_type')) return generic(walk, node, scope, constructedType);
  return typeOf(walk, node, scope);
}

function generic(walk: TableWalk, node: number, scope: number, readBase: typeof constructedType): number {
  const base = readBase(walk, at(walk, node, Field.type), scope);
  const types = typesOf(walk, at(walk, node, Field.type_arguments), scope);
  return appliedTypeName(walk, base, types);
}

const functionType: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const children = childrenOf(tree, node);
  const result = children.at(-1) ?? 0;
  const parameters = children.slice(0, -1).map((child) => facts.node(NodeOp.Parameter, typeOf(walk, child, scope), -1));
  return facts.node(NodeOp.FunctionType, typeOf(walk, result, scope), parameters, 0);
};

/** The name and the bounds of `+T <: A`, and any other part of a list of type parameters as it is. */
function varianceParts(walk: TableWalk, node: number): number[] {
  const hasVariance = is(walk, node, 'covariant_type_parameter', 'contravariant_type_parameter');
  return hasVariance ? childrenOf(walk.tree, node) : [node];
}

/** Defines type parameters in the scope of the inside of what has them. */
export function typeParameters(walk: TableWalk, node: number, scope: number, definition: number): void {
  const { facts, tree } = walk;
  let last = -1;
  for (const child of childrenOf(tree, first(walk, node, 'type_parameters')).flatMap((each) =>
    varianceParts(walk, each),
  )) {
    if (tree.field[child] !== Field.name) {
      const type = typeOf(walk, at(walk, child, Field.type) || child, scope);
      if (last !== -1 && facts.definitions.get(last, 9) === 0) facts.amend(last, 'type', type);
      continue;
    }
    last = defineTypeParameter(walk, child, scope, { of: definition });
  }
}

/** Reads the types that a class is made from, and the arguments of the first: that one is extended, the others are mixed in. */
export function supertypes(walk: TableWalk, node: number, scope: number, definition: number): void {
  const clause = at(walk, node, Field.extend);
  let isFirst = true;
  for (const child of childrenIn(walk.tree, clause, Field.type)) {
    const types = is(walk, child, 'compound_type') ? childrenOf(walk.tree, child) : [child];
    for (const written of types) {
      const type = typeOf(walk, written, scope);
      if (type === 0) continue;
      walk.facts.facet(definition, isFirst ? Facet.extends : Facet.implements, type);
      isFirst = false;
    }
  }
}

/** Handlers of types in Scala, by type of node. */
export const SCALA_TYPES: Readonly<Record<string, TableHandler>> = {
  type_identifier: (walk, node, scope) => readTypeName(walk, node, scope, TYPE),
  stable_type_identifier: (walk, node, scope) => path(walk, node, scope, TYPE),
  stable_identifier: (walk, node, scope) => path(walk, node, scope, TYPE),
  generic_type: (walk, node, scope) => generic(walk, node, scope, typeOf),
  compound_type: unionType,
  infix_type: unionType,
  annotated_type: innerType,
  lazy_parameter_type: innerType,
  repeated_parameter_type: (walk, node, scope) => walk.facts.node(NodeOp.ArrayType, innerType(walk, node, scope)),
  tuple_type: (walk, node, scope) => walk.facts.node(NodeOp.TupleType, typesOf(walk, node, scope)),
  function_type: functionType,
  ...sameFor('parameter_types upper_bound lower_bound context_bound singleton_type', innerType),
  wildcard: skip,
  identifier: skip,
};
