import { DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineFunctionValue, defineNode, inheritedFlags, openScope } from '../walk/tree-define.ts';
import { sameFor, skip, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import {
  attach,
  copyParameters,
  defineFunction,
  defineParameter,
  defineProperty,
  defineType,
  defineVariable,
  inFunction,
  readMembers,
} from '../walk/table-define.ts';
import { isType, typeParameters } from './types.ts';
import { all, at, BOTH, first, is, type TableHandler, type TableWalk, visibleFlags } from '../walk/table-walk.ts';

const KINDS: Readonly<Record<string, number>> = {
  struct: DefinitionKind.struct,
  enum: DefinitionKind.enum,
  class: DefinitionKind.class,
  actor: DefinitionKind.class,
};

/** Flags that the modifiers give. Members of a protocol are as visible as it is. */
function modifierFlags(walk: TableWalk, node: number): number {
  const modifiers = first(walk, node, 'modifiers');
  const words = new Set(modifiers === 0 ? [] : textOf(walk.tree, modifiers).split(/[\s()]+/));
  const isMember = walk.owner !== -1 || walk.receiver !== 0;
  const isProtocol = walk.owner !== -1 && walk.facts.definitions.get(walk.owner, 1) === DefinitionKind.interface;
  const isPublic = words.has('public') || words.has('open') || isProtocol;
  const isOutside = walk.receiver !== 0 && isPublic ? DefinitionFlag.exported | DefinitionFlag.topLevel : 0;
  return (
    isOutside |
    (walk.receiver === 0 ? visibleFlags(walk, isPublic) : DefinitionFlag.topLevel) |
    (words.has('private') || words.has('fileprivate') ? DefinitionFlag.private : 0) |
    (isMember && (words.has('static') || words.has('class')) ? DefinitionFlag.static : 0)
  );
}

/** Reads the types that attributes and constraints (`where T: P`) of a declaration name. */
function readClauses(walk: TableWalk, node: number, scope: number): void {
  for (const clause of all(walk, node, 'modifiers', 'attribute', 'type_constraints')) visit(walk, clause, scope);
}

const typeDeclaration: TableHandler = (walk, node, scope) => {
  const word = textOf(walk.tree, at(walk, node, Field.declaration_kind));
  if (word === 'extension') return extension(walk, node, scope);
  const body = at(walk, node, Field.body);
  const isProtocol = word === 'protocol';
  const { definition, inside } = defineType(walk, node, scope, {
    kind: isProtocol ? DefinitionKind.interface : (KINDS[word] ?? DefinitionKind.class),
    name: at(walk, node, Field.name),
    body,
    flags: modifierFlags(walk, node) & ~DefinitionFlag.static,
  });
  attach(walk, definition);
  typeParameters(walk, node, inside, definition);
  readClauses(walk, node, inside);
  const isClass = word === 'class' || isProtocol;
  for (const [index, specifier] of all(walk, node, 'inheritance_specifier').entries()) {
    const type = typeOf(walk, walk.tree.first[specifier] ?? 0, inside);
    const facet = isProtocol || (isClass && index === 0) ? Facet.extends : Facet.implements;
    if (type !== 0) walk.facts.facet(definition, facet, type);
  }
  readMembers(walk, body, inside, { definition });
  return 0;
};

/** Members of an extension belong to the type that it names. */
function extension(walk: TableWalk, node: number, scope: number): number {
  const type = typeOf(walk, at(walk, node, Field.name), scope);
  readClauses(walk, node, scope);
  const traits = all(walk, node, 'inheritance_specifier').map((specifier) =>
    typeOf(walk, walk.tree.first[specifier] ?? 0, scope),
  );
  const { receiver, owner, traits: before } = walk;
  Object.assign(walk, { receiver: type, owner: -1, traits: traits.filter((trait) => trait !== 0) });
  visitChildren(walk, at(walk, node, Field.body), walk.facts.scope(scope, ScopeKind.block));
  Object.assign(walk, { receiver, owner, traits: before });
  return 0;
}

const routine: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const name = at(walk, node, Field.name);
  const isConstructor = textOf(tree, name) === 'init';
  const { owner } = walk;
  const from = walk.facts.facets.count;
  const definition = defineFunction(walk, node, scope, {
    name,
    body: at(walk, node, Field.body),
    flags: modifierFlags(walk, node) | (isConstructor ? DefinitionFlag.constructor : 0),
    head: (inside, of) => {
      typeParameters(walk, node, inside, of);
      readClauses(walk, node, inside);
      for (const child of all(walk, node, 'parameter')) parameter(walk, child, inside, of);
      for (const child of childrenIn(tree, node, Field.default_value)) visit(walk, child, inside);
      const result = childrenOf(tree, node).find((child) => tree.field[child] === Field.name && isType(walk, child));
      return typeOf(walk, result ?? 0, inside);
    },
  });
  if (isConstructor && owner !== -1) copyParameters(walk, { owner, constructor: definition, from });
  return 0;
};

/** `outside inside: Type`; the inside name is the parameter. */
function parameter(walk: TableWalk, node: number, inside: number, of: number): void {
  const { tree } = walk;
  const name = at(walk, node, Field.name);
  const type = typeOf(walk, childrenOf(tree, node).find((child) => isType(walk, child)) ?? 0, inside);
  if (is(walk, name, 'simple_identifier')) defineParameter(walk, name, inside, { of, type });
}

/** `let a: A = x, b = y`: each name with its type and value, as they follow. */
const property: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const flags = modifierFlags(walk, node);
  readClauses(walk, node, scope);
  const isConstant = /^let\b/.test(textOf(tree, first(walk, node, 'value_binding_pattern')));
  let names: number[] = [];
  let [type, value, body] = [0, 0, 0];
  const flush = (): void => {
    for (const name of names) declare(walk, node, name, { scope, flags, type, value, isConstant, body });
    [names, type, value, body] = [[], 0, 0, 0];
  };
  for (const child of childrenOf(tree, node)) {
    if (tree.field[child] === Field.name && is(walk, child, 'pattern')) {
      flush();
      names = namesOfPattern(walk, child);
    } else if (is(walk, child, 'type_annotation')) type = typeOf(walk, child, scope);
    else if (tree.field[child] === Field.value) value = visit(walk, child, scope);
    else if (is(walk, child, 'computed_property', 'willset_didset_block', 'protocol_property_requirements'))
      body = child;
  }
  flush();
  return 0;
};

interface Property {
  scope: number;
  flags: number;
  type: number;
  value: number;
  isConstant: boolean;
  body: number;
}

function declare(walk: TableWalk, node: number, name: number, declared: Property): void {
  const { tree } = walk;
  const { scope, flags, type, value, body } = declared;
  const isMember = walk.owner !== -1 || walk.receiver !== 0;
  const bodyNode = body === 0 ? {} : { body };
  let definition: number;
  if (isMember) definition = defineProperty(walk, name, { flags, around: node, type, value, ...bodyNode });
  else {
    const isTop = scope === 0;
    const kind = isTop && declared.isConstant ? DefinitionKind.constant : DefinitionKind.variable;
    const set = isTop ? flags | DefinitionFlag.topLevel : 0;
    definition = defineVariable(walk, name, scope, { kind, flags: set, around: node, type, value });
    if (isTop) walk.documented.push(definition, tree.start[node] ?? 0);
  }
  if (body === 0) return;
  const inside = openScope(walk, scope, ScopeKind.function, definition);
  if (!is(walk, body, 'computed_property')) {
    inFunction(walk, definition, () => visitChildren(walk, body, inside));
    return;
  }
  walk.functions.push(node, definition);
  inFunction(walk, definition, () => visitChildren(walk, body, inside));
}

/** The names that a pattern binds. */
export function namesOfPattern(walk: TableWalk, pattern: number): number[] {
  return childrenOf(walk.tree, pattern).flatMap((child) => {
    if (is(walk, child, 'pattern')) return namesOfPattern(walk, child);
    const isName = is(walk, child, 'simple_identifier') && textOf(walk.tree, child) !== '_';
    return isName ? [child] : [];
  });
}

/** `case a, b(Type)`. */
const enumEntry: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  for (const child of childrenOf(tree, node)) {
    if (tree.field[child] === Field.name && is(walk, child, 'simple_identifier')) {
      const flags = DefinitionFlag.static | inheritedFlags(walk, walk.owner);
      defineProperty(walk, child, { kind: DefinitionKind.enum_member, flags, around: node });
    } else if (tree.field[child] === Field.data_contents) typeOf(walk, child, scope);
    else visit(walk, child, scope);
  }
  return 0;
};

const alias: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const [name = 0, ...rest] = childrenIn(tree, node, Field.name);
  const isMember = walk.owner !== -1;
  const definition = defineNode(walk, name, {
    kind: DefinitionKind.type,
    flags:
      BOTH |
      (modifierFlags(walk, node) & ~DefinitionFlag.static) |
      (!isMember && scope === 0 ? DefinitionFlag.topLevel : 0),
    scope: isMember ? -1 : scope,
    owner: walk.owner,
    around: node,
  });
  attach(walk, definition);
  walk.documented.push(definition, tree.start[node] ?? 0);
  typeParameters(walk, node, scope, definition);
  readClauses(walk, node, scope);
  const [type = 0] = rest.map((written) => typeOf(walk, written, scope)).slice(-1);
  walk.facts.amend(definition, 'type', type);
  return 0;
};

/** A function without a name, with its parameters. One that is a single expression returns it. */
const closure: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const { definition, inside } = defineFunctionValue(walk, node, scope, first(walk, node, 'statements') || node);
  const head = at(walk, node, Field.type);
  for (const item of all(walk, first(walk, node, 'capture_list'), 'capture_list_item'))
    capture(walk, item, { scope, inside });
  typeOf(walk, at(walk, head, Field.name), inside);
  for (const child of all(walk, first(walk, head, 'lambda_function_type_parameters'), 'lambda_parameter'))
    parameter(walk, child, inside, definition);
  inFunction(walk, definition, () => {
    for (const body of childrenOf(tree, node)) {
      if (body === head || !is(walk, body, 'statements')) continue;
      const only = tree.first[body] ?? 0;
      const value = visit(walk, only, inside);
      if (value !== 0 && tree.next[only] === 0) facts.facet(definition, Facet.returned, value);
      for (const child of childrenOf(tree, body).slice(1)) visit(walk, child, inside);
    }
  });
  return facts.node(NodeOp.FunctionValue, definition);
};

/** `[weak self, name = value, other]`: what a closure holds of what is around it. */
function capture(walk: TableWalk, item: number, { scope, inside }: { scope: number; inside: number }): void {
  const [name, written] = [at(walk, item, Field.name), at(walk, item, Field.value)];
  if (textOf(walk.tree, name) === 'self' && written === 0) return;
  const value = visit(walk, written || name, scope);
  if (written !== 0) defineVariable(walk, name, inside, { value });
}

/** Handlers of declarations in Swift, by type of node. */
export const SWIFT_DEFINITIONS: Readonly<Record<string, TableHandler>> = {
  class_declaration: typeDeclaration,
  protocol_declaration: typeDeclaration,
  ...sameFor('function_declaration protocol_function_declaration init_declaration', routine),
  property_declaration: property,
  protocol_property_declaration: property,
  willset_didset_block: visitChildren,
  protocol_property_requirements: skip,
  enum_entry: enumEntry,
  typealias_declaration: alias,
  associatedtype_declaration: alias,
  lambda_literal: closure,
  import_declaration: (walk, node, scope) => {
    const source = walk.facts.string(textOf(walk.tree, first(walk, node, 'identifier')));
    walk.facts.exports.add(walk.facts.string(''), 3, source, scope, walk.tree.start[node] ?? 0);
    return 0;
  },
};
