import { Definition, DefinitionFlag, DefinitionKind, Facet, Scope, ScopeKind } from '../facts/facts.ts';
import { textOf } from './tree.ts';
import { defineDocumented, defineFunctionParameter, defineNode, openScope } from './tree-define.ts';
import { readBody, readFunction } from './tree-handlers.ts';
import { refer, visit, WRITE } from './tree-walk.ts';
import { BOTH, type TableWalk } from './table-walk.ts';

/** A type that a node declares. */
interface TypeDeclaration {
  kind: number;
  name: number;
  body: number;
  flags?: number;
}

/** Defines a type and gives it with the scope of its body. Its documentation ends where the node starts. */
export function defineType(
  walk: TableWalk,
  node: number,
  scope: number,
  { kind, name, body, flags = 0 }: TypeDeclaration,
): { definition: number; inside: number } {
  const isTop = walk.owner === -1 && scope === 0;
  const definition = defineDocumented(walk, name, {
    kind,
    flags: BOTH | (isTop ? DefinitionFlag.topLevel : 0) | flags,
    scope: walk.owner === -1 ? scope : -1,
    owner: walk.owner,
    around: node,
    body,
  });
  const inside = openScope(walk, scope, ScopeKind.class, definition);
  return { definition, inside };
}

/** Defines a name for a type, and gives it with the scope of its type parameters. */
export function defineAlias(
  walk: TableWalk,
  node: number,
  scope: number,
  { name, flags }: { name: number; flags: number },
): { definition: number; inside: number } {
  const isMember = walk.owner !== -1;
  const definition = defineNode(walk, name, {
    kind: DefinitionKind.type,
    flags: BOTH | flags | (!isMember && scope === 0 ? DefinitionFlag.topLevel : 0),
    scope: isMember ? -1 : scope,
    owner: walk.owner,
    around: node,
  });
  walk.documented.push(definition, walk.tree.start[node] ?? 0);
  return { definition, inside: walk.facts.scope(scope, ScopeKind.block) };
}

/** Reads the body of a type: what is defined in it are its members, which have some flags. */
export function readMembers(
  walk: TableWalk,
  body: number,
  inside: number,
  { definition, flags = 0 }: { definition: number; flags?: number },
): void {
  const { owner, type, current, memberFlags, receiver, blocks } = walk;
  Object.assign(walk, { owner: definition, type: definition, current: -1, memberFlags: flags, receiver: 0, blocks: 0 });
  visit(walk, body, inside);
  Object.assign(walk, { owner, type, current, memberFlags, receiver, blocks });
}

/** A function or method that a node declares. */
interface FunctionDeclaration {
  name: number;
  body: number;
  flags?: number;
  /** Defines the parameters in the scope of the inside, and gives the type node of the result. */
  head: (inside: number, definition: number) => number;
  /** The value of the body is what the function returns. */
  isExpression?: boolean;
}

/**
 * Defines a function, or a method when it stands in the body of a type (or in an extension of one), and reads its body.
 * A method is found through its type, so its name is in no scope.
 */
export function defineFunction(walk: TableWalk, node: number, scope: number, declaration: FunctionDeclaration): number {
  const isMember = walk.owner !== -1 || walk.receiver !== 0;
  const definition = defineDocumented(walk, declaration.name, {
    kind: isMember ? DefinitionKind.method : DefinitionKind.function,
    flags:
      DefinitionFlag.value |
      DefinitionFlag.callable |
      (!isMember && scope === 0 ? DefinitionFlag.topLevel : 0) |
      (declaration.flags ?? 0),
    scope: isMember ? -1 : scope,
    owner: walk.owner,
    around: node,
    body: declaration.body,
  });
  attach(walk, definition);
  readFunction(walk, node, definition, {
    scope,
    body: declaration.body,
    head: (inside) => declaration.head(inside, definition),
    read: (inside) => {
      const value = inFunction(walk, definition, () => visit(walk, declaration.body, inside));
      if (declaration.isExpression === true && value !== 0) walk.facts.facet(definition, Facet.returned, value);
    },
  });
  return definition;
}

/** Joins what is defined in an extension to the type that is extended. */
export function attach(walk: TableWalk, definition: number): void {
  if (walk.receiver === 0) return;
  walk.facts.facet(definition, Facet.receiver, walk.receiver);
  for (const trait of walk.traits) walk.facts.facet(definition, Facet.trait, trait);
}

/** Does something inside the body of a function: definitions there are members of nothing. */
export function inFunction<T>(walk: TableWalk, definition: number, read: () => T): T {
  const { owner, receiver } = walk;
  Object.assign(walk, { owner: -1, receiver: 0 });
  const made = readBody(walk, definition, read);
  Object.assign(walk, { owner, receiver });
  return made;
}

/** Does something outside of the type around: what is defined there is no member. */
export function outsideType<T>(walk: TableWalk, read: () => T): T {
  const { owner } = walk;
  walk.owner = -1;
  const made = read();
  walk.owner = owner;
  return made;
}

/** Takes the name of a definition away: nothing finds it by one. */
export function removeName({ facts }: TableWalk, definition: number): void {
  facts.amend(definition, 'name', 0);
  facts.amend(definition, 'scope', -1);
  facts.amend(definition, 'nameStart', -1);
}

/** Copies the parameters of a constructor: making an instance of its type takes the same. Its facets begin at the row `from`. */
export function copyParameters(
  { facts }: TableWalk,
  { owner, constructor, from }: { owner: number; constructor: number; from: number },
): void {
  const rows = facts.facets.count;
  for (let row = from; row < rows; row += 1) {
    const isOwn = facts.facets.get(row, 0) === constructor && facts.facets.get(row, 1) === Facet.parameter;
    if (isOwn) facts.facet(owner, Facet.constructorParameter, facts.facets.get(row, 2));
  }
}

/** Defines a parameter in the scope of the inside of its function and gives it. It is known as a variable. */
export function defineParameter(
  walk: TableWalk,
  name: number,
  inside: number,
  facet: { of: number; type?: number; value?: number },
): number {
  const parameter = defineFunctionParameter(walk, name, inside, facet);
  rememberVariable(walk, inside, textOf(walk.tree, name), parameter);
  return parameter;
}

/** Adds flags to a definition. */
export function amendFlags({ facts }: TableWalk, definition: number, flags: number): void {
  facts.amend(definition, 'flags', facts.definitions.get(definition, Definition.flags) | flags);
}

/** Defines a variable in a scope. */
export function defineVariable(
  walk: TableWalk,
  name: number,
  scope: number,
  defined: { kind?: number; flags?: number; around?: number; type?: number; value?: number },
): number {
  const definition = defineNode(walk, name, {
    kind: defined.kind ?? DefinitionKind.variable,
    flags: DefinitionFlag.value | (defined.flags ?? 0),
    scope,
    around: defined.around ?? name,
    type: defined.type ?? 0,
    value: defined.value ?? 0,
  });
  rememberVariable(walk, scope, textOf(walk.tree, name), definition);
  return definition;
}

/** Defines a property of the type around. */
export function defineProperty(
  walk: TableWalk,
  name: number,
  defined: { kind?: number; flags?: number; around?: number; body?: number; type?: number; value?: number },
): number {
  const definition = defineNode(walk, name, {
    kind: defined.kind ?? DefinitionKind.property,
    flags: DefinitionFlag.value | (defined.flags ?? 0),
    scope: -1,
    owner: walk.owner,
    around: defined.around ?? name,
    ...(defined.body !== undefined && { body: defined.body }),
    type: defined.type ?? 0,
    value: defined.value ?? 0,
  });
  attach(walk, definition);
  walk.documented.push(definition, walk.tree.start[defined.around ?? name] ?? 0);
  return definition;
}

function rememberVariable(walk: TableWalk, scope: number, name: string, definition: number): void {
  const existing = walk.variables.get(scope);
  if (existing === undefined) walk.variables.set(scope, new Map([[name, definition]]));
  else existing.set(name, definition);
}

/** The variable that a name means in a scope, through blocks and functions without a name, or -1. */
export function findVariable(walk: TableWalk, scope: number, name: string): number {
  const { scopes, definitions } = walk.facts;
  for (let at = scope; at >= 0; at = scopes.get(at, Scope.parent)) {
    const variable = walk.variables.get(at)?.get(name);
    if (variable !== undefined) return variable;
    const kind = scopes.get(at, Scope.kind);
    const definition = scopes.get(at, Scope.definition);
    const isNamed = definition === -1 || definitions.get(definition, Definition.name) !== 0;
    if (kind === ScopeKind.class || (kind === ScopeKind.function && isNamed)) return -1;
  }
  return -1;
}

/**
 * Assigns to a name in a language that declares variables by assignment: the first one in a function defines it, the
 * others write it. A variable whose first value says nothing takes the type of a later one.
 */
export function assignVariable(
  walk: TableWalk,
  name: number,
  scope: number,
  definition: { value: number; around: number; flags?: number; isFunctionScoped: boolean },
): number {
  const { facts, tree } = walk;
  const variable = findVariable(walk, scope, textOf(tree, name));
  if (variable === -1) {
    const home = definition.isFunctionScoped ? functionScope(walk, scope) : scope;
    const { value, around, flags = 0 } = definition;
    defineVariable(walk, name, home, { value, around, flags });
    return value;
  }
  if (definition.value !== 0 && facts.definitions.get(variable, Definition.value) === 0)
    facts.amend(variable, 'value', definition.value);
  refer(walk, name, scope, WRITE);
  return definition.value;
}

/** The scope of the function around, or of the file. */
export function functionScope(walk: TableWalk, scope: number): number {
  const { scopes } = walk.facts;
  let at = scope;
  while (scopes.get(at, Scope.kind) === ScopeKind.block) at = scopes.get(at, Scope.parent);
  return at;
}
