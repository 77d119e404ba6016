import type { ImportDeclaration, ModuleExportName, StringLiteral } from 'oxc-parser';
import { DefinitionFlag, DefinitionKind, ReferenceHow, UseFlag } from '../facts/facts.ts';
import { nameStart, type Walk } from './walk.ts';

const IMPORT_USE = UseFlag.value | UseFlag.type | UseFlag.import;

/** Binding of an import. `importedAt` and `sourceAt` are the offsets of the other name and the specifier, when they exist. */
interface ImportBinding {
  source: string;
  /** Name in the module: `*` for the module itself, `=` for what it assigns to its exports. */
  imported: string;
  importedAt?: number;
  sourceAt?: number;
}

/** Defines a name that stands for something of another module, and references it where it is written. */
export function bindImport(
  walk: Walk,
  local: { name: string; start: number; end: number },
  scope: number,
  { source, imported, importedAt, sourceAt }: ImportBinding,
): number {
  const { facts } = walk;
  const definition = facts.define({
    name: local.name,
    kind: DefinitionKind.import,
    flags: DefinitionFlag.value | DefinitionFlag.type,
    nameStart: local.start,
    start: local.start,
    end: local.end,
    scope,
  });
  facts.amend(definition, 'source', facts.string(source));
  facts.amend(definition, 'imported', facts.string(imported));
  const refer = (name: string, start: number): void =>
    void facts.references.add(facts.string(name), start, scope, IMPORT_USE, ReferenceHow.bound, definition, -1);
  if (importedAt !== undefined) refer(imported, importedAt);
  if (importedAt !== local.start) refer(local.name, local.start);
  if (sourceAt !== undefined) referModule(walk, source, sourceAt, scope);
  return definition;
}

/** References a module by its specifier. */
export function referModule({ facts }: Walk, source: string, start: number, scope: number): void {
  const id = facts.string(source);
  facts.references.add(id, start, scope, IMPORT_USE, ReferenceHow.module, id, -1);
}

export function readImport(walk: Walk, node: ImportDeclaration, scope: number): void {
  const { value: source } = node.source;
  referModule(walk, source, nameStart(node.source), scope);
  for (const specifier of node.specifiers) {
    const { local } = specifier;
    switch (specifier.type) {
      case 'ImportDefaultSpecifier':
        bindImport(walk, local, scope, { source, imported: 'default' });
        break;
      case 'ImportNamespaceSpecifier':
        bindImport(walk, local, scope, { source, imported: '*' });
        break;
      case 'ImportSpecifier': {
        const { imported } = specifier;
        bindImport(walk, local, scope, { source, imported: exportName(imported), importedAt: nameStart(imported) });
      }
    }
  }
}

/** A name in an import or export list, which may be a string. */
export function exportName(node: ModuleExportName | StringLiteral): string {
  return node.type === 'Literal' ? node.value : node.name;
}
