import type {
  BindingPattern,
  Declaration,
  Statement,
  StringLiteral,
  TSEnumDeclaration,
  TSGlobalDeclaration,
  TSImportEqualsDeclaration,
  TSInterfaceDeclaration,
  TSModuleDeclaration,
  TSTypeAliasDeclaration,
  VariableDeclaration,
  VariableDeclarator,
  Function as FunctionNode,
} from 'oxc-parser';
import { functionScope } from '../facts/facts-builder.ts';
import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  Facet,
  NodeOp,
  ReferenceHow,
  ScopeKind,
  UseFlag,
} from '../facts/facts.ts';
import { amendValueHead, heritageNames } from './classes.ts';
import { requiredBy } from './commonjs.ts';
import { bindImport, referModule } from './imports.ts';
import { declarationScope } from './narrowing.ts';
import { bind } from './patterns.ts';
import { qualifiedValue, readAnnotation, readSignature, readType, typeArguments } from './types.ts';
import {
  attachDocumentation,
  type Declared,
  isFunctionExpression,
  keyName,
  nameStart,
  topLevelFlag,
  type Walk,
} from './walk.ts';

const TYPE_USE = UseFlag.type | UseFlag.typeUse;

/** Reads a declaration and gives the definitions it makes in its scope, in source order. */
export function declare(walk: Walk, node: Declaration, scope: number, declared: Declared): number[] {
  const flags = declared.flags | (walk.isAmbient && walk.isInNamespace ? DefinitionFlag.exported : 0);
  const at = { start: declared.start, flags };
  switch (node.type) {
    case 'VariableDeclaration':
      return declareVariables(walk, node, scope, at);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'TSDeclareFunction':
    case 'TSEmptyBodyFunctionExpression':
      return [declareFunction(walk, node, scope, at)];
    case 'ClassDeclaration':
    case 'ClassExpression':
      return [walk.visit.class(walk, node, scope, { start: at.start, flags: flags | topLevelFlag(walk, scope) })];
    case 'TSInterfaceDeclaration':
      return [declareInterface(walk, node, scope, at)];
    case 'TSTypeAliasDeclaration':
      return [declareAlias(walk, node, scope, at)];
    case 'TSEnumDeclaration':
      return [declareEnum(walk, node, scope, at)];
    case 'TSModuleDeclaration':
      return declareModule(walk, node, scope, at);
    case 'TSImportEqualsDeclaration':
      return [declareImportEquals(walk, node, scope, at)];
  }
}

/** A named definition of a scope. */
function define(
  walk: Walk,
  { name, start, end }: { name: string; start: number; end: number },
  scope: number,
  as: Declared & { kind: number; end?: number },
): number {
  const definition = walk.facts.define({
    name,
    kind: as.kind,
    flags: as.flags | topLevelFlag(walk, scope),
    nameStart: start,
    start: as.start,
    end: as.end ?? end,
    scope,
  });
  attachDocumentation(walk, definition, as.start);
  return definition;
}

function declareVariables(walk: Walk, node: VariableDeclaration, scope: number, at: Declared): number[] {
  const made: number[] = [];
  const target =
    node.kind === 'var' ? functionScope(walk.facts, scope, ScopeKind.block) : declarationScope(walk, scope);
  const kind = node.kind === 'var' || node.kind === 'let' ? DefinitionKind.variable : DefinitionKind.constant;
  node.declarations.forEach((declarator, index) => {
    const start = index === 0 ? at.start : declarator.start;
    declareVariable(walk, declarator, { scope, target, kind, made, declared: { start, flags: at.flags } });
  });
  return made;
}

interface VariableContext {
  scope: number;
  /** Scope that the names belong to: of `var`, the function's. */
  target: number;
  kind: number;
  made: number[];
  declared: Declared;
}

function declareVariable(walk: Walk, node: VariableDeclarator, context: VariableContext): void {
  const { facts, visit } = walk;
  const { scope, target, made, declared } = context;
  const { id, init } = node;
  const required = requiredBy(init);
  if (required !== undefined && init !== null && bindRequired(walk, id, required, context)) {
    visit.expression(walk, init, scope);
    return;
  }
  const type = readAnnotation(walk, id.typeAnnotation, scope);
  const isFunction = isFunctionExpression(init);
  const first = made.length;
  const binding = {
    kind: isFunction && id.type === 'Identifier' ? DefinitionKind.function : context.kind,
    flags: declared.flags,
    scope: target,
    range: { start: declared.start, end: node.end },
    type,
    context: 0,
    made: (definition: number) => made.push(definition),
  };
  if (init === null) bind(walk, id, scope, { ...binding, value: 0 });
  else {
    const expected = type === 0 ? 0 : facts.node(NodeOp.ContextType, type);
    const value = visit.expression(walk, init, scope, expected);
    const definition = bind(walk, id, scope, { ...binding, value });
    if (definition >= 0) amendValueHead(walk, definition, init);
  }
  const [definition] = made.slice(first);
  if (definition !== undefined) attachDocumentation(walk, definition, declared.start);
}

/** `const x = require('y')` and `const { a } = require('y')` import. False when the pattern is more than that. */
function bindRequired(
  walk: Walk,
  id: BindingPattern,
  required: { source: string; picked: string | undefined },
  { target, made }: VariableContext,
): boolean {
  if (id.type === 'Identifier') {
    made.push(bindImport(walk, id, target, { source: required.source, imported: required.picked ?? '=' }));
    return true;
  }
  if (id.type !== 'ObjectPattern' || required.picked !== undefined) return false;
  const names: { local: { name: string; start: number; end: number }; key: { name: string; start: number } }[] = [];
  for (const property of id.properties) {
    if (property.type === 'RestElement' || property.computed || property.value.type !== 'Identifier') return false;
    const name = keyName(property.key);
    if (name === undefined) return false;
    names.push({ local: property.value, key: { name, start: nameStart(property.key) } });
  }
  for (const { local, key } of names)
    made.push(bindImport(walk, local, target, { source: required.source, imported: key.name, importedAt: key.start }));
  return true;
}

function declareFunction(walk: Walk, node: FunctionNode, scope: number, at: Declared): number {
  const isOverload = node.body === null && node.declare !== true && !walk.isAmbient;
  const flags = at.flags | DefinitionFlag.value | (isOverload ? DefinitionFlag.overload : 0);
  const name = node.id ?? { name: 'default', start: node.start, end: node.start };
  const definition = define(walk, name, scope, {
    kind: DefinitionKind.function,
    flags,
    start: at.start,
    end: node.end,
  });
  if (node.id === null) walk.facts.amend(definition, 'scope', -1);
  walk.visit.function(walk, node, scope, { definition, context: 0 });
  return definition;
}

function declareInterface(walk: Walk, node: TSInterfaceDeclaration, scope: number, at: Declared): number {
  const { facts, visit } = walk;
  const flags = at.flags | DefinitionFlag.type;
  const definition = define(walk, node.id, scope, {
    kind: DefinitionKind.interface,
    flags,
    start: at.start,
    end: node.end,
  });
  const inside = facts.scope(scope, ScopeKind.class, definition);
  facts.amend(definition, 'head', node.body.start);
  facts.amend(definition, 'bodyScope', inside);
  visit.typeParameters(walk, node.typeParameters, inside, definition);
  for (const { expression, typeArguments: list } of node.extends) {
    const generics = typeArguments(walk, list, inside);
    const names = heritageNames(walk, expression, inside);
    if (names !== undefined)
      facts.facet(definition, Facet.extends, facts.node(NodeOp.TypeName, inside, names, generics));
  }
  for (const member of node.body.body) readSignature(walk, member, definition, inside);
  return definition;
}

function declareAlias(walk: Walk, node: TSTypeAliasDeclaration, scope: number, at: Declared): number {
  const { facts, visit } = walk;
  const flags = at.flags | DefinitionFlag.type;
  const definition = define(walk, node.id, scope, { kind: DefinitionKind.type, flags, start: at.start, end: node.end });
  const inside = facts.scope(scope, ScopeKind.block);
  facts.amend(definition, 'bodyScope', inside);
  visit.typeParameters(walk, node.typeParameters, inside, definition);
  facts.amend(definition, 'type', readType(walk, node.typeAnnotation, inside));
  return definition;
}

/** The members of an enum are visible by name alone inside it. */
function declareEnum(walk: Walk, node: TSEnumDeclaration, scope: number, at: Declared): number {
  const { facts } = walk;
  const flags = at.flags | DefinitionFlag.value | DefinitionFlag.type;
  const definition = define(walk, node.id, scope, { kind: DefinitionKind.enum, flags, start: at.start, end: node.end });
  const inside = facts.scope(scope, ScopeKind.block);
  facts.amend(definition, 'head', node.body.start);
  facts.amend(definition, 'bodyScope', inside);
  const isTop = facts.definitions.get(definition, Definition.flags) & DefinitionFlag.topLevel;
  for (const { id, initializer, start, end } of node.body.members) {
    const name = keyName(id);
    if (name !== undefined) {
      const member = facts.define({
        name,
        kind: DefinitionKind.enum_member,
        flags: DefinitionFlag.value | DefinitionFlag.type | DefinitionFlag.static | isTop,
        nameStart: nameStart(id),
        start,
        end,
        scope: inside,
        owner: definition,
      });
      attachDocumentation(walk, member, start);
    }
    if (initializer !== null) walk.visit.expression(walk, initializer, inside);
  }
  return definition;
}

/** A name space: what it declares is found in its body's scope. Ambient modules and `declare global` have no name. */
function declareModule(
  walk: Walk,
  node: TSModuleDeclaration | TSGlobalDeclaration,
  scope: number,
  at: Declared,
): number[] {
  const { facts } = walk;
  const made: number[] = [];
  let inside = scope;
  const flags = at.flags | DefinitionFlag.value | DefinitionFlag.type;
  for (const name of moduleNames(node)) {
    const details = { kind: DefinitionKind.module, flags, start: at.start, end: node.end };
    const definition = define(walk, name, inside, details);
    inside = facts.scope(inside, ScopeKind.module, definition);
    facts.amend(definition, 'bodyScope', inside);
    if (node.body !== null) facts.amend(definition, 'head', node.body.start);
    made.push(definition);
  }
  if (made.length === 0) inside = facts.scope(scope, ScopeKind.module);
  if (node.kind !== 'global' && node.id.type === 'Literal') referAugmented(walk, node.id, node.body?.body ?? []);
  const outer = walk.isInNamespace;
  walk.isInNamespace = true;
  for (const statement of node.body?.body ?? []) walk.visit.statement(walk, statement, inside);
  walk.isInNamespace = outer;
  return made.slice(0, 1);
}

/** `declare module './x' { interface Y {} }` adds to what that module offers: it uses the module, and each type by its name. */
function referAugmented(walk: Walk, { value, start }: StringLiteral, body: readonly Statement[]): void {
  const { facts } = walk;
  referModule(walk, value, start + 1, -1);
  const source = facts.string(value);
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'TSInterfaceDeclaration' && declared?.type !== 'ClassDeclaration') continue;
    if (declared.id === null) continue;
    const name = facts.string(declared.id.name);
    facts.references.add(name, declared.id.start, -1, TYPE_USE, ReferenceHow.from, source, name);
  }
}

function moduleNames({
  id,
  kind,
}: TSModuleDeclaration | TSGlobalDeclaration): { name: string; start: number; end: number }[] {
  if (kind === 'global' || id.type === 'Literal') return [];
  if (id.type === 'Identifier') return [id];
  const names = [id.right];
  for (let at = id.left; ; at = at.left) {
    if (at.type !== 'TSQualifiedName') return at.type === 'Identifier' ? [at, ...names] : names;
    names.unshift(at.right);
  }
}

function declareImportEquals(walk: Walk, node: TSImportEqualsDeclaration, scope: number, at: Declared): number {
  const { facts } = walk;
  const { id, moduleReference: target } = node;
  if (target.type === 'TSExternalModuleReference') {
    const source = target.expression.value;
    return bindImport(walk, id, scope, { source, imported: '=', sourceAt: target.expression.start + 1 });
  }
  const flags = at.flags | DefinitionFlag.value | DefinitionFlag.type;
  const definition = define(walk, id, scope, { kind: DefinitionKind.constant, flags, start: at.start, end: node.end });
  facts.amend(definition, 'value', qualifiedValue(walk, target, scope));
  return definition;
}
