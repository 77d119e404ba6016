import { DefinitionFlag, DefinitionKind, Facet, NodeOp, Scope, ScopeKind } from '../facts/facts.ts';
import { childIn, childOf, childrenOf, Field, textOf } from '../walk/tree.ts';
import {
  defineContainer,
  defineFunctionParameter,
  defineFunctionValue,
  defineNode,
  identifierNode,
  memberNode,
  openScope,
} from '../walk/tree-define.ts';
import { CALL, nameOf, READ, sameFor, TYPE, typeOf, visit, WRITE } from '../walk/tree-walk.ts';
import { type JavaHandler, type JavaWalk, Kind } from './walk.ts';
import { arrayOf, constructedName, constructedType, dimensionsOf } from './types.ts';
import { defineMembers, defineParameters } from './members.ts';
import {
  elementOf,
  literal,
  readBody,
  returns,
  transparent,
  typeAsClass,
  typesOf,
  valuesOf,
} from '../walk/tree-handlers.ts';

/** Operators that give a truth value. */
const TESTS = new Set(['==', '!=', '<', '>', '<=', '>=', '&&', '||']);

/** Reads the target of an assignment; anything but a name or a field is read like any other expression. */
function readTarget(walk: JavaWalk, node: number, scope: number): number {
  const { tree } = walk;
  if (tree.kind[node] === Kind.identifier) return identifierNode(walk, node, scope, WRITE);
  return tree.kind[node] === Kind.field_access ? field(walk, node, scope, WRITE) : visit(walk, node, scope);
}

function field(walk: JavaWalk, node: number, scope: number, flags: number): number {
  const { tree, facts } = walk;
  const receiver = visit(walk, childIn(tree, node, Field.object), scope);
  const name = childIn(tree, node, Field.field);
  if (tree.kind[name] === Kind.this) return facts.node(NodeOp.This, scope);
  return memberNode(walk, name, { receiver, scope, flags });
}

function invocation(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const object = childIn(tree, node, Field.object);
  const name = childIn(tree, node, Field.name);
  const callee =
    object === 0
      ? identifierNode(walk, name, outsideFunctions(walk, scope), CALL)
      : memberNode(walk, name, { receiver: visit(walk, object, scope), scope, flags: CALL });
  const types = typesOf(walk, childIn(tree, node, Field.type_arguments), scope);
  if (callee === 0) {
    argumentValues(walk, node, scope);
    return 0;
  }
  const given = childrenOf(tree, childIn(tree, node, Field.arguments));
  // The node of the call is written first: lambdas among its arguments take their parameters from it.
  const call = facts.node(
    NodeOp.Call,
    callee,
    given.map(() => 0),
    types,
  );
  given.forEach((argument, position) => {
    const isLambda = tree.kind[argument] === Kind.lambda_expression;
    const value = isLambda
      ? lambdaOf(walk, argument, scope, facts.node(NodeOp.ContextArgument, call, position))
      : visit(walk, argument, scope);
    facts.patch(call, 2 + position, value);
  });
  facts.sites.add(tree.start[name] ?? 0, call, 0);
  return call;
}

/** The scope from which the name of a method is looked up that is called without an object: no variable of a function is one. */
function outsideFunctions({ facts }: JavaWalk, scope: number): number {
  let at = scope;
  while (at > 0 && facts.scopes.get(at, Scope.kind) !== ScopeKind.class) at = facts.scopes.get(at, Scope.parent);
  return at < 0 ? scope : at;
}

function argumentValues(walk: JavaWalk, node: number, scope: number): number[] {
  return valuesOf(walk, childIn(walk.tree, node, Field.arguments), scope);
}

/** `this(...)`, `super(...)`: a call of a constructor, which has the name of its class. */
function constructorCall(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const object = childIn(tree, node, Field.object);
  const receiver = object === 0 ? 0 : visit(walk, object, scope);
  const keyword = childIn(tree, node, Field.constructor);
  const callee = visit(walk, keyword, scope);
  const name = tree.kind[keyword] === Kind.this ? walk.typeName : walk.superName;
  const values = argumentValues(walk, node, scope);
  if (callee === 0 || name === 0) return receiver;
  const start = tree.start[keyword] ?? 0;
  facts.members.add(name, start, callee, CALL, scope);
  facts.sites.add(start, facts.node(NodeOp.Call, facts.node(NodeOp.MemberOf, callee, name), values, []), 0);
  return 0;
}

/** `Type::method`, `value::method`; `Type::new` only names the type. */
function methodReference(walk: JavaWalk, node: number, scope: number): number {
  const { tree } = walk;
  const [object = 0, ...rest] = childrenOf(tree, node);
  const receiver = visit(walk, object, scope);
  const name = rest.at(-1) ?? 0;
  return tree.kind[name] === Kind.identifier ? memberNode(walk, name, { receiver, scope, flags: READ }) : 0;
}

/** `new T(...)`, and `new T(...) { members }` as a class of its own. */
function creation(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const typeNode = childIn(tree, node, Field.type);
  const type = constructedType(walk, typeNode, scope);
  const list = childIn(tree, node, Field.arguments);
  for (const child of childrenOf(tree, node)) {
    if (child !== typeNode && child !== list && tree.kind[child] !== Kind.class_body) visit(walk, child, scope);
  }
  const values = argumentValues(walk, node, scope);
  const name = constructedName(walk, typeNode);
  if (name !== 0) facts.sites.add(tree.start[name] ?? 0, facts.node(NodeOp.New, 0, values, []), 0);
  const body = childOf(tree, node, Kind.class_body);
  if (body === 0) return type === 0 ? 0 : facts.node(NodeOp.Typed, type);
  const container = anonymousClass(walk, body, scope, type);
  return facts.node(NodeOp.Typed, facts.node(NodeOp.MembersType, container));
}

/** A class without a name, which extends or implements a type. */
function anonymousClass(walk: JavaWalk, body: number, scope: number, type: number): number {
  const { facts } = walk;
  const container = defineContainer(walk, body, DefinitionFlag.value | DefinitionFlag.type);
  if (type !== 0) facts.facet(container, Facet.extends, type);
  const inside = openScope(walk, scope, ScopeKind.class, container);
  readBody(walk, -1, () => defineMembers(walk, body, inside, container));
  return container;
}

function lambda(walk: JavaWalk, node: number, scope: number): number {
  return lambdaOf(walk, node, scope, 0);
}

/** A lambda, with the context that gives its parameters their values (0: none). */
function lambdaOf(walk: JavaWalk, node: number, scope: number, context: number): number {
  const { tree, facts } = walk;
  const body = childIn(tree, node, Field.body);
  const { definition, inside } = defineFunctionValue(walk, node, scope, body);
  const parameters = childIn(tree, node, Field.parameters);
  if (tree.kind[parameters] === Kind.formal_parameters) defineParameters(walk, parameters, inside, definition);
  else {
    const names = tree.kind[parameters] === Kind.identifier ? [parameters] : childrenOf(tree, parameters);
    for (const [position, name] of names.entries()) {
      const value = context === 0 ? 0 : facts.node(NodeOp.ContextParameter, context, position);
      defineFunctionParameter(walk, name, inside, { of: definition, value });
    }
  }
  readBody(walk, definition, () => returns(walk, visit(walk, body, inside)));
  return facts.node(NodeOp.FunctionValue, definition);
}

function assignment(walk: JavaWalk, node: number, scope: number): number {
  const value = visit(walk, childIn(walk.tree, node, Field.right), scope);
  readTarget(walk, childIn(walk.tree, node, Field.left), scope);
  return value;
}

function update(walk: JavaWalk, node: number, scope: number): number {
  return readTarget(walk, walk.tree.first[node] ?? 0, scope);
}

function binary(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const left = visit(walk, childIn(tree, node, Field.left), scope);
  const right = visit(walk, childIn(tree, node, Field.right), scope);
  const operator = childIn(tree, node, Field.operator);
  const text = textOf(tree, operator);
  if (TESTS.has(text)) return facts.node(NodeOp.Literal, facts.string('boolean'));
  // What a text is added to becomes a text, and a letter or number what it is added to.
  const isRight = right !== 0 && (left === 0 || isLiteral(walk, right, true) || isLiteral(walk, left, false));
  const first = isRight ? right : left;
  return first === 0 ? 0 : facts.node(NodeOp.Operation, first, nameOf(walk, operator));
}

/** True if a value is a literal that is a text (`isText`), or one that is none. */
function isLiteral({ facts }: JavaWalk, value: number, isText: boolean): boolean {
  const isOne = value !== 0 && facts.word(value) === NodeOp.Literal;
  return isOne && (facts.word(value + 1) === facts.string('String')) === isText;
}

/** `!x` is a truth value, `-x` what x is. */
function unary(walk: JavaWalk, node: number, scope: number): number {
  const value = visit(walk, childIn(walk.tree, node, Field.operand), scope);
  const isTest = textOf(walk.tree, node).startsWith('!');
  return isTest ? walk.facts.node(NodeOp.Literal, walk.facts.string('boolean')) : value;
}

function ternary(walk: JavaWalk, node: number, scope: number): number {
  visit(walk, childIn(walk.tree, node, Field.condition), scope);
  const yes = visit(walk, childIn(walk.tree, node, Field.consequence), scope);
  const no = visit(walk, childIn(walk.tree, node, Field.alternative), scope);
  return walk.facts.node(NodeOp.Either, [yes, no]);
}

function readCast(walk: JavaWalk, node: number, scope: number): number {
  const type = typeOf(walk, childIn(walk.tree, node, Field.type), scope);
  const value = visit(walk, childIn(walk.tree, node, Field.value), scope);
  return type === 0 ? value : walk.facts.node(NodeOp.Typed, type);
}

/** `value instanceof T name` declares the name for what follows. */
function instanceTest(walk: JavaWalk, node: number, scope: number): number {
  const { tree } = walk;
  visit(walk, childIn(tree, node, Field.left), scope);
  const type = typeOf(walk, childIn(tree, node, Field.right), scope);
  const name = childIn(tree, node, Field.name);
  if (name !== 0) declareLocal(walk, name, scope, type);
  visit(walk, childIn(tree, node, Field.pattern), scope);
  return walk.facts.node(NodeOp.Literal, walk.facts.string('boolean'));
}

function declareLocal(walk: JavaWalk, name: number, scope: number, type: number): void {
  defineNode(walk, name, { kind: DefinitionKind.variable, flags: DefinitionFlag.value, scope, type });
}

/** `T name` in a pattern. */
function typePattern(walk: JavaWalk, node: number, scope: number): number {
  let type = 0;
  for (const child of childrenOf(walk.tree, node)) {
    if (walk.tree.kind[child] === Kind.identifier) declareLocal(walk, child, scope, type);
    else type = typeOf(walk, child, scope);
  }
  return 0;
}

/** `Point(int x, var y)`: the type and its components. */
function recordPattern(walk: JavaWalk, node: number, scope: number): number {
  const { tree } = walk;
  const [type = 0, ...rest] = childrenOf(tree, node);
  if (tree.kind[type] === Kind.identifier) identifierNode(walk, type, scope, TYPE);
  else typeOf(walk, type, scope);
  for (const child of rest) visit(walk, child, scope);
  return 0;
}

function arrayCreation(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const typeNode = childIn(tree, node, Field.type);
  const type = typeOf(walk, typeNode, scope);
  for (const child of childrenOf(tree, node)) if (child !== typeNode) visit(walk, child, scope);
  const depth = childrenOf(tree, node).reduce((sum, child) => sum + dimensionsOf(walk, child), 0);
  return facts.node(NodeOp.Typed, arrayOf(walk, type, Math.max(depth, 1)));
}

/** `@Name(element = value)` as an expression that names the annotation. */
function annotation(walk: JavaWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const nameNode = childIn(tree, node, Field.name);
  const isSimple = tree.kind[nameNode] === Kind.identifier;
  const value = isSimple ? identifierNode(walk, nameNode, scope, TYPE) : scopedName(walk, nameNode, scope, TYPE);
  const type = isSimple ? facts.node(NodeOp.TypeName, scope, [nameOf(walk, nameNode)], []) : 0;
  for (const child of childrenOf(tree, childIn(tree, node, Field.arguments))) {
    if (tree.kind[child] !== Kind.element_value_pair) {
      visit(walk, child, scope);
      continue;
    }
    const key = childIn(tree, child, Field.key);
    const context = type === 0 ? 0 : facts.node(NodeOp.ContextType, type);
    facts.keys.add(nameOf(walk, key), tree.start[key] ?? 0, context, READ, scope);
    visit(walk, childIn(tree, child, Field.value), scope);
  }
  return value;
}

/** `a.b.c` where the grammar sees a name: members of members. */
function scopedName(walk: JavaWalk, node: number, scope: number, flags: number): number {
  const { tree } = walk;
  if (tree.kind[node] === Kind.identifier) return identifierNode(walk, node, scope, flags);
  const receiver = scopedName(walk, childIn(tree, node, Field.scope), scope, flags);
  return memberNode(walk, childIn(tree, node, Field.name), { receiver, scope, flags });
}

/** `Type.class`. */
function classLiteral(walk: JavaWalk, node: number, scope: number): number {
  const type = typeOf(walk, walk.tree.first[node] ?? 0, scope);
  const named = walk.facts.node(NodeOp.TypeName, scope, [walk.facts.string('Class')], [type]);
  return walk.facts.node(NodeOp.Typed, named);
}

/** A number ends with the letter of its type when that is another one. */
const number: JavaHandler = ({ tree, facts }, node) =>
  facts.node(NodeOp.Literal, facts.string(numberType(textOf(tree, node))));

function numberType(text: string): string {
  if (/l$/i.test(text)) return 'long';
  const isHex = /^0x/i.test(text);
  if (/f$/i.test(text) && (!isHex || /p/i.test(text))) return 'float';
  return /d$|[.]|e/i.test(text) && (!isHex || /p/i.test(text)) ? 'double' : 'int';
}

/** Handlers of expressions, by kind of node. */
export const JAVA_EXPRESSIONS: Partial<Record<keyof typeof Kind, JavaHandler>> = {
  identifier: (walk, node, scope) => (textOf(walk.tree, node) === '_' ? 0 : identifierNode(walk, node, scope, READ)),
  scoped_identifier: (walk, node, scope) => scopedName(walk, node, scope, READ),
  field_access: (walk, node, scope) => field(walk, node, scope, READ),
  method_invocation: invocation,
  explicit_constructor_invocation: constructorCall,
  method_reference: methodReference,
  object_creation_expression: creation,
  lambda_expression: lambda,
  assignment_expression: assignment,
  update_expression: update,
  binary_expression: binary,
  unary_expression: unary,
  class_literal: classLiteral,
  ternary_expression: ternary,
  cast_expression: readCast,
  instanceof_expression: instanceTest,
  type_pattern: typePattern,
  record_pattern: recordPattern,
  record_pattern_component: typePattern,
  array_access: elementOf,
  array_creation_expression: arrayCreation,
  parenthesized_expression: transparent,
  annotation,
  marker_annotation: annotation,
  this: (walk, _, scope) => walk.facts.node(NodeOp.This, scope),
  super: (walk, _, scope) => walk.facts.node(NodeOp.Super, scope),
  string_literal: literal('String'),
  character_literal: literal('char'),
  ...sameFor(
    'decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal decimal_floating_point_literal hex_floating_point_literal',
    number,
  ),
  null_literal: literal('null'),
  true: literal('boolean'),
  false: literal('boolean'),
  ...sameFor('type_identifier scoped_type_identifier generic_type array_type', typeAsClass),
};
