import { NodeOp } from '../facts/facts.ts';
import { childIn, childrenOf, Field, textOf } from '../walk/tree.ts';
import { defineFunctionValue, identifierNode, memberNode } from '../walk/tree-define.ts';
import { CALL, nameOf, READ, sameFor, typeOf, visit, visitChildren } from '../walk/tree-walk.ts';
import { type GoHandler, type GoWalk, isLocalValue, Kind, scopeOfValue } from './walk.ts';
import { readSignature } from './types.ts';
import {
  elementOf,
  literal,
  operation,
  readBody,
  transparent,
  typeAlone,
  typesOf,
  valuesOf,
} from '../walk/tree-handlers.ts';

/** Reads an expression whose name, when it is one, is used as `flags` say. */
function readUse(walk: GoWalk, node: number, scope: number, flags: number): number {
  const { tree } = walk;
  if (tree.kind[node] === Kind.identifier) return identifierNode(walk, node, scopeOfValue(walk, node, scope), flags);
  if (tree.kind[node] !== Kind.selector_expression) return visit(walk, node, scope);
  const receiver = visit(walk, childIn(tree, node, Field.operand), scope);
  return memberNode(walk, childIn(tree, node, Field.field), { receiver, scope, flags });
}

function call(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const callee = childIn(tree, node, Field.function);
  const given = childIn(tree, node, Field.arguments);
  const name = tree.kind[callee] === Kind.identifier ? textOf(tree, callee) : '';
  const callable = readUse(walk, callee, scope, CALL);
  const typeList = childIn(tree, node, Field.type_arguments);
  const types = typesOf(walk, typeList, scope);
  const [first = 0, ...rest] = childrenOf(tree, given);
  if (name === 'new' && !isType(walk, first, scope)) {
    const isName = tree.kind[first] === Kind.type_identifier;
    const value = isName
      ? identifierNode(walk, first, scopeOfValue(walk, first, scope), READ)
      : visit(walk, first, scope);
    return value === 0 ? 0 : facts.node(NodeOp.Deref, value);
  }
  if (name === 'new' || name === 'make') {
    const made = typeOf(walk, first, scope);
    for (const child of rest) visit(walk, child, scope);
    return made === 0 ? 0 : facts.node(NodeOp.Typed, made);
  }
  const values = valuesOf(walk, given, scope);
  if (name === 'append') return values[0] ?? 0;
  return callable === 0 ? 0 : facts.node(NodeOp.Call, callable, values, types);
}

/** Kinds of nodes that can only be a type. */
const TYPE_KINDS: ReadonlySet<number> = new Set([
  Kind.qualified_type,
  Kind.generic_type,
  Kind.pointer_type,
  Kind.parenthesized_type,
  Kind.slice_type,
  Kind.array_type,
  Kind.map_type,
  Kind.channel_type,
  Kind.function_type,
  Kind.struct_type,
  Kind.interface_type,
]);

/** True if `new` is given a type. A name looks like one: it is a value where the function has one of that name. */
function isType(walk: GoWalk, node: number, scope: number): boolean {
  const kind = walk.tree.kind[node] ?? 0;
  return kind === Kind.type_identifier ? !isLocalValue(walk, node, scope) : TYPE_KINDS.has(kind);
}

/** `T{...}`: a key that is a name is a field of a struct, or of a named map a value. What `T` is decides when it is resolved. */
function compositeLiteral(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const typeNode = childIn(tree, node, Field.type);
  const type = typeOf(walk, typeNode, scope);
  const context = type === 0 ? 0 : facts.node(NodeOp.ContextType, type);
  literalValue(walk, childIn(tree, node, Field.body), scope, { context, holdsElements: isSequence(walk, typeNode) });
  return type === 0 ? 0 : facts.node(NodeOp.Typed, type);
}

function isSequence(walk: GoWalk, type: number): boolean {
  const kind = walk.tree.kind[type];
  return (
    kind === Kind.slice_type ||
    kind === Kind.array_type ||
    kind === Kind.implicit_length_array_type ||
    kind === Kind.map_type
  );
}

/** The inside of a literal; a literal inside that leaves out its type has that of the elements, as a key one unknown. */
function literalValue(
  walk: GoWalk,
  node: number,
  scope: number,
  { context, holdsElements }: { context: number; holdsElements: boolean },
): void {
  const { tree, facts } = walk;
  const elementContext = context === 0 ? 0 : facts.node(NodeOp.ContextElement, context);
  const element = (elementNode: number, expected = elementContext): void => {
    const inner = tree.kind[elementNode] === Kind.literal_element ? (tree.first[elementNode] ?? 0) : elementNode;
    if (tree.kind[inner] !== Kind.literal_value) visit(walk, inner, scope);
    else literalValue(walk, inner, scope, { context: expected, holdsElements: false });
  };
  for (const child of childrenOf(tree, node)) {
    if (tree.kind[child] !== Kind.keyed_element) {
      element(child);
      continue;
    }
    const key = childIn(tree, child, Field.key);
    const name = tree.first[key] ?? 0;
    if (!holdsElements && tree.kind[name] === Kind.identifier) {
      facts.keys.add(nameOf(walk, name), tree.start[name] ?? 0, context, READ, scope);
    } else element(key, 0);
    element(childIn(tree, child, Field.value));
  }
}

function unary(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const value = visit(walk, childIn(tree, node, Field.operand), scope);
  const operator = tree.kind[childIn(tree, node, Field.operator)];
  if (value === 0) return 0;
  if (operator === Kind['"&"'] || operator === Kind['"*"']) return facts.node(NodeOp.Deref, value);
  return operator === Kind['"<-"'] ? facts.node(NodeOp.Element, value) : 0;
}

/** A part of a sequence is what the sequence is. */
function slice(walk: GoWalk, node: number, scope: number): number {
  const [value = 0] = valuesOf(walk, node, scope);
  return value;
}

function readTyped(walk: GoWalk, node: number, scope: number): number {
  visit(walk, childIn(walk.tree, node, Field.operand), scope);
  const type = typeOf(walk, childIn(walk.tree, node, Field.type), scope);
  return type === 0 ? 0 : walk.facts.node(NodeOp.Typed, type);
}

function instantiation(walk: GoWalk, node: number, scope: number): number {
  const [base = 0, ...types] = childrenOf(walk.tree, node);
  const value = visit(walk, base, scope);
  for (const type of types) typeOf(walk, type, scope);
  return value;
}

function functionLiteral(walk: GoWalk, node: number, scope: number): number {
  const { tree, facts } = walk;
  const body = childIn(tree, node, Field.body);
  const { definition, inside } = defineFunctionValue(walk, node, scope, body);
  facts.amend(definition, 'type', readSignature(walk, node, inside, definition));
  readBody(walk, definition, () => visitChildren(walk, body, inside));
  return facts.node(NodeOp.FunctionValue, definition);
}

/** Handlers of expressions, by kind of node. */
export const GO_EXPRESSIONS: Partial<Record<keyof typeof Kind, GoHandler>> = {
  identifier: (walk, node, scope) => readUse(walk, node, scope, READ),
  selector_expression: (walk, node, scope) => readUse(walk, node, scope, READ),
  call_expression: call,
  composite_literal: compositeLiteral,
  unary_expression: unary,
  binary_expression: operation,
  index_expression: elementOf,
  slice_expression: slice,
  type_assertion_expression: readTyped,
  type_conversion_expression: readTyped,
  type_instantiation_expression: instantiation,
  parenthesized_expression: transparent,
  func_literal: functionLiteral,
  interpreted_string_literal: literal('string'),
  raw_string_literal: literal('string'),
  ...sameFor('int_literal float_literal rune_literal', literal<GoWalk>('number')),
  true: literal('bool'),
  false: literal('bool'),
  ...sameFor(
    'type_identifier qualified_type generic_type pointer_type slice_type array_type map_type channel_type function_type struct_type interface_type',
    typeAlone,
  ),
};
