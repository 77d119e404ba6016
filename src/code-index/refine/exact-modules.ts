import { DefinitionKind, ExportHow, type FileFacts, ReferenceHow } from '../../languages/facts/facts.ts';
import { asObject, asString, parseLooseJson } from '../names/json-text.ts';
import { typescriptModules } from '../names/modules-typescript.ts';
import { fileIdsOf, type ListedFile } from '../program/linked-files.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';

/** A file of the commit; those that TypeScript reads have facts. */
interface ModuleFile extends ListedFile {
  facts?: FileFacts;
}

/** Targets of specifiers that are no relative paths of files, as paths of the repository. */
export interface ExactModules {
  /** The same for every file that imports them. */
  everywhere: ReadonlyMap<string, string>;
  /** Those that mean different files: for importers in a folder. */
  inFolders: readonly { folder: string; specifier: string; path: string }[];
  /** Targets of folders of packages where a relative specifier names them. */
  packages: ReadonlyMap<string, string>;
}

/** Packages of the workspace, `paths` of configurations, `imports` of packages, and what makes JSX. */
export function exactModules(
  files: readonly ModuleFile[],
  configs: ReadonlyMap<string, string>,
  jsxSource: string,
): ExactModules {
  const find = typescriptModules({ fileIds: fileIdsOf(files) }, configs);
  // What JSX imports without saying so.
  const runtimes = [`${jsxSource}/jsx-runtime`, `${jsxSource}/jsx-dev-runtime`];
  const bySpecifier = new Map<string, Map<string, string>>();
  const packages = new Map<string, string>();
  for (const { path, facts } of files) {
    if (facts === undefined) continue;
    for (const specifier of [...specifiersOf(facts), ...runtimes]) {
      if (specifier.includes('*')) continue;
      const folder = specifier.startsWith('.') ? joinPath(dirnameOf(path), specifier) : undefined;
      if (folder !== undefined && !configs.has(joinPath(folder, 'package.json'))) continue;
      const target = files[find(path, specifier)];
      if (target === undefined) continue;
      if (folder !== undefined) {
        packages.set(folder, target.path);
        continue;
      }
      const byFolder = bySpecifier.get(specifier) ?? new Map<string, string>();
      bySpecifier.set(specifier, byFolder.set(dirnameOf(path), target.path));
    }
  }
  const everywhere = new Map<string, string>();
  const inFolders: ExactModules['inFolders'][number][] = [];
  for (const [specifier, byFolder] of bySpecifier) {
    const [first = '', second] = new Set(byFolder.values());
    if (second === undefined) everywhere.set(specifier, first);
    else for (const [folder, path] of byFolder) inFolders.push({ folder, specifier, path });
  }
  return { everywhere, inFolders, packages };
}

/**
 * True if a text declares a module of the repository anew, in a script. Such a file is meant for those who use the package as
 * it is built; read beside the sources it would hide them.
 */
export function replacesModule(text: string, modules: ReadonlyMap<string, string>): boolean {
  const declared = [...text.matchAll(/^\s*declare\s+module\s+['"]([^'"]+)['"]/gm)].map(([, name = '']) => name);
  return declared.some((name) => modules.has(name)) && !/^(?:import|export)\b/m.test(text);
}

/** The package that makes JSX in most of the repository: what its root configuration says, otherwise React. */
export function jsxImportSource(configs: ReadonlyMap<string, string>): string {
  const options = asObject(asObject(parseLooseJson(configs.get('tsconfig.json') ?? ''))['compilerOptions']);
  const source = asString(options['jsxImportSource']) ?? '';
  return /^[@\w./-]+$/.test(source) ? source : 'react';
}

function specifiersOf({ strings, definitions, references, exports }: FileFacts): Set<string> {
  const specifiers = new Set<string>();
  const addString = (index: number): void => void specifiers.add(strings[index] ?? '');
  for (let row = 0; row < definitions.count; row += 1)
    if (definitions.kind(row) === DefinitionKind.import) addString(definitions.source(row));
  for (let row = 0; row < references.count; row += 1) {
    const how = references.how(row);
    if (how === ReferenceHow.module || how === ReferenceHow.from) addString(references.a(row));
  }
  for (let row = 0; row < exports.count; row += 1) {
    const how = exports.how(row);
    if (how === ExportHow.from || how === ExportHow.star) addString(exports.a(row));
  }
  specifiers.delete('');
  return specifiers;
}
