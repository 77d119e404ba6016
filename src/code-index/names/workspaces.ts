import { asObject, asString, parseLooseJson, type JsonObject } from './json-text.ts';
import { dirnameOf, foldersUp } from '../program/paths.ts';

/** Files that may be meant: a package's folder and a path in it, best first. */
export type PackageTargets = readonly { root: string; target: string }[];

export interface Workspaces {
  /** Returns the targets that a bare specifier may mean for a file in a folder. */
  named: (directory: string, source: string) => PackageTargets;
  /** Returns the targets that a relative specifier may mean that names the folder of a package. */
  at: (folder: string) => PackageTargets;
}

interface Package {
  root: string;
  name: string | undefined;
  json: JsonObject;
}

/** Conditions of `exports` in the order that leads to sources first. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'node', 'browser', 'require', 'default'];

/** The folders that have a `package.json`. */
export function foldersOfPackages(configs: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set([...configs.keys()].filter((path) => /(^|\/)package\.json$/.test(path)).map(dirnameOf));
}

/** Selects the things in the package of a file, or in the nearest one around it that has any; all when none has. */
export function inOwnPackage<T>(
  { path, packages }: { path: string; packages: ReadonlySet<string> },
  all: readonly T[],
  pathOf: (item: T) => string,
): readonly T[] {
  if (all.length < 2) return all;
  for (const folder of foldersUp(dirnameOf(path))) {
    if (folder === '' || !packages.has(folder)) continue;
    const own = all.filter((item) => pathOf(item).startsWith(`${folder}/`));
    if (own.length > 0) return own;
  }
  return all;
}

/** The packages of a repository by name, with `exports`, `imports`, `types`, `module` and `main` of each. */
export function readWorkspaces(configs: ReadonlyMap<string, string>): Workspaces {
  const byRoot = new Map<string, Package>();
  const byName = new Map<string, Package>();
  for (const [path, text] of configs) {
    if (!/(^|\/)package\.json$/.test(path)) continue;
    const json = asObject(parseLooseJson(text));
    const manifest: Package = { root: dirnameOf(path), name: asString(json['name']), json };
    byRoot.set(manifest.root, manifest);
    if (manifest.name !== undefined && !byName.has(manifest.name)) byName.set(manifest.name, manifest);
  }
  const named = (directory: string, source: string): PackageTargets => {
    if (source.startsWith('#')) {
      for (const folder of foldersUp(directory)) {
        const manifest = byRoot.get(folder);
        if (manifest !== undefined) return importTargets(manifest, source);
      }
      return [];
    }
    const [first = '', second = '', ...rest] = source.split('/');
    const scoped = source.startsWith('@');
    const workspace = byName.get(scoped ? `${first}/${second}` : first);
    if (workspace === undefined) return [];
    const inner = scoped ? rest.join('/') : [second, ...rest].filter((part) => part !== '').join('/');
    return packageTargets(workspace, inner);
  };
  const at = (folder: string): PackageTargets => {
    const manifest = byRoot.get(folder);
    return manifest === undefined ? [] : packageTargets(manifest, '');
  };
  return { named, at };
}

function importTargets({ root, json }: Package, source: string): PackageTargets {
  return mapTargets(asObject(json['imports']), source).map((target) => ({ root, target }));
}

function packageTargets({ root, json }: Package, inner: string): PackageTargets {
  const subpath = inner === '' ? '.' : `./${inner}`;
  const fields =
    inner === '' ? ['source', 'types', 'typings', 'module', 'main'].map((name) => asString(json[name])) : [];
  const targets = [
    ...exportTargets(json['exports'], subpath),
    ...fields.filter((field) => field !== undefined),
    inner === '' ? 'src/index' : `src/${inner}`,
    inner === '' ? 'index' : inner,
    ...(inner === '' ? ['src/main', 'src/mod', 'lib/index'] : [`lib/${inner}`]),
  ];
  return targets.map((target) => ({ root, target }));
}

function exportTargets(exports: unknown, subpath: string): string[] {
  const json = asObject(exports);
  const isByPath = Object.keys(json).some((key) => key.startsWith('.'));
  if (isByPath) return mapTargets(json, subpath);
  return subpath === '.' ? targetsOf(exports) : [];
}

/** Returns the targets that the keys of `exports` or `imports` map a path to; a key may hold one star. */
function mapTargets(json: JsonObject, path: string): string[] {
  if (path in json) return targetsOf(json[path]);
  const keys = Object.keys(json).filter((key) => key.includes('*'));
  for (const key of keys.toSorted((a, b) => b.length - a.length)) {
    const [before = '', after = ''] = key.split('*');
    if (path.length < key.length - 1 || !path.startsWith(before) || !path.endsWith(after)) continue;
    const middle = path.slice(before.length, path.length - after.length);
    return targetsOf(json[key]).map((target) => target.replaceAll('*', () => middle));
  }
  return [];
}

const rank = (key: string): number => (CONDITIONS.includes(key) ? CONDITIONS.indexOf(key) : CONDITIONS.length);

/** The paths in a target: a string, a list, or conditions that may nest. */
function targetsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(targetsOf);
  const json = asObject(value);
  return Object.keys(json)
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((key) => targetsOf(json[key]));
}
