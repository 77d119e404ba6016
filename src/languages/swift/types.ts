import { NodeOp } from '../facts/facts.ts';
import { innerType } from '../walk/tree-handlers.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineTypeParameter, memberNode, typeNameNode, typeNameParts } from '../walk/tree-define.ts';
import { nameOf, sameFor, skip, TYPE, typeOf } from '../walk/tree-walk.ts';
import { all, at, CONSTRUCT, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';

const PRIMITIVES = new Set(
  'Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64 Double Float Bool String Character Void Never Any AnyObject'.split(
    ' ',
  ),
);

/** `A.B<C>`: names and arguments in a row. */
function userType(walk: TableWalk, node: number, scope: number, flags: number): number {
  const { facts, tree } = walk;
  let type = 0;
  for (const child of childrenOf(tree, node)) {
    if (is(walk, child, 'type_identifier')) {
      const text = textOf(tree, child);
      if (type === 0 && PRIMITIVES.has(text)) return facts.node(NodeOp.Primitive, facts.string(text));
      if (type === 0 && text === 'Self') return facts.node(NodeOp.ThisType, scope);
      if (text === 'Type' || text === 'Protocol') return type === 0 ? 0 : facts.node(NodeOp.ClassOf, type);
      type = type === 0 ? typeNameNode(walk, child, scope, flags) : inner(walk, type, child, { scope, flags });
    } else if (is(walk, child, 'type_arguments')) {
      const types = childrenOf(tree, child).map((argument) => typeOf(walk, argument, scope));
      if (type !== 0 && facts.word(type) === NodeOp.TypeName)
        type = facts.node(NodeOp.TypeName, facts.word(type + 1), typeNameParts(walk, type), types);
    }
  }
  return type;
}

function inner(walk: TableWalk, base: number, name: number, use: { scope: number; flags: number }): number {
  const { facts } = walk;
  if (facts.word(base) !== NodeOp.TypeName) return 0;
  memberNode(walk, name, { receiver: facts.node(NodeOp.Typed, facts.node(NodeOp.ClassOf, base)), ...use });
  return facts.node(NodeOp.TypeName, facts.word(base + 1), [...typeNameParts(walk, base), nameOf(walk, name)], []);
}

/** A type whose instance is made: `Foo<Int>()`. */
export function constructedType(walk: TableWalk, node: number, scope: number): number {
  return is(walk, node, 'user_type') ? userType(walk, node, scope, CONSTRUCT) : typeOf(walk, node, scope);
}

function wrapType(op: 'ArrayType' | 'MapType'): TableHandler {
  return (walk, node, scope) => {
    const type = innerType(walk, node, scope);
    return walk.facts.node(NodeOp[op], type);
  };
}

const tuple: TableHandler = (walk, node, scope) => {
  const types = childrenOf(walk.tree, node).map((child) => typeOf(walk, child, scope));
  return types.length === 1 ? (types[0] ?? 0) : walk.facts.node(NodeOp.TupleType, types);
};

/** `(A) -> B`: the last is the result. */
const functionType: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const list = at(walk, node, Field.params);
  const parameters = childrenOf(tree, list).map((child) =>
    facts.node(NodeOp.Parameter, typeOf(walk, child, scope), -1),
  );
  const result = childrenOf(tree, node).findLast((child) => child !== list) ?? 0;
  return facts.node(NodeOp.FunctionType, typeOf(walk, result, scope), parameters, 0);
};

/** Defines the type parameters of a declaration in the scope of its inside. */
export function typeParameters(walk: TableWalk, node: number, scope: number, definition: number): void {
  const { facts } = walk;
  for (const child of all(walk, first(walk, node, 'type_parameters'), 'type_parameter')) {
    const name = first(walk, child, 'type_identifier');
    if (name === 0) continue;
    const parameter = defineTypeParameter(walk, name, scope, { of: definition });
    facts.amend(parameter, 'type', typeOf(walk, at(walk, child, Field.name), scope));
  }
}

/** True if a node stands for a type. */
export function isType(walk: TableWalk, node: number): boolean {
  return walk.types[walk.tree.kind[node] ?? 0] !== walk.types[0] && !is(walk, node, 'simple_identifier');
}

/** Handlers of types in Swift, by type of node. */
export const SWIFT_TYPES: Readonly<Record<string, TableHandler>> = {
  user_type: (walk, node, scope) => userType(walk, node, scope, TYPE),
  ...sameFor(
    'optional_type opaque_type existential_type type_annotation tuple_type_item protocol_composition_type metatype',
    innerType,
  ),
  array_type: wrapType('ArrayType'),
  dictionary_type: wrapType('MapType'),
  tuple_type: tuple,
  function_type: functionType,
  simple_identifier: skip,
  type_identifier: (walk, node, scope) => typeNameNode(walk, node, scope, TYPE),
  type_arguments: innerType,
};
