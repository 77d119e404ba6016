import { Definition, DefinitionKind, Export, ExportHow, type FileFacts, Reference, ReferenceHow } from '../facts.ts';
import { asObject, asString, parseLooseJson } from '../resolve/json-text.ts';
import { typescriptModules } from '../resolve/modules-typescript.ts';

/** A file of the commit; those that TypeScript reads have facts. */
export interface ModuleFile {
  path: string;
  facts?: FileFacts;
}

/**
 * What the specifiers that are not relative mean in this repository, as paths: packages of the workspace, `paths` of
 * configurations, `imports` of packages, what makes JSX. One that means different files in different folders is given the one that most
 * of them mean, because the compiler takes one list for all.
 */
export function exactModules(
  files: readonly ModuleFile[],
  configs: ReadonlyMap<string, string>,
  jsxSource: string,
): ReadonlyMap<string, string> {
  const find = typescriptModules({ fileIds: new Map(files.map(({ path }, id) => [path, id])) }, configs);
  const counts = new Map<string, Map<number, number>>();
  // What JSX imports without saying so.
  const runtimes = [`${jsxSource}/jsx-runtime`, `${jsxSource}/jsx-dev-runtime`];
  for (const { path, facts } of files) {
    if (facts === undefined) continue;
    for (const specifier of [...specifiersOf(facts), ...runtimes]) {
      if (specifier.startsWith('.') || specifier.includes('*')) continue;
      const target = find(path, specifier);
      if (target < 0) continue;
      const targets = counts.get(specifier) ?? new Map<number, number>();
      counts.set(specifier, targets.set(target, (targets.get(target) ?? 0) + 1));
    }
  }
  const modules = new Map<string, string>();
  for (const [specifier, targets] of counts) {
    const [most] = [...targets].toSorted(([a, many], [b, more]) => more - many || a - b);
    if (most !== undefined) modules.set(specifier, files[most[0]]?.path ?? '');
  }
  return modules;
}

/**
 * Whether a text declares a module anew that is one of the repository's, in a script. Such a file is meant for those who
 * use the package as it is built; read beside the sources it would hide them.
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
  const found = new Set<string>();
  const addString = (index: number | undefined): void => void found.add(strings[index ?? 0] ?? '');
  for (let row = 0; row < definitions.length; row += Definition.stride)
    if (definitions[row + Definition.kind] === DefinitionKind.import) addString(definitions[row + Definition.source]);
  for (let row = 0; row < references.length; row += Reference.stride) {
    const how = references[row + Reference.how];
    if (how === ReferenceHow.module || how === ReferenceHow.from) addString(references[row + Reference.a]);
  }
  for (let row = 0; row < exports.length; row += Export.stride) {
    const how = exports[row + Export.how];
    if (how === ExportHow.from || how === ExportHow.star) addString(exports[row + Export.a]);
  }
  found.delete('');
  return found;
}
