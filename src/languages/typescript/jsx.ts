import type {
  JSXAttributeItem,
  JSXChild,
  JSXElement,
  JSXElementName,
  JSXExpression,
  JSXFragment,
  JSXMemberExpressionObject,
} from 'oxc-parser';
import { NodeOp, ReferenceHow, UseFlag } from '../facts/facts.ts';
import { readLogical } from './expressions.ts';
import { countShortCircuit, showsJsx } from './metrics.ts';
import { typeArguments } from './types.ts';
import type { Walk } from './walk.ts';

const COMPONENT_USE = UseFlag.value | UseFlag.call;

/** References of an element: its component, the properties that its attributes set, and what lies inside. */
export function readJsx(walk: Walk, node: JSXElement | JSXFragment, scope: number): void {
  if (node.type === 'JSXElement') readElement(walk, node, scope);
  for (const child of node.children) readChild(walk, child, scope);
}

function readElement(walk: Walk, { openingElement, closingElement }: JSXElement, scope: number): void {
  const component = readName(walk, openingElement.name, scope);
  if (closingElement !== null) readName(walk, closingElement.name, scope);
  typeArguments(walk, openingElement.typeArguments, scope);
  const context = component === 0 ? 0 : walk.facts.node(NodeOp.ContextJsx, component);
  for (const attribute of openingElement.attributes) readAttribute(walk, attribute, scope, context);
}

/** The component that an element names, 0 for those of the host (`div`). */
function readName(walk: Walk, name: JSXElementName, scope: number): number {
  switch (name.type) {
    case 'JSXIdentifier':
      return isHostName(name.name) ? 0 : readComponent(walk, name, scope);
    case 'JSXMemberExpression':
      return readComponent(walk, name, scope);
    case 'JSXNamespacedName':
      return 0;
  }
}

function isHostName(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 97 && first <= 122;
}

function readComponent(walk: Walk, node: JSXMemberExpressionObject, scope: number): number {
  const { facts } = walk;
  if (node.type === 'JSXMemberExpression') {
    const object = readComponent(walk, node.object, scope);
    const name = facts.string(node.property.name);
    facts.members.add(name, node.property.start, object, COMPONENT_USE, scope);
    return facts.node(NodeOp.MemberOf, object, name);
  }
  if (node.name === 'this') return facts.node(NodeOp.This, scope);
  const name = facts.string(node.name);
  facts.references.add(name, node.start, scope, COMPONENT_USE, ReferenceHow.scoped, -1, -1);
  return facts.node(NodeOp.Identifier, name, scope);
}

function readAttribute(walk: Walk, node: JSXAttributeItem, scope: number, context: number): void {
  const { facts, visit } = walk;
  if (node.type === 'JSXSpreadAttribute') {
    visit.expression(walk, node.argument, scope);
    return;
  }
  const name = node.name.type === 'JSXIdentifier' && context !== 0 ? facts.string(node.name.name) : 0;
  if (name !== 0) facts.keys.add(name, node.name.start, context, UseFlag.value | UseFlag.write, scope);
  const { value } = node;
  if (value === null || value.type === 'Literal') return;
  const expected = name === 0 ? 0 : facts.node(NodeOp.ContextProperty, context, name);
  if (value.type === 'JSXExpressionContainer') readContained(walk, value.expression, scope, expected);
  else readJsx(walk, value, scope);
}

function readContained(walk: Walk, expression: JSXExpression, scope: number, context: number): void {
  if (expression.type === 'JSXEmptyExpression') return;
  if (expression.type === 'LogicalExpression' && showsJsx(expression)) {
    countShortCircuit(walk.frame, expression);
    readLogical(walk, expression, scope, context);
  } else walk.visit.expression(walk, expression, scope, context);
}

function readChild(walk: Walk, child: JSXChild, scope: number): void {
  switch (child.type) {
    case 'JSXElement':
    case 'JSXFragment':
      readJsx(walk, child, scope);
      return;
    case 'JSXSpreadChild':
      walk.visit.expression(walk, child.expression, scope);
      return;
    case 'JSXExpressionContainer':
      readContained(walk, child.expression, scope, 0);
      return;
    case 'JSXText':
  }
}
