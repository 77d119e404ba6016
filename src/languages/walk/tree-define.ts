import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { textOf } from './tree.ts';
import { accessMember, nameOf, refer, type Walk } from './tree-walk.ts';

/** A definition of a language with declared types. Offsets and nodes that are left out are those of the name, or none. */
export interface TreeDefinition {
  kind: number;
  flags: number;
  /** Scope in which the name is visible, -1 for members. */
  scope: number;
  owner?: number;
  /** Node that the declaration spans. */
  around?: number;
  /** Node at whose start the body begins, so that the head ends there. */
  body?: number;
  /** Type node and value node. */
  type?: number;
  value?: number;
}

/** Writes a definition whose name is a node of the tree. */
export function defineNode<W>(walk: Walk<W>, nameNode: number, defined: TreeDefinition): number {
  const { tree, facts } = walk;
  const around = defined.around ?? nameNode;
  const definition = facts.define({
    name: textOf(tree, nameNode),
    kind: defined.kind,
    flags: defined.flags,
    nameStart: tree.start[nameNode] ?? 0,
    start: tree.start[around] ?? 0,
    end: tree.end[around] ?? 0,
    scope: defined.scope,
    owner: defined.owner ?? -1,
  });
  if (defined.body !== undefined && defined.body !== 0) facts.amend(definition, 'head', tree.start[defined.body] ?? 0);
  if (defined.type !== undefined) facts.amend(definition, 'type', defined.type);
  if (defined.value !== undefined) facts.amend(definition, 'value', defined.value);
  return definition;
}

/**
 * Writes a definition that the comment before it documents: the one that ends where the declaration starts, or before
 * `from` (what stands between them, such as attributes, belongs to the declaration).
 */
export function defineDocumented<W>(
  walk: Walk<W>,
  nameNode: number,
  defined: TreeDefinition & { around: number },
  from = walk.tree.start[defined.around] ?? 0,
): number {
  const definition = defineNode(walk, nameNode, defined);
  walk.documented.push(definition, from);
  return definition;
}

/** Defines a parameter in the scope of the inside of a function, and says that the function (-1: none) has it. */
export function defineFunctionParameter<W>(
  walk: Walk<W>,
  name: number,
  scope: number,
  { of, type = 0, value = 0, flags = 0 }: { of: number; type?: number; value?: number; flags?: number },
): number {
  const parameter = defineNode(walk, name, {
    kind: DefinitionKind.parameter,
    flags: DefinitionFlag.value | flags,
    scope,
    type,
    value,
  });
  if (of !== -1) noteParameter(walk, of, { type, parameter });
  return parameter;
}

/** Says that a function has a parameter of a type: the definition of its name, or -1 when it has none. */
export function noteParameter<W>(
  { facts }: Walk<W>,
  of: number,
  { type, parameter }: { type: number; parameter: number },
): void {
  facts.facet(of, Facet.parameter, facts.node(NodeOp.Parameter, type, parameter));
}

/** A function without a name, and the scope of its body: a lambda, a closure, a function literal. */
export function defineFunctionValue<W>(
  { tree, facts }: Walk<W>,
  node: number,
  scope: number,
  body: number,
): { definition: number; inside: number } {
  const definition = facts.define({
    name: '',
    kind: DefinitionKind.function,
    flags: DefinitionFlag.value | DefinitionFlag.callable,
    nameStart: -1,
    start: tree.start[node] ?? 0,
    end: tree.end[node] ?? 0,
    scope: -1,
  });
  const inside = openScope({ facts }, scope, ScopeKind.function, definition);
  facts.amend(definition, 'head', tree.start[body] ?? 0);
  return { definition, inside };
}

/** Opens the scope of what a definition has inside. */
export function openScope({ facts }: Pick<Walk<never>, 'facts'>, scope: number, kind: number, of: number): number {
  const inside = facts.scope(scope, kind, of);
  facts.amend(of, 'bodyScope', inside);
  return inside;
}

/** Defines a type parameter of a definition (-1: of none) in the scope of its inside. */
export function defineTypeParameter<W>(
  walk: Walk<W>,
  name: number,
  scope: number,
  facet: { of: number; flags?: number; type?: number },
): number {
  const { of, flags = DefinitionFlag.type, type = 0 } = facet;
  const parameter = defineNode(walk, name, { kind: DefinitionKind.type_parameter, flags, scope, type });
  if (of !== -1) walk.facts.facet(of, Facet.typeParameter, parameter);
  return parameter;
}

/** Defines a holder of members without a name. */
export function defineContainer<W>({ tree, facts }: Walk<W>, node: number, flags: number): number {
  return facts.define({
    name: '',
    kind: DefinitionKind.container,
    flags,
    nameStart: -1,
    start: tree.start[node] ?? 0,
    end: tree.end[node] ?? 0,
    scope: -1,
  });
}

/** The flags of a definition, 0 for none. */
export function flagsOf<W>(walk: Walk<W>, definition: number): number {
  return definition === -1 ? 0 : walk.facts.definitions.get(definition, Definition.flags);
}

/** The flags that a member takes from its owner. */
export function inheritedFlags<W>(walk: Walk<W>, owner: number): number {
  return flagsOf(walk, owner) & (DefinitionFlag.topLevel | DefinitionFlag.exported);
}

/** Notes a use of a name and gives it as an expression. */
export function identifierNode<W>(walk: Walk<W>, node: number, scope: number, flags: number): number {
  refer(walk, node, scope, flags);
  return walk.facts.node(NodeOp.Identifier, nameOf(walk, node), scope);
}

/** Notes a use of a name and gives it as a type. */
export function typeNameNode<W>(walk: Walk<W>, node: number, scope: number, flags: number): number {
  refer(walk, node, scope, flags);
  return walk.facts.node(NodeOp.TypeName, scope, [nameOf(walk, node)], []);
}

/** Notes a use of `receiver.name` and gives it as an expression. */
export function memberNode<W>(
  walk: Walk<W>,
  name: number,
  access: { receiver: number; scope: number; flags: number },
): number {
  accessMember(walk, name, access);
  return access.receiver === 0 ? 0 : walk.facts.node(NodeOp.MemberOf, access.receiver, nameOf(walk, name));
}

/** A type name with the names of another one before it: `TypeName` operands with one more name. */
export function extendedTypeName<W>(walk: Walk<W>, base: number, name: number): number {
  const { facts } = walk;
  if (base === 0 || facts.word(base) !== NodeOp.TypeName) return 0;
  return facts.node(NodeOp.TypeName, facts.word(base + 1), [...typeNameParts(walk, base), name], []);
}

/** A type name with arguments. Any other type is given back. */
export function appliedTypeName<W>(walk: Walk<W>, base: number, types: number[]): number {
  const { facts } = walk;
  if (base === 0 || facts.word(base) !== NodeOp.TypeName) return base;
  return facts.node(NodeOp.TypeName, facts.word(base + 1), typeNameParts(walk, base), types);
}

/** The string ids of the names of a `TypeName`. */
export function typeNameParts<W>(walk: Walk<W>, node: number): number[] {
  return Array.from({ length: walk.facts.word(node + 2) }, (_, index) => walk.facts.word(node + 3 + index));
}

/** The expression that names what a `TypeName` names; 0 for any other type. */
export function typeNameAsValue<W>(walk: Walk<W>, type: number): number {
  const { facts } = walk;
  if (type === 0 || facts.word(type) !== NodeOp.TypeName) return 0;
  const [root = 0, ...rest] = typeNameParts(walk, type);
  const start = facts.node(NodeOp.Identifier, root, facts.word(type + 1));
  return rest.reduce((object, name) => facts.node(NodeOp.MemberOf, object, name), start);
}
