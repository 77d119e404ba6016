import type {
  Class,
  ClassElement,
  Decorator,
  Expression,
  MethodDefinition,
  ParamPattern,
  PropertyDefinition,
  AccessorProperty,
} from 'oxc-parser';
import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  Facet,
  FacetColumn,
  NodeOp,
  ScopeKind,
  UseFlag,
} from '../facts/facts.ts';
import { addFlags } from './functions.ts';
import { readAnnotation, readIndexSignature, typeArguments } from './types.ts';
import {
  attachDocumentation,
  type Declared,
  isFunctionExpression,
  memberFlag,
  memberName,
  nameMetrics,
  nameStart,
  type Walk,
} from './walk.ts';

const TYPE_USE = UseFlag.type | UseFlag.typeUse;

/** Reads a class. One without a name is not visible anywhere. Gives its definition. */
export function readClass(walk: Walk, node: Class, scope: number, declared: Declared | undefined): number {
  const { facts, visit } = walk;
  const firstFacet = facts.facets.count;
  const start = Math.min(declared?.start ?? node.start, node.decorators[0]?.start ?? node.start);
  const definition = facts.define({
    name: node.id?.name ?? (declared === undefined ? '' : 'default'),
    kind: DefinitionKind.class,
    flags:
      DefinitionFlag.value |
      DefinitionFlag.type |
      (declared?.flags ?? 0) |
      (node.abstract === true ? DefinitionFlag.abstract : 0),
    nameStart: node.id?.start ?? (declared === undefined ? -1 : node.start),
    start,
    end: node.end,
    scope: node.id === null ? -1 : scope,
  });
  facts.amend(definition, 'head', node.body.start);
  attachDocumentation(walk, definition, start);
  const inside = facts.scope(scope, ScopeKind.class, definition);
  facts.amend(definition, 'bodyScope', inside);
  visit.typeParameters(walk, node.typeParameters, inside, definition);
  readDecorators(walk, node.decorators, scope, definition);
  readHeritage(walk, node, definition, { scope, inside });
  const outer = walk.classFrame;
  walk.classFrame = { definition, members: new Set(node.body.body.map((element) => elementName(element) ?? '')) };
  for (const element of node.body.body) readElement(walk, element, definition, inside);
  addConstructorParameters(walk, definition, firstFacet);
  walk.classFrame = outer;
  return definition;
}

function readDecorators(walk: Walk, list: readonly Decorator[], scope: number, definition: number): void {
  for (const { expression } of list) {
    const value = walk.visit.used(walk, expression, scope, UseFlag.call);
    if (value !== 0 && definition >= 0) walk.facts.facet(definition, Facet.decorator, value);
  }
}

function readHeritage(walk: Walk, node: Class, definition: number, at: { scope: number; inside: number }): void {
  const { facts, visit } = walk;
  if (node.superClass !== null) {
    const value = visit.used(walk, node.superClass, at.scope, UseFlag.typeUse);
    const generics = typeArguments(walk, node.superTypeArguments, at.inside);
    const base = generics.length === 0 ? value : facts.node(NodeOp.New, value, [], generics);
    if (value !== 0) facts.facet(definition, Facet.extends, base);
  }
  for (const { expression, typeArguments: list } of node.implements ?? []) {
    const names = heritageNames(walk, expression, at.scope);
    const generics = typeArguments(walk, list, at.inside);
    if (names !== undefined)
      facts.facet(definition, Facet.implements, facts.node(NodeOp.TypeName, at.scope, names, generics));
  }
}

/** References a dotted name in an `extends` or `implements` list and gives its parts, or undefined when it is none. */
export function heritageNames(walk: Walk, node: Expression, scope: number): number[] | undefined {
  const { facts } = walk;
  if (node.type === 'Identifier') {
    walk.visit.used(walk, node, scope, TYPE_USE);
    return [facts.string(node.name)];
  }
  walk.visit.used(walk, node, scope, UseFlag.typeUse);
  const names: number[] = [];
  for (let at: Expression = node; ; at = at.object) {
    if (at.type === 'Identifier') return [facts.string(at.name), ...names];
    if (at.type !== 'MemberExpression' || at.property.type !== 'Identifier' || at.computed) return undefined;
    names.unshift(facts.string(at.property.name));
  }
}

function elementName(element: ClassElement): string | undefined {
  return 'key' in element ? memberName(element.key, element.computed) : undefined;
}

function readElement(walk: Walk, element: ClassElement, owner: number, scope: number): void {
  switch (element.type) {
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
      readMethod(walk, element, owner, scope);
      return;
    case 'PropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractPropertyDefinition':
    case 'TSAbstractAccessorProperty':
      readProperty(walk, element, owner, scope);
      return;
    case 'StaticBlock': {
      const inside = walk.facts.scope(scope, ScopeKind.function);
      for (const statement of element.body) walk.visit.statement(walk, statement, inside);
      return;
    }
    case 'TSIndexSignature':
      readIndexSignature(walk, element, owner, scope);
  }
}

const METHOD_FLAGS = {
  constructor: DefinitionFlag.constructor,
  method: 0,
  get: DefinitionFlag.getter,
  set: DefinitionFlag.setter,
} as const;

function readMethod(walk: Walk, node: MethodDefinition, owner: number, scope: number): void {
  const definition = defineMember(walk, node, owner, { kind: DefinitionKind.method, scope });
  const isAbstract = node.type === 'TSAbstractMethodDefinition';
  const isOverload = node.value.body === null && !isAbstract && !walk.isAmbient;
  const flags = METHOD_FLAGS[node.kind] | (isOverload ? DefinitionFlag.overload : 0);
  addFlags(walk, definition, flags | (isAbstract ? DefinitionFlag.abstract : 0));
  walk.visit.function(walk, node.value, scope, { definition, context: 0 });
  if (node.kind === 'constructor') addParameterProperties(walk, node.value.params, owner);
}

function readProperty(walk: Walk, node: PropertyDefinition | AccessorProperty, owner: number, scope: number): void {
  const { facts, visit } = walk;
  const definition = defineMember(walk, node, owner, { kind: DefinitionKind.property, scope });
  const type = readAnnotation(walk, node.typeAnnotation, scope);
  facts.amend(definition, 'type', type);
  if (node.value === null) return;
  const value = visit.expression(walk, node.value, scope, type === 0 ? 0 : facts.node(NodeOp.ContextType, type));
  facts.amend(definition, 'value', value);
  amendValueHead(walk, definition, node.value);
}

/**
 * Defines a member of a class. One with a computed name gets a definition that no name leads to, so that its body has a
 * place to belong to.
 */
function defineMember(
  walk: Walk,
  node: MethodDefinition | PropertyDefinition | AccessorProperty,
  owner: number,
  { kind, scope }: { kind: number; scope: number },
): number {
  const { facts } = walk;
  if (node.computed) walk.visit.expression(walk, node.key as Expression, scope);
  const name = memberName(node.key, node.computed);
  const start = Math.min(node.start, node.decorators[0]?.start ?? node.start);
  const isPrivate = node.accessibility === 'private' || node.key.type === 'PrivateIdentifier';
  const definition = facts.define({
    name: name ?? '',
    kind,
    flags:
      DefinitionFlag.value |
      memberFlag(walk) |
      (node.static ? DefinitionFlag.static : 0) |
      (isPrivate ? DefinitionFlag.private : 0),
    nameStart: name === undefined ? -1 : nameStart(node.key),
    start,
    end: node.end,
    scope: -1,
    owner: name === undefined ? -1 : owner,
  });
  attachDocumentation(walk, definition, start);
  readDecorators(walk, node.decorators, scope, definition);
  return definition;
}

/** Marks a definition whose value is a function, names its measures, and ends its head where a long value starts. */
export function amendValueHead(walk: Walk, definition: number, value: Expression): void {
  const { facts } = walk;
  if (isFunctionExpression(value)) {
    addFlags(walk, definition, DefinitionFlag.functionValue);
    nameMetrics(walk, definition);
    facts.amend(definition, 'head', value.body?.start ?? value.end);
    return;
  }
  const isLong = LONG_VALUES.has(value.type) && value.end - value.start > LONGEST_VALUE;
  if (isLong) facts.amend(definition, 'head', value.start);
}

/** Values that say more about the contents than about the thing, when they are long. */
const LONG_VALUES: ReadonlySet<string> = new Set(
  'ObjectExpression ArrayExpression ClassExpression TemplateLiteral CallExpression NewExpression JSXElement'.split(' '),
);
const LONGEST_VALUE = 80;

/** `constructor(private readonly db: Db)` makes a property beside the parameter, with its type and value. */
function addParameterProperties(walk: Walk, parameters: readonly ParamPattern[], owner: number): void {
  const { facts } = walk;
  for (const parameter of parameters) {
    if (parameter.type !== 'TSParameterProperty') continue;
    const named = parameter.parameter.type === 'AssignmentPattern' ? parameter.parameter.left : parameter.parameter;
    if (named.type !== 'Identifier') continue;
    const local = parameterAt(walk, named.start);
    const property = facts.define({
      name: named.name,
      kind: DefinitionKind.property,
      flags:
        DefinitionFlag.value | memberFlag(walk) | (parameter.accessibility === 'private' ? DefinitionFlag.private : 0),
      nameStart: named.start,
      start: parameter.start,
      end: parameter.end,
      scope: -1,
      owner,
    });
    facts.amend(property, 'type', facts.definitions.get(local, Definition.type));
    facts.amend(property, 'value', facts.definitions.get(local, Definition.value));
    attachDocumentation(walk, property, parameter.start);
  }
}

/** The parameter whose name starts at an offset: it was defined not long ago. */
function parameterAt({ facts }: Walk, start: number): number {
  let at = facts.definitions.count - 1;
  while (at > 0 && facts.definitions.get(at, Definition.nameStart) !== start) at -= 1;
  return at;
}

/** The parameters of the last constructor written, which is the one with a body if any has, are those of `new`. */
function addConstructorParameters({ facts }: Walk, owner: number, firstFacet: number): void {
  const last = lastConstructor(facts, owner);
  if (last === undefined) return;
  for (let row = firstFacet, rows = facts.facets.count; row < rows; row += 1) {
    const isParameter = facts.facets.get(row, FacetColumn.facet) === Facet.parameter;
    if (isParameter && facts.facets.get(row, FacetColumn.definition) === last)
      facts.facet(owner, Facet.constructorParameter, facts.facets.get(row, FacetColumn.node));
  }
}

function lastConstructor({ definitions }: Walk['facts'], owner: number): number | undefined {
  for (let at = definitions.count - 1; at > owner; at -= 1) {
    const isConstructor = (definitions.get(at, Definition.flags) & DefinitionFlag.constructor) !== 0;
    if (isConstructor && definitions.get(at, Definition.owner) === owner) return at;
  }
  return undefined;
}

/** In JavaScript, `this.x = value` inside a class makes a property that the class does not declare. */
export function addAssignedProperty(walk: Walk, target: Expression, value: number): void {
  const { classFrame, facts } = walk;
  if (walk.language !== 'javascript' || classFrame === undefined || target.type !== 'MemberExpression') return;
  const { object, property } = target;
  if (object.type !== 'ThisExpression' || target.computed || property.type !== 'Identifier') return;
  if (classFrame.members.has(property.name)) return;
  classFrame.members.add(property.name);
  const definition = facts.define({
    name: property.name,
    kind: DefinitionKind.property,
    flags:
      DefinitionFlag.value | (facts.definitions.get(classFrame.definition, Definition.flags) & DefinitionFlag.topLevel),
    nameStart: property.start,
    start: target.start,
    end: target.end,
    scope: -1,
    owner: classFrame.definition,
  });
  facts.amend(definition, 'value', value);
}
