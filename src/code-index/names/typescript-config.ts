import { asObject, asString, asStrings, parseLooseJson } from './json-text.ts';
import { dirnameOf, foldersUp, joinPath } from '../program/paths.ts';

/** Paths that a specifier may mean for files in a folder, best first. */
export type PathMappings = (directory: string, source: string) => readonly string[];

interface Mapping {
  /** Text before and after the star; without a star the whole text and undefined. */
  before: string;
  after: string | undefined;
  targets: string[];
}

interface Config {
  mappings: Mapping[];
  baseUrl: string | undefined;
}

/** Chains of `extends` and `references` longer than this are circles. */
const MAX_CHAIN = 8;

/**
 * `paths` and `baseUrl` of every tsconfig and jsconfig, the nearest folder first, then `paths` of the other configurations
 * at the root (`tsconfig.base.json`). The compiler would stop at the nearest; but what it names may be built files, and the
 * others say where their sources are.
 */
export function readPathMappings(configs: ReadonlyMap<string, string>): PathMappings {
  const byFolder = new Map<string, Config[]>();
  for (const [path] of configs) {
    if (!/(^|\/)(tsconfig|jsconfig)\.json$/.test(path)) continue;
    const folder = dirnameOf(path);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), ...readConfig(configs, path, 0)]);
  }
  const shared = [...configs.keys()]
    .filter((path) => /^tsconfig\.[^/]+\.json$/.test(path))
    .flatMap((path) => readConfig(configs, path, 0).map(({ mappings }) => ({ mappings, baseUrl: undefined })));
  return (directory, source) =>
    [...foldersUp(directory).flatMap((folder) => byFolder.get(folder) ?? []), ...shared].flatMap((config) =>
      candidates(config, source),
    );
}

/** A configuration with what it extends, then those it refers to. */
function readConfig(configs: ReadonlyMap<string, string>, path: string, step: number): Config[] {
  const text = configs.get(path);
  if (text === undefined || step > MAX_CHAIN) return [];
  const json = asObject(parseLooseJson(text));
  const options = asObject(json['compilerOptions']);
  const folder = dirnameOf(path);
  const baseUrl = asString(options['baseUrl']);
  const base = baseUrl === undefined ? undefined : joinPath(folder, baseUrl);
  const extended = asStrings(json['extends']).flatMap((string) =>
    string.startsWith('.')
      ? readFirst(configs, [joinPath(folder, string), `${joinPath(folder, string)}.json`], step)
      : [],
  );
  const own: Config = { mappings: readMappings(asObject(options['paths']), base ?? folder), baseUrl: base };
  const inherited = extended.at(-1);
  const merged: Config = {
    mappings: own.mappings.length > 0 ? own.mappings : (inherited?.mappings ?? []),
    baseUrl: own.baseUrl ?? inherited?.baseUrl,
  };
  const references = Array.isArray(json['references']) ? json['references'] : [];
  const referred = references.flatMap((reference) => {
    const target = asString(asObject(reference)['path']);
    // A reference to another folder is that folder's own configuration.
    if (target === undefined || !target.endsWith('.json')) return [];
    return readConfig(configs, joinPath(folder, target), step + 1);
  });
  return [merged, ...referred];
}

function readFirst(configs: ReadonlyMap<string, string>, paths: readonly string[], step: number): Config[] {
  const path = paths.find((file) => configs.has(file));
  return path === undefined ? [] : readConfig(configs, path, step + 1).slice(0, 1);
}

function readMappings(paths: Readonly<Record<string, unknown>>, base: string): Mapping[] {
  const mappings = Object.entries(paths).map(([pattern, targets]): Mapping => {
    const star = pattern.indexOf('*');
    return {
      before: star < 0 ? pattern : pattern.slice(0, star),
      after: star < 0 ? undefined : pattern.slice(star + 1),
      targets: asStrings(targets).map((string) => joinPath(base, string)),
    };
  });
  // The longest text before the star wins; an exact pattern wins over all.
  return mappings.toSorted(
    (a, b) => Number(b.after === undefined) - Number(a.after === undefined) || b.before.length - a.before.length,
  );
}

function candidates({ mappings, baseUrl }: Config, source: string): string[] {
  const paths: string[] = [];
  for (const { before, after, targets } of mappings) {
    if (after === undefined) {
      if (source === before) paths.push(...targets);
      continue;
    }
    if (source.length < before.length + after.length || !source.startsWith(before) || !source.endsWith(after)) continue;
    const middle = source.slice(before.length, source.length - after.length);
    paths.push(...targets.map((target) => target.replace('*', () => middle)));
  }
  if (baseUrl !== undefined) paths.push(joinPath(baseUrl, source));
  return paths;
}
