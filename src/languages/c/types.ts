import { DefinitionFlag, NodeOp } from '../facts/facts.ts';
import { childrenOf, Field } from '../walk/tree.ts';
import {
  appliedTypeName,
  defineTypeParameter,
  extendedTypeName,
  memberNode,
  typeNameAsValue,
  typeNameNode,
} from '../walk/tree-define.ts';
import { accessMember, nameOf, refer, sameFor, skip, TYPE, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import { at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { primitive } from '../walk/tree-handlers.ts';

/** A name with what it is a member of: `a::b::C<T>`, as type node. */
function readTypeName(walk: TableWalk, node: number, scope: number, base: number): number {
  const { tree } = walk;
  if (is(walk, node, 'template_type', 'template_function', 'template_method')) {
    const type = readTypeName(walk, at(walk, node, Field.name), scope, base);
    const list = at(walk, node, Field.arguments);
    const types = childrenOf(tree, list).map((child) =>
      isType(walk, child) ? typeOf(walk, child, scope) : visit(walk, child, scope) && 0,
    );
    return appliedTypeName(walk, type, types);
  }
  if (is(walk, node, 'qualified_identifier')) {
    const outer = at(walk, node, Field.scope);
    const next = outer === 0 ? base : readTypeName(walk, outer, scope, base);
    return readTypeName(walk, at(walk, node, Field.name), scope, next);
  }
  if (base === 0) return typeNameNode(walk, node, scope, TYPE);
  accessMember(walk, node, { receiver: typeNameAsValue(walk, base), scope, flags: TYPE });
  return extendedTypeName(walk, base, nameOf(walk, node));
}

function isType(walk: TableWalk, node: number): boolean {
  return is(walk, node, 'type_descriptor');
}

/** Returns what precedes the last `::` of a name, as type; 0 for none. The last name is returned with it. */
export function qualifierOf(walk: TableWalk, node: number, scope: number): { name: number; outer: number } {
  let [name, outer] = [node, 0];
  while (is(walk, name, 'qualified_identifier')) {
    const before = at(walk, name, Field.scope);
    if (before !== 0) outer = readTypeName(walk, before, scope, outer);
    name = at(walk, name, Field.name);
  }
  return { name, outer };
}

/** The name of `f<int>` without what the template is given. */
export function plainName(walk: TableWalk, name: number): number {
  return is(walk, name, 'template_function') ? at(walk, name, Field.name) : name;
}

/** Visits what a template is given: types and values. */
export function visitArguments(walk: TableWalk, name: number, scope: number): void {
  for (const child of childrenOf(walk.tree, at(walk, name, Field.arguments)))
    if (isType(walk, child)) typeOf(walk, child, scope);
    else visit(walk, child, scope);
}

/** A name in the place of a value, with what is done to it. */
export function nameOfValue(walk: TableWalk, node: number, scope: number, flags: number): number {
  const { facts } = walk;
  const { name, outer } = qualifierOf(walk, node, scope);
  const plain = plainName(walk, name);
  if (plain !== name) visitArguments(walk, name, scope);
  if (outer !== 0) return memberNode(walk, plain, { receiver: typeNameAsValue(walk, outer), scope, flags });
  refer(walk, plain, scope, flags);
  return facts.node(NodeOp.Identifier, nameOf(walk, plain), scope);
}

/** The type that a declaration starts with; a type that is defined there is defined. */
const defining: TableHandler = (walk, node, scope) => visit(walk, node, scope);

const descriptor: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const declarator = at(walk, node, Field.declarator);
  return is(walk, declarator, 'abstract_array_declarator') && type !== 0
    ? walk.facts.node(NodeOp.ArrayType, type)
    : type;
};

/** Defines the parameters of a template in the scope of what it makes. */
export function templateParameters(walk: TableWalk, list: number, scope: number, definition: number): void {
  for (const child of childrenOf(walk.tree, list)) {
    visit(walk, at(walk, child, Field.default_value), scope);
    typeOf(walk, at(walk, child, Field.default_type), scope);
    const name = first(walk, child, 'type_identifier') || at(walk, child, Field.name);
    if (name === 0 || !is(walk, name, 'type_identifier')) continue;
    const flags = DefinitionFlag.type | DefinitionFlag.value;
    defineTypeParameter(walk, name, scope, { of: definition, flags });
  }
}

/** Handlers of types in C and C++, by type of node. */
export const C_TYPES: Readonly<Record<string, TableHandler>> = {
  type_identifier: (walk, node, scope) => readTypeName(walk, node, scope, 0),
  namespace_identifier: (walk, node, scope) => readTypeName(walk, node, scope, 0),
  qualified_identifier: (walk, node, scope) => readTypeName(walk, node, scope, 0),
  template_method: (walk, node, scope) => readTypeName(walk, node, scope, 0),
  decltype: (walk, node, scope) => visitChildren(walk, node, scope),
  template_type: (walk, node, scope) => readTypeName(walk, node, scope, 0),
  primitive_type: primitive,
  sized_type_specifier: primitive,
  type_descriptor: descriptor,
  ...sameFor('struct_specifier union_specifier class_specifier enum_specifier', defining),
  placeholder_type_specifier: skip,
};
