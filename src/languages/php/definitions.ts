import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ReferenceHow } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineFunctionValue, defineNode, inheritedFlags } from '../walk/tree-define.ts';
import { IMPORT, referBound, sameFor, skip, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import {
  assignVariable,
  copyParameters,
  defineFunction,
  defineParameter,
  defineProperty,
  defineType,
  defineVariable,
  inFunction,
  readMembers,
} from '../walk/table-define.ts';
import { className, readAttributes } from './types.ts';
import { all, at, BOTH, first, is, type TableHandler, type TableWalk, visibleFlags } from '../walk/table-walk.ts';

/** Flags that the modifiers of a member give. What says nothing is public. */
function memberFlags(walk: TableWalk, node: number): number {
  const visibility = textOf(walk.tree, first(walk, node, 'visibility_modifier'));
  const isPublic = walk.owner === -1 || !/^(private|protected)/i.test(visibility);
  return (
    visibleFlags(walk, isPublic) |
    (/^private/i.test(visibility) ? DefinitionFlag.private : 0) |
    (first(walk, node, 'static_modifier') === 0 ? 0 : DefinitionFlag.static) |
    (first(walk, node, 'abstract_modifier') === 0 ? 0 : DefinitionFlag.abstract)
  );
}

function declaration(kind: number): TableHandler {
  return (walk, node, scope) => {
    const body = at(walk, node, Field.body);
    const { definition, inside } = defineType(walk, node, scope, {
      kind,
      name: at(walk, node, Field.name),
      body,
      flags: DefinitionFlag.exported,
    });
    const facet = kind === DefinitionKind.interface ? Facet.extends : Facet.implements;
    heritage(walk, node, inside, { definition, facet });
    readAttributes(walk, node, scope);
    readMembers(walk, body, inside, { definition });
    return 0;
  };
}

/** `extends` and `implements`. An interface extends what it names. */
export function heritage(
  walk: TableWalk,
  node: number,
  scope: number,
  { definition, facet }: { definition: number; facet: number },
): void {
  const { tree, facts } = walk;
  for (const child of childrenOf(tree, first(walk, node, 'base_clause')))
    facts.facet(definition, Facet.extends, className(walk, child, scope));
  for (const child of childrenOf(tree, first(walk, node, 'class_interface_clause')))
    facts.facet(definition, facet, className(walk, child, scope));
}

const routine: TableHandler = (walk, node, scope) => {
  readAttributes(walk, node, scope);
  const name = at(walk, node, Field.name);
  const isConstructor = walk.owner !== -1 && textOf(walk.tree, name).toLowerCase() === '__construct';
  const { owner } = walk;
  defineFunction(walk, node, scope, {
    name,
    body: at(walk, node, Field.body),
    flags: memberFlags(walk, node) | (isConstructor ? DefinitionFlag.constructor : 0),
    head: (inside, of) => {
      const from = walk.facts.facets.count;
      parameters(walk, at(walk, node, Field.parameters), inside, of);
      if (isConstructor) copyParameters(walk, { owner, constructor: of, from });
      return typeOf(walk, at(walk, node, Field.return_type), inside);
    },
  });
  return 0;
};

function parameters(walk: TableWalk, list: number, inside: number, of: number): void {
  for (const child of childrenOf(walk.tree, list)) {
    const name = at(walk, child, Field.name);
    if (name === 0) continue;
    readAttributes(walk, child, inside);
    const isSpread = is(walk, child, 'variadic_parameter');
    const written = typeOf(walk, at(walk, child, Field.type), inside);
    const type = isSpread && written !== 0 ? walk.facts.node(NodeOp.ArrayType, written) : written;
    const value = visit(walk, at(walk, child, Field.default_value), inside);
    if (is(walk, child, 'property_promotion_parameter') && walk.owner !== -1)
      defineProperty(walk, plainName(walk, name), { flags: memberFlags(walk, child), around: child, type, value });
    hooks(walk, child, inside, type);
    defineParameter(walk, name, inside, { of, type, value });
  }
}

/** The name without `$`: members are called so from outside. */
export function plainName(walk: TableWalk, variable: number): number {
  return is(walk, variable, 'variable_name') ? (walk.tree.first[variable] ?? variable) : variable;
}

const properties: TableHandler = (walk, node, scope) => {
  readAttributes(walk, node, scope);
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const flags = memberFlags(walk, node);
  for (const element of all(walk, node, 'property_element')) {
    const value = visit(walk, at(walk, element, Field.default_value), scope);
    defineProperty(walk, plainName(walk, at(walk, element, Field.name)), { flags, around: node, type, value });
  }
  hooks(walk, node, scope, type);
  return 0;
};

/** `{ get => a; set(T $value) { } }` of a property: functions without a name, of which `set` takes `$value` when it names nothing. */
function hooks(walk: TableWalk, property: number, scope: number, type: number): void {
  for (const hook of all(walk, first(walk, property, 'property_hook_list'), 'property_hook')) {
    readAttributes(walk, hook, scope);
    const body = at(walk, hook, Field.body);
    const { definition, inside } = defineFunctionValue(walk, hook, scope, body);
    parameters(walk, at(walk, hook, Field.parameters), inside, definition);
    inFunction(walk, definition, () => {
      const value = visit(walk, body, inside);
      if (value !== 0) walk.facts.facet(definition, Facet.returned, value);
    });
    if (type !== 0) walk.facts.amend(definition, 'type', type);
  }
}

const constants: TableHandler = (walk, node, scope) => {
  readAttributes(walk, node, scope);
  for (const element of all(walk, node, 'const_element')) {
    const [name = 0, written = 0] = childrenOf(walk.tree, element);
    const value = visit(walk, written, scope);
    const kind = DefinitionKind.constant;
    if (walk.owner !== -1) {
      const flags = memberFlags(walk, node) | DefinitionFlag.static;
      defineProperty(walk, name, { kind, flags, around: node, value });
      continue;
    }
    const flags = DefinitionFlag.exported | DefinitionFlag.topLevel;
    const definition = defineVariable(walk, name, scope, { kind, flags, around: node, value });
    walk.documented.push(definition, walk.tree.start[node] ?? 0);
  }
  return 0;
};

const enumCase: TableHandler = (walk, node, scope) => {
  readAttributes(walk, node, scope);
  const value = visit(walk, at(walk, node, Field.value), scope);
  const flags = DefinitionFlag.static | inheritedFlags(walk, walk.owner);
  defineProperty(walk, at(walk, node, Field.name), { kind: DefinitionKind.enum_member, flags, around: node, value });
  return 0;
};

/** `use A, B { ... }` in a class. */
const traits: TableHandler = (walk, node, scope) => {
  for (const child of all(walk, node, 'name', 'qualified_name', 'relative_name')) {
    const type = className(walk, child, scope);
    if (walk.owner !== -1) walk.facts.facet(walk.owner, Facet.implements, type);
  }
  // `{ A::b as c; }`: what is renamed or chosen is a use, and the new name a method.
  for (const clause of childrenOf(walk.tree, first(walk, node, 'use_list')))
    for (const child of childrenOf(walk.tree, clause)) {
      if (is(walk, child, 'class_constant_access_expression')) visit(walk, child, scope);
      else if (is(walk, child, 'name') && is(walk, clause, 'use_as_clause') && child === walk.tree.last[clause])
        renamed(walk, clause, child);
      else if (is(walk, child, 'name', 'qualified_name', 'relative_name')) className(walk, child, scope);
    }
  return 0;
};

function renamed(walk: TableWalk, clause: number, name: number): void {
  const flags = DefinitionFlag.value | DefinitionFlag.callable | inheritedFlags(walk, walk.owner);
  defineNode(walk, name, { kind: DefinitionKind.method, flags, scope: -1, owner: walk.owner, around: clause });
}

const namespace: TableHandler = (walk, node, scope) => {
  walk.facts.packageName = textOf(walk.tree, at(walk, node, Field.name));
  visitChildren(walk, at(walk, node, Field.body), scope);
  return 0;
};

/** `use A\B as C`, `use A\{B, C}`, `use function A\f`. */
const imports: TableHandler = (walk, node, scope) => {
  const prefix = textOf(walk.tree, first(walk, node, 'namespace_name'));
  const group = at(walk, node, Field.body);
  for (const clause of all(walk, group === 0 ? node : group, 'namespace_use_clause'))
    importOne(walk, clause, scope, group === 0 ? '' : `${prefix}\\`);
  return 0;
};

function importOne(walk: TableWalk, clause: number, scope: number, prefix: string): void {
  const { facts, tree } = walk;
  const alias = at(walk, clause, Field.alias);
  const written = all(walk, clause, 'qualified_name', 'name').find((child) => child !== alias) ?? 0;
  const full = prefix + textOf(tree, written).replace(/^\\/, '');
  const last = full.slice(full.lastIndexOf('\\') + 1);
  const start = (tree.end[written] ?? 0) - last.length;
  const definition = defineNode(walk, alias === 0 ? written : alias, {
    kind: DefinitionKind.import,
    flags: BOTH,
    scope,
    around: clause,
  });
  if (alias === 0) {
    facts.definitions.set(definition, Definition.name, facts.string(last));
    facts.amend(definition, 'nameStart', start);
  } else referBound(walk, alias, definition, IMPORT);
  facts.amend(definition, 'source', facts.string(full));
  facts.amend(definition, 'imported', facts.string(last));
  facts.references.add(facts.string(last), start, -1, IMPORT, ReferenceHow.bound, definition, 0);
}

/** A function without a name. It sees the variables around it as its `use` and arrows say. */
const closure: TableHandler = (walk, node, scope) => {
  const body = at(walk, node, Field.body);
  const { definition, inside } = defineFunctionValue(walk, node, scope, body);
  parameters(walk, at(walk, node, Field.parameters), inside, definition);
  visit(walk, first(walk, node, 'anonymous_function_use_clause'), scope);
  walk.facts.amend(definition, 'type', typeOf(walk, at(walk, node, Field.return_type), inside));
  inFunction(walk, definition, () => {
    const value = visit(walk, body, inside);
    if (value !== 0) walk.facts.facet(definition, Facet.returned, value);
  });
  return walk.facts.node(NodeOp.FunctionValue, definition);
};

const caught: TableHandler = (walk, node, scope) => {
  const type = typeOf(walk, at(walk, node, Field.type), scope);
  const name = at(walk, node, Field.name);
  if (name !== 0) {
    const value = type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
    assignVariable(walk, name, scope, { value, around: name, isFunctionScoped: true });
  }
  visit(walk, at(walk, node, Field.body), scope);
  return 0;
};

/** Handlers of declarations in PHP, by type of node. */
export const PHP_DEFINITIONS: Readonly<Record<string, TableHandler>> = {
  namespace_definition: namespace,
  namespace_use_declaration: imports,
  class_declaration: declaration(DefinitionKind.class),
  interface_declaration: declaration(DefinitionKind.interface),
  trait_declaration: declaration(DefinitionKind.trait),
  enum_declaration: declaration(DefinitionKind.enum),
  method_declaration: routine,
  function_definition: routine,
  property_declaration: properties,
  const_declaration: constants,
  enum_case: enumCase,
  use_declaration: traits,
  anonymous_function: closure,
  arrow_function: closure,
  catch_clause: caught,
  ...sameFor('declare_statement php_tag text', skip),
};
