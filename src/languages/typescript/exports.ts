import type {
  ExportAllDeclaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  TSExportAssignment,
} from 'oxc-parser';
import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  Export,
  ExportHow,
  ReferenceHow,
  UseFlag,
} from '../facts/facts.ts';
import { amendValueHead } from './classes.ts';
import { declare } from './declarations.ts';
import { addFlags } from './functions.ts';
import { exportName, referModule } from './imports.ts';
import { attachDocumentation, isFunctionExpression, nameStart, type Walk } from './walk.ts';

const EXPORT_USE = UseFlag.value | UseFlag.type | UseFlag.export;

export function readExportNamed(walk: Walk, node: ExportNamedDeclaration, scope: number): void {
  if (node.declaration !== null) {
    const declared = { start: node.start, flags: DefinitionFlag.exported };
    for (const definition of declare(walk, node.declaration, scope, declared)) exportDefinition(walk, definition);
  }
  if (node.source === null) exportLocals(walk, node, scope);
  else exportFrom(walk, node, node.source, scope);
}

function exportDefinition(walk: Walk, definition: number): void {
  const { definitions } = walk.facts;
  const name = definitions.get(definition, Definition.name);
  addExport(walk, name, ExportHow.local, [definition, -1, definitions.get(definition, Definition.nameStart)]);
}

/** Adds an export of the file: what a name space or ambient module exports is found in its scope. */
function addExport(walk: Walk, name: number, how: number, [a, b, start]: readonly [number, number, number]): void {
  if (!walk.isInNamespace) walk.facts.exports.add(name, how, a, b, start);
}

function exportLocals(walk: Walk, { specifiers }: ExportNamedDeclaration, scope: number): void {
  const { facts } = walk;
  for (const { local, exported } of specifiers) {
    const name = facts.string(exportName(local));
    const start = nameStart(local);
    addExport(walk, facts.string(exportName(exported)), ExportHow.named, [scope, name, start]);
    facts.references.add(name, start, scope, EXPORT_USE, ReferenceHow.scoped, -1, -1);
    if (nameStart(exported) !== start)
      facts.references.add(name, nameStart(exported), scope, EXPORT_USE, ReferenceHow.scoped, -1, -1);
  }
}

function exportFrom(
  walk: Walk,
  { specifiers }: ExportNamedDeclaration,
  source: { value: string; start: number },
  scope: number,
): void {
  const { facts } = walk;
  const from = facts.string(source.value);
  referModule(walk, source.value, source.start + 1, scope);
  for (const { local, exported } of specifiers) {
    const name = facts.string(exportName(local));
    const outside = facts.string(exportName(exported));
    const start = nameStart(local);
    addExport(walk, outside, ExportHow.from, [from, name, start]);
    facts.references.add(name, start, scope, EXPORT_USE, ReferenceHow.from, from, name);
    if (nameStart(exported) !== start)
      facts.references.add(outside, nameStart(exported), scope, EXPORT_USE, ReferenceHow.from, from, name);
  }
}

export function readExportAll(walk: Walk, { source, exported, start }: ExportAllDeclaration, scope: number): void {
  const { facts } = walk;
  const from = facts.string(source.value);
  referModule(walk, source.value, source.start + 1, scope);
  if (exported === null) addExport(walk, 0, ExportHow.star, [from, -1, start]);
  else {
    const name = facts.string(exportName(exported));
    addExport(walk, name, ExportHow.from, [from, facts.string('*'), nameStart(exported)]);
  }
}

export function readExportDefault(walk: Walk, node: ExportDefaultDeclaration, scope: number): void {
  const { facts, visit } = walk;
  const { declaration, start } = node;
  const name = facts.string('default');
  const add = (definition: number): void => addExport(walk, name, ExportHow.local, [definition, -1, start]);
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration': {
      const flags = DefinitionFlag.exported | DefinitionFlag.default;
      for (const definition of declare(walk, declaration, scope, { start, flags })) add(definition);
      return;
    }
    case 'Identifier':
      visit.used(walk, declaration, scope, EXPORT_USE);
      addExport(walk, name, ExportHow.named, [scope, facts.string(declaration.name), start]);
      return;
    default:
      add(defineDefault(walk, declaration, scope, node));
  }
}

/** The definition `default` of an exported expression. */
function defineDefault(
  walk: Walk,
  value: Expression,
  scope: number,
  { start, end }: { start: number; end: number },
): number {
  const { facts } = walk;
  const flags = DefinitionFlag.value | DefinitionFlag.exported | DefinitionFlag.default | DefinitionFlag.topLevel;
  const kind = isFunctionExpression(value) ? DefinitionKind.function : DefinitionKind.constant;
  const definition = facts.define({ name: 'default', kind, flags, nameStart: start, start, end, scope: -1 });
  attachDocumentation(walk, definition, start);
  facts.amend(definition, 'value', walk.visit.expression(walk, value, scope));
  amendValueHead(walk, definition, value);
  return definition;
}

export function readExportAssignment(walk: Walk, node: TSExportAssignment, scope: number): void {
  const { facts, visit } = walk;
  const { expression, start } = node;
  const name = facts.string('=');
  if (expression.type === 'Identifier') {
    visit.used(walk, expression, scope, EXPORT_USE);
    addExport(walk, name, ExportHow.named, [scope, facts.string(expression.name), start]);
    return;
  }
  addExport(walk, name, ExportHow.local, [defineDefault(walk, expression, scope, node), -1, start]);
}

/** Marks what is exported by a list (`export { a }`) or as the module's value, which its declaration does not say. */
export function markExported(walk: Walk): void {
  const { exports, definitions } = walk.facts;
  const names = new Set<number>();
  for (let row = 0; row < exports.count; row += 1)
    if (exports.get(row, Export.how) === ExportHow.named) names.add(exports.get(row, Export.b));
  if (names.size === 0) return;
  for (let at = 0; at < definitions.count; at += 1) {
    const isTop = definitions.get(at, Definition.scope) === 0;
    if (isTop && names.has(definitions.get(at, Definition.name))) addFlags(walk, at, DefinitionFlag.exported);
  }
}
