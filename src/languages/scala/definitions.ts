import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  ExportHow,
  Facet,
  NodeOp,
  ReferenceHow,
  ScopeKind,
} from '../facts/facts.ts';
import { childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineNode, inheritedFlags } from '../walk/tree-define.ts';
import { IMPORT, sameFor, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import {
  attach,
  defineAlias,
  defineFunction,
  defineParameter,
  defineProperty,
  defineType,
  defineVariable,
  readMembers,
} from '../walk/table-define.ts';
import { bindPattern } from './expressions.ts';
import { constructedType, supertypes, typeParameters } from './types.ts';
import { all, at, BOTH, first, is, type TableHandler, type TableWalk, visibleFlags } from '../walk/table-walk.ts';

/** Flags that the modifiers give; members of objects are static. */
function modifierFlags(walk: TableWalk, node: number): number {
  const words = new Set(textOf(walk.tree, first(walk, node, 'modifiers')).split(/[\s[\]]+/));
  const isHidden = words.has('private') || words.has('protected');
  const isOutside =
    walk.receiver === 0 ? visibleFlags(walk, !isHidden) : DefinitionFlag.topLevel | DefinitionFlag.exported;
  return (
    isOutside |
    (words.has('private') ? DefinitionFlag.private : 0) |
    (words.has('abstract') ? DefinitionFlag.abstract : 0) |
    (walk.owner === -1 ? 0 : walk.memberFlags)
  );
}

/** Annotations of a declaration are types of which an instance is made. */
function annotations(walk: TableWalk, node: number, scope: number): void {
  for (const child of all(walk, node, 'annotation')) annotation(walk, child, scope);
}

const annotation: TableHandler = (walk, node, scope) => {
  constructedType(walk, at(walk, node, Field.name), scope);
  for (const list of childrenIn(walk.tree, node, Field.arguments)) visit(walk, list, scope);
  return 0;
};

function declaration(kind: number, isObject: boolean): TableHandler {
  return (walk, node, scope) => {
    const { facts, tree } = walk;
    const body = at(walk, node, Field.body);
    const name = at(walk, node, Field.name);
    if (name === 0) return visit(walk, body, scope);
    annotations(walk, node, scope);
    const { definition, inside } = defineType(walk, node, scope, {
      kind,
      name,
      body,
      flags: modifierFlags(walk, node),
    });
    if (isObject)
      facts.amend(definition, 'flags', facts.definitions.get(definition, Definition.flags) & ~DefinitionFlag.type);
    typeParameters(walk, node, inside, definition);
    const isCase = /\bcase\s/.test(tree.text.slice(tree.start[node], tree.start[name])) || kind === DefinitionKind.enum;
    const { owner } = walk;
    walk.owner = definition;
    for (const list of childrenIn(tree, node, Field.class_parameters))
      for (const child of all(walk, list, 'class_parameter')) classParameter(walk, child, inside, isCase);
    walk.owner = owner;
    supertypes(walk, node, inside, definition);
    for (const list of all(walk, at(walk, node, Field.extend), 'arguments')) visit(walk, list, inside);
    readMembers(walk, body, inside, { definition, flags: isObject ? DefinitionFlag.static : 0 });
    return 0;
  };
}

/** A parameter of a class is a property, which others see when it is a `val` or the class a case class. */
function classParameter(walk: TableWalk, node: number, inside: number, isCase: boolean): void {
  const { facts, tree } = walk;
  const name = at(walk, node, Field.name);
  annotations(walk, node, inside);
  const type = typeOf(walk, at(walk, node, Field.type), inside);
  visit(walk, at(walk, node, Field.default_value), inside);
  const isValue = isCase || /\b(val|var)\s/.test(tree.text.slice(tree.start[node], tree.start[name]));
  const flags = isValue
    ? modifierFlags(walk, node)
    : DefinitionFlag.private | (inheritedFlags(walk, walk.owner) & DefinitionFlag.topLevel);
  const definition = defineProperty(walk, name, { flags, around: node, type });
  facts.facet(walk.owner, Facet.constructorParameter, facts.node(NodeOp.Parameter, type, definition));
}

const routine: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const name = at(walk, node, Field.name);
  const isConstructor = textOf(tree, name) === 'this';
  annotations(walk, node, scope);
  defineFunction(walk, node, scope, {
    name,
    body: at(walk, node, Field.body),
    flags: modifierFlags(walk, node) | (isConstructor ? DefinitionFlag.constructor : 0),
    head: (inside, of) => {
      typeParameters(walk, node, inside, of);
      for (const list of all(walk, node, 'parameters'))
        for (const child of all(walk, list, 'parameter')) parameter(walk, child, inside, of);
      return typeOf(walk, at(walk, node, Field.return_type), inside);
    },
    isExpression: true,
  });
  return 0;
};

function parameter(walk: TableWalk, node: number, inside: number, of: number): void {
  annotations(walk, node, inside);
  const type = typeOf(walk, at(walk, node, Field.type), inside);
  visit(walk, at(walk, node, Field.default_value), inside);
  defineParameter(walk, at(walk, node, Field.name), inside, { of, type });
}

/** `val a, b: T = x`, with a pattern in the place of a name. */
const value: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  annotations(walk, node, scope);
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const pattern = at(walk, node, Field.pattern);
  const { owner, current } = walk;
  const given = visit(walk, at(walk, node, Field.value), scope);
  Object.assign(walk, { owner, current });
  const isMember = walk.owner !== -1 || walk.receiver !== 0;
  const flags = modifierFlags(walk, node);
  const declared = pattern === 0 ? childrenIn(tree, node, Field.name) : [pattern];
  const names = is(walk, pattern, 'identifiers') ? childrenOf(tree, pattern) : declared;
  for (const name of names) {
    if (!is(walk, name, 'identifier', 'operator_identifier')) bindPattern(walk, name, scope, given);
    else if (isMember) defineProperty(walk, name, { flags, around: node, type, value: given });
    else {
      const top = scope === 0 ? DefinitionFlag.topLevel | flags : 0;
      const definition = defineVariable(walk, name, scope, { flags: top, around: node, type, value: given });
      if (scope === 0) walk.documented.push(definition, tree.start[node] ?? 0);
    }
  }
  return 0;
};

const typeAlias: TableHandler = (walk, node, scope) => {
  const name = at(walk, node, Field.name);
  const { definition, inside } = defineAlias(walk, node, scope, { name, flags: modifierFlags(walk, node) });
  annotations(walk, node, scope);
  typeParameters(walk, node, inside, definition);
  for (const bound of ['lower_bound', 'upper_bound']) typeOf(walk, first(walk, node, bound), inside);
  walk.facts.amend(definition, 'type', typeOf(walk, at(walk, node, Field.type), inside));
  return 0;
};

/** `case A`, `case B(x: T)`: the second is a class inside the enum. */
const enumCase: TableHandler = (walk, node, scope) => {
  const flags = DefinitionFlag.static | inheritedFlags(walk, walk.owner);
  const name = at(walk, node, Field.name);
  const definition = defineProperty(walk, name, { kind: DefinitionKind.enum_member, flags, around: node });
  const inside = walk.facts.scope(scope, ScopeKind.block);
  typeParameters(walk, node, inside, definition);
  const { owner } = walk;
  walk.owner = definition;
  for (const list of childrenIn(walk.tree, node, Field.class_parameters))
    for (const child of all(walk, list, 'class_parameter')) classParameter(walk, child, inside, true);
  walk.owner = owner;
  const clause = at(walk, node, Field.extend);
  for (const type of childrenIn(walk.tree, clause, Field.type)) typeOf(walk, type, inside);
  for (const list of all(walk, clause, 'arguments')) visit(walk, list, inside);
  return 0;
};

/** `extension (x: T) def f`: f belongs to T. */
const extension: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  let receiver = 0;
  for (const list of all(walk, node, 'parameters'))
    for (const child of all(walk, list, 'parameter')) {
      parameter(walk, child, inside, -1);
      receiver ||= typeOf(walk, at(walk, child, Field.type), inside);
    }
  const before = { receiver: walk.receiver, owner: walk.owner };
  Object.assign(walk, { receiver, owner: -1 });
  for (const child of childrenIn(walk.tree, node, Field.body)) visit(walk, child, inside);
  Object.assign(walk, before);
  return 0;
};

/** `given name: T with { ... }` is one value of an own class. */
const given: TableHandler = (walk, node, scope) => {
  const name = at(walk, node, Field.name);
  const body = at(walk, node, Field.body);
  const type = typeOf(walk, at(walk, node, Field.return_type), scope);
  if (name === 0) {
    visit(walk, body, scope);
    return 0;
  }
  const kind = DefinitionKind.class;
  const { definition, inside } = defineType(walk, node, scope, { kind, name, body, flags: modifierFlags(walk, node) });
  if (type !== 0) walk.facts.facet(definition, Facet.implements, type);
  readMembers(walk, body, inside, { definition });
  attach(walk, definition);
  return 0;
};

const packageClause: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const name = textOf(tree, at(walk, node, Field.name)).replaceAll(/\s/g, '');
  const outer = facts.packageName;
  if (outer !== '') star(walk, outer, scope, tree.start[node] ?? 0);
  facts.packageName = outer === '' ? name : `${outer}.${name}`;
  visitChildren(walk, at(walk, node, Field.body), scope);
  return 0;
};

function star({ facts }: TableWalk, source: string, scope: number, start: number): void {
  facts.exports.add(facts.string(''), ExportHow.star, facts.string(source), scope, start);
}

/** `import a.b.C, d.{E, F => G, _}`. */
const imports: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  let path: number[] = [];
  let isOpen = false;
  const flush = (): void => {
    const last = path.pop();
    if (last !== undefined) importName(walk, { node, name: last, alias: 0, base: textsOf(walk, path) }, scope);
    path = [];
  };
  for (const child of childrenOf(tree, node)) {
    const isName = tree.field[child] === Field.path && is(walk, child, 'identifier', 'operator_identifier');
    if (isName) {
      if (!isOpen) flush();
      path.push(child);
      isOpen = false;
    } else if (tree.field[child] === Field.path) isOpen = true;
    else {
      selectors(walk, child, scope, { node, base: textsOf(walk, path) });
      path = [];
    }
  }
  flush();
  return 0;
};

const textsOf = (walk: TableWalk, path: readonly number[]): string =>
  path.map((node) => textOf(walk.tree, node)).join('.');

function selectors(
  walk: TableWalk,
  node: number,
  scope: number,
  { node: around, base }: { node: number; base: string },
): void {
  if (is(walk, node, 'namespace_wildcard')) star(walk, base, scope, walk.tree.start[node] ?? 0);
  for (const child of childrenOf(walk.tree, node)) {
    if (is(walk, child, 'namespace_wildcard')) star(walk, base, scope, walk.tree.start[child] ?? 0);
    else if (is(walk, child, 'identifier')) importName(walk, { node: around, name: child, alias: 0, base }, scope);
    else if (is(walk, child, 'arrow_renamed_identifier')) {
      const renamed = at(walk, child, Field.alias);
      if (!is(walk, renamed, 'identifier')) continue;
      importName(walk, { node: around, name: at(walk, child, Field.name), alias: renamed, base }, scope);
    }
  }
}

function importName(
  walk: TableWalk,
  { node, name, alias, base }: { node: number; name: number; alias: number; base: string },
  scope: number,
): void {
  const { facts, tree } = walk;
  const text = textOf(tree, name);
  const written = alias === 0 ? name : alias;
  const definition = defineNode(walk, written, { kind: DefinitionKind.import, flags: BOTH, scope, around: node });
  facts.amend(definition, 'source', facts.string(base === '' ? text : `${base}.${text}`));
  facts.amend(definition, 'imported', facts.string(text));
  facts.references.add(facts.string(text), tree.start[name] ?? 0, -1, IMPORT, ReferenceHow.bound, definition, 0);
}

/** `self: T =>` names the value whose class this is. */
const selfType: TableHandler = (walk, node, scope) => {
  const name = first(walk, node, 'identifier');
  if (name !== 0) defineVariable(walk, name, scope, { value: walk.facts.node(NodeOp.This, scope) });
  for (const child of childrenOf(walk.tree, node)) typeOf(walk, child, scope);
  return 0;
};

/** Handlers of declarations in Scala, by type of node. */
export const SCALA_DEFINITIONS: Readonly<Record<string, TableHandler>> = {
  package_clause: packageClause,
  import_declaration: imports,
  class_definition: declaration(DefinitionKind.class, false),
  trait_definition: declaration(DefinitionKind.trait, false),
  object_definition: declaration(DefinitionKind.class, true),
  package_object: declaration(DefinitionKind.class, true),
  enum_definition: declaration(DefinitionKind.enum, false),
  simple_enum_case: enumCase,
  full_enum_case: enumCase,
  function_definition: routine,
  function_declaration: routine,
  ...sameFor('val_definition var_definition val_declaration var_declaration', value),
  type_definition: typeAlias,
  extension_definition: extension,
  given_definition: given,
  self_type: selfType,
  annotation,
};
