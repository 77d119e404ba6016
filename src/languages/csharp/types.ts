import { NodeOp } from '../facts/facts.ts';
import { childIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import {
  appliedTypeName,
  defineTypeParameter,
  extendedTypeName,
  typeNameAsValue,
  typeNameNode,
} from '../walk/tree-define.ts';
import {
  accessMember,
  nameOf,
  refer,
  referBound,
  sameFor,
  skip,
  TYPE,
  typeOf,
  visit,
  WRITE,
} from '../walk/tree-walk.ts';
import { all, at, CONSTRUCT, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { primitive, typesOf } from '../walk/tree-handlers.ts';

/** Delegates of the library: those that return what their last argument says, and those that return nothing. */
const RETURNING = new Set(['Func', 'Converter']);
const DELEGATES = new Set(['Action', 'Predicate', 'Comparison', 'EventHandler']);

function readTypeName(walk: TableWalk, node: number, scope: number, flags: number): number {
  if (textOf(walk.tree, node) === 'dynamic') return 0;
  return typeNameNode(walk, node, scope, flags);
}

function generic(walk: TableWalk, node: number, scope: number, flags: number): number {
  const { facts, tree } = walk;
  const name = first(walk, node, 'identifier');
  const types = typeArguments(walk, node, scope);
  const text = textOf(tree, name);
  if (RETURNING.has(text) || DELEGATES.has(text)) {
    refer(walk, name, scope, flags);
    const result = RETURNING.has(text) ? (types.pop() ?? 0) : 0;
    const parameters = (text === 'EventHandler' ? [0, ...types] : types).map((type) =>
      facts.node(NodeOp.Parameter, type, -1),
    );
    return facts.node(NodeOp.FunctionType, result, parameters, 0);
  }
  // A tree of an expression is written as the function that it shows.
  if (text === 'Expression' && types.length === 1) return types[0] ?? 0;
  return appliedTypeName(walk, readTypeName(walk, name, scope, flags), types);
}

/** The type arguments of a generic name. */
export function typeArguments(walk: TableWalk, node: number, scope: number): number[] {
  return typesOf(walk, first(walk, node, 'type_argument_list'), scope);
}

/** `A.B.C<T>`: each part but the first is a member of what is before it. */
function readQualified(walk: TableWalk, node: number, scope: number, flags: number): number {
  const { facts, tree } = walk;
  const children = childrenOf(tree, node);
  const last = children.at(-1) ?? 0;
  const outer = children.length < 2 ? 0 : readType(walk, children[0] ?? 0, scope, TYPE);
  const name = is(walk, last, 'generic_name') ? first(walk, last, 'identifier') : last;
  const isTypeName = outer !== 0 && facts.word(outer) === NodeOp.TypeName;
  accessMember(walk, name, { receiver: isTypeName ? typeNameAsValue(walk, outer) : 0, scope, flags });
  const type = isTypeName ? extendedTypeName(walk, outer, nameOf(walk, name)) : 0;
  return name === last ? type : appliedTypeName(walk, type, typeArguments(walk, last, scope));
}

function readType(walk: TableWalk, node: number, scope: number, flags: number): number {
  if (is(walk, node, 'identifier')) return readTypeName(walk, node, scope, flags);
  if (is(walk, node, 'generic_name')) return generic(walk, node, scope, flags);
  if (is(walk, node, 'qualified_name')) return readQualified(walk, node, scope, flags);
  if (is(walk, node, 'alias_qualified_name')) return readType(walk, walk.tree.last[node] ?? 0, scope, flags);
  return typeOf(walk, node, scope);
}

/** A type of which an instance is made. */
export function constructedType(walk: TableWalk, node: number, scope: number): number {
  return readType(walk, node, scope, CONSTRUCT);
}

const nested: TableHandler = (walk, node, scope) => typeOf(walk, at(walk, node, Field.type), scope);

/** Defines type parameters in the scope of the inside of what has them, with what bounds them. */
export function typeParameters(walk: TableWalk, node: number, scope: number, definition: number): void {
  const { facts, tree } = walk;
  const parameters = new Map<string, number>();
  for (const child of all(walk, first(walk, node, 'type_parameter_list'), 'type_parameter')) {
    const name = at(walk, child, Field.name);
    readAttributes(walk, child, scope);
    const parameter = defineTypeParameter(walk, name, scope, { of: definition });
    parameters.set(textOf(tree, name), parameter);
  }
  for (const clause of all(walk, node, 'type_parameter_constraints_clause')) {
    const constrained = first(walk, clause, 'identifier');
    const parameter = parameters.get(textOf(tree, constrained));
    if (parameter !== undefined) referBound(walk, constrained, parameter, TYPE);
    const bounds = all(walk, clause, 'type_parameter_constraint')
      .map((child) => typeOf(walk, childIn(tree, child, Field.type), scope))
      .filter((type) => type !== 0);
    if (parameter === undefined || bounds.length === 0) continue;
    facts.amend(parameter, 'type', bounds.length === 1 ? (bounds[0] ?? 0) : facts.node(NodeOp.Union, bounds));
  }
}

/** Reads the attributes before a declaration: each names a class, alone or with `Attribute` behind it. */
export function readAttributes(walk: TableWalk, node: number, scope: number): void {
  for (const list of all(walk, node, 'attribute_list')) attributes(walk, list, scope);
}

/** The attributes of a list. */
export const attributes: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  for (const attribute of all(walk, node, 'attribute')) {
    const name = at(walk, attribute, Field.name);
    const type = constructedType(walk, name, scope);
    const types = type === 0 ? [] : [facts.node(NodeOp.Typed, type)];
    if (is(walk, name, 'identifier')) {
      const full = facts.string(`${textOf(tree, name)}Attribute`);
      facts.references.add(full, tree.start[name] ?? 0, scope, CONSTRUCT, 0, 0, 0);
      types.push(facts.node(NodeOp.Typed, facts.node(NodeOp.TypeName, scope, [full], [])));
    }
    for (const argument of childrenOf(tree, first(walk, attribute, 'attribute_argument_list')))
      for (const value of childrenOf(tree, argument))
        if (tree.field[value] !== Field.name) visit(walk, value, scope);
        else if (types.length > 0)
          accessMember(walk, value, { receiver: facts.node(NodeOp.Either, types), scope, flags: WRITE });
  }
  return 0;
};

/** Handlers of types in C#, by type of node. */
export const CSHARP_TYPES: Readonly<Record<string, TableHandler>> = {
  identifier: (walk, node, scope) => readTypeName(walk, node, scope, TYPE),
  generic_name: (walk, node, scope) => generic(walk, node, scope, TYPE),
  qualified_name: (walk, node, scope) => readQualified(walk, node, scope, TYPE),
  alias_qualified_name: (walk, node, scope) => readType(walk, node, scope, TYPE),
  ...sameFor('nullable_type ref_type scoped_type pointer_type', nested),
  array_type: (walk, node, scope) => {
    visit(walk, first(walk, node, 'array_rank_specifier'), scope);
    return walk.facts.node(NodeOp.ArrayType, nested(walk, node, scope));
  },
  tuple_type: (walk, node, scope) =>
    walk.facts.node(
      NodeOp.TupleType,
      childrenOf(walk.tree, node).map((child) => nested(walk, child, scope)),
    ),
  predefined_type: primitive,
  implicit_type: skip,
};
