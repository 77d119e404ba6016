import type {
  Expression,
  Node,
  TSFunctionType,
  TSConstructorType,
  TSIndexSignature,
  TSImportType,
  TSImportTypeQualifier,
  TSSignature,
  TSTupleElement,
  TSType,
  TSTypeName,
  TSTypeParameterDeclaration,
  TSTypeParameterInstantiation,
} from 'oxc-parser';
import { DefinitionFlag, DefinitionKind, Facet, NodeOp, ReferenceHow, ScopeKind, UseFlag } from '../facts/facts.ts';
import {
  attachDocumentation,
  keyName,
  literalText,
  memberFlag,
  memberName,
  nameStart,
  type NodeOf,
  type Walk,
} from './walk.ts';

const TYPE_USE = UseFlag.type | UseFlag.typeUse;
/** Heads of qualified names and operands of `typeof`: values that are named in a type. */
const VALUE_IN_TYPE = UseFlag.value | UseFlag.typeUse;

type TypeKind = TSType['type'] | 'TSRestType' | 'TSOptionalType';
type Reader<T extends Node['type']> = (walk: Walk, node: NodeOf<T>, scope: number) => number;

const primitive =
  (name: string) =>
  ({ facts }: Walk): number =>
    facts.node(NodeOp.Primitive, facts.string(name));

const READERS: { readonly [T in TypeKind]?: Reader<T> } = {
  TSTypeReference: (walk, node, scope) => {
    const generics = typeArguments(walk, node.typeArguments, scope);
    const names = typeName(walk, node.typeName, scope);
    return walk.facts.node(NodeOp.TypeName, scope, names, generics);
  },
  TSStringKeyword: primitive('string'),
  TSNumberKeyword: primitive('number'),
  TSBooleanKeyword: primitive('boolean'),
  TSBigIntKeyword: primitive('bigint'),
  TSSymbolKeyword: primitive('symbol'),
  TSTemplateLiteralType: (walk, node, scope) => {
    for (const type of node.types) readType(walk, type, scope);
    return primitive('string')(walk);
  },
  TSLiteralType: (walk, { literal }) => {
    if (literal.type === 'TemplateLiteral') return primitive('string')(walk);
    if (literal.type !== 'Literal') return primitive('number')(walk);
    return primitive(literalText(literal) ?? typeof literal.value)(walk);
  },
  TSUnionType: (walk, node, scope) => union(walk, node.types, scope),
  TSIntersectionType: (walk, node, scope) => union(walk, node.types, scope),
  TSArrayType: (walk, node, scope) => walk.facts.node(NodeOp.ArrayType, readType(walk, node.elementType, scope)),
  TSTupleType: (walk, node, scope) => {
    const elements = node.elementTypes.map((type) => readType(walk, elementType(type), scope));
    return walk.facts.node(NodeOp.TupleType, elements);
  },
  TSNamedTupleMember: (walk, node, scope) => readType(walk, elementType(node.elementType), scope),
  TSParenthesizedType: (walk, node, scope) => readType(walk, node.typeAnnotation, scope),
  TSTypeLiteral: (walk, node, scope) => {
    const container = newContainer(walk, node);
    for (const member of node.members) readSignature(walk, member, container, scope);
    return walk.facts.node(NodeOp.MembersType, container);
  },
  TSFunctionType: (walk, node, scope) => functionType(walk, node, scope),
  TSConstructorType: (walk, node, scope) => functionType(walk, node, scope),
  TSTypeQuery: (walk, node, scope) => {
    const { exprName } = node;
    const value =
      exprName.type === 'TSImportType' ? importedValue(walk, exprName, scope) : qualifiedValue(walk, exprName, scope);
    typeArguments(walk, node.typeArguments, scope);
    return walk.facts.node(NodeOp.TypeOf, value);
  },
  TSTypeOperator: (walk, node, scope) => {
    const operand = readType(walk, node.typeAnnotation, scope);
    return node.operator === 'readonly' ? operand : 0;
  },
  TSIndexedAccessType: (walk, { objectType, indexType }, scope) => {
    const { facts } = walk;
    const object = readType(walk, objectType, scope);
    if (indexType.type === 'TSLiteralType' && indexType.literal.type === 'Literal') {
      const { value } = indexType.literal;
      if (typeof value === 'string') {
        const name = facts.string(value);
        facts.members.add(name, indexType.start + 1, facts.node(NodeOp.Typed, object), TYPE_USE, scope);
        return facts.node(NodeOp.IndexedType, object, name);
      }
    }
    readType(walk, indexType, scope);
    return facts.node(NodeOp.ElementType, object);
  },
  TSMappedType: (walk, node, scope) => {
    const inside = walk.facts.scope(scope, ScopeKind.function);
    typeVariable(walk, node.key, inside);
    readType(walk, node.constraint, inside);
    if (node.nameType !== null) readType(walk, node.nameType, inside);
    const value = node.typeAnnotation === null ? 0 : readType(walk, node.typeAnnotation, inside);
    return walk.facts.node(NodeOp.MapType, value);
  },
  TSConditionalType: (walk, node, scope) => {
    const inside = walk.facts.scope(scope, ScopeKind.function);
    readType(walk, node.checkType, inside);
    readType(walk, node.extendsType, inside);
    return union(walk, [node.trueType, node.falseType], inside);
  },
  TSInferType: (walk, { typeParameter }, scope) => {
    typeVariable(walk, typeParameter.name, scope);
    if (typeParameter.constraint !== null) readType(walk, typeParameter.constraint, scope);
    return 0;
  },
  TSTypePredicate: (walk, node, scope) => {
    if (node.parameterName.type === 'Identifier') reference(walk, node.parameterName, scope, VALUE_IN_TYPE);
    if (node.typeAnnotation === null) return 0;
    return walk.facts.node(NodeOp.Predicate, readType(walk, node.typeAnnotation.typeAnnotation, scope));
  },
  TSImportType: (walk, node, scope) => {
    const { facts } = walk;
    typeArguments(walk, node.typeArguments, scope);
    importedValue(walk, node, scope);
    const names = qualifierNames(node.qualifier).map((name) => facts.string(name));
    return facts.node(NodeOp.ImportType, facts.string(node.source.value), names);
  },
  TSThisType: (walk, _node, scope) => walk.facts.node(NodeOp.ThisType, scope),
};

/** Types without a reader say nothing (any, unknown, void, never, ...). */
export function readType(walk: Walk, node: TSType, scope: number): number {
  // Each reader takes the nodes whose type is its key.
  const reader = READERS[node.type as keyof typeof READERS] as
    | ((walk: Walk, node: TSType, scope: number) => number)
    | undefined;
  return reader === undefined ? 0 : reader(walk, node, scope);
}

/** The type of an annotation, or 0. */
export function readAnnotation(
  walk: Walk,
  annotation: { typeAnnotation: TSType } | null | undefined,
  scope: number,
): number {
  return annotation === null || annotation === undefined ? 0 : readType(walk, annotation.typeAnnotation, scope);
}

export function typeArguments(
  walk: Walk,
  list: TSTypeParameterInstantiation | null | undefined,
  scope: number,
): readonly number[] {
  return list === null || list === undefined ? NONE : list.params.map((parameter) => readType(walk, parameter, scope));
}

const NONE: readonly number[] = [];

function union(walk: Walk, types: readonly TSType[], scope: number): number {
  return walk.facts.node(
    NodeOp.Union,
    types.map((type) => readType(walk, type, scope)),
  );
}

function elementType(node: TSTupleElement): TSType {
  return node.type === 'TSOptionalType' || node.type === 'TSRestType' ? node.typeAnnotation : node;
}

/** A definition without a name that holds members. */
export function newContainer(walk: Walk, { start, end }: { start: number; end: number }): number {
  return walk.facts.define({ name: '', kind: DefinitionKind.container, nameStart: -1, start, end, scope: -1 });
}

function reference(walk: Walk, { name, start }: { name: string; start: number }, scope: number, flags: number): void {
  const { facts } = walk;
  facts.references.add(facts.string(name), start, scope, flags, ReferenceHow.scoped, -1, -1);
}

/** References the parts of a type's name and gives them as strings. */
function typeName(walk: Walk, node: TSTypeName, scope: number): number[] {
  const { facts } = walk;
  if (node.type === 'Identifier') {
    reference(walk, node, scope, TYPE_USE);
    return [facts.string(node.name)];
  }
  if (node.type === 'ThisExpression') return [facts.string('this')];
  const receiver = qualifiedValue(walk, node.left, scope);
  facts.members.add(facts.string(node.right.name), node.right.start, receiver, TYPE_USE, scope);
  const names = [facts.string(node.right.name)];
  for (let at = node.left; ; at = at.left) {
    if (at.type !== 'TSQualifiedName') return [facts.string(at.type === 'Identifier' ? at.name : 'this'), ...names];
    names.unshift(facts.string(at.right.name));
  }
}

/** The value that a dotted name in a type stands for. */
export function qualifiedValue(walk: Walk, node: TSTypeName, scope: number): number {
  const { facts } = walk;
  switch (node.type) {
    case 'Identifier':
      reference(walk, node, scope, VALUE_IN_TYPE);
      return facts.node(NodeOp.Identifier, facts.string(node.name), scope);
    case 'ThisExpression':
      return facts.node(NodeOp.This, scope);
    case 'TSQualifiedName': {
      const receiver = qualifiedValue(walk, node.left, scope);
      const name = facts.string(node.right.name);
      facts.members.add(name, node.right.start, receiver, VALUE_IN_TYPE, scope);
      return facts.node(NodeOp.MemberOf, receiver, name);
    }
  }
}

/** References what `import('x').Y.Z` names and gives it as a value. */
function importedValue(walk: Walk, node: TSImportType, scope: number): number {
  const { facts } = walk;
  const source = facts.string(node.source.value);
  facts.references.add(source, nameStart(node.source), scope, TYPE_USE, ReferenceHow.module, source, -1);
  const qualify = (at: TSImportTypeQualifier): number => {
    const left = at.type === 'TSQualifiedName' ? qualify(at.left) : facts.node(NodeOp.Module, source);
    const right = at.type === 'TSQualifiedName' ? at.right : at;
    const name = facts.string(right.name);
    facts.members.add(name, right.start, left, TYPE_USE, scope);
    return facts.node(NodeOp.MemberOf, left, name);
  };
  return node.qualifier === null ? facts.node(NodeOp.Module, source) : qualify(node.qualifier);
}

function qualifierNames(node: TSImportTypeQualifier | null): string[] {
  if (node === null) return [];
  return node.type === 'TSQualifiedName' ? [...qualifierNames(node.left), node.right.name] : [node.name];
}

function typeVariable(
  walk: Walk,
  { name, start, end }: { name: string; start: number; end: number },
  scope: number,
): number {
  return walk.facts.define({
    name,
    kind: DefinitionKind.type_parameter,
    flags: DefinitionFlag.type,
    nameStart: start,
    start,
    end,
    scope,
  });
}

/** Type parameters of `owner` (-1 for a function type). Of each, `type` is what bounds it, `value` its default type. */
export function readTypeParameters(
  walk: Walk,
  list: TSTypeParameterDeclaration | null | undefined,
  scope: number,
  owner: number,
): void {
  if (list === null || list === undefined) return;
  const { facts } = walk;
  for (const { name, constraint, default: otherwise } of list.params) {
    const definition = typeVariable(walk, name, scope);
    if (owner >= 0) facts.facet(owner, Facet.typeParameter, definition);
    if (constraint !== null) facts.amend(definition, 'type', readType(walk, constraint, scope));
    if (otherwise !== null) facts.amend(definition, 'value', readType(walk, otherwise, scope));
  }
}

function functionType(walk: Walk, node: TSFunctionType | TSConstructorType, scope: number): number {
  const inside = walk.facts.scope(scope, ScopeKind.function);
  readTypeParameters(walk, node.typeParameters, inside, -1);
  const parameters = walk.visit.parameters(walk, node.params, inside, 0);
  const result = readAnnotation(walk, node.returnType, inside);
  return walk.facts.node(NodeOp.FunctionType, result, parameters, node.type === 'TSConstructorType' ? 1 : 0);
}

/** A member of an interface or type literal, added to `owner`. */
export function readSignature(walk: Walk, node: TSSignature, owner: number, scope: number): void {
  const { facts } = walk;
  switch (node.type) {
    case 'TSPropertySignature': {
      if (node.computed) walk.visit.expression(walk, node.key as Expression, scope);
      const type = readAnnotation(walk, node.typeAnnotation, scope);
      const name = memberName(node.key, node.computed);
      if (name === undefined) return;
      const property = signatureMember(walk, node, owner, { name, kind: DefinitionKind.property, flags: 0 });
      facts.amend(property, 'type', type);
      return;
    }
    case 'TSMethodSignature': {
      const inside = facts.scope(scope, ScopeKind.function);
      if (node.computed) walk.visit.expression(walk, node.key as Expression, scope);
      const name = node.computed ? undefined : keyName(node.key);
      const flags = METHOD_FLAGS[node.kind];
      const method =
        name === undefined ? -1 : signatureMember(walk, node, owner, { name, kind: DefinitionKind.method, flags });
      readTypeParameters(walk, node.typeParameters, inside, method);
      const parameters = walk.visit.parameters(walk, node.params, inside, 0);
      const result = readAnnotation(walk, node.returnType, inside);
      if (method < 0) return;
      for (const parameter of parameters) facts.facet(method, Facet.parameter, parameter);
      facts.amend(method, 'type', result);
      return;
    }
    case 'TSIndexSignature':
      readIndexSignature(walk, node, owner, scope);
      return;
    default: {
      const inside = facts.scope(scope, ScopeKind.function);
      readTypeParameters(walk, node.typeParameters, inside, -1);
      const parameters = walk.visit.parameters(walk, node.params, inside, 0);
      const constructs = node.type === 'TSConstructSignatureDeclaration';
      const type = facts.node(
        NodeOp.FunctionType,
        readAnnotation(walk, node.returnType, inside),
        parameters,
        constructs ? 1 : 0,
      );
      facts.facet(owner, constructs ? Facet.newSignature : Facet.callSignature, type);
    }
  }
}

export function readIndexSignature(walk: Walk, node: TSIndexSignature, owner: number, scope: number): void {
  const inside = walk.facts.scope(scope, ScopeKind.function);
  for (const { name, start, end, typeAnnotation } of node.parameters) {
    const kind = DefinitionKind.parameter;
    const key = walk.facts.define({
      name,
      kind,
      flags: DefinitionFlag.value,
      nameStart: start,
      start,
      end,
      scope: inside,
    });
    walk.facts.amend(key, 'type', readAnnotation(walk, typeAnnotation, scope));
  }
  walk.facts.facet(owner, Facet.indexSignature, readAnnotation(walk, node.typeAnnotation, scope));
}

const METHOD_FLAGS = {
  method: DefinitionFlag.callable,
  get: DefinitionFlag.getter,
  set: DefinitionFlag.setter,
} as const;

function signatureMember(
  walk: Walk,
  node: { key: Node; start: number; end: number },
  owner: number,
  { name, kind, flags }: { name: string; kind: number; flags: number },
): number {
  const definition = walk.facts.define({
    name,
    kind,
    flags: flags | DefinitionFlag.value | memberFlag(walk),
    nameStart: nameStart(node.key),
    start: node.start,
    end: node.end,
    scope: -1,
    owner,
  });
  attachDocumentation(walk, definition, node.start);
  return definition;
}
