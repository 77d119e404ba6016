import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { memberNode, typeNameNode, typeNameParts } from '../walk/tree-define.ts';
import { nameOf, READ, TYPE, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import {
  assignVariable,
  defineFunction,
  defineParameter,
  defineProperty,
  defineType,
  defineVariable,
  readMembers,
} from '../walk/table-define.ts';
import { all, at, first, is, type TableHandler, type TableWalk, visibleFlags } from '../walk/table-walk.ts';
import { returns } from '../walk/tree-handlers.ts';

/** A constant with what is before it, as the node of a type: `A::B`. Notes the uses. 0 for anything else. */
export function constantType(walk: TableWalk, node: number, scope: number): number {
  const { facts } = walk;
  if (is(walk, node, 'self')) return facts.node(NodeOp.ThisType, scope);
  if (is(walk, node, 'constant')) return typeNameNode(walk, node, scope, TYPE);
  if (!is(walk, node, 'scope_resolution')) return 0;
  const outer = at(walk, node, Field.scope);
  const name = at(walk, node, Field.name);
  if (outer === 0) return facts.node(NodeOp.TypeName, 0, [nameOf(walk, name)], []);
  const base = constantType(walk, outer, scope);
  if (base === 0 || facts.word(base) !== NodeOp.TypeName) return 0;
  memberNode(walk, name, { receiver: facts.node(NodeOp.Typed, facts.node(NodeOp.ClassOf, base)), scope, flags: TYPE });
  return facts.node(NodeOp.TypeName, scope, [...typeNameParts(walk, base), nameOf(walk, name)], []);
}

function declaration(kind: number): TableHandler {
  return (walk, node, scope) => {
    const written = at(walk, node, Field.name);
    const isPath = is(walk, written, 'scope_resolution');
    const name = isPath ? at(walk, written, Field.name) : written;
    const { definition, inside } = defineType(walk, node, scope, {
      kind,
      name,
      body: at(walk, node, Field.body) || at(walk, node, Field.superclass),
      flags: visibleFlags(walk, true),
    });
    const outer = isPath ? constantType(walk, at(walk, written, Field.scope), scope) : 0;
    if (outer !== 0) walk.facts.facet(definition, Facet.receiver, outer);
    const base = constantType(walk, walk.tree.first[at(walk, node, Field.superclass)] ?? 0, scope);
    if (base !== 0) walk.facts.facet(definition, Facet.extends, base);
    else visit(walk, at(walk, node, Field.superclass), scope);
    readMembers(walk, at(walk, node, Field.body), inside, { definition });
    return 0;
  };
}

/** `class << self`: its methods are the class's. */
const singletonClass: TableHandler = (walk, node, scope) => {
  const { memberFlags } = walk;
  walk.memberFlags = DefinitionFlag.static;
  visit(walk, at(walk, node, Field.body), scope);
  walk.memberFlags = memberFlags;
  return 0;
};

function method(isSingleton: boolean): TableHandler {
  return (walk, node, scope) => {
    const name = at(walk, node, Field.name);
    const isPrivate = (walk.memberFlags & DefinitionFlag.private) !== 0 && !isSingleton;
    const definition = defineFunction(walk, node, scope, {
      // The name of `def x=(value)` is a setter with the name inside.
      name: is(walk, name, 'setter') ? (walk.tree.first[name] ?? name) : name,
      body: at(walk, node, Field.body),
      flags:
        visibleFlags(walk, !isPrivate) |
        walk.memberFlags |
        (isSingleton ? DefinitionFlag.static : 0) |
        (is(walk, name, 'setter') ? DefinitionFlag.setter : 0),
      head: (inside, of) => {
        parameters(walk, at(walk, node, Field.parameters), inside, { of });
        return 0;
      },
      isExpression: true,
    });
    return walk.facts.node(NodeOp.Literal, walk.facts.definitions.get(definition, Definition.name));
  };
}

/** Defines the parameters of a method or block. `element` is what a block is given. */
export function parameters(
  walk: TableWalk,
  list: number,
  inside: number,
  { of, element = 0 }: { of: number; element?: number },
): void {
  for (const [index, child] of childrenOf(walk.tree, list).entries()) {
    if (is(walk, child, 'identifier')) {
      defineParameter(walk, child, inside, { of, value: index === 0 ? element : 0 });
      continue;
    }
    if (is(walk, child, 'destructured_parameter')) {
      parameters(walk, child, inside, { of: -1 });
      continue;
    }
    const name = at(walk, child, Field.name);
    const value = visit(walk, at(walk, child, Field.value), inside);
    if (name !== 0) defineParameter(walk, name, inside, { of, value });
  }
}

const assignment: TableHandler = (walk, node, scope) => {
  const left = at(walk, node, Field.left);
  const value = visit(walk, at(walk, node, Field.right), scope);
  assign(walk, left, scope, { value, around: node });
  return value;
};

function assign(walk: TableWalk, left: number, scope: number, assigned: { value: number; around: number }): void {
  const { value, around } = assigned;
  if (is(walk, left, 'identifier')) assignVariable(walk, left, scope, { value, around, isFunctionScoped: false });
  else if (is(walk, left, 'instance_variable', 'class_variable')) setVariable(walk, left, scope, value);
  else if (is(walk, left, 'constant')) constant(walk, left, scope, assigned);
  else if (is(walk, left, 'call')) {
    const receiver = visit(walk, at(walk, left, Field.receiver), scope);
    memberNode(walk, at(walk, left, Field.method), { receiver, scope, flags: WRITE });
  } else if (is(walk, left, 'left_assignment_list', 'destructured_left_assignment', 'rest_assignment')) {
    childrenOf(walk.tree, left).forEach((child, index) => {
      const part = value === 0 ? 0 : walk.facts.node(NodeOp.ElementAt, value, index);
      assign(walk, child, scope, { value: part, around: child });
    });
  } else visit(walk, left, scope);
}

function constant(walk: TableWalk, name: number, scope: number, assigned: { value: number; around: number }): void {
  const kind = DefinitionKind.constant;
  const flags = visibleFlags(walk, true);
  if (walk.owner !== -1) {
    defineProperty(walk, name, { kind, flags: flags | DefinitionFlag.static, ...assigned });
    return;
  }
  const top = scope === 0 ? DefinitionFlag.topLevel : 0;
  const definition = defineVariable(walk, name, scope, { kind, flags: flags | top, ...assigned });
  walk.documented.push(definition, walk.tree.start[assigned.around] ?? 0);
}

/** The first assignment of `@x` in a type declares it; its type is that of the first value that says something. */
function setVariable(walk: TableWalk, name: number, scope: number, value: number): void {
  const { facts, tree } = walk;
  if (walk.type === -1) return;
  const isOfClass = is(walk, name, 'class_variable');
  const isStatic = walk.owner !== -1 || (walk.current !== -1 && isStaticFunction(walk));
  const key = `${walk.type} ${isStatic ? 'class' : ''} ${textOf(tree, name)}`;
  const existing = walk.properties.get(key);
  if (existing === undefined) {
    const { owner } = walk;
    walk.owner = walk.type;
    const side = isStatic && !isOfClass ? DefinitionFlag.static : 0;
    const around = facts.definitions.get(walk.type, Definition.flags) & DefinitionFlag.topLevel;
    const definition = defineProperty(walk, name, { flags: DefinitionFlag.private | side | around, value });
    walk.owner = owner;
    walk.documented.length -= 2;
    walk.properties.set(key, definition);
    return;
  }
  if (value !== 0 && facts.definitions.get(existing, Definition.value) === 0) facts.amend(existing, 'value', value);
  memberNode(walk, name, { receiver: facts.node(NodeOp.This, scope), scope, flags: WRITE });
}

function isStaticFunction({ facts, current }: TableWalk): boolean {
  return (facts.definitions.get(current, Definition.flags) & DefinitionFlag.static) !== 0;
}

/** `Name = Struct.new(:a, :b) do ... end` and `Name = Class.new(Base) do ... end` declare a class. */
function classValue(walk: TableWalk, node: number, scope: number): boolean {
  const [left, right] = [at(walk, node, Field.left), at(walk, node, Field.right)];
  if (!is(walk, left, 'constant') || !is(walk, right, 'call')) return false;
  const receiver = textOf(walk.tree, at(walk, right, Field.receiver));
  const isNew = textOf(walk.tree, at(walk, right, Field.method)) === (receiver === 'Data' ? 'define' : 'new');
  if (!isNew || !['Struct', 'Class', 'Module', 'Data'].includes(receiver)) return false;
  const list = at(walk, right, Field.arguments);
  const body = at(walk, at(walk, right, Field.block), Field.body);
  const { definition, inside } = defineType(walk, node, scope, {
    kind: receiver === 'Module' ? DefinitionKind.module : DefinitionKind.class,
    name: left,
    body,
    flags: visibleFlags(walk, true),
  });
  const { owner } = walk;
  walk.owner = definition;
  for (const child of all(walk, list, 'simple_symbol')) symbolProperty(walk, child, child);
  walk.owner = owner;
  for (const child of all(walk, list, 'constant', 'scope_resolution')) {
    const base = constantType(walk, child, scope);
    if (base !== 0) walk.facts.facet(definition, Facet.extends, base);
  }
  readMembers(walk, body, inside, { definition });
  return true;
}

/** A property that a symbol names: `attr_reader :x`. Its value is that of `@x`. */
export function symbolProperty(walk: TableWalk, symbol: number, around: number): void {
  const { facts, tree } = walk;
  const name = textOf(tree, symbol).replace(/^:/, '');
  const start = (tree.end[symbol] ?? 0) - name.length;
  const definition = facts.define({
    name,
    kind: DefinitionKind.property,
    flags:
      DefinitionFlag.value | walk.memberFlags | visibleFlags(walk, (walk.memberFlags & DefinitionFlag.private) === 0),
    nameStart: start,
    start: tree.start[around] ?? 0,
    end: tree.end[around] ?? 0,
    scope: -1,
    owner: walk.owner,
  });
  const self = facts.node(NodeOp.Typed, typeOfOwner(walk));
  const variable = facts.string(`@${name}`);
  facts.amend(definition, 'value', facts.node(NodeOp.MemberOf, self, variable));
  facts.members.add(variable, start, self, READ, Math.max(facts.definitions.get(walk.owner, Definition.bodyScope), 0));
  walk.documented.push(definition, tree.start[around] ?? 0);
}

function typeOfOwner({ facts, owner }: TableWalk): number {
  const scope = facts.definitions.get(owner, Definition.bodyScope);
  return facts.node(NodeOp.TypeName, Math.max(scope, 0), [facts.definitions.get(owner, Definition.name)], []);
}

const rescue: TableHandler = (walk, node, scope) => {
  const { tree, facts } = walk;
  const types = childrenOf(tree, at(walk, node, Field.exceptions)).map((child) => constantType(walk, child, scope));
  const variable = tree.first[at(walk, node, Field.variable)] ?? 0;
  const [type = 0] = types;
  if (is(walk, variable, 'identifier')) {
    const value =
      type === 0 ? 0 : facts.node(NodeOp.Typed, types.length === 1 ? type : facts.node(NodeOp.Union, types));
    assignVariable(walk, variable, scope, { value, around: variable, isFunctionScoped: false });
  }
  return visit(walk, at(walk, node, Field.body), scope);
};

const forLoop: TableHandler = (walk, node, scope) => {
  const source = visit(walk, at(walk, node, Field.value), scope);
  const value = source === 0 ? 0 : walk.facts.node(NodeOp.Element, source);
  assign(walk, at(walk, node, Field.pattern), scope, { value, around: at(walk, node, Field.pattern) });
  visit(walk, at(walk, node, Field.body), scope);
  return 0;
};

/** A block sees the variables around it, and has its own. */
export function block(walk: TableWalk, node: number, scope: number, element: number): void {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  parameters(walk, at(walk, node, Field.parameters), inside, { of: -1, element });
  walk.blocks += 1;
  visitChildren(walk, at(walk, node, Field.body), inside);
  walk.blocks -= 1;
}

const lambda: TableHandler = (walk, node, scope) => {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  parameters(walk, at(walk, node, Field.parameters), inside, { of: -1 });
  visitChildren(walk, at(walk, node, Field.body), inside);
  return 0;
};

/** Handlers of declarations and assignments in Ruby, by type of node. */
export const RUBY_DEFINITIONS: Readonly<Record<string, TableHandler>> = {
  class: declaration(DefinitionKind.class),
  module: declaration(DefinitionKind.module),
  singleton_class: singletonClass,
  method: method(false),
  singleton_method: method(true),
  assignment: (walk, node, scope) => (classValue(walk, node, scope) ? 0 : assignment(walk, node, scope)),
  operator_assignment: assignment,
  rescue,
  for: forLoop,
  lambda,
  return: (walk, node, scope) => {
    const list = first(walk, node, 'argument_list');
    returns(walk, visit(walk, walk.tree.first[list] ?? 0, scope));
    for (const child of childrenOf(walk.tree, list).slice(1)) visit(walk, child, scope);
    return 0;
  },
};
