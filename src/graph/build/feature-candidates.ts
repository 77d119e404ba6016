import { baseName } from '../../kernel/paths.ts';
import { publicSymbols } from '../../code/dependencies/dependencies.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import type { RouteNode } from './add-routes.ts';
import { type Component, isDocument } from './components.ts';
import { type FeatureName, featureName, routeName, wholeName } from './feature-names.ts';
import type { BuildFile, GraphDraft } from './repository-graph.ts';
import type { SymbolLookup } from './symbol-lookup.ts';
import { isPathOf } from '../../kernel/path-kinds.ts';

/** Evidence that an application does something, the surest first: names are taken from there. */
export const ORIGINS = ['route', 'command', 'model', 'export', 'package', 'heading'] as const;
type Origin = (typeof ORIGINS)[number];

/** Something that a repository does, with the files and routes that show it. */
export interface Candidate extends FeatureName {
  origin: Origin;
  files: BuildFile[];
  routes: RouteNode[];
}

interface NamedFile {
  name: string;
  file: BuildFile;
}

/** Sources of features. */
export interface FeatureSources {
  db: ShardDatabase;
  components: readonly Component[];
  routes: readonly RouteNode[];
  commands: readonly NamedFile[];
  models: readonly NamedFile[];
}

/** A word that more than this share of all routes begin with is where they are, not what they are about. */
const PREFIX_SHARE = 0.5;
/** Routes below which a shared first word says nothing of the kind. */
const LEAST_ROUTES = 8;
/** Words of a path that are looked at. */
const MOST_WORDS = 3;
/** A heading that more files than this are called by means none of them. */
const MOST_CALLED = 12;

/**
 * Collects candidates for the features of a repository from its routes and pages, commands, domain models, published names,
 * packages and documentation.
 */
export function collectCandidates(draft: GraphDraft, lookup: SymbolLookup, sources: FeatureSources): Candidate[] {
  const { components, routes, commands, models } = sources;
  const { product } = draft.input;
  return [
    ...routeCandidates(routes),
    ...commands.flatMap(({ name, file }) => candidate('command', wholeName(name), [file])),
    ...models.flatMap(({ name, file }) => candidate('model', wholeName(name), [file])),
    // What is served over routes is an application: nobody imports it.
    ...(routes.length > 0 ? [] : exportCandidates(draft, lookup, sources.db)),
    ...packageCandidates(components, product),
    ...headingCandidates(draft, lookup),
  ];
}

function candidate(origin: Origin, named: FeatureName | undefined, files: readonly BuildFile[]): Candidate[] {
  return named === undefined || files.length === 0 ? [] : [{ ...named, origin, files: [...files], routes: [] }];
}

/** Routes and pages by the first word of their path that says something. */
function routeCandidates(routes: readonly RouteNode[]): Candidate[] {
  const perFile = Map.groupBy(
    routes.flatMap(({ files }) => files),
    (file) => file,
  );
  return groupRoutes(routes, 0).flatMap(({ named, routes: own }) => {
    const [first] = own;
    const isAmongOthers = first?.files.some((file) => (perFile.get(file)?.length ?? 0) > 1);
    // One action that is written among others is a step of something.
    if (
      first === undefined ||
      (own.length === 1 && !first.isServed && first.method !== 'GET' && isAmongOthers !== false)
    )
      return [];
    return [{ ...named, origin: 'route', files: [...new Set(own.flatMap(({ files }) => files))], routes: own }];
  });
}

/** The path of a route without the root type that a field of GraphQL stands below: one of another type is a part of that. */
function namingPath({ method, path }: Pick<RouteNode, 'method' | 'path'>): string {
  return method === 'GRAPHQL' ? path.replace(/^\/(?:Query|Mutation|Subscription)(?=\/)/, '') : path;
}

/** Groups of routes by the word at a place of their paths; one that holds most of them is divided by the next word. */
function groupRoutes(routes: readonly RouteNode[], at: number): { named: FeatureName; routes: RouteNode[] }[] {
  const groups = new Map<string, { named: FeatureName; routes: RouteNode[] }>();
  for (const route of routes) {
    const words = namingPath(route)
      .split('/')
      .flatMap((segment) => routeName(segment) ?? []);
    const named = words[Math.min(at, words.length - 1)];
    if (named === undefined) continue;
    const group = groups.get(named.key);
    if (group === undefined) groups.set(named.key, { named, routes: [route] });
    else group.routes.push(route);
  }
  return [...groups.values()].flatMap((group) => {
    const isPrefix = group.routes.length >= LEAST_ROUTES && group.routes.length > routes.length * PREFIX_SHARE;
    const parts = isPrefix && at + 1 < MOST_WORDS ? groupRoutes(group.routes, at + 1) : [];
    return parts.length > 1 ? parts : [group];
  });
}

const OFFERED_KINDS: ReadonlySet<string> = new Set([
  'function',
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'module',
  'variable',
  'constant',
]);

/** Things that a file has of the kind that it is called by: `decorators`, `fields`. */
const LEAST_OF_A_KIND = 3;
/** Files whose things have no subject in common. */
const NO_SUBJECT =
  /^_?(?:utils?|utilities|helpers?|common|misc|types|typing|compat|constants?|shared|base|abc|index|main|__init__|lib|mod)$/i;
const IS_ERROR = /(?:Error|Exception|Warning)$/;

/**
 * Returns the exports of published packages by the file that defines them: named after the file, or after the first class or
 * function in it.
 */
function exportCandidates({ input }: GraphDraft, lookup: SymbolLookup, db: ShardDatabase): Candidate[] {
  const product = new Set(input.product);
  const byFile = Map.groupBy(publicSymbols(db), (symbol) => input.files[input.fileOfSymbol(symbol)]);
  return [...byFile].flatMap(([file, symbols]) => {
    if (file === undefined || !product.has(file)) return [];
    const offered = new Set(symbols);
    const all = lookup.symbolsOf(file.id);
    const classes = all.filter(({ kind }) => kind === 'class');
    // A file of errors offers some that are called otherwise, too.
    if (classes.filter(({ name }) => IS_ERROR.test(name)).length * 2 > classes.length) return [];
    const things = all.filter(
      ({ id, kind, name }) =>
        offered.has(id) && OFFERED_KINDS.has(kind) && !name.startsWith('_') && !IS_ERROR.test(name),
    );
    const stem = lastPart(file.path).replace(/(?<=.)\.[^.]*$/, '');
    return candidate('export', exportName(stem, things), [file]);
  });
}

/** A file that defines what it is called by, or several functions, is named by the file whatever role that is, else by the first class. */
function exportName(file: string, things: readonly { kind: string; name: string }[]): FeatureName | undefined {
  // Constants are the settings of something else.
  const [main] = things
    .filter(({ name }) => /\p{Ll}/u.test(name))
    .toSorted((a, b) => Number(b.kind === 'class') - Number(a.kind === 'class'));
  if (main === undefined) return undefined;
  const named = featureName(file);
  if (named !== undefined) return named;
  // The entry file of a package has what it is called by.
  if (NO_SUBJECT.test(file)) return wholeName(main.name);
  const isOfItsName = things.some(({ name }) => name.toLowerCase() === file.toLowerCase().replaceAll(/[-_]/g, ''));
  return isOfItsName || things.length >= LEAST_OF_A_KIND ? wholeName(file) : wholeName(main.name);
}

/** Packages inside a repository; one alone is the product. */
function packageCandidates(components: readonly Component[], product: readonly BuildFile[]): Candidate[] {
  const inner = components.filter(({ isPackage, folder }) => isPackage && folder !== '');
  return inner.flatMap(({ name, folder }) => {
    const files = product.filter(({ path }) => path.startsWith(`${folder}/`));
    return candidate('package', featureName(name.replace(/^@[^/]+\//, '')), files);
  });
}

/** Headings of documentation that a file or a folder of the code is called by. */
function headingCandidates(draft: GraphDraft, lookup: SymbolLookup): Candidate[] {
  const called = new Map<string, Set<BuildFile>>();
  for (const file of draft.input.product) {
    const parts = file.path.replace(/(?<=[^/])\.[^./]*$/, '').split('/');
    for (const part of parts.slice(-2)) {
      const key = part.startsWith('_') ? undefined : featureName(part)?.key;
      if (key !== undefined) called.set(key, (called.get(key) ?? new Set()).add(file));
    }
  }
  const titles = new Map<string, string>();
  // Plans and rules of agents lie in hidden folders: they name parts of the code, not what it does.
  for (const document of descriptionsOf(draft).filter(({ path }) => !/(?:^|\/)\.[^/]/.test(path)))
    for (const { kind, name } of lookup.symbolsOf(document.id)) {
      const key = kind === 'heading' ? featureName(name)?.key : undefined;
      if (key !== undefined && !titles.has(key)) titles.set(key, name);
    }
  return [...titles].flatMap(([key, title]) => {
    const files = [...(called.get(key) ?? [])];
    return files.length > MOST_CALLED ? [] : candidate('heading', featureName(title), files);
  });
}

/** The documents of a repository that describe what it does. */
export function descriptionsOf({ input }: GraphDraft): BuildFile[] {
  return input.files.filter((file) => isDocument(file) && !isPathOf('projectNotes', file.path));
}

/** The last part of a path. */
export function lastPart(path: string): string {
  return baseName(path);
}
