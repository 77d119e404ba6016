import type { AssignmentExpression, CallExpression, Expression, IdentifierReference, StringLiteral } from 'oxc-parser';
import { Definition, DefinitionFlag, DefinitionKind, ExportHow, UseFlag } from '../facts/facts.ts';
import { amendValueHead } from './classes.ts';
import { attachDocumentation, keyName, type Walk } from './walk.ts';

/** The parts of `require('x')`, or undefined for any other call. */
export function requireCall({
  callee,
  arguments: list,
}: CallExpression): { callee: IdentifierReference; source: StringLiteral } | undefined {
  const [source] = list;
  if (callee.type !== 'Identifier' || callee.name !== 'require' || list.length !== 1) return undefined;
  return source?.type === 'Literal' && typeof source.value === 'string' ? { callee, source } : undefined;
}

/** Returns the import that a variable makes by a `require` call: the specifier, and the name there when one is picked. */
export function requiredBy(
  value: Expression | null,
): { source: string; start: number; picked: string | undefined } | undefined {
  if (value === null) return undefined;
  const isPicked = value.type === 'MemberExpression' && !value.computed;
  const call = isPicked ? value.object : value;
  if (call.type !== 'CallExpression') return undefined;
  const required = requireCall(call);
  if (required === undefined) return undefined;
  const picked = isPicked ? keyName(value.property) : undefined;
  return { source: required.source.value, start: required.source.start + 1, picked };
}

/**
 * Reads `module.exports = x`, `exports.x = y` and `module.exports.x = y` at the top of a JavaScript file: they export.
 * Gives the value, or undefined when the assignment is none of these.
 */
export function assignCommonJs(walk: Walk, node: AssignmentExpression, scope: number): number | undefined {
  if (walk.language !== 'javascript' || walk.frame !== walk.moduleFrame || node.operator !== '=') return undefined;
  const { left, right } = node;
  if (left.type !== 'MemberExpression' || left.computed) return undefined;
  if (isModuleExports(left)) return exportWhole(walk, node, scope);
  const { object, property } = left;
  const isExports = object.type === 'Identifier' && object.name === 'exports';
  const name = property.type === 'Identifier' ? property.name : undefined;
  if (name === undefined || (!isExports && !isModuleExports(object))) return undefined;
  walk.visit.expression(walk, object, scope);
  if (right.type === 'Identifier') {
    addNamed(walk, name, right, scope);
    return walk.visit.used(walk, right, scope, UseFlag.value | UseFlag.export);
  }
  const definition = define(walk, { name, start: property.start }, node);
  const value = walk.visit.expression(walk, right, scope);
  finish(walk, definition, value, right);
  addLocal(walk, name, definition, property.start);
  return value;
}

function isModuleExports(node: Expression): boolean {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'module')
    return false;
  return node.property.type === 'Identifier' && node.property.name === 'exports';
}

/** `module.exports = x` exports x as the module; the properties of a literal are exported by name as well. */
function exportWhole(walk: Walk, { left, right, start, end }: AssignmentExpression, scope: number): number {
  const { visit } = walk;
  if (right.type === 'Identifier') {
    addNamed(walk, '=', right, scope);
    return visit.used(walk, right, scope, UseFlag.value | UseFlag.export);
  }
  const first = walk.facts.definitions.count;
  const definition = define(walk, { name: 'default', start: left.start }, { start, end });
  const value = visit.expression(walk, right, scope);
  finish(walk, definition, value, right);
  addLocal(walk, '=', definition, left.start);
  if (right.type === 'ObjectExpression') exportProperties(walk, right.properties, scope, first);
  return value;
}

function exportProperties(
  walk: Walk,
  properties: Extract<Expression, { type: 'ObjectExpression' }>['properties'],
  scope: number,
  first: number,
): void {
  for (const property of properties) {
    if (property.type === 'SpreadElement' || property.computed) continue;
    const name = keyName(property.key);
    if (name === undefined) continue;
    if (property.value.type === 'Identifier') addNamed(walk, name, property.value, scope);
    else addLocal(walk, name, definitionAt(walk, property.key.start, first), property.key.start);
  }
}

function definitionAt({ facts }: Walk, nameStart: number, first: number): number {
  let at = first;
  while (at < facts.definitions.count - 1 && facts.definitions.get(at, Definition.nameStart) !== nameStart) at += 1;
  return at;
}

function define(
  walk: Walk,
  { name, start }: { name: string; start: number },
  node: { start: number; end: number },
): number {
  const definition = walk.facts.define({
    name,
    kind: DefinitionKind.variable,
    flags: DefinitionFlag.value | DefinitionFlag.exported | DefinitionFlag.topLevel,
    nameStart: start,
    start: node.start,
    end: node.end,
    scope: -1,
  });
  attachDocumentation(walk, definition, node.start);
  return definition;
}

function finish(walk: Walk, definition: number, value: number, node: Expression): void {
  walk.facts.amend(definition, 'value', value);
  if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression')
    walk.facts.amend(definition, 'kind', DefinitionKind.function);
  amendValueHead(walk, definition, node);
}

function addLocal({ facts }: Walk, name: string, definition: number, start: number): void {
  facts.exports.add(facts.string(name), ExportHow.local, definition, -1, start);
}

function addNamed(
  { facts }: Walk,
  name: string,
  { name: local, start }: { name: string; start: number },
  scope: number,
): void {
  facts.exports.add(facts.string(name), ExportHow.named, scope, facts.string(local), start);
}
