import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childIn, childOf, childrenIn, childrenOf, Field } from '../walk/tree.ts';
import {
  defineDocumented,
  defineFunctionParameter,
  defineNode,
  flagsOf,
  inheritedFlags,
  noteParameter,
  openScope,
  type TreeDefinition,
} from '../walk/tree-define.ts';
import { nameOf, sameFor, skip, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import { type JavaHandler, type JavaWalk, Kind } from './walk.ts';
import { arrayOf, constructedName, defineTypeParameters, dimensionsOf, readAnnotations } from './types.ts';
import { readFunction } from '../walk/tree-handlers.ts';

/** Kinds of definitions by the node of their declaration. */
const TYPE_KINDS: ReadonlyMap<number | undefined, number> = new Map([
  [Kind.class_declaration, DefinitionKind.class],
  [Kind.record_declaration, DefinitionKind.class],
  [Kind.interface_declaration, DefinitionKind.interface],
  [Kind.annotation_type_declaration, DefinitionKind.interface],
  [Kind.enum_declaration, DefinitionKind.enum],
]);

const WHITE_SPACE = 32;

/** Scope of the body of a type, in which its members are written, and the definition that owns them. */
interface Container {
  scope: number;
  owner: number;
}

/** Reads the declarations in the body of a type. */
export function defineMembers(walk: JavaWalk, body: number, scope: number, owner: number): void {
  for (const member of childrenOf(walk.tree, body)) defineMember(walk, member, { scope, owner });
}

function defineMember(walk: JavaWalk, node: number, container: Container): void {
  switch (walk.tree.kind[node]) {
    case Kind.field_declaration:
    case Kind.constant_declaration:
      defineFields(walk, node, container);
      return;
    case Kind.method_declaration:
    case Kind.constructor_declaration:
    case Kind.compact_constructor_declaration:
    case Kind.annotation_type_element_declaration:
      defineMethod(walk, node, container);
      return;
    case Kind.enum_constant:
      defineEnumConstant(walk, node, container);
      return;
    case Kind.enum_body_declarations:
      defineMembers(walk, node, container.scope, container.owner);
      return;
    default:
      if (TYPE_KINDS.has(walk.tree.kind[node])) defineType(walk, node, container);
      else visit(walk, node, container.scope);
  }
}

/** Flags that the modifiers give. Members of an interface are public without saying so. */
function modifierFlags(walk: JavaWalk, node: number, owner: number): number {
  const { tree, facts } = walk;
  const modifiers = childOf(tree, node, Kind.modifiers);
  const has = (kind: number): boolean => modifiers !== 0 && childOf(tree, modifiers, kind) !== 0;
  const around = flagsOf(walk, owner);
  const isInterface = owner !== -1 && facts.definitions.get(owner, Definition.kind) === DefinitionKind.interface;
  const isPublic = has(Kind['"public"']) || (isInterface && !has(Kind['"private"']));
  const isVisible = isPublic && (owner === -1 || (around & DefinitionFlag.exported) !== 0);
  return (
    (isVisible ? DefinitionFlag.exported : 0) |
    (around & DefinitionFlag.topLevel) |
    (has(Kind['"private"']) ? DefinitionFlag.private : 0) |
    (has(Kind['"static"']) ? DefinitionFlag.static : 0) |
    (has(Kind['"abstract"']) ? DefinitionFlag.abstract : 0)
  );
}

/** Writes a declaration: its documentation is before its annotations, its head starts after them. */
function declare(
  walk: JavaWalk,
  nameNode: number,
  declared: TreeDefinition & { around: number; annotationScope: number },
): number {
  const { tree, facts } = walk;
  const definition = defineDocumented(walk, nameNode, declared);
  const modifiers = childOf(tree, declared.around, Kind.modifiers);
  let start = modifiers === 0 ? -1 : readAnnotations(walk, modifiers, declared.annotationScope, definition);
  if (start === -1) return definition;
  while (tree.text.charCodeAt(start) <= WHITE_SPACE) start += 1;
  facts.amend(definition, 'start', start);
  return definition;
}

/** Defines a class, interface, enum, record or annotation, with its members. */
function defineType(walk: JavaWalk, node: number, container: Container): void {
  const { tree, facts } = walk;
  const body = childIn(tree, node, Field.body);
  const isTop = container.scope === 0;
  const definition = declare(walk, childIn(tree, node, Field.name), {
    kind: TYPE_KINDS.get(tree.kind[node]) ?? DefinitionKind.class,
    flags:
      DefinitionFlag.value |
      DefinitionFlag.type |
      (isTop ? DefinitionFlag.topLevel : 0) |
      modifierFlags(walk, node, container.owner),
    ...container,
    around: node,
    body,
    annotationScope: container.scope,
  });
  const inside = openScope(walk, container.scope, ScopeKind.class, definition);
  defineTypeParameters(walk, childIn(tree, node, Field.type_parameters), inside, definition);
  heritage(walk, childIn(tree, node, Field.superclass), inside, { definition, facet: Facet.extends });
  heritage(walk, childIn(tree, node, Field.interfaces), inside, { definition, facet: Facet.implements });
  heritage(walk, childOf(tree, node, Kind.extends_interfaces), inside, { definition, facet: Facet.extends });
  typeOf(walk, childIn(tree, node, Field.permits), inside);
  defineComponents(walk, childIn(tree, node, Field.parameters), inside, definition);
  const { current, typeName, superName } = walk;
  const extended = constructedName(walk, tree.first[childIn(tree, node, Field.superclass)] ?? 0);
  Object.assign(walk, {
    current: -1,
    typeName: facts.definitions.get(definition, Definition.name),
    superName: extended === 0 ? 0 : nameOf(walk, extended),
  });
  defineMembers(walk, body, inside, definition);
  Object.assign(walk, { current, typeName, superName });
}

function heritage(walk: JavaWalk, clause: number, scope: number, to: { definition: number; facet: number }): void {
  for (const child of childrenOf(walk.tree, clause)) {
    if (walk.tree.kind[child] === Kind.type_list) heritage(walk, child, scope, to);
    else {
      const type = typeOf(walk, child, scope);
      if (type !== 0) walk.facts.facet(to.definition, to.facet, type);
    }
  }
}

/** The components of a record are its properties and the parameters of its constructor. */
function defineComponents(walk: JavaWalk, list: number, scope: number, owner: number): void {
  const { tree, facts } = walk;
  for (const component of childrenOf(tree, list)) {
    const isSpread = tree.kind[component] === Kind.spread_parameter;
    const declarator = isSpread ? childOf(tree, component, Kind.variable_declarator) : component;
    const name = childIn(tree, declarator, Field.name);
    if (name === 0) continue;
    const typeNode = isSpread ? spreadType(walk, component, declarator) : childIn(tree, component, Field.type);
    const written = typeOf(walk, typeNode, scope);
    const type = isSpread && written !== 0 ? facts.node(NodeOp.ArrayType, written) : written;
    defineNode(walk, name, {
      kind: DefinitionKind.property,
      flags: DefinitionFlag.value | inheritedFlags(walk, owner),
      scope,
      owner,
      around: component,
      type,
    });
    facts.facet(owner, Facet.constructorParameter, facts.node(NodeOp.Parameter, type, -1));
  }
}

function defineFields(walk: JavaWalk, node: number, container: Container): void {
  const { tree } = walk;
  const flags = DefinitionFlag.value | modifierFlags(walk, node, container.owner);
  const modifiers = childOf(tree, node, Kind.modifiers);
  const isFinal = modifiers !== 0 && childOf(tree, modifiers, Kind['"final"']) !== 0;
  const isConstant =
    tree.kind[node] === Kind.constant_declaration || (isFinal && (flags & DefinitionFlag.static) !== 0);
  const type = typeOf(walk, childIn(tree, node, Field.type), container.scope);
  for (const declarator of childrenIn(tree, node, Field.declarator)) {
    const value = visit(walk, childIn(tree, declarator, Field.value), container.scope);
    declare(walk, childIn(tree, declarator, Field.name), {
      kind: isConstant ? DefinitionKind.constant : DefinitionKind.property,
      flags,
      ...container,
      around: node,
      type: readDimensions(walk, declarator, type),
      value,
      annotationScope: container.scope,
    });
  }
}

/** `int name[]`: the brackets may follow the name. */
function readDimensions(walk: JavaWalk, declarator: number, type: number): number {
  return type === 0 ? 0 : arrayOf(walk, type, dimensionsOf(walk, childIn(walk.tree, declarator, Field.dimensions)));
}

function defineEnumConstant(walk: JavaWalk, node: number, { scope, owner }: Container): void {
  const { tree, facts } = walk;
  const name = facts.definitions.get(owner, Definition.name);
  const definition = declare(walk, childIn(tree, node, Field.name), {
    kind: DefinitionKind.enum_member,
    flags: DefinitionFlag.value | DefinitionFlag.static | inheritedFlags(walk, owner),
    scope,
    owner,
    around: node,
    type: facts.node(NodeOp.TypeName, scope, [name], []),
    annotationScope: scope,
  });
  visit(walk, childIn(tree, node, Field.arguments), scope);
  const body = childIn(tree, node, Field.body);
  if (body === 0) return;
  const inside = facts.scope(scope, ScopeKind.class, owner);
  defineMembers(walk, body, inside, definition);
}

function defineMethod(walk: JavaWalk, node: number, container: Container): void {
  const { tree } = walk;
  const nameNode = childIn(tree, node, Field.name);
  const body = childIn(tree, node, Field.body);
  const isConstructor =
    tree.kind[node] === Kind.constructor_declaration || tree.kind[node] === Kind.compact_constructor_declaration;
  const isAbstract = body === 0;
  const definition = declare(walk, nameNode, {
    kind: DefinitionKind.method,
    flags:
      DefinitionFlag.value |
      DefinitionFlag.callable |
      (isConstructor ? DefinitionFlag.constructor : 0) |
      (isAbstract ? DefinitionFlag.abstract : 0) |
      modifierFlags(walk, node, container.owner),
    // The name of a constructor is that of its class.
    scope: isConstructor ? -1 : container.scope,
    owner: container.owner,
    around: node,
    body,
    annotationScope: container.scope,
  });
  readFunction(walk, node, definition, {
    scope: container.scope,
    body,
    head: (inside) => {
      defineTypeParameters(walk, childIn(tree, node, Field.type_parameters), inside, definition);
      defineParameters(walk, childIn(tree, node, Field.parameters), inside, definition);
      const type = readDimensions(walk, node, typeOf(walk, childIn(tree, node, Field.type), inside));
      typeOf(walk, childOf(tree, node, Kind.throws), inside);
      visit(walk, childIn(tree, node, Field.value), inside);
      return type;
    },
    read: (inside) => visitChildren(walk, body, inside),
  });
}

/** Defines the parameters of a list in a scope, as those of a definition. */
export function defineParameters(walk: JavaWalk, list: number, scope: number, definition: number): void {
  const { tree, facts } = walk;
  for (const child of childrenOf(tree, list)) {
    const isSpread = tree.kind[child] === Kind.spread_parameter;
    const declarator = isSpread ? childOf(tree, child, Kind.variable_declarator) : child;
    const name = childIn(tree, declarator, Field.name);
    if (name === 0 || tree.kind[name] !== Kind.identifier) continue;
    const typeNode = isSpread ? spreadType(walk, child, declarator) : childIn(tree, child, Field.type);
    const written = typeOf(walk, typeNode, scope);
    const type =
      isSpread && written !== 0 ? facts.node(NodeOp.ArrayType, written) : readDimensions(walk, child, written);
    const flags = isSpread ? DefinitionFlag.rest : 0;
    const parameter = defineFunctionParameter(walk, name, scope, { of: -1, type, flags });
    const modifiers = childOf(tree, child, Kind.modifiers);
    if (modifiers !== 0) readAnnotations(walk, modifiers, scope, parameter);
    noteParameter(walk, definition, { type, parameter });
  }
}

function spreadType(walk: JavaWalk, parameter: number, declarator: number): number {
  const { tree } = walk;
  const isType = (node: number): boolean => node !== declarator && tree.kind[node] !== Kind.modifiers;
  return childrenOf(tree, parameter).find(isType) ?? 0;
}

function localType(walk: JavaWalk, node: number, scope: number): number {
  defineType(walk, node, { scope, owner: -1 });
  return 0;
}

/** Handlers of declarations outside the body of a type, by kind of node. */
export const JAVA_DECLARATIONS: Partial<Record<keyof typeof Kind, JavaHandler>> = {
  ...sameFor(
    'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration',
    localType,
  ),
  modifiers: skip,
};
