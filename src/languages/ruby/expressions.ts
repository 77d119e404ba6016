import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, ReferenceHow, ScopeKind } from '../facts/facts.ts';
import { childrenOf, Field, textOf } from '../walk/tree.ts';
import { identifierNode, memberNode, openScope } from '../walk/tree-define.ts';
import { CALL, IMPORT, nameOf, READ, refer, visit, visitChildren } from '../walk/tree-walk.ts';
import { block, constantType, parameters, symbolProperty } from './definitions.ts';
import { findVariable, inFunction } from '../walk/table-define.ts';
import { at, CONSTRUCT, first, is, type TableHandler, type TableWalk } from '../walk/table-walk.ts';
import { elementOf, valuesOf } from '../walk/tree-handlers.ts';

/** Calls in the body of a class that declare something. Each gives true when it did. */
type Macro = (walk: TableWalk, node: number, list: number, scope: number) => boolean;

const attribute: Macro = (walk, node, list, scope) => {
  if (walk.owner === -1) return false;
  for (const child of childrenOf(walk.tree, list))
    if (is(walk, child, 'simple_symbol')) symbolProperty(walk, child, node);
    else visit(walk, child, scope);
  return true;
};

function mixin(facet: number): Macro {
  return (walk, _, list, scope) => {
    if (walk.owner === -1 || walk.blocks > 0) return false;
    for (const child of childrenOf(walk.tree, list)) {
      const type = constantType(walk, child, scope);
      if (type !== 0) walk.facts.facet(walk.owner, facet, type);
      else visit(walk, child, scope);
    }
    return true;
  };
}

/** `private` alone holds for what follows, with a method or symbols for these. */
function visibility(flag: number): Macro {
  return (walk, _, list, scope) => {
    if (walk.owner === -1) return false;
    const mask = DefinitionFlag.private | (flag & DefinitionFlag.static);
    const before = walk.memberFlags;
    walk.memberFlags = (before & ~mask) | flag;
    if (list === 0) return true;
    for (const child of childrenOf(walk.tree, list)) {
      if (is(walk, child, 'simple_symbol')) hide(walk, child, scope, flag);
      else visit(walk, child, scope);
    }
    walk.memberFlags = before;
    return true;
  };
}

function hide(walk: TableWalk, symbol: number, scope: number, flag: number): void {
  const { definitions } = walk.facts;
  const name = walk.facts.string(textOf(walk.tree, symbol).slice(1));
  symbolUse(walk, symbol, scope);
  for (let row = 0; row < definitions.count; row += 1) {
    if (definitions.get(row, Definition.owner) !== walk.owner || definitions.get(row, Definition.name) !== name)
      continue;
    const flags = definitions.get(row, Definition.flags);
    const cleared = flag === DefinitionFlag.private ? flags & ~DefinitionFlag.exported : flags;
    definitions.set(row, Definition.flags, cleared | flag);
  }
}

/** `define_method(:name) { ... }`. */
const defineMethod: Macro = (walk, node, list, scope) => {
  const { facts, tree } = walk;
  const symbol = first(walk, list, 'simple_symbol');
  const body = at(walk, node, Field.block);
  if (walk.owner === -1 || symbol === 0 || body === 0) return false;
  const name = textOf(tree, symbol).slice(1);
  const definition = facts.define({
    name,
    kind: DefinitionKind.method,
    flags: DefinitionFlag.value | DefinitionFlag.callable | DefinitionFlag.topLevel | DefinitionFlag.exported,
    nameStart: (tree.start[symbol] ?? 0) + 1,
    start: tree.start[node] ?? 0,
    end: tree.end[node] ?? 0,
    scope: -1,
    owner: walk.owner,
  });
  const inside = openScope(walk, scope, ScopeKind.function, definition);
  facts.amend(definition, 'head', tree.start[body] ?? 0);
  walk.functions.push(node, definition);
  parameters(walk, at(walk, body, Field.parameters), inside, { of: definition });
  inFunction(walk, definition, () => visitChildren(walk, at(walk, body, Field.body), inside));
  return true;
};

function require(prefix: string): Macro {
  return (walk, _, list) => {
    const { facts, tree } = walk;
    const content = first(walk, tree.first[list] ?? 0, 'string_content');
    if (content === 0) return false;
    const source = facts.string(prefix + textOf(tree, content));
    facts.references.add(source, tree.start[content] ?? 0, -1, IMPORT, ReferenceHow.module, source, 0);
    return true;
  };
}

const MACROS: ReadonlyMap<string, Macro> = new Map([
  ['attr_reader', attribute],
  ['attr_writer', attribute],
  ['attr_accessor', attribute],
  ['include', mixin(Facet.implements)],
  ['prepend', mixin(Facet.implements)],
  ['extend', mixin(Facet.spread)],
  ['private', visibility(DefinitionFlag.private)],
  ['protected', visibility(0)],
  ['public', visibility(0)],
  ['module_function', visibility(DefinitionFlag.static)],
  ['define_method', defineMethod],
  ['require', require('')],
  ['require_relative', require('./')],
]);

/** Methods whose block is given the elements of what they are called on. */
const EACH = new Set(
  'each map select reject find detect each_with_index flat_map sort_by group_by any? all? none? sum filter filter_map count'.split(
    ' ',
  ),
);

function call(walk: TableWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const receiverNode = at(walk, node, Field.receiver);
  const method = at(walk, node, Field.method);
  const list = at(walk, node, Field.arguments);
  const name = textOf(tree, method);
  if (receiverNode === 0 && method !== 0) {
    const macro = MACROS.get(name);
    if (macro?.(walk, node, list, scope) === true) {
      facts.understood.push(tree.start[method] ?? 0);
      return 0;
    }
    const isSuper = is(walk, method, 'super');
    const isOwnNew = name === 'new' && walk.type !== -1;
    let callee = 0;
    if (isOwnNew) facts.understood.push(tree.start[method] ?? 0);
    if (isSuper) callee = facts.node(NodeOp.Super, scope);
    else if (isOwnNew) callee = facts.node(NodeOp.This, scope);
    else callee = identifierNode(walk, method, scope, CALL);
    const values = argumentsAndBlock(walk, { list, node, scope, element: 0 });
    if (isSuper) return 0;
    return facts.node(isOwnNew ? NodeOp.New : NodeOp.Call, callee, values, []);
  }
  const isNew = name === 'new';
  const isConstant = is(walk, receiverNode, 'constant', 'scope_resolution');
  const receiver =
    isNew && isConstant ? constantValue(walk, receiverNode, scope, CONSTRUCT) : visit(walk, receiverNode, scope);
  const element = receiver !== 0 && EACH.has(name) ? facts.node(NodeOp.Element, receiver) : 0;
  if (isNew || name === 'class') facts.understood.push(tree.start[method] ?? 0);
  if (isNew) {
    const values = argumentsAndBlock(walk, { list, node, scope, element });
    return receiver === 0 ? 0 : facts.node(NodeOp.New, receiver, values, []);
  }
  // `x.(1)` calls what x is, and has no name.
  const isNamed = method !== 0 && !(name === 'class' && receiver !== 0);
  const callee = isNamed ? memberNode(walk, method, { receiver, scope, flags: CALL }) : 0;
  const values = argumentsAndBlock(walk, { list, node, scope, element });
  if (name === 'class' && is(walk, receiverNode, 'self'))
    return facts.node(NodeOp.Typed, facts.node(NodeOp.ClassOf, facts.node(NodeOp.ThisType, scope)));
  return callee === 0 ? 0 : facts.node(NodeOp.Call, callee, values, []);
}

/** Reads the arguments and the block of a call. Gives the arguments. */
function argumentsAndBlock(
  walk: TableWalk,
  { list, node, scope, element }: { list: number; node: number; scope: number; element: number },
): number[] {
  const values = childrenOf(walk.tree, list).map((child) => {
    if (is(walk, child, 'simple_symbol') && walk.type !== -1) symbolUse(walk, child, scope);
    // `map(&:name)` calls the method on each element.
    const called = is(walk, child, 'block_argument') ? first(walk, child, 'simple_symbol') : 0;
    if (called !== 0) {
      const [name, start] = [walk.facts.string(textOf(walk.tree, called).slice(1)), walk.tree.start[called] ?? 0];
      walk.facts.members.add(name, start + 1, element, CALL, scope);
    }
    return visit(walk, child, scope);
  });
  const body = at(walk, node, Field.block);
  if (is(walk, body, 'block', 'do_block')) block(walk, body, scope, element);
  else visit(walk, body, scope);
  return values;
}

/** A symbol that is an argument often names a method: `before_action :check`, `send(:check)`. */
function symbolUse(walk: TableWalk, symbol: number, scope: number): void {
  const { facts, tree } = walk;
  const text = textOf(tree, symbol);
  if (!/^:[a-z_]\w*[?!]?$/.test(text)) return;
  // Only of a member: a symbol is no variable.
  const name = facts.string(text.slice(1));
  const receiver = walk.current === -1 ? thisType(walk) : facts.node(NodeOp.This, scope);
  facts.members.add(name, (tree.start[symbol] ?? 0) + 1, receiver, READ, scope);
}

/** An instance of the type in whose body a call stands. */
function thisType({ facts, type }: TableWalk): number {
  const name = facts.definitions.get(type, Definition.name);
  const scope = Math.max(facts.definitions.get(type, Definition.bodyScope), 0);
  return facts.node(NodeOp.Typed, facts.node(NodeOp.TypeName, scope, [name], []));
}

/** `private` and its like without arguments look like a name. */
function bareMacro(walk: TableWalk, node: number, scope: number): boolean {
  const name = textOf(walk.tree, node);
  if (!['private', 'protected', 'public', 'module_function'].includes(name)) return false;
  return MACROS.get(name)?.(walk, node, 0, scope) ?? false;
}

/** Handlers of calls in Ruby, by type of node. */
export const RUBY_CALLS: Readonly<Record<string, TableHandler>> = {
  call,
  body_statement: (walk, node, scope) => statements(walk, node, scope),
  alias: (walk, node, scope) => {
    const [name = 0, old = 0] = childrenOf(walk.tree, node);
    const isMember = walk.owner !== -1;
    walk.facts.define({
      name: textOf(walk.tree, name),
      kind: isMember ? DefinitionKind.method : DefinitionKind.function,
      flags: DefinitionFlag.value | DefinitionFlag.callable | DefinitionFlag.topLevel | DefinitionFlag.exported,
      nameStart: walk.tree.start[name] ?? 0,
      start: walk.tree.start[node] ?? 0,
      end: walk.tree.end[node] ?? 0,
      scope: isMember ? -1 : scope,
      owner: walk.owner,
    });
    if (!isMember) identifierNode(walk, old, scope, READ);
    else walk.facts.members.add(nameOf(walk, old), walk.tree.start[old] ?? 0, thisType(walk), READ, scope);
    return 0;
  },
};

/** The last statement is what the body gives. */
function statements(walk: TableWalk, node: number, scope: number): number {
  let value = 0;
  for (const child of childrenOf(walk.tree, node)) {
    const isBare = walk.owner !== -1 && is(walk, child, 'identifier') && bareMacro(walk, child, scope);
    value = isBare ? 0 : visit(walk, child, scope);
  }
  return value;
}

/** A constant, or the last of a path of them, used as `flags` say. */
function constantValue(walk: TableWalk, node: number, scope: number, flags: number): number {
  if (is(walk, node, 'constant')) return identifierNode(walk, node, scope, flags);
  const outer = at(walk, node, Field.scope);
  const name = at(walk, node, Field.name);
  if (outer === 0) {
    refer(walk, name, 0, flags);
    return walk.facts.node(NodeOp.Identifier, nameOf(walk, name), 0);
  }
  const receiver = visit(walk, outer, scope);
  return memberNode(walk, name, { receiver, scope, flags });
}

/** A name without arguments: a variable, or a call of a method. */
const identifier: TableHandler = (walk, node, scope) => {
  const isVariable = findVariable(walk, scope, textOf(walk.tree, node)) !== -1;
  if (isVariable) return identifierNode(walk, node, scope, READ);
  if (walk.type !== -1 && textOf(walk.tree, node) === 'new') {
    walk.facts.understood.push(walk.tree.start[node] ?? 0);
    return walk.facts.node(NodeOp.New, walk.facts.node(NodeOp.This, scope), [], []);
  }
  return walk.facts.node(NodeOp.Call, identifierNode(walk, node, scope, CALL), [], []);
};

/** Handlers of expressions in Ruby, by type of node. */
export const RUBY_EXPRESSIONS: Readonly<Record<string, TableHandler>> = {
  identifier,
  constant: (walk, node, scope) => constantValue(walk, node, scope, READ),
  scope_resolution: (walk, node, scope) => constantValue(walk, node, scope, READ),
  instance_variable: (walk, node, scope) =>
    walk.type === -1
      ? 0
      : memberNode(walk, node, { receiver: walk.facts.node(NodeOp.This, scope), scope, flags: READ }),
  class_variable: (walk, node, scope) =>
    walk.type === -1
      ? 0
      : memberNode(walk, node, { receiver: walk.facts.node(NodeOp.This, scope), scope, flags: READ }),
  self: (walk, _, scope) => walk.facts.node(NodeOp.This, scope),
  super: (walk, _, scope) => walk.facts.node(NodeOp.Super, scope),
  array: (walk, node, scope) => walk.facts.node(NodeOp.ArrayLiteral, valuesOf(walk, node, scope)),
  element_reference: elementOf,
  pair: (walk, node, scope) => {
    const [key, value] = [at(walk, node, Field.key), at(walk, node, Field.value)];
    visit(walk, key, scope);
    // `{ status: }` is `{ status: status }`.
    if (value === 0 && is(walk, key, 'hash_key_symbol')) identifier(walk, key, scope);
    visit(walk, value, scope);
    return 0;
  },
  do_block: (walk, node, scope) => {
    block(walk, node, scope, 0);
    return 0;
  },
  block: (walk, node, scope) => {
    block(walk, node, scope, 0);
    return 0;
  },
};
