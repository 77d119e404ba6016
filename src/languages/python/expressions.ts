import { Definition, DefinitionFlag, DefinitionKind, Facet, NodeOp, Scope, ScopeKind } from '../facts/facts.ts';
import { childIn, childrenIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineFunctionValue, flagsOf } from '../walk/tree-define.ts';
import { accessMember, CALL, nameOf, READ, refer, sameFor, skip, visit, visitChildren } from '../walk/tree-walk.ts';
import { bindingScope, Kind, type PythonHandler, type PythonWalk } from './walk.ts';
import { defineParameters } from './parameters.ts';
import { bindTarget } from './targets.ts';
import { instanceTests, joinsByAnd, narrowedScope } from './narrowing.ts';
import { typeOfExpression } from './types.ts';
import { awaited, literal, operation, transparent, tuple, typeAlone, valuesOf } from '../walk/tree-handlers.ts';

/** Functions of the language that give a sequence of what they are given. */
const SEQUENCE_MAKERS = new Set(['list', 'sorted', 'reversed', 'set', 'tuple', 'iter', 'frozenset']);
/** Functions of the language that call their first argument with each element of the second. */
const MAPPERS = new Set(['map', 'filter']);
/** Functions of the language that call what is given as `key` with each element of their argument. */
const KEYED = new Set(['sorted', 'max', 'min']);
/** Elements of a literal that are enough to tell what it holds. */
const MOST_ELEMENTS = 3;

function identifier(walk: PythonWalk, node: number, scope: number): number {
  return readUse(walk, node, scope, READ);
}

/** Reads an expression whose name, when it is one, is used as `flags` say. */
function readUse(walk: PythonWalk, node: number, scope: number, flags: number): number {
  const { tree, facts } = walk;
  if (tree.kind[node] === Kind.identifier) {
    refer(walk, node, scope, flags);
    return facts.node(NodeOp.Identifier, nameOf(walk, node), scope);
  }
  if (tree.kind[node] !== Kind.attribute) return visit(walk, node, scope);
  const receiver = visit(walk, childIn(tree, node, Field.object), scope);
  const name = childIn(tree, node, Field.attribute);
  accessMember(walk, name, { receiver, scope, flags });
  return receiver === 0 ? 0 : facts.node(NodeOp.MemberOf, receiver, nameOf(walk, name));
}

function attribute(walk: PythonWalk, node: number, scope: number): number {
  return readUse(walk, node, scope, READ);
}

function call(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const callee = childIn(tree, node, Field.function);
  const given = childIn(tree, node, Field.arguments);
  const name = tree.kind[callee] === Kind.identifier ? textOf(tree, callee) : '';
  const callable = readUse(walk, callee, scope, CALL);
  if (name === 'super') {
    visit(walk, given, scope);
    return facts.node(NodeOp.Super, scope);
  }
  if (tree.kind[given] === Kind.generator_expression) {
    return builtinCall(walk, name, [visit(walk, given, scope)]) ?? callNode(walk, callable, []);
  }
  const keywords: number[] = [];
  const values: number[] = [];
  let key = 0;
  for (const child of childrenOf(tree, given)) {
    if (tree.kind[child] === Kind.keyword_argument) {
      const value = visit(walk, childIn(tree, child, Field.value), scope);
      const keyword = childIn(tree, child, Field.name);
      keywords.push(keyword);
      if (textOf(tree, keyword) === 'key') key = value;
    } else if (tree.kind[child] === Kind.list_splat || tree.kind[child] === Kind.dictionary_splat)
      visitChildren(walk, child, scope);
    else values.push(visit(walk, child, scope));
  }
  const made = callNode(walk, callable, values);
  supplyLambdas(walk, { callee: name, made, values, key });
  if (keywords.length > 0 && made !== 0) {
    const context = facts.node(NodeOp.ContextKeyword, made);
    for (const keyword of keywords)
      facts.keys.add(nameOf(walk, keyword), tree.start[keyword] ?? 0, context, READ, scope);
  }
  return builtinCall(walk, name, values) ?? made;
}

/** Tells the parameters of lambdas among the arguments where their values come from. */
function supplyLambdas(
  walk: PythonWalk,
  { callee, made, values, key }: { callee: string; made: number; values: readonly number[]; key: number },
): void {
  const { facts } = walk;
  const [first = 0, second = 0] = values;
  const [mapper, elements] = MAPPERS.has(callee) ? [first, second] : [KEYED.has(callee) ? key : 0, first];
  if (mapper !== 0 && elements !== 0) supplyLambda(walk, mapper, () => facts.node(NodeOp.Element, elements));
  if (made === 0 || MAPPERS.has(callee)) return;
  values.forEach((value, position) =>
    supplyLambda(walk, value, (index) =>
      facts.node(NodeOp.ContextParameter, facts.node(NodeOp.ContextArgument, made, position), index),
    ),
  );
}

/** Gives each parameter of a lambda without a default the expression that stands for what it is called with. */
function supplyLambda(walk: PythonWalk, value: number, supply: (index: number) => number): void {
  const { facts } = walk;
  if (value === 0 || facts.word(value) !== NodeOp.FunctionValue) return;
  const called = facts.word(value + 1);
  const scope = facts.definitions.get(called, Definition.bodyScope);
  let index = 0;
  for (let definition = called + 1; definition < facts.definitions.count; definition += 1) {
    const isParameter = facts.definitions.get(definition, Definition.kind) === DefinitionKind.parameter;
    if (!isParameter || facts.definitions.get(definition, Definition.scope) !== scope) break;
    if (facts.definitions.get(definition, Definition.value) === 0) facts.amend(definition, 'value', supply(index));
    index += 1;
  }
}

function callNode(walk: PythonWalk, callee: number, values: number[]): number {
  return callee === 0 ? 0 : walk.facts.node(NodeOp.Call, callee, values, []);
}

/** Returns the value of a call of a built-in function; undefined when it is no such function. */
function builtinCall(walk: PythonWalk, name: string, values: number[]): number | undefined {
  const { facts } = walk;
  const [first = 0] = values;
  if (name === '' || values.length === 0) return name === 'getattr' ? 0 : undefined;
  if (name === 'cast') return first === 0 || values.length < 2 ? 0 : typedNode(walk, typeOfExpression(walk, first));
  if (SEQUENCE_MAKERS.has(name)) return facts.node(NodeOp.SequenceOf, first);
  if (name === 'next') return facts.node(NodeOp.Element, first);
  if ((name === 'max' || name === 'min') && values.length === 1) return facts.node(NodeOp.Element, first);
  if (name === 'enumerate') return facts.node(NodeOp.Enumerate, first);
  if (name === 'zip') return facts.node(NodeOp.Zip, values);
  if (name === 'type' && values.length === 1) return facts.node(NodeOp.ClassOfValue, first);
  return name === 'getattr' ? 0 : undefined;
}

function typedNode(walk: PythonWalk, type: number): number {
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
}

function subscript(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const value = visit(walk, childIn(tree, node, Field.value), scope);
  const indexes = childrenIn(tree, node, Field.subscript);
  for (const index of indexes) visit(walk, index, scope);
  if (value === 0 || tree.kind[indexes[0] ?? 0] === Kind.slice) return value;
  return walk.facts.node(NodeOp.Subscript, value);
}

function lambda(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const body = childIn(tree, node, Field.body);
  const { definition, inside } = defineFunctionValue(walk, node, scope, body);
  for (const parameter of defineParameters(walk, childIn(tree, node, Field.parameters), inside)) {
    facts.facet(definition, Facet.parameter, parameter.node);
  }
  const value = visit(walk, body, inside);
  if (value !== 0) facts.facet(definition, Facet.returned, value);
  return facts.node(NodeOp.FunctionValue, definition);
}

function comprehension(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const inside = facts.scope(scope, ScopeKind.comprehension);
  for (const clause of childrenOf(tree, node)) {
    if (tree.kind[clause] === Kind.if_clause) visitChildren(walk, clause, inside);
    if (tree.kind[clause] !== Kind.for_in_clause) continue;
    const [source = 0] = childrenIn(tree, clause, Field.right).map((child) => visit(walk, child, inside));
    const element = source === 0 ? 0 : facts.node(NodeOp.Element, source);
    bindTarget(walk, childIn(tree, clause, Field.left), inside, { value: element, type: 0 });
  }
  const body = childIn(tree, node, Field.body);
  if (tree.kind[body] === Kind.pair) {
    visit(walk, childIn(tree, body, Field.key), inside);
    return facts.node(NodeOp.MapLiteral, visit(walk, childIn(tree, body, Field.value), inside));
  }
  return facts.node(NodeOp.ArrayLiteral, [visit(walk, body, inside)]);
}

/** `name := value` binds in the function around all comprehensions. */
function namedExpression(walk: PythonWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const value = visit(walk, childIn(tree, node, Field.value), scope);
  let target = bindingScope(walk, scope);
  while (facts.scopes.get(target, Scope.kind) === ScopeKind.comprehension) {
    target = bindingScope(walk, facts.scopes.get(target, Scope.parent));
  }
  bindTarget(walk, childIn(tree, node, Field.name), target, { value, type: 0 });
  return value;
}

function conditional(walk: PythonWalk, node: number, scope: number): number {
  const [yes = 0, condition = 0, no = 0] = childrenOf(walk.tree, node);
  visit(walk, condition, scope);
  const then = visit(walk, yes, narrowedScope(walk, instanceTests(walk, condition), scope));
  return walk.facts.node(NodeOp.Either, [then, visit(walk, no, scope)]);
}

function logical(walk: PythonWalk, node: number, scope: number): number {
  const first = childIn(walk.tree, node, Field.left);
  const left = visit(walk, first, scope);
  const tests = joinsByAnd(walk, node) ? instanceTests(walk, first) : [];
  const right = visit(walk, childIn(walk.tree, node, Field.right), narrowedScope(walk, tests, scope));
  return walk.facts.node(NodeOp.Either, [left, right]);
}

function sequence(walk: PythonWalk, node: number, scope: number): number {
  const elements = valuesOf(walk, node, scope);
  return walk.facts.node(NodeOp.ArrayLiteral, elements.slice(0, MOST_ELEMENTS));
}

function dictionary(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  let held = 0;
  for (const child of childrenOf(tree, node)) {
    if (tree.kind[child] !== Kind.pair) {
      visitChildren(walk, child, scope);
      continue;
    }
    visit(walk, childIn(tree, child, Field.key), scope);
    const value = visit(walk, childIn(tree, child, Field.value), scope);
    held ||= value;
  }
  return walk.facts.node(NodeOp.MapLiteral, held);
}

const text: PythonHandler = (walk, node, scope) => {
  if (walk.tree.first[node] !== 0) visitChildren(walk, node, scope);
  return walk.facts.node(NodeOp.Literal, walk.facts.string('str'));
};

function readYield(walk: PythonWalk, node: number, scope: number): number {
  const { facts, current } = walk;
  const values = valuesOf(walk, node, scope);
  if (current === -1) return 0;
  facts.amend(current, 'flags', flagsOf(walk, current) | DefinitionFlag.generator);
  for (const value of values) if (value !== 0) facts.facet(current, Facet.yielded, value);
  return 0;
}

function asPattern(walk: PythonWalk, node: number, scope: number): number {
  const { tree } = walk;
  const value = visit(walk, tree.first[node] ?? 0, scope);
  bindTarget(walk, childIn(tree, node, Field.alias), scope, { value, type: 0 });
  return value;
}

/** Handlers of expressions, by kind of node. */
export const PYTHON_EXPRESSIONS: Partial<Record<keyof typeof Kind, PythonHandler>> = {
  identifier,
  attribute,
  call,
  await: awaited,
  subscript,
  lambda,
  ...sameFor('list_comprehension set_comprehension generator_expression dictionary_comprehension', comprehension),
  named_expression: namedExpression,
  conditional_expression: conditional,
  boolean_operator: logical,
  binary_operator: operation,
  parenthesized_expression: transparent,
  keyword_argument: (walk, node, scope) => visit(walk, childIn(walk.tree, node, Field.value), scope),
  list_splat: visitChildren,
  dictionary_splat: visitChildren,
  list: sequence,
  set: sequence,
  tuple,
  expression_list: tuple,
  pattern_list: tuple,
  dictionary,
  string: text,
  concatenated_string: text,
  string_start: skip,
  string_end: skip,
  ...sameFor('integer float true false', literal<PythonWalk>('number')),
  none: literal('None'),
  yield: readYield,
  as_pattern: asPattern,
  type: typeAlone,
};
