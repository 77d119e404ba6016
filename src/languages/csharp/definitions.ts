import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { typeOf, visit } from '../walk/tree-walk.ts';
import { defineParameter, defineProperty, defineType, readMembers } from '../walk/table-define.ts';
import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { readAttributes, typeParameters } from './types.ts';
import { all, at, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { inheritedFlags } from '../walk/tree-define.ts';
import { modifierFlags } from './members.ts';

/** `extension<T>(List<T> items) where T : class {`: a block of members of the type in brackets. */
const EXTENSION =
  /^([ \t]*)extension([ \t]*(?:<[^(){};\n]*>)?[ \t]*)\(((?:[^(){};]|\([^(){};]*\))*)\)(?=\s*(?:where\b[^;{}=]*)?\{)/gm;
/** A type and a name. */
const NAMED = /[\w\])>?]\s+@?\w+\s*$/;

/**
 * The text with each block of extensions written as a structure with a parameter, or with a base where the type has no
 * name, as long as before: the grammar knows no such blocks.
 */
export function withoutExtensionBlocks(text: string): string {
  if (!text.includes('extension')) return text;
  return text.replaceAll(EXTENSION, (_, indent: string, types: string, of: string) => {
    const written = NAMED.test(of) ? `(${of})` : `:${of} `;
    return `${indent}struct __${types}${written}`;
  });
}

/** True if a structure is such a block. Names are those of the original text. */
function isExtensionBlock({ tree }: TableWalk, node: number): boolean {
  return tree.text.startsWith('extension', (tree.start[node] ?? 0) - 'struct '.length);
}

/** Reads a block of extensions: its members are those of the class around it and of the type that they extend. */
function readExtensionBlock(walk: TableWalk, node: number, scope: number): void {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  typeParameters(walk, node, inside, -1);
  const [parameter = 0] = all(walk, first(walk, node, 'parameter_list'), 'parameter');
  const [base = 0] = childrenOf(walk.tree, first(walk, node, 'base_list'));
  const type = typeOf(walk, at(walk, parameter, Field.type) || base, inside);
  const name = at(walk, parameter, Field.name);
  if (name !== 0) defineParameter(walk, name, inside, { of: -1, type });
  const { receiver } = walk;
  walk.receiver = type;
  visit(walk, at(walk, node, Field.body), inside);
  walk.receiver = receiver;
}

const KINDS: Readonly<Record<string, number>> = {
  class_declaration: DefinitionKind.class,
  record_declaration: DefinitionKind.class,
  struct_declaration: DefinitionKind.struct,
  interface_declaration: DefinitionKind.interface,
  enum_declaration: DefinitionKind.enum,
};

function declaration(name: string): TableHandler {
  return (walk, node, scope) => {
    const body = at(walk, node, Field.body);
    if (name === 'struct_declaration' && isExtensionBlock(walk, at(walk, node, Field.name))) {
      readExtensionBlock(walk, node, scope);
      return 0;
    }
    readAttributes(walk, node, scope);
    const { definition, inside } = defineType(walk, node, scope, {
      kind: KINDS[name] ?? DefinitionKind.class,
      name: at(walk, node, Field.name),
      body,
      flags: modifierFlags(walk, node) & ~DefinitionFlag.static,
    });
    typeParameters(walk, node, inside, definition);
    if (name !== 'enum_declaration') supertypes(walk, first(walk, node, 'base_list'), inside, { definition, name });
    const { owner } = walk;
    walk.owner = definition;
    for (const parameter of all(walk, first(walk, node, 'parameter_list'), 'parameter'))
      primaryParameter(walk, parameter, inside, name === 'record_declaration');
    walk.owner = owner;
    readMembers(walk, body, inside, { definition });
    return 0;
  };
}

/** Reads the types that a type is made from: the first of a class is its base, unless it is named as interfaces are. */
function supertypes(
  walk: TableWalk,
  list: number,
  scope: number,
  { definition, name }: { definition: number; name: string },
): void {
  const { facts, tree } = walk;
  childrenOf(tree, list).forEach((child, index) => {
    if (is(walk, child, 'argument_list')) {
      visit(walk, child, scope);
      return;
    }
    const written = at(walk, child, Field.type) || child;
    const type = typeOf(walk, written, scope);
    for (const values of all(walk, child, 'argument_list')) visit(walk, values, scope);
    const isNamedAsInterface = /(^|\.)I[A-Z][^.]*$/.test(textOf(tree, written));
    const isBase =
      name === 'interface_declaration' || (index === 0 && name !== 'struct_declaration' && !isNamedAsInterface);
    if (type !== 0) facts.facet(definition, isBase ? Facet.extends : Facet.implements, type);
  });
}

/** A parameter of a record is its property, that of a class is known in it. */
function primaryParameter(walk: TableWalk, node: number, inside: number, isProperty: boolean): void {
  const { facts } = walk;
  const name = at(walk, node, Field.name);
  readAttributes(walk, node, inside);
  const type = typeOf(walk, at(walk, node, Field.type), inside);
  if (isProperty) defineProperty(walk, name, { flags: inheritedFlags(walk, walk.owner), around: node, type });
  else defineParameter(walk, name, inside, { of: -1, type });
  facts.facet(walk.owner, Facet.constructorParameter, facts.node(NodeOp.Parameter, type, -1));
}

/**
 * The name space of a file that has one is what its names start with. Where a file has several, or one inside another,
 * each is a definition that holds what is in it.
 */
const space: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const name = at(walk, node, Field.name);
  const body = at(walk, node, Field.body);
  const text = textOf(tree, name).replaceAll(/\s/g, '');
  if (isOnly(walk, text)) {
    facts.packageName = text;
    for (const child of body === 0 ? childrenOf(tree, node) : childrenOf(tree, body))
      if (child !== name) visit(walk, child, scope);
    return 0;
  }
  const { definition, inside } = defineType(walk, node, scope, {
    kind: DefinitionKind.module,
    name,
    body,
    flags: DefinitionFlag.exported,
  });
  facts.amend(definition, 'name', facts.string(text));
  facts.amend(definition, 'flags', facts.definitions.get(definition, Definition.flags) | DefinitionFlag.topLevel);
  readMembers(walk, body, inside, { definition });
  return 0;
};

/** True if all name spaces of the file are the one of this name. */
function isOnly(walk: TableWalk, name: string): boolean {
  const { text } = walk.tree;
  const isOutside = (node: number): boolean => Object.keys(KINDS).some((kind) => is(walk, node, kind));
  if (first(walk, 1, 'namespace_declaration') !== 0 && childrenOf(walk.tree, 1).some(isOutside)) return false;
  for (const [, other = ''] of text.matchAll(/^[ \t\uFEFF]*namespace\s+([\w.]+)/gm)) if (other !== name) return false;
  return true;
}

/** Handlers of types and name spaces in C#, by type of node. */
export const CSHARP_DEFINITIONS: Readonly<Record<string, TableHandler>> = {
  ...Object.fromEntries(Object.keys(KINDS).map((name) => [name, declaration(name)])),
  namespace_declaration: space,
  file_scoped_namespace_declaration: space,
};
