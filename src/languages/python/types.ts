import { appliedTypeName, extendedTypeName, typeNameAsValue, typeNameNode } from '../walk/tree-define.ts';
import { NodeOp } from '../facts/facts.ts';
import { childIn, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { accessMember, nameOf, refer, sameFor, TYPE, typeOf, visit } from '../walk/tree-walk.ts';
import { Kind, type PythonHandler, type PythonWalk } from './walk.ts';
import { typesOf } from '../walk/tree-handlers.ts';

const TRANSPARENT = new Set(
  'Optional Final ClassVar Annotated Required NotRequired TypeGuard TypeIs ReadOnly'.split(' '),
);
const MAPS = new Set(
  'Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict WeakKeyDictionary WeakValueDictionary'.split(
    ' ',
  ),
);
const SEQUENCES = new Set(
  `List list Set set FrozenSet frozenset Sequence MutableSequence MutableSet Iterable Iterator Collection Deque deque AsyncIterator
  AsyncIterable Generator AsyncGenerator AbstractSet KeysView ValuesView Container Reversible WeakSet`.split(/\s+/),
);
const AWAITABLES = new Set(['Awaitable', 'Future', 'Task']);
const CONTEXT_MANAGERS = new Set(
  'ContextManager AsyncContextManager AbstractContextManager AbstractAsyncContextManager'.split(' '),
);
/** Generics whose first argument is what their `get` gives. */
const GETTERS = new Set('ContextVar Queue LifoQueue PriorityQueue SimpleQueue'.split(' '));
/** Generics of `typing` that make a type of their arguments and are never called. */
const FORMS = new Set(
  'Optional Union Type Callable Annotated Dict List Set FrozenSet Tuple Mapping Sequence dict list set tuple type'.split(
    ' ',
  ),
);
const WORDS = /[A-Za-z_][\w.]*/g;
const STRING = /^([rubRUB]*)('''|"""|'|")([\s\S]*)\2$/;

/** True if a subscript of this name is a type wherever it is written. */
export function isTypeForm(name: string): boolean {
  return FORMS.has(name.split('.').at(-1) ?? '');
}

/** The dotted name of an expression, written as a type name; nothing is noted. 0 when it is no name. */
export function namedType(walk: PythonWalk, node: number, scope: number): number {
  const names = dottedNames(walk, node);
  return names.length === 0 ? 0 : walk.facts.node(NodeOp.TypeName, scope, names, []);
}

/** The union of the classes in `except (A, B)` or `isinstance(x, (A, B))`; nothing is noted. */
export function namedTypes(walk: PythonWalk, node: number, scope: number): number {
  if (walk.tree.kind[node] !== Kind.tuple) return namedType(walk, node, scope);
  const types = childrenOf(walk.tree, node).map((child) => namedType(walk, child, scope));
  return walk.facts.node(NodeOp.Union, types.filter(isPresent));
}

function isPresent(node: number): boolean {
  return node !== 0;
}

function dottedNames(walk: PythonWalk, node: number): number[] {
  const { tree } = walk;
  const names: number[] = [];
  let at = node;
  for (; tree.kind[at] === Kind.attribute; at = childIn(tree, at, Field.object)) {
    names.unshift(nameOf(walk, childIn(tree, at, Field.attribute)));
  }
  if (tree.kind[at] !== Kind.identifier) return [];
  names.unshift(nameOf(walk, at));
  return names;
}

/** The type that `cast(T, x)` names, given as the expression that T was read as. */
export function typeOfExpression(walk: PythonWalk, expression: number): number {
  const { facts } = walk;
  const names: number[] = [];
  let at = expression;
  for (; facts.word(at) === NodeOp.MemberOf; at = facts.word(at + 1)) names.unshift(facts.word(at + 2));
  if (facts.word(at) !== NodeOp.Identifier) return 0;
  return facts.node(NodeOp.TypeName, facts.word(at + 2), [facts.word(at + 1), ...names], []);
}

function attributeType(walk: PythonWalk, node: number, scope: number): number {
  attributeValue(walk, node, scope);
  return namedType(walk, node, scope);
}

/** Notes the names of `a.b.C` in an annotation and gives it as an expression. */
function attributeValue(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  if (tree.kind[node] === Kind.identifier) {
    refer(walk, node, scope, TYPE);
    return facts.node(NodeOp.Identifier, nameOf(walk, node), scope);
  }
  if (tree.kind[node] !== Kind.attribute) return visit(walk, node, scope);
  const receiver = attributeValue(walk, childIn(tree, node, Field.object), scope);
  const name = childIn(tree, node, Field.attribute);
  accessMember(walk, name, { receiver, scope, flags: TYPE });
  return receiver === 0 ? 0 : facts.node(NodeOp.MemberOf, receiver, nameOf(walk, name));
}

function subscriptType(walk: PythonWalk, node: number, scope: number): number {
  const base = childIn(walk.tree, node, Field.value);
  const head = typeOf(walk, base, scope);
  const name = textOf(walk.tree, base).split('.').at(-1) ?? '';
  const parts = childrenIn(walk.tree, node, Field.subscript);
  // What follows the type in Annotated, and all of Literal, are values.
  if (name === 'Literal') return literalValues(walk, parts, scope);
  const types = parts.map((part, index) =>
    name === 'Annotated' && index > 0 ? visit(walk, part, scope) && 0 : typeArgument(walk, part, scope),
  );
  return genericType(walk, { head, name, types, nodes: parts });
}

function genericTypeNode(walk: PythonWalk, node: number, scope: number): number {
  const base = walk.tree.first[node] ?? 0;
  const head = typeOf(walk, base, scope);
  const name = textOf(walk.tree, base).split('.').at(-1) ?? '';
  const nodes = childrenOf(walk.tree, walk.tree.next[base] ?? 0);
  if (name === 'Literal') return literalValues(walk, nodes, scope);
  return genericType(walk, { head, name, nodes, types: nodes.map((argument) => typeArgument(walk, argument, scope)) });
}

/** `Literal[A, "b"]` gives values: names among them are read, strings are no forward references. */
function literalValues(walk: PythonWalk, nodes: readonly number[], scope: number): number {
  for (const node of nodes) {
    const inner = walk.tree.kind[node] === Kind.type ? (walk.tree.first[node] ?? 0) : node;
    if (walk.tree.kind[inner] === Kind.member_type || walk.tree.kind[inner] === Kind.attribute)
      typeOf(walk, inner, scope);
    else visit(walk, inner, scope);
  }
  return 0;
}

/** The parameter list of Callable reads as a tuple, everything else as itself. */
function typeArgument(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const inner = tree.kind[node] === Kind.type ? (tree.first[node] ?? 0) : node;
  if (tree.kind[inner] !== Kind.list) return typeOf(walk, node, scope);
  return walk.facts.node(NodeOp.TupleType, typesOf(walk, inner, scope));
}

/** Reads a generic of the standard library as what it stands for; any other stays a name with arguments. */
function genericType(
  walk: PythonWalk,
  generic: { head: number; name: string; types: number[]; nodes?: number[] },
): number {
  const { facts } = walk;
  const { head, name, types } = generic;
  const [first = 0, second = 0, third = 0] = types;
  if (TRANSPARENT.has(name)) return first;
  if (name === 'Union') return facts.node(NodeOp.Union, types.filter(isPresent));
  if (name === 'Type' || name === 'type') return facts.node(NodeOp.ClassOf, first);
  if (name === 'Callable')
    return second === 0 ? 0 : facts.node(NodeOp.FunctionType, second, callableParameters(walk, first), 0);
  if (MAPS.has(name)) return facts.node(NodeOp.MapType, second);
  if (GETTERS.has(name)) return facts.node(NodeOp.MapType, first);
  if (SEQUENCES.has(name)) return facts.node(NodeOp.ArrayType, first);
  if (name === 'Tuple' || name === 'tuple') return facts.node(NodeOp.TupleType, types);
  if (AWAITABLES.has(name)) return facts.node(NodeOp.PromiseType, first);
  if (name === 'Coroutine') return facts.node(NodeOp.PromiseType, third);
  if (CONTEXT_MANAGERS.has(name)) return facts.node(NodeOp.ContextManagerType, first);
  if (head === 0 || facts.word(head) !== NodeOp.TypeName) return 0;
  return appliedTypeName(walk, head, types);
}

function callableParameters(walk: PythonWalk, list: number): number[] {
  const { facts } = walk;
  if (list === 0 || facts.word(list) !== NodeOp.TupleType) return [];
  const count = facts.word(list + 1);
  return Array.from({ length: count }, (_, index) => facts.node(NodeOp.Parameter, facts.word(list + 2 + index), -1));
}

/** A forward reference: every dotted name in the string is one; with several, the first is applied to the others. */
function stringType(walk: PythonWalk, node: number, scope: number): number {
  const written = textOf(walk.tree, node);
  const match = STRING.exec(written);
  if (match === null) return 0;
  const [, prefix = '', quote = '', inner = ''] = match;
  const offset = (walk.tree.start[node] ?? 0) + prefix.length + quote.length;
  const types: number[] = [];
  let head = '';
  for (const word of inner.matchAll(WORDS)) {
    const names = word[0].split('.').filter((name) => name !== '');
    if (types.length === 0) head = names.at(-1) ?? '';
    referText(walk, names, offset + word.index, scope);
    types.push(
      walk.facts.node(
        NodeOp.TypeName,
        scope,
        names.map((name) => walk.facts.string(name)),
        [],
      ),
    );
  }
  const [first = 0, ...rest] = types;
  if (rest.length === 0) return first;
  if (inner.includes('[')) return genericType(walk, { head: first, name: head, types: rest });
  return inner.includes('|') ? walk.facts.node(NodeOp.Union, types) : first;
}

/** Notes the names of a dotted name that stands in a string. */
function referText(walk: PythonWalk, names: string[], start: number, scope: number): void {
  const { facts } = walk;
  const [first = '', ...rest] = names;
  facts.references.add(facts.string(first), start, scope, TYPE, 0, 0, 0);
  let receiver = facts.node(NodeOp.Identifier, facts.string(first), scope);
  let at = start + first.length + 1;
  for (const name of rest) {
    facts.members.add(facts.string(name), at, receiver, TYPE, scope);
    receiver = facts.node(NodeOp.MemberOf, receiver, facts.string(name));
    at += name.length + 1;
  }
}

/** `a.b` where the grammar already knows that it is a type. */
function memberType(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const [object = 0, member = 0] = childrenOf(tree, node);
  const base = typeOf(walk, object, scope);
  const name = tree.kind[member] === Kind.type ? (tree.first[member] ?? 0) : member;
  if (base === 0 || facts.word(base) !== NodeOp.TypeName) {
    accessMember(walk, name, { receiver: 0, scope, flags: TYPE });
    return 0;
  }
  accessMember(walk, name, { receiver: typeNameAsValue(walk, base), scope, flags: TYPE });
  return extendedTypeName(walk, base, nameOf(walk, name));
}

function unionType(walk: PythonWalk, node: number, scope: number): number {
  const types = childrenOf(walk.tree, node).map((child) => typeOf(walk, child, scope));
  return walk.facts.node(NodeOp.Union, types.filter(isPresent));
}

function firstType(walk: PythonWalk, node: number, scope: number): number {
  return typeOf(walk, walk.tree.first[node] ?? 0, scope);
}

/** Anything else in the place of a type is read as an expression and tells no type. */
export function valueInType(walk: PythonWalk, node: number, scope: number): number {
  visit(walk, node, scope);
  return 0;
}

const noneType: PythonHandler = (walk) => walk.facts.node(NodeOp.Primitive, walk.facts.string('None'));

/** Handlers of annotations, by kind of node. */
export const PYTHON_TYPES: Partial<Record<keyof typeof Kind, PythonHandler>> = {
  ...sameFor('type parenthesized_expression constrained_type splat_type', firstType),
  identifier: (walk, node, scope) => typeNameNode(walk, node, scope, TYPE),
  none: noneType,
  attribute: attributeType,
  string: stringType,
  subscript: subscriptType,
  generic_type: genericTypeNode,
  member_type: memberType,
  binary_operator: unionType,
  union_type: unionType,
};
