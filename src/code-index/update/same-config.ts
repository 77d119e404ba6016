import { asObject, parseLooseJson } from '../names/json-text.ts';
import { referencesOf } from '../names/projects-csharp.ts';

/** Keys of a `package.json` that resolution reads. */
const PACKAGE_KEYS = ['name', 'exports', 'imports', 'source', 'types', 'typings', 'module', 'main'];

/**
 * True if two texts of a configuration file (see `isResolutionConfig`) agree on where modules are: most commits to them change
 * versions and dependencies only.
 */
export function isSameConfig(path: string, before: string, after: string): boolean {
  if (/(^|\/)package\.json$/.test(path)) return packageOf(before) === packageOf(after);
  if (path.endsWith('.csproj')) return referencesOf(before).join('\n') === referencesOf(after).join('\n');
  return /(^|\/)go\.mod$/.test(path) && goModuleOf(before) === goModuleOf(after);
}

function packageOf(text: string): string {
  const json = asObject(parseLooseJson(text));
  return JSON.stringify(PACKAGE_KEYS.map((key) => json[key]));
}

const goModuleOf = (text: string): string => /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? '';
