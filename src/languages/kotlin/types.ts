import { Definition, FunctionForm, NodeOp } from '../facts/facts.ts';
import { innerType } from '../walk/tree-handlers.ts';
import { childrenOf, textOf } from '../walk/tree.ts';
import {
  appliedTypeName,
  defineTypeParameter,
  extendedTypeName,
  typeNameAsValue,
  typeNameNode,
} from '../walk/tree-define.ts';
import { accessMember, nameOf, READ, referBound, sameFor, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { all, CONSTRUCT, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';

const PRIMITIVES = new Set(
  'Int Long Short Byte Double Float Boolean Char String Unit Any Nothing UInt ULong CharSequence Number'.split(' '),
);

/** True if a node stands for a type. */
export function isType(walk: TableWalk, node: number): boolean {
  return is(walk, node, 'user_type', 'nullable_type', 'function_type', 'parenthesized_type', 'non_nullable_type');
}

/** `A.B<T>`: each part but the first is a member of what is before it. */
function userType(walk: TableWalk, node: number, scope: number, flags: number): number {
  const { facts, tree } = walk;
  let type = 0;
  for (const child of childrenOf(tree, node)) {
    if (is(walk, child, 'type_arguments')) {
      const types = childrenOf(tree, child).map((argument) => typeOf(walk, argument, scope));
      type = appliedTypeName(walk, type, types);
      continue;
    }
    if (!is(walk, child, 'identifier')) continue;
    const text = textOf(tree, child);
    if (type === 0 && PRIMITIVES.has(text)) return facts.node(NodeOp.Primitive, facts.string(text));
    if (type === 0) type = typeNameNode(walk, child, scope, flags);
    else {
      accessMember(walk, child, { receiver: typeNameAsValue(walk, type), scope, flags });
      type = extendedTypeName(walk, type, nameOf(walk, child));
    }
  }
  return type;
}

/** A type of which an instance is made. */
export function constructedType(walk: TableWalk, node: number, scope: number): number {
  return is(walk, node, 'user_type') ? userType(walk, node, scope, CONSTRUCT) : typeOf(walk, node, scope);
}

/** `(A) -> R`, and `T.(A) -> R`, whose last parameter is then what it is called on. */
const functionType: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const parameter = (type: number): number => facts.node(NodeOp.Parameter, type, -1);
  const list = first(walk, node, 'function_type_parameters');
  const parameters = childrenOf(tree, list).map((part) => parameter(typeOf(walk, part, scope)));
  let receiver = 0;
  let result = 0;
  for (const child of childrenOf(tree, node).filter((part) => part !== list)) {
    const type = typeOf(walk, child, scope);
    if ((tree.start[child] ?? 0) < (tree.start[list] ?? 0)) receiver = type;
    else result = type;
  }
  if (receiver === 0) return facts.node(NodeOp.FunctionType, result, parameters, FunctionForm.plain);
  return facts.node(NodeOp.FunctionType, result, [...parameters, parameter(receiver)], FunctionForm.onReceiver);
};

/** Defines type parameters in the scope of the inside of what has them, with what bounds them. */
export function typeParameters(walk: TableWalk, node: number, scope: number, definition: number): void {
  const { facts, tree } = walk;
  const parameters = new Map<string, number>();
  for (const child of all(walk, first(walk, node, 'type_parameters'), 'type_parameter')) {
    const name = first(walk, child, 'identifier');
    const parameter = defineTypeParameter(walk, name, scope, { of: definition, type: innerType(walk, child, scope) });
    parameters.set(textOf(tree, name), parameter);
  }
  for (const child of all(walk, first(walk, node, 'type_constraints'), 'type_constraint')) {
    const constrained = first(walk, child, 'identifier');
    const parameter = parameters.get(textOf(tree, constrained)) ?? -1;
    if (parameter !== -1) referBound(walk, constrained, parameter, TYPE);
    const type = innerType(walk, child, scope);
    if (parameter !== -1 && facts.definitions.get(parameter, Definition.type) === 0)
      facts.amend(parameter, 'type', type);
  }
}

/** Handlers of types in Kotlin, by type of node. Names of parameters in types of functions are no names. */
export const KOTLIN_TYPES: Readonly<Record<string, TableHandler>> = {
  user_type: (walk, node, scope) => userType(walk, node, scope, TYPE),
  ...sameFor('nullable_type parenthesized_type non_nullable_type type_projection parameter', innerType),
  function_type: functionType,
  identifier: () => 0,
};

/** `name = value`. */
export function isNamedArgument(walk: TableWalk): (node: number) => boolean {
  const { tree } = walk;
  return (node) => {
    const [written = 0, ...rest] = is(walk, node, 'value_argument') ? childrenOf(tree, node) : [];
    return rest.length > 0 && /^\s*=/.test(tree.text.slice(tree.end[written], tree.end[node]));
  };
}

/** Reads what a constructor of a type is given. The name of an argument may be that of a property. */
export function readConstructorArguments(
  walk: TableWalk,
  list: number,
  { type, scope }: { type: number; scope: number },
): void {
  visit(walk, list, scope);
  if (type === 0) return;
  const { facts, tree } = walk;
  const named = childrenOf(tree, list).filter(isNamedArgument(walk));
  const context = named.length === 0 ? 0 : facts.node(NodeOp.ContextType, type);
  for (const argument of named) {
    const [parameter = 0] = childrenOf(tree, argument);
    facts.keys.add(nameOf(walk, parameter), tree.start[parameter] ?? 0, context, READ, scope);
  }
}
