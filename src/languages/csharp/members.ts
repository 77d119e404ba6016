import { Definition, DefinitionFlag, DefinitionKind, ExportHow, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineNode, inheritedFlags, openScope } from '../walk/tree-define.ts';
import { IMPORT, referModule, sameFor, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import {
  amendFlags,
  copyParameters,
  defineAlias,
  defineFunction,
  defineParameter,
  defineProperty,
  inFunction,
  outsideType,
} from '../walk/table-define.ts';
import { fieldKind, readDeclarators, valueOf } from './statements.ts';
import { readAttributes, typeParameters } from './types.ts';
import { all, at, BOTH, first, is, type TableHandler, type TableWalk, visibleFlags } from '../walk/table-walk.ts';

/** The words before a declaration. */
function modifiersOf(walk: TableWalk, node: number): ReadonlySet<string> {
  return new Set(all(walk, node, 'modifier').map((modifier) => textOf(walk.tree, modifier)));
}

/** Flags that the modifiers give. Members of an interface are public without saying so, others are private. */
export function modifierFlags(walk: TableWalk, node: number): number {
  const words = modifiersOf(walk, node);
  const kind = walk.owner === -1 ? -1 : walk.facts.definitions.get(walk.owner, Definition.kind);
  const isInterface = kind === DefinitionKind.interface;
  const isOpen =
    isInterface || kind === DefinitionKind.module || first(walk, node, 'explicit_interface_specifier') !== 0;
  const isHidden = words.has('private') || !['public', 'protected', 'internal'].some((word) => words.has(word));
  const isPublic = words.has('public') || (isInterface && !words.has('private'));
  return (
    visibleFlags(walk, isPublic) |
    (walk.owner !== -1 && !isOpen && isHidden ? DefinitionFlag.private : 0) |
    (words.has('static') || words.has('const') ? DefinitionFlag.static : 0) |
    (words.has('abstract') ? DefinitionFlag.abstract : 0) |
    // In a block of extensions it is static for the type that it extends, not only for the class around.
    (words.has('static') && walk.receiver !== 0 ? DefinitionFlag.classMethod : 0)
  );
}

/** Defines the parameters of a list; the first of an extension tells the type that it extends. */
function defineParameters(walk: TableWalk, list: number, inside: number, of: number): void {
  const { facts, tree } = walk;
  let loose = 0;
  childrenOf(tree, list).forEach((child) => {
    // The grammar leaves the parts of `params T[] name` side by side.
    if (is(walk, child, 'parameter')) {
      const type = typeOf(walk, at(walk, child, Field.type), inside);
      const name = at(walk, child, Field.name);
      readAttributes(walk, child, inside);
      for (const other of childrenOf(tree, child)) if (tree.field[other] === 0) visit(walk, other, inside);
      const isOptional = name !== 0 && tree.text.slice(tree.end[name], tree.end[child]).includes('=');
      if (name !== 0)
        amendFlags(walk, defineParameter(walk, name, inside, { of, type }), isOptional ? DefinitionFlag.optional : 0);
      if (type !== 0 && modifiersOf(walk, child).has('this')) facts.facet(of, Facet.receiver, type);
    } else if (tree.field[child] === Field.type) loose = typeOf(walk, child, inside);
    else if (tree.field[child] === Field.name)
      amendFlags(walk, defineParameter(walk, child, inside, { of, type: loose }), DefinitionFlag.rest);
  });
}

const routine: TableHandler = (walk, node, scope) => {
  const { facts } = walk;
  const isConstructor = is(walk, node, 'constructor_declaration');
  const isLocal = is(walk, node, 'local_function_statement');
  const { owner } = walk;
  const body = at(walk, node, Field.body);
  const flags = isLocal ? 0 : modifierFlags(walk, node);
  for (const specifier of all(walk, node, 'explicit_interface_specifier'))
    typeOf(walk, walk.tree.first[specifier] ?? 0, scope);
  const definition = defineFunction(walk, node, scope, {
    name: at(walk, node, Field.name),
    body,
    flags: flags | (isConstructor ? DefinitionFlag.constructor : 0),
    head: (inside, of) => {
      readAttributes(walk, node, scope);
      typeParameters(walk, node, inside, of);
      const from = facts.facets.count;
      defineParameters(walk, at(walk, node, Field.parameters), inside, of);
      if (isConstructor && owner !== -1) copyParameters(walk, { owner, constructor: of, from });
      for (const initializer of all(walk, node, 'constructor_initializer'))
        for (const list of all(walk, initializer, 'argument_list')) visit(walk, list, inside);
      return typeOf(walk, at(walk, node, Field.returns) || at(walk, node, Field.type), inside);
    },
    isExpression: is(walk, body, 'arrow_expression_clause'),
  });
  if (isConstructor) facts.amend(definition, 'type', 0);
  return 0;
};

/** Operators, conversions and destructors have no name that is used. */
const unnamed: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  typeOf(walk, at(walk, node, Field.type), scope);
  defineParameters(walk, at(walk, node, Field.parameters), inside, -1);
  const { current, owner } = walk;
  Object.assign(walk, { current: -1, owner: -1 });
  visit(walk, at(walk, node, Field.body), inside);
  Object.assign(walk, { current, owner });
  return 0;
};

const fields: TableHandler = (walk, node, scope) => {
  const words = modifiersOf(walk, node);
  const flags = modifierFlags(walk, node);
  readAttributes(walk, node, scope);
  const isConstant = words.has('const') || (words.has('static') && words.has('readonly'));
  for (const child of all(walk, node, 'variable_declaration'))
    readDeclarators(walk, child, scope, (name, { type, value }) => {
      defineProperty(walk, name, { kind: fieldKind(isConstant), flags, around: node, type, value });
    });
  return 0;
};

/** A property with its accessors, an event with its own: their bodies are those of one function. */
const property: TableHandler = (walk, node, scope) => {
  const { facts } = walk;
  const body = first(walk, node, 'accessor_list');
  const written = at(walk, node, Field.value);
  const isComputed = is(walk, written, 'arrow_expression_clause');
  const flags = modifierFlags(walk, node);
  readAttributes(walk, node, scope);
  for (const specifier of all(walk, node, 'explicit_interface_specifier'))
    typeOf(walk, walk.tree.first[specifier] ?? 0, scope);
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const value = isComputed ? 0 : valueOf(walk, written, scope, type);
  const head = body || (isComputed ? written : 0);
  const name = at(walk, node, Field.name);
  const definition = defineProperty(walk, name, { flags, around: node, type, value, body: head });
  readAccessors(walk, scope, { node, body: head, definition, type });
  facts.amend(definition, 'type', type);
  return 0;
};

function readAccessors(
  walk: TableWalk,
  scope: number,
  { node, body, definition, type }: { node: number; body: number; definition: number; type: number },
): void {
  const { facts, tree } = walk;
  const hasCode =
    is(walk, body, 'arrow_expression_clause') || childrenOf(tree, body).some((child) => at(walk, child, Field.body));
  if (!hasCode) return;
  const inside = openScope(walk, scope, ScopeKind.function, definition);
  facts.define({
    name: 'value',
    kind: DefinitionKind.parameter,
    flags: DefinitionFlag.value,
    nameStart: -1,
    start: tree.start[body] ?? 0,
    end: tree.start[body] ?? 0,
    scope: inside,
  });
  if (type !== 0) facts.amend(facts.definitions.count - 1, 'type', type);
  walk.functions.push(node, definition);
  inFunction(walk, definition, () => visit(walk, body, inside));
}

/** `this[T x]`: what indexing gives. */
const indexer: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  if (type !== 0 && walk.owner !== -1) walk.facts.facet(walk.owner, Facet.indexSignature, type);
  const inside = walk.facts.scope(scope, ScopeKind.block);
  defineParameters(walk, at(walk, node, Field.parameters), inside, -1);
  outsideType(walk, () => {
    for (const child of all(walk, node, 'accessor_list', 'arrow_expression_clause')) visit(walk, child, inside);
  });
  return 0;
};

const enumMember: TableHandler = (walk, node, scope) => {
  const flags = DefinitionFlag.static | inheritedFlags(walk, walk.owner);
  readAttributes(walk, node, scope);
  const value = visit(walk, at(walk, node, Field.value), scope);
  defineProperty(walk, at(walk, node, Field.name), { kind: DefinitionKind.enum_member, flags, around: node, value });
  return 0;
};

/** A delegate is the type of a function. */
const delegate: TableHandler = (walk, node, scope) => {
  const { facts } = walk;
  const name = at(walk, node, Field.name);
  const { definition, inside } = defineAlias(walk, node, scope, { name, flags: modifierFlags(walk, node) });
  typeParameters(walk, node, inside, definition);
  const parameters = all(walk, at(walk, node, Field.parameters), 'parameter').map((parameter) =>
    facts.node(NodeOp.Parameter, typeOf(walk, at(walk, parameter, Field.type), inside), -1),
  );
  const result = typeOf(walk, at(walk, node, Field.type), inside);
  facts.amend(definition, 'type', facts.node(NodeOp.FunctionType, result, parameters, 0));
  return 0;
};

/** `using A.B;`, `using static A.B.C;`, `using X = A.B.C;`; what is `global` holds for all files. */
const using: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const text = textOf(tree, node);
  const alias = at(walk, node, Field.name);
  const path = childrenOf(tree, node).find((child) => child !== alias) ?? 0;
  if (path === 0) return 0;
  const source = textOf(tree, path).replaceAll(/\s|^global::/g, '');
  if (alias === 0) {
    const name = /^global\b/.test(text) ? 'global' : '';
    facts.exports.add(facts.string(name), ExportHow.star, facts.string(source), scope, tree.start[node] ?? 0);
    referModule(walk, path, IMPORT, { module: source });
    return 0;
  }
  const definition = defineNode(walk, alias, { kind: DefinitionKind.import, flags: BOTH, scope, around: node });
  if (/^[\w.]+$/.test(source)) facts.amend(definition, 'source', facts.string(source));
  else facts.amend(definition, 'type', typeOf(walk, path, scope));
  facts.amend(definition, 'imported', facts.string(source.slice(source.lastIndexOf('.') + 1)));
  return 0;
};

/** Handlers of members in C#, by type of node. */
export const CSHARP_MEMBERS: Readonly<Record<string, TableHandler>> = {
  ...sameFor('method_declaration constructor_declaration local_function_statement', routine),
  ...sameFor('destructor_declaration operator_declaration conversion_operator_declaration', unnamed),
  field_declaration: fields,
  event_field_declaration: fields,
  property_declaration: property,
  event_declaration: property,
  indexer_declaration: indexer,
  enum_member_declaration: enumMember,
  delegate_declaration: delegate,
  using_directive: using,
  accessor_declaration: (walk, node, scope) => {
    visit(walk, at(walk, node, Field.body), scope);
    return 0;
  },
  accessor_list: visitChildren,
};
