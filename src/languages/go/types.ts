import { DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childIn, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import {
  appliedTypeName,
  defineContainer,
  defineDocumented,
  defineFunctionParameter,
  defineTypeParameter,
  flagsOf,
  identifierNode,
} from '../walk/tree-define.ts';
import { accessMember, nameOf, refer, sameFor, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { type GoHandler, type GoWalk, isExported, Kind, localsOf, scopeOfName } from './walk.ts';
import { anyType, typesOf } from '../walk/tree-handlers.ts';
import { beforeDeclared } from './statements.ts';

/** A parameter that was read: its node for the facts, and its type. */
interface GoParameter {
  node: number;
  type: number;
}

/**
 * Defines the parameters of a function and gives the type of its result. In their types the names that a signature declares
 * still mean what is outside: `func open(storage storage.Folder)`.
 */
export function readSignature(walk: GoWalk, node: number, scope: number, definition: number): number {
  const { tree, facts } = walk;
  return beforeDeclared(walk, declaredNames(walk, node), scope, () => {
    for (const parameter of defineParameters(walk, childIn(tree, node, Field.parameters), scope))
      facts.facet(definition, Facet.parameter, parameter.node);
    return resultType(walk, childIn(tree, node, Field.result), scope);
  });
}

/** The names that the receiver, the parameters and the results of a function have. */
function declaredNames({ tree }: GoWalk, node: number): number[] {
  return [Field.receiver, Field.parameters, Field.result]
    .flatMap((field) => childrenOf(tree, childIn(tree, node, field)))
    .filter(
      (declaration) =>
        tree.kind[declaration] === Kind.parameter_declaration ||
        tree.kind[declaration] === Kind.variadic_parameter_declaration,
    )
    .flatMap((declaration) => childrenIn(tree, declaration, Field.name));
}

/** Defines the parameters of a list in a scope. A parameter without a name has a node, too. */
function defineParameters(walk: GoWalk, list: number, scope: number): GoParameter[] {
  const { tree, facts } = walk;
  return childrenOf(tree, list).flatMap((declaration) => {
    const isVariadic = tree.kind[declaration] === Kind.variadic_parameter_declaration;
    if (!isVariadic && tree.kind[declaration] !== Kind.parameter_declaration) return [];
    const written = typeOf(walk, childIn(tree, declaration, Field.type), scope);
    const type = isVariadic && written !== 0 ? facts.node(NodeOp.ArrayType, written) : written;
    const names = childrenIn(tree, declaration, Field.name);
    if (names.length === 0) return [{ node: facts.node(NodeOp.Parameter, type, -1), type }];
    return names.map((name) => {
      const definition = defineFunctionParameter(walk, name, scope, { of: -1, type });
      localsOf(walk, scope).set(textOf(tree, name), definition);
      return { node: facts.node(NodeOp.Parameter, type, definition), type };
    });
  });
}

/** The type of a function's result: none, one, or a tuple. Named results are defined like parameters. */
function resultType(walk: GoWalk, node: number, scope: number): number {
  if (walk.tree.kind[node] !== Kind.parameter_list) return typeOf(walk, node, scope);
  const types = defineParameters(walk, node, scope).map((parameter) => parameter.type);
  return types.length === 1 ? (types[0] ?? 0) : walk.facts.node(NodeOp.TupleType, types);
}

/** Defines type parameters in a scope. Each declaration may name several. */
export function defineTypeParameters(walk: GoWalk, list: number, scope: number, definition: number): void {
  const { tree } = walk;
  for (const declaration of childrenOf(tree, list)) {
    const type = typeOf(walk, childIn(tree, declaration, Field.type), scope);
    for (const name of childrenIn(tree, declaration, Field.name))
      defineTypeParameter(walk, name, scope, { of: definition, type });
  }
}

/** Reads the fields or methods of a struct or interface into a definition. */
export function defineMembers(walk: GoWalk, type: number, scope: number, owner: number): void {
  const { tree, facts } = walk;
  for (const child of childrenOf(tree, type)) {
    switch (tree.kind[child]) {
      case Kind.field_declaration_list:
        defineMembers(walk, child, scope, owner);
        break;
      case Kind.field_declaration:
        defineField(walk, child, scope, owner);
        break;
      case Kind.method_elem:
        defineInterfaceMethod(walk, child, scope, owner);
        break;
      case Kind.type_elem: {
        // One type is embedded; several are a constraint.
        const types = typesOf(walk, child, scope);
        if (types.length === 1 && types[0] !== 0) facts.facet(owner, Facet.extends, types[0] ?? 0);
        break;
      }
      default:
        typeOf(walk, child, scope);
    }
  }
}

function memberFlags(walk: GoWalk, owner: number, name: string): number {
  const around = flagsOf(walk, owner);
  const isVisible = isExported(name) && (around & DefinitionFlag.exported) !== 0;
  return (around & DefinitionFlag.topLevel) | (isVisible ? DefinitionFlag.exported : 0);
}

function defineField(walk: GoWalk, node: number, scope: number, owner: number): void {
  const { tree, facts } = walk;
  const typeNode = childIn(tree, node, Field.type);
  const names = childrenIn(tree, node, Field.name);
  const type = typeOf(walk, typeNode, scope);
  for (const name of names) defineOneField(walk, name, { owner, type, around: node });
  if (names.length > 0) return;
  // An embedded field is named as its type, and lends its members.
  if (type !== 0) facts.facet(owner, Facet.extends, type);
  const name = lastName(walk, typeNode);
  if (name !== 0) defineOneField(walk, name, { owner, type, around: node });
}

function defineOneField(walk: GoWalk, name: number, field: { owner: number; type: number; around: number }): void {
  defineDocumented(walk, name, {
    kind: DefinitionKind.property,
    flags: DefinitionFlag.value | memberFlags(walk, field.owner, textOf(walk.tree, name)),
    scope: -1,
    ...field,
  });
}

/** The node of the last name of `*pkg.Name[T]`, 0 for none. */
function lastName(walk: GoWalk, type: number): number {
  const { tree } = walk;
  switch (tree.kind[type]) {
    case Kind.type_identifier:
      return type;
    case Kind.qualified_type:
      return childIn(tree, type, Field.name);
    case Kind.generic_type:
      return lastName(walk, childIn(tree, type, Field.type));
    case Kind.pointer_type:
      return lastName(walk, tree.last[type] ?? 0);
    default:
      return 0;
  }
}

function defineInterfaceMethod(walk: GoWalk, node: number, scope: number, owner: number): void {
  const { tree, facts } = walk;
  const name = childIn(tree, node, Field.name);
  const definition = defineDocumented(walk, name, {
    kind: DefinitionKind.method,
    flags:
      DefinitionFlag.value |
      DefinitionFlag.callable |
      DefinitionFlag.abstract |
      memberFlags(walk, owner, textOf(tree, name)),
    scope: -1,
    owner,
    around: node,
  });
  const inside = facts.scope(scope, ScopeKind.function, definition);
  facts.amend(definition, 'type', readSignature(walk, node, inside, definition));
}

function typeIdentifier(walk: GoWalk, node: number, scope: number): number {
  const from = scopeOfName(walk, node, scope);
  refer(walk, node, from, TYPE);
  return walk.facts.node(NodeOp.TypeName, from, [nameOf(walk, node)], []);
}

function qualifiedType(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const [module, name] = [childIn(tree, node, Field.package), childIn(tree, node, Field.name)];
  const from = scopeOfName(walk, module, scope);
  const receiver = identifierNode(walk, module, from, TYPE);
  accessMember(walk, name, { receiver, scope: from, flags: TYPE });
  return facts.node(NodeOp.TypeName, from, [nameOf(walk, module), nameOf(walk, name)], []);
}

function genericType(walk: GoWalk, node: number, scope: number): number {
  const base = typeOf(walk, childIn(walk.tree, node, Field.type), scope);
  const list = childIn(walk.tree, node, Field.type_arguments);
  return appliedTypeName(walk, base, typesOf(walk, list, scope));
}

/** The type after a `*` or `~`, or in brackets. */
function innerType(walk: GoWalk, node: number, scope: number): number {
  return typeOf(walk, walk.tree.last[node] ?? 0, scope);
}

function sequenceType(walk: GoWalk, node: number, scope: number): number {
  visit(walk, childIn(walk.tree, node, Field.length), scope);
  return walk.facts.node(NodeOp.ArrayType, typeOf(walk, childIn(walk.tree, node, Field.element), scope));
}

function mapType(walk: GoWalk, node: number, scope: number): number {
  typeOf(walk, childIn(walk.tree, node, Field.key), scope);
  return walk.facts.node(NodeOp.MapType, typeOf(walk, childIn(walk.tree, node, Field.value), scope));
}

function channelType(walk: GoWalk, node: number, scope: number): number {
  return walk.facts.node(NodeOp.ArrayType, typeOf(walk, childIn(walk.tree, node, Field.value), scope));
}

function functionType(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  return beforeDeclared(walk, declaredNames(walk, node), inside, () => {
    const parameters = defineParameters(walk, childIn(tree, node, Field.parameters), inside).map(
      (parameter) => parameter.node,
    );
    return facts.node(NodeOp.FunctionType, resultType(walk, childIn(tree, node, Field.result), inside), parameters, 0);
  });
}

/** A struct or interface without a name: its members belong to a container. */
function anonymousType(walk: GoWalk, node: number, scope: number): number {
  const container = defineContainer(walk, node, DefinitionFlag.type);
  defineMembers(walk, node, scope, container);
  return walk.facts.node(NodeOp.MembersType, container);
}

/** Handlers of types, by kind of node. A pointer has the members of what it points to. */
export const GO_TYPES: Partial<Record<keyof typeof Kind, GoHandler>> = {
  type_identifier: typeIdentifier,
  // A type in the place of an expression, such as the argument of a generic function.
  identifier: typeIdentifier,
  qualified_type: qualifiedType,
  generic_type: genericType,
  type_elem: anyType,
  type_constraint: anyType,
  ...sameFor('pointer_type parenthesized_type negated_type', innerType),
  ...sameFor('slice_type array_type implicit_length_array_type', sequenceType),
  map_type: mapType,
  channel_type: channelType,
  function_type: functionType,
  struct_type: anonymousType,
  interface_type: anonymousType,
};
