import { DefinitionFlag, ExportHow, NodeOp, ReferenceHow, UseFlag } from '../facts/facts.ts';
import { childIn, childOf, childrenOf, Field, type SyntaxTree, textOf } from '../walk/tree.ts';
import { defineFunctionValue, memberNode, noteParameter } from '../walk/tree-define.ts';
import { CALL, nameOf, READ, refer, TYPE, typeOf, visit, visitChildren, WRITE } from '../walk/tree-walk.ts';
import {
  defineModule,
  isTopLevel,
  Kind,
  MOST_MACRO_TEXT,
  noteAttribute,
  outsideLocals,
  readName,
  readPath,
  type RustHandler,
  type RustWalk,
} from './walk.ts';
import { bindPattern } from './patterns.ts';
import { typeOfPath } from './types.ts';
import { literal, operation, readBody, returns, transparent, tuple, valuesOf } from '../walk/tree-handlers.ts';

/** Methods of the standard library that give what they are called on, or something with its members. */
const TRANSPARENT = new Set(
  'clone to_owned as_ref as_mut borrow borrow_mut iter iter_mut into_iter by_ref cloned copied'.split(' '),
);
/** Methods that take a value out of what may hold one. */
const UNWRAPPING = new Set('unwrap expect unwrap_or unwrap_or_else unwrap_or_default'.split(' '));
/** Methods of locks that give what they hold, once that is taken out. */
const LOCKING = new Set('lock read write try_lock try_read try_write'.split(' '));
/** Calls that give their argument, or something with its members. */
const WRAPPING = /(?:^|::)(?:Some|Ok|(?:Box|Rc|Arc|Cell|RefCell|Mutex|RwLock|Pin)::new)$/;

/** Reads an expression whose name, when it is one, is used as `flags` say. */
function readUse(walk: RustWalk, node: number, scope: number, flags: number): number {
  const { tree, facts } = walk;
  switch (tree.kind[node]) {
    case Kind.identifier:
      return readName(walk, node, scope, flags);
    case Kind.scoped_identifier:
      return readPath(walk, node, scope, flags);
    case Kind.generic_function: {
      const callable = readUse(walk, childIn(tree, node, Field.function), scope, flags);
      typeOf(walk, childIn(tree, node, Field.type_arguments), scope);
      return callable;
    }
    case Kind.field_expression: {
      const receiver = visit(walk, childIn(tree, node, Field.value), scope);
      const name = childIn(tree, node, Field.field);
      if (tree.kind[name] === Kind.field_identifier) return memberNode(walk, name, { receiver, scope, flags });
      return receiver === 0 ? 0 : facts.node(NodeOp.MemberOf, receiver, nameOf(walk, name));
    }
    default:
      return visit(walk, node, scope);
  }
}

function call(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const callee = childIn(tree, node, Field.function);
  const callable = readUse(walk, callee, scope, CALL);
  const given = childrenOf(tree, childIn(tree, node, Field.arguments));
  // The node of the call is written first: closures among its arguments take their parameters from it.
  const made = facts.node(
    NodeOp.Call,
    callable,
    given.map(() => 0),
    [],
  );
  const values = given.map((argument, position) => {
    const isClosure = callable !== 0 && tree.kind[argument] === Kind.closure_expression;
    return isClosure
      ? closureOf(walk, argument, scope, facts.node(NodeOp.ContextArgument, made, position))
      : visit(walk, argument, scope);
  });
  values.forEach((value, position) => facts.patch(made, 2 + position, value));
  const [only = 0] = values;
  if (callable === 0) return 0;
  if (facts.word(callable) === NodeOp.MemberOf && tree.kind[callee] === Kind.field_expression) {
    return methodResult(walk, callable) ?? made;
  } else if (values.length === 1 && WRAPPING.test(textOf(tree, callee))) return only;
  else if (values.length === 0) return defaultOf(walk, callable) ?? made;
  return made;
}

/**
 * Returns the value of a method of the standard library that its name alone determines. `callable` is the member that is
 * called.
 */
function methodResult(walk: RustWalk, callable: number): number | undefined {
  const { facts } = walk;
  const [object, name] = [facts.word(callable + 1), facts.strings[facts.word(callable + 2)] ?? ''];
  if (TRANSPARENT.has(name)) return object;
  return UNWRAPPING.has(name) ? contentOf(walk, object) : undefined;
}

/**
 * Returns what an option, a result or a future holds; of a lock that was taken (`self.items.lock().unwrap()`) also what the
 * lock holds.
 */
function contentOf(walk: RustWalk, value: number): number {
  const { facts } = walk;
  if (value === 0) return 0;
  const inside = facts.node(NodeOp.Await, value);
  const callable = facts.word(value) === NodeOp.Call ? facts.word(value + 1) : 0;
  if (callable === 0 || facts.word(callable) !== NodeOp.MemberOf) return inside;
  const isLock = LOCKING.has(facts.strings[facts.word(callable + 2)] ?? '');
  return isLock ? facts.node(NodeOp.Either, [inside, facts.word(callable + 1)]) : inside;
}

/** `Type::default()` is a Type, also where `Default` is derived. */
function defaultOf(walk: RustWalk, callable: number): number | undefined {
  const { facts } = walk;
  if (facts.word(callable) !== NodeOp.MemberOf || facts.strings[facts.word(callable + 2)] !== 'default')
    return undefined;
  const owner = facts.word(callable + 1);
  const nameAt =
    facts.word(owner) === NodeOp.Identifier ? owner + 1 : facts.word(owner) === NodeOp.MemberOf ? owner + 2 : -1;
  // A module may have a function of this name.
  if (nameAt !== -1 && !/^\p{Lu}/u.test(facts.strings[facts.word(nameAt)] ?? '')) return undefined;
  const type = typeOfPath(walk, owner);
  return type === 0 ? undefined : facts.node(NodeOp.Typed, type);
}

/** `x.await` and `x?`. */
function readUnwrapped(walk: RustWalk, node: number, scope: number): number {
  return contentOf(walk, visit(walk, walk.tree.first[node] ?? 0, scope));
}

function structExpression(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const path = readPath(walk, childIn(tree, node, Field.name), scope, UseFlag.type | UseFlag.call);
  const type = path === 0 ? 0 : typeOfPath(walk, path);
  const context = type === 0 ? 0 : facts.node(NodeOp.ContextType, type);
  for (const child of childrenOf(tree, childIn(tree, node, Field.body))) {
    if (tree.kind[child] === Kind.field_initializer) {
      const name = childIn(tree, child, Field.field);
      facts.keys.add(nameOf(walk, name), tree.start[name] ?? 0, context, WRITE, scope);
      visit(walk, childIn(tree, child, Field.value), scope);
    } else if (tree.kind[child] === Kind.shorthand_field_initializer) {
      const name = childOf(tree, child, Kind.identifier);
      facts.keys.add(nameOf(walk, name), tree.start[name] ?? 0, context, WRITE | UseFlag.shorthand, scope);
      refer(walk, name, scope, READ | UseFlag.shorthand);
    } else visit(walk, child, scope);
  }
  return type === 0 ? 0 : facts.node(NodeOp.Typed, type);
}

function closure(walk: RustWalk, node: number, scope: number): number {
  return closureOf(walk, node, scope, 0);
}

/** A closure, with the context that gives its parameters their values (0: none). */
function closureOf(walk: RustWalk, node: number, scope: number, context: number): number {
  const { tree, facts } = walk;
  const body = childIn(tree, node, Field.body);
  const { definition, inside } = defineFunctionValue(walk, node, scope, body);
  for (const [position, parameter] of childrenOf(tree, childIn(tree, node, Field.parameters)).entries()) {
    const isTyped = tree.kind[parameter] === Kind.parameter;
    const type = isTyped ? typeOf(walk, childIn(tree, parameter, Field.type), inside) : 0;
    const first = facts.definitions.count;
    const value = type !== 0 || context === 0 ? 0 : facts.node(NodeOp.ContextParameter, context, position);
    bindPattern(walk, isTyped ? childIn(tree, parameter, Field.pattern) : parameter, inside, { value, type });
    const isNamed = facts.definitions.count === first + 1;
    noteParameter(walk, definition, { type, parameter: isNamed ? first : -1 });
  }
  facts.amend(definition, 'type', typeOf(walk, childIn(tree, node, Field.return_type), inside));
  readBody(walk, definition, () => returns(walk, visit(walk, body, inside)));
  return facts.node(NodeOp.FunctionValue, definition);
}

/** `-x`, `!x`, `*x`. */
function unary(walk: RustWalk, node: number, scope: number): number {
  const value = transparent(walk, node, scope);
  return value === 0 ? 0 : walk.facts.node(NodeOp.Deref, value);
}

/** `x[i]` is an element, `x[a..b]` a part that is like the whole. */
function index(walk: RustWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const [object = 0, position = 0] = childrenOf(tree, node);
  const value = visit(walk, object, scope);
  visit(walk, position, scope);
  if (value === 0 || tree.kind[position] === Kind.range_expression) return value;
  return facts.node(NodeOp.Element, value);
}

function assignment(walk: RustWalk, node: number, scope: number): number {
  visit(walk, childIn(walk.tree, node, Field.right), scope);
  readUse(walk, childIn(walk.tree, node, Field.left), scope, WRITE);
  return 0;
}

function readCast(walk: RustWalk, node: number, scope: number): number {
  visit(walk, childIn(walk.tree, node, Field.value), scope);
  const type = typeOf(walk, childIn(walk.tree, node, Field.type), scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
}

function array(walk: RustWalk, node: number, scope: number): number {
  const elements = valuesOf(walk, node, scope);
  return walk.facts.node(NodeOp.ArrayLiteral, elements.slice(0, 3));
}

/** `self` is a parameter like any other, but no use of a symbol. */
function self(walk: RustWalk, node: number, scope: number): number {
  return walk.facts.node(NodeOp.Identifier, nameOf(walk, node), scope);
}

function macro(walk: RustWalk, node: number, scope: number): number {
  const { tree } = walk;
  const path = childIn(tree, node, Field.macro);
  readPath(walk, path, scope, CALL | UseFlag.macro);
  const given = childOf(tree, node, Kind.token_tree);
  if (isTopLevel(walk, scope)) noteItemCall(walk, { path, given, scope });
  tokens(walk, given, scope);
  return 0;
}

/** Notes a macro call among the items of a module, which may declare modules: only all files together tell. */
function noteItemCall(
  { tree, facts }: RustWalk,
  { path, given, scope }: Record<'path' | 'given' | 'scope', number>,
): void {
  const text = textOf(tree, given).slice(1, -1);
  if (text.length > MOST_MACRO_TEXT || !/[\p{L}_"]/u.test(text)) return;
  const written = facts.string(`${textOf(tree, path)}!${text}`);
  facts.exports.add(facts.string(''), ExportHow.expanded, written, scope, tree.start[path] ?? 0);
}

/**
 * The tokens that a macro or attribute is given are not parsed: names joined by `.` and `::` are read as members, names
 * before `(` as called, all others by scope. Names that the macro makes up resolve to nothing.
 */
function tokens(walk: RustWalk, node: number, scope: number): number {
  const { tree } = walk;
  let receiver = 0;
  for (let at = tree.first[node] ?? 0; at !== 0; at = tree.next[at] ?? 0) {
    const kind = tree.kind[at];
    const start = tree.start[at] ?? 0;
    const isJoined =
      tree.text[start - 1] === '.' ? tree.text[start - 2] !== '.' : tree.text.startsWith('::', start - 2);
    if (kind === Kind.token_tree) {
      tokens(walk, at, scope);
      receiver = receiver === 0 ? 0 : afterBrackets(walk, at, receiver);
    } else if (kind === Kind.identifier || kind === Kind.type_identifier) {
      const flags = isCalled(walk, at) ? CALL : READ;
      if (isModule(walk, at, scope)) receiver = defineModuleOfTokens(walk, at, scope);
      else if (isJoined) receiver = memberNode(walk, at, { receiver, scope, flags });
      else {
        const isPath = tree.text.startsWith('::', tree.end[at]);
        receiver = readPath(walk, at, isPath ? outsideLocals(walk, at, scope) : scope, flags);
      }
    } else if (kind === Kind.string_literal || kind === Kind.raw_string_literal) {
      readPlaceholders(walk, at, scope);
      receiver = 0;
    } else if (kind === Kind.self || kind === Kind.crate || kind === Kind.super) {
      const isPath = kind !== Kind.self || tree.text.startsWith('::', tree.end[at]);
      receiver = isPath ? readPath(walk, at, scope, READ) : self(walk, at, scope);
    } else receiver = 0;
  }
  return 0;
}

/** Reads the brackets right after a value, among tokens: they make a call, an element, or nothing of it. */
function afterBrackets(walk: RustWalk, node: number, value: number): number {
  const { tree, facts } = walk;
  const start = tree.start[node] ?? 0;
  if (/\s/.test(tree.text[start - 1] ?? '')) return 0;
  if (tree.text[start] === '[') return facts.node(NodeOp.Element, value);
  if (tree.text[start] !== '(') return 0;
  const isMember = facts.word(value) === NodeOp.MemberOf;
  return (isMember ? methodResult(walk, value) : undefined) ?? facts.node(NodeOp.Call, value, [], []);
}

/** True if a name among tokens at the top of a module is that of `mod name;`, as in `cfg_if! { mod name; }`. */
function isModule(walk: RustWalk, name: number, scope: number): boolean {
  const { tree } = walk;
  const end = tree.end[name] ?? 0;
  return (
    /^\s*;/.test(tree.text.slice(end, end + 10)) && isTopLevel(walk, scope) && /\bmod\s+$/.test(before(tree, name))
  );
}

function defineModuleOfTokens(walk: RustWalk, name: number, scope: number): number {
  const isPublic = /\bpub\s+mod\s+$/.test(before(walk.tree, name));
  const flags = DefinitionFlag.topLevel | (isPublic ? DefinitionFlag.exported : 0);
  defineModule(walk, name, { flags, scope, around: name });
  return 0;
}

/** A few characters before a node. */
function before(tree: SyntaxTree, node: number): string {
  const start = tree.start[node] ?? 0;
  return tree.text.slice(Math.max(0, start - 20), start);
}

/** The names in `{name}` and `{name:?}` of a text that a macro is given, as those that format take them. */
function readPlaceholders({ tree, facts }: RustWalk, node: number, scope: number): void {
  const text = textOf(tree, node);
  for (const { 0: brace, 1: name = '', index: offset } of text.matchAll(/\{\{|\{([\p{L}_][\w]*)(?=[}:])/gu)) {
    if (brace === '{{') continue;
    const start = (tree.start[node] ?? 0) + offset + 1;
    facts.references.add(facts.string(name), start, scope, READ, ReferenceHow.scoped, 0, 0);
  }
}

function isCalled(walk: RustWalk, node: number): boolean {
  const { tree } = walk;
  const end = tree.end[node] ?? 0;
  // A call, or a macro that is handed to another one.
  return tree.text[end] === '(' || /^!\s?[({[]/.test(tree.text.slice(end, end + 3));
}

/** `#[derive(Name)]`, `#[test]`: belongs to the next item, which it documents nothing of. */
function attribute(walk: RustWalk, node: number, scope: number): number {
  const { tree } = walk;
  if (tree.kind[node] === Kind.attribute_item) noteAttribute(walk, node);
  for (const child of childrenOf(tree, tree.first[node] ?? 0)) {
    if (tree.kind[child] === Kind.token_tree) tokens(walk, child, scope);
    else if (tree.kind[child] === Kind.identifier || tree.kind[child] === Kind.scoped_identifier)
      readPath(walk, child, scope, READ);
    else visit(walk, child, scope);
  }
  return 0;
}

function typeAsValue(walk: RustWalk, node: number, scope: number): number {
  return readPath(walk, node, scope, TYPE);
}

/** Handlers of expressions, by kind of node. */
export const RUST_EXPRESSIONS: Partial<Record<keyof typeof Kind, RustHandler>> = {
  identifier: (walk, node, scope) => readUse(walk, node, scope, READ),
  scoped_identifier: (walk, node, scope) => readUse(walk, node, scope, READ),
  generic_function: (walk, node, scope) => readUse(walk, node, scope, READ),
  field_expression: (walk, node, scope) => readUse(walk, node, scope, READ),
  type_identifier: typeAsValue,
  scoped_type_identifier: typeAsValue,
  call_expression: call,
  struct_expression: structExpression,
  closure_expression: closure,
  try_expression: readUnwrapped,
  await_expression: readUnwrapped,
  reference_expression: (walk, node, scope) => visit(walk, childIn(walk.tree, node, Field.value), scope),
  parenthesized_expression: transparent,
  unary_expression: unary,
  binary_expression: operation,
  index_expression: index,
  assignment_expression: assignment,
  compound_assignment_expr: assignment,
  type_cast_expression: readCast,
  tuple_expression: tuple,
  array_expression: array,
  self,
  macro_invocation: macro,
  token_tree: tokens,
  attribute_item: attribute,
  inner_attribute_item: attribute,
  string_literal: literal('str'),
  integer_literal: literal('number'),
  float_literal: literal('number'),
  boolean_literal: literal('bool'),
  arguments: visitChildren,
};
