import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { inheritedFlags } from '../walk/tree-define.ts';
import { typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import {
  amendFlags,
  attach,
  defineAlias,
  defineFunction,
  defineParameter,
  defineProperty,
  defineType,
  defineVariable,
  inFunction,
  outsideType,
  readMembers,
} from '../walk/table-define.ts';
import { constructedType, isType, readConstructorArguments, typeParameters } from './types.ts';
import { all, at, first, is, type TableHandler, type TableWalk, visibleFlags } from '../walk/table-walk.ts';

/** Flags that the modifiers give; what says nothing is public. Members of objects are static. */
function modifierFlags(walk: TableWalk, node: number): number {
  const words = new Set(textOf(walk.tree, first(walk, node, 'modifiers')).split(/[\s()]+/));
  const isHidden = words.has('private') || words.has('internal') || words.has('protected');
  return (
    visibleFlags(walk, !isHidden) |
    (words.has('private') ? DefinitionFlag.private : 0) |
    (words.has('abstract') ? DefinitionFlag.abstract : 0) |
    (walk.owner === -1 ? 0 : walk.memberFlags)
  );
}

/** Returns the text between the start of a declaration and its name. */
function wordsBefore(walk: TableWalk, node: number, name: number): string {
  return walk.tree.text.slice(walk.tree.start[node], walk.tree.start[name]);
}

/** Reads the annotations before a declaration: each names a class. */
function readAnnotations(walk: TableWalk, node: number, scope: number): void {
  for (const annotation of all(walk, first(walk, node, 'modifiers'), 'annotation')) visit(walk, annotation, scope);
}

function kindOf(words: string): number {
  if (/\binterface\s*$/.test(words)) return DefinitionKind.interface;
  return /\benum\b/.test(words) ? DefinitionKind.enum : DefinitionKind.class;
}

const declaration: TableHandler = (walk, node, scope) => {
  const name = at(walk, node, Field.name);
  const body = first(walk, node, 'class_body') || first(walk, node, 'enum_class_body');
  const isObject = is(walk, node, 'object_declaration');
  const kind = isObject ? DefinitionKind.class : kindOf(wordsBefore(walk, node, name));
  readAnnotations(walk, node, scope);
  const flags = modifierFlags(walk, node) & ~DefinitionFlag.static;
  const { definition, inside } = defineType(walk, node, scope, { kind, name, body, flags });
  typeParameters(walk, node, inside, definition);
  const { owner, memberFlags } = walk;
  Object.assign(walk, { owner: definition, memberFlags: 0 });
  const constructor = first(walk, node, 'primary_constructor');
  readAnnotations(walk, constructor, inside);
  for (const child of childrenOf(walk.tree, first(walk, constructor, 'class_parameters')))
    if (is(walk, child, 'class_parameter')) classParameter(walk, child, inside);
  Object.assign(walk, { owner, memberFlags });
  supertypes(walk, node, inside, { definition, isInterface: kind === DefinitionKind.interface });
  readMembers(walk, body, inside, { definition, flags: isObject ? DefinitionFlag.static : 0 });
  return 0;
};

/** A parameter of a class; with `val` or `var` it is a property. */
function classParameter(walk: TableWalk, node: number, inside: number): void {
  const { facts, tree } = walk;
  const name = first(walk, node, 'identifier');
  const type = typeOf(walk, childrenOf(tree, node).find((child) => isType(walk, child)) ?? 0, inside);
  readAnnotations(walk, node, inside);
  let isAfter = false;
  for (const child of childrenOf(tree, node)) {
    if (isAfter && !isType(walk, child)) visit(walk, child, inside);
    isAfter ||= child === name;
  }
  const isProperty = /\b(val|var)\s+$/.test(wordsBefore(walk, node, name));
  if (isProperty) defineProperty(walk, name, { flags: modifierFlags(walk, node), around: node, type });
  else defineParameter(walk, name, inside, { of: -1, type });
  facts.facet(walk.owner, Facet.constructorParameter, facts.node(NodeOp.Parameter, type, -1));
}

/** Reads the types that a type is made from: what is called is a class, the others are interfaces. */
export function supertypes(
  walk: TableWalk,
  node: number,
  scope: number,
  { definition, isInterface }: { definition: number; isInterface: boolean },
): void {
  const { facts, tree } = walk;
  for (const child of childrenOf(tree, first(walk, node, 'delegation_specifiers'))) {
    for (const written of childrenOf(tree, child)) {
      if (is(walk, written, 'constructor_invocation')) {
        const type = constructedType(walk, tree.first[written] ?? 0, scope);
        readConstructorArguments(walk, first(walk, written, 'value_arguments'), { type, scope });
        if (type !== 0) facts.facet(definition, Facet.extends, type);
        continue;
      }
      const isDelegated = is(walk, written, 'explicit_delegation');
      const type = typeOf(walk, isDelegated ? (tree.first[written] ?? 0) : written, scope);
      if (isDelegated) for (const by of childrenOf(tree, written).slice(1)) visit(walk, by, scope);
      if (type !== 0) facts.facet(definition, isInterface ? Facet.extends : Facet.implements, type);
    }
  }
}

/**
 * Reads the companion of a class, whose members are static members of the class: the name of a companion is another name
 * of the class.
 */
const companion: TableHandler = (walk, node, scope) => {
  const { facts, owner, memberFlags } = walk;
  const name = at(walk, node, Field.name);
  if (owner !== -1) supertypes(walk, node, scope, { definition: owner, isInterface: false });
  if (owner !== -1 && name !== 0) {
    const { definition } = defineAlias(walk, node, scope, { name, flags: modifierFlags(walk, node) });
    facts.amend(definition, 'type', facts.node(NodeOp.ThisType, scope));
  }
  walk.memberFlags = DefinitionFlag.static;
  visitChildren(walk, first(walk, node, 'class_body'), scope);
  walk.memberFlags = memberFlags;
  return 0;
};

/** Reads what is declared for the type before its name (`fun T.name`), as a member of that type. */
function forReceiver(walk: TableWalk, receiver: number, read: () => void): void {
  const before = walk.receiver;
  walk.receiver = receiver;
  read();
  walk.receiver = before;
}

const routine: TableHandler = (walk, node, scope) => {
  const { tree } = walk;
  const name = at(walk, node, Field.name);
  if (name === 0 || tree.start[name] === tree.end[name]) return visitChildren(walk, node, scope);
  const written = childrenOf(tree, node);
  const list = first(walk, node, 'function_value_parameters');
  const extended =
    written.find((child) => isType(walk, child) && (tree.start[child] ?? 0) < (tree.start[name] ?? 0)) ?? 0;
  const body = first(walk, node, 'function_body');
  const isExpression = !is(walk, tree.first[body] ?? 0, 'block');
  readAnnotations(walk, node, scope);
  const isLocal = walk.owner === -1 && scope !== 0;
  const flags = isLocal ? 0 : modifierFlags(walk, node);
  const isTop = extended !== 0 && walk.owner === -1 && scope === 0;
  const definition = defineFunction(walk, node, scope, {
    name,
    body,
    flags: flags | (isTop ? DefinitionFlag.topLevel : 0),
    head: (inside, of) => {
      typeParameters(walk, node, inside, of);
      const type = typeOf(walk, extended, inside);
      if (type !== 0) walk.facts.facet(of, Facet.receiver, type);
      defineParameters(walk, list, inside, of);
      const result = written.find((child) => isType(walk, child) && (tree.start[child] ?? 0) > (tree.end[list] ?? 0));
      return typeOf(walk, result ?? 0, inside);
    },
    isExpression,
  });
  if (isTop) walk.facts.amend(definition, 'kind', DefinitionKind.method);
  return 0;
};

/** Defines the parameters of a list, with their default values behind them. */
export function defineParameters(walk: TableWalk, list: number, inside: number, of: number): void {
  let isVariadic = false;
  let last = -1;
  for (const child of childrenOf(walk.tree, list)) {
    if (is(walk, child, 'parameter_modifiers')) {
      isVariadic = /\bvararg\b/.test(textOf(walk.tree, child));
      continue;
    }
    if (!is(walk, child, 'parameter')) {
      // What is behind a parameter is its default value.
      if (last !== -1) amendFlags(walk, last, DefinitionFlag.optional);
      visit(walk, child, inside);
      continue;
    }
    const type = typeOf(walk, childrenOf(walk.tree, child).find((part) => isType(walk, part)) ?? 0, inside);
    last = defineParameter(walk, first(walk, child, 'identifier'), inside, { of, type });
    if (isVariadic) amendFlags(walk, last, DefinitionFlag.rest);
    isVariadic = false;
  }
}

const secondary: TableHandler = (walk, node, scope) => {
  const { facts } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  defineParameters(walk, first(walk, node, 'function_value_parameters'), inside, -1);
  outsideType(walk, () => {
    visit(walk, first(walk, node, 'constructor_delegation_call'), inside);
    visit(walk, first(walk, node, 'block'), inside);
  });
  return 0;
};

const initializer: TableHandler = (walk, node, scope) => outsideType(walk, () => visitChildren(walk, node, scope));

/** `val name: T = x`, `val T.name get() = x`, `val (a, b) = x`, `val name by x`. */
const property: TableHandler = (walk, node, scope) => {
  const { facts, tree } = walk;
  const isMember = walk.owner !== -1;
  const written = childrenOf(tree, node);
  const several = first(walk, node, 'multi_variable_declaration');
  const target = first(walk, node, 'variable_declaration');
  const start = tree.start[target || several] ?? 0;
  readAnnotations(walk, node, scope);
  const extended = written.find((child) => isType(walk, child) && (tree.start[child] ?? 0) < start) ?? 0;
  const inside = extended === 0 ? scope : facts.scope(scope, ScopeKind.block);
  const parameters = first(walk, node, 'type_parameters');
  const receiver = typeOf(walk, extended, inside);
  const type = typeOf(walk, childrenOf(tree, target).find((child) => isType(walk, child)) ?? 0, inside);
  const value = valueOf(
    walk,
    written.filter((child) => child !== parameters && (tree.start[child] ?? 0) > start),
    inside,
  );
  if (several !== 0) {
    all(walk, several, 'variable_declaration').forEach((child, index) => {
      const part = value === 0 ? 0 : facts.node(NodeOp.ElementAt, value, index);
      defineVariable(walk, first(walk, child, 'identifier'), scope, { around: child, value: part });
    });
    return 0;
  }
  const name = first(walk, target, 'identifier');
  const accessors = [...all(walk, node, 'getter'), ...all(walk, node, 'setter')];
  const isConstant = /\bconst\b/.test(wordsBefore(walk, node, name));
  const isTop = scope === 0;
  const flags = isMember || isTop ? modifierFlags(walk, node) : 0;
  let definition = -1;
  forReceiver(walk, receiver, () => {
    const kind = isConstant ? DefinitionKind.constant : DefinitionKind.property;
    if (isMember) definition = defineProperty(walk, name, { kind, flags, around: node, type, value });
    else {
      const loose = isConstant || (isTop && /\bval\s/.test(wordsBefore(walk, node, name)));
      definition = defineVariable(walk, name, scope, {
        kind: receiver !== 0 ? DefinitionKind.property : loose ? DefinitionKind.constant : DefinitionKind.variable,
        flags: flags | (isTop ? DefinitionFlag.topLevel : 0),
        around: node,
        type,
        value,
      });
      attach(walk, definition);
      if (isTop) walk.documented.push(definition, tree.start[node] ?? 0);
    }
  });
  for (const accessorNode of accessors) accessor(walk, accessorNode, inside, { definition, node, type });
  return 0;
};

/** The value of a property: what it is set to, or what `lazy` computes for it. */
function valueOf(walk: TableWalk, written: readonly number[], scope: number): number {
  const { owner } = walk;
  walk.owner = -1;
  let value = 0;
  for (const child of written) {
    if (is(walk, child, 'getter', 'setter', 'type_constraints') || isType(walk, child)) continue;
    if (!is(walk, child, 'property_delegate')) {
      value = visit(walk, child, scope) || value;
      continue;
    }
    const given = visit(walk, walk.tree.first[child] ?? 0, scope);
    const isLazy = /^by\s+lazy\b/.test(textOf(walk.tree, child)) && given !== 0;
    // The first argument of `lazy` is its function.
    const computed = isLazy && walk.facts.word(given) === NodeOp.Call ? walk.facts.word(given + 3) : 0;
    if (computed !== 0) value = walk.facts.node(NodeOp.Call, computed, [], []);
  }
  walk.owner = owner;
  return value;
}

/** A getter or setter: one function of the property. The first that has a body is measured. */
function accessor(
  walk: TableWalk,
  node: number,
  scope: number,
  { definition, node: around, type }: { definition: number; node: number; type: number },
): void {
  const { facts } = walk;
  const inside = facts.scope(scope, ScopeKind.function, definition);
  const body = first(walk, node, 'function_body');
  if (body === 0) return;
  if (walk.functions.at(-1) !== definition) walk.functions.push(around, definition);
  const parameter = first(walk, node, 'identifier');
  if (parameter !== 0) defineParameter(walk, parameter, inside, { of: -1, type });
  defineVariableNamed(walk, 'field', inside, { node, type });
  inFunction(walk, definition, () => {
    const value = visit(walk, body, inside);
    const isGetter = is(walk, node, 'getter') && value !== 0;
    if (isGetter && type === 0 && facts.definitions.get(definition, Definition.value) === 0)
      facts.amend(definition, 'value', value);
  });
}

/** Defines a name that the language gives: `it`, `field`. */
export function defineVariableNamed(
  walk: TableWalk,
  name: string,
  scope: number,
  { node, type = 0, value = 0 }: { node: number; type?: number; value?: number },
): number {
  const { facts, tree } = walk;
  const start = tree.start[node] ?? 0;
  const flags = DefinitionFlag.value;
  const setterValue = { name, kind: DefinitionKind.parameter, flags, nameStart: -1, start, end: start, scope };
  const definition = facts.define(setterValue);
  facts.amend(definition, 'type', type);
  facts.amend(definition, 'value', value);
  return definition;
}

/** `NAME(args) { members }`. */
const enumEntry: TableHandler = (walk, node, scope) => {
  const flags = DefinitionFlag.static | inheritedFlags(walk, walk.owner);
  const definition = defineProperty(walk, first(walk, node, 'identifier'), {
    kind: DefinitionKind.enum_member,
    flags,
    around: node,
  });
  visit(walk, first(walk, node, 'value_arguments'), scope);
  const body = first(walk, node, 'class_body');
  if (body === 0) return 0;
  const inside = walk.facts.scope(scope, ScopeKind.class, walk.owner);
  readMembers(walk, body, inside, { definition });
  return 0;
};

const alias: TableHandler = (walk, node, scope) => {
  const name = at(walk, node, Field.type);
  const { definition, inside } = defineAlias(walk, node, scope, { name, flags: modifierFlags(walk, node) });
  typeParameters(walk, node, inside, definition);
  const written = childrenOf(walk.tree, node).find((child) => isType(walk, child)) ?? 0;
  walk.facts.amend(definition, 'type', typeOf(walk, written, inside));
  return 0;
};

/** Handlers of declarations in Kotlin, by type of node. */
export const KOTLIN_DEFINITIONS: Readonly<Record<string, TableHandler>> = {
  class_declaration: declaration,
  object_declaration: declaration,
  companion_object: companion,
  function_declaration: routine,
  secondary_constructor: secondary,
  anonymous_initializer: initializer,
  property_declaration: property,
  enum_entry: enumEntry,
  type_alias: alias,
  package_header: (walk, node) => {
    walk.facts.packageName = textOf(walk.tree, first(walk, node, 'qualified_identifier')).replaceAll(/[\s`]/g, '');
    return 0;
  },
};
