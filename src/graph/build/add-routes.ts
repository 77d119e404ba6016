import { fileStem, folderOf } from '../../kernel/paths.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import { isManifest } from '../../code/map/map.ts';
import { type NodeNumber } from '../model/model.ts';
import { describedRoutes } from './described-routes.ts';
import {
  CONTROLLER,
  fileRoutes,
  type FoundClient,
  type FoundMount,
  type FoundRoute,
  type Handler,
  joinPaths,
  mayHoldRoutes,
  mayName,
  namedIn,
  readRoutes,
} from '../routes/routes.ts';
import {
  type BuildFile,
  type FieldTypes,
  fileNode,
  type GraphDraft,
  type GraphInput,
  type RepositoryRequest,
} from './repository-graph.ts';
import type { SymbolLookup } from './symbol-lookup.ts';
import type { TextFindings } from './text-findings.ts';

/** A route with the node that it has in the graph. */
export interface RouteNode {
  method: string;
  path: string;
  node: NodeNumber;
  /** Files that serve it; where that is not known those that define it. */
  files: BuildFile[];
  /** True if the code that serves it is known. */
  isServed: boolean;
}

interface ReadFile {
  file: BuildFile;
  routes: FoundRoute[];
  mounts: FoundMount[];
}

/** What a field gives of which schemas of the repository say different things. */
const UNKNOWN_TYPE = '';
/** Types of GraphQL without fields, which are not stored. */
const SCALARS: ReadonlySet<string> = new Set([UNKNOWN_TYPE, 'String', 'Int', 'Float', 'Boolean', 'ID']);
/** Times that a router is put below another, at most. */
const MOST_LEVELS = 4;
/** Paths that one router is put below. */
const MOST_PREFIXES = 3;

/** The routes of a repository with what serves them, and the requests that its code makes. Tests have neither. */
export function addRoutes(
  draft: GraphDraft,
  lookup: SymbolLookup,
  findings: TextFindings,
): { routes: RouteNode[]; requests: RepositoryRequest[]; types: FieldTypes } {
  const named = frameworksOf(draft.input, findings);
  // What a text holds depends on the frameworks that are named anywhere.
  const kind = `routes of ${[...named].toSorted(compareTexts).join(' ')}`;
  const routesIn = ({ id, path, language }: BuildFile): ReturnType<typeof readRoutes> | undefined =>
    findings.of(kind, id, (text) => {
      if (!mayHoldRoutes({ language, text }, named)) return undefined;
      const parsed = readRoutes({ path, language, text }, named);
      return Object.values(parsed).every((part) => part.length === 0) ? undefined : parsed;
    });
  const readFiles: ReadFile[] = [];
  const requests: RepositoryRequest[] = [];
  const fields = new Map<string, string>();
  const schemas = draft.input.files.filter(({ language, isTest }) => language === 'GraphQL' && !isTest);
  for (const file of new Set([...draft.input.product, ...schemas])) {
    const placed = placedRoutes(file, named, lookup);
    const parsedRoutes = routesIn(file);
    const routes = [...placed, ...(parsedRoutes?.routes ?? [])].filter(({ line }) => !lookup.isInTests(file.id, line));
    if (routes.length > 0 || (parsedRoutes?.mounts.length ?? 0) > 0)
      readFiles.push({ file, routes, mounts: parsedRoutes?.mounts ?? [] });
    requests.push(...requestsOf(draft, lookup, { file, clients: parsedRoutes?.clients ?? [] }));
    for (const { path, gives } of parsedRoutes?.fields ?? [])
      fields.set(path, (fields.get(path) ?? gives) === gives ? gives : UNKNOWN_TYPE);
  }
  for (const file of draft.input.files.filter(({ isCode, isTest, isGenerated }) => isCode && !isTest && isGenerated))
    requests.push(...requestsOf(draft, lookup, { file, clients: routesIn(file)?.clients ?? [] }));
  const routes = linkRoutes(draft, lookup, { all: readFiles, fields });
  return {
    routes: [...routes, ...describedRoutes(draft, lookup, { findings, routes })],
    requests,
    types: Object.fromEntries([...fields].filter(([, gives]) => !SCALARS.has(gives))),
  };
}

/** Requests with the symbols that make them. Generated clients make them, too. */
function requestsOf(
  { input }: GraphDraft,
  lookup: SymbolLookup,
  { file, clients }: { file: BuildFile; clients: readonly FoundClient[] },
): RepositoryRequest[] {
  return clients.map(({ method, path, line }) => {
    const from = lookup.around(file.id, line) ?? fileNode(input, file.id);
    return { method, path, from, source: `${file.path}:${line}` };
  });
}

/** Files that list packages and are no manifests. */
const LISTS = /(?:^|\/)(?:requirements[\w-]*\.txt|Gemfile|Pipfile)$/;

/** Returns the frameworks that manifests and sources name. */
function frameworksOf({ files, product }: GraphInput, findings: TextFindings): Set<string> {
  const named = new Set<string>();
  const lists = files.filter(({ path }) => isManifest(path) || LISTS.test(path));
  for (const file of [...lists, ...product]) {
    const isListed = !file.isCode || isManifest(file.path);
    const names = findings.of('names', file.id, (text) => {
      const all = isListed || mayName({ ...file, text }) ? [...namedIn(text)] : [];
      return all.length === 0 ? undefined : all;
    });
    for (const name of names ?? []) named.add(name);
  }
  return named;
}

function placedRoutes({ id, path }: BuildFile, named: ReadonlySet<string>, lookup: SymbolLookup): FoundRoute[] {
  if (!named.has('next') && !named.has('sveltekit')) return [];
  if (!/(?:^|\/)(?:app|pages|routes)\//.test(path)) return [];
  const exported = lookup.symbolsOf(id).filter((place) => place.exported === 1);
  return fileRoutes(
    path,
    exported.map(({ name, line }) => ({ name, line })),
    named,
  );
}

/** Nodes of routes by their whole paths, and edges to what serves them. */
function linkRoutes(
  draft: GraphDraft,
  lookup: SymbolLookup,
  { all, fields }: { all: readonly ReadFile[]; fields: ReadonlyMap<string, string> },
): RouteNode[] {
  const prefixesOf = mountedPrefixes(draft, lookup, all);
  const nodes = new Map<string, RouteNode>();
  const defined = new Map<string, Set<BuildFile>>();
  const whole = all.flatMap(({ routes }) => routes.filter(({ isPart }) => isPart !== true));
  const declared = new Set(whole.map(({ method, path }) => `${method} ${path}`));
  for (const { file, routes } of all)
    for (const route of routes)
      for (const prefix of prefixesOf(file.id, route.router)) {
        const isDeclared = declared.has(`${route.method} ${route.path}`) || fields.has(route.path);
        if (route.isPart === true && !isDeclared) continue;
        const path = joinPaths(prefix, route.path);
        const key = `${route.method} ${path}`;
        const existing = nodes.get(key);
        const node = existing?.node ?? draft.add({ kind: 'route', key, name: key, path: file.path, line: route.line });
        const source = `${file.path}:${route.line}`;
        const own = existing ?? { method: route.method, path, node, files: [], isServed: false };
        nodes.set(key, own);
        const defining = defined.get(key) ?? new Set();
        if (!defining.has(file)) {
          defined.set(key, defining.add(file));
          draft.link({ from: fileNode(draft.input, file.id), to: node, relation: 'contains', grade: 'stated', source });
        }
        const served = servedBy(lookup, file.id, route.handler);
        const home = served === undefined ? file : draft.input.files[draft.input.fileOfSymbol(served.symbol)];
        if (home !== undefined && !own.files.includes(home)) own.files.push(home);
        if (served === undefined) continue;
        own.isServed = true;
        draft.link({ from: node, to: served.symbol, relation: 'routes', grade: served.grade, source });
      }
  return [...nodes.values()];
}

function servedBy(
  lookup: SymbolLookup,
  file: number,
  handler: Handler | undefined,
): { symbol: number; grade: 'resolved' | 'name' } | undefined {
  if (handler === undefined) return undefined;
  if ('definedFrom' in handler)
    return gradeRoute(lookup.definedFrom(file, handler.definedFrom, handler.name), 'resolved');
  if ('named' in handler) return gradeRoute(lookup.member(handler.named, handler.member, handler.file), 'name');
  const { name, line, column } = handler;
  return gradeRoute(lookup.usedAt(file, line, column), 'resolved') ?? gradeRoute(lookup.named(name, file), 'name');
}

function gradeRoute(
  symbol: number | undefined,
  grade: 'resolved' | 'name',
): { symbol: number; grade: 'resolved' | 'name' } | undefined {
  return symbol === undefined ? undefined : { symbol, grade };
}

interface Mounted {
  /** Number of the file that writes the mount. */
  by: number;
  prefix: string;
  /** Of a router in the same file: its name there. */
  router: string | undefined;
  /** The router of that file that it is put on. */
  on: string;
}

/** The paths that the routers of each file are put below; '' alone where they are not. */
function mountedPrefixes(
  draft: GraphDraft,
  lookup: SymbolLookup,
  all: readonly ReadFile[],
): (file: number, router: string) => string[] {
  const mounted = new Map<number, Mounted[]>();
  const global: GlobalPrefix[] = [];
  for (const { file, mounts } of all)
    for (const mount of mounts) {
      const { prefix, on = '', name, version } = mount;
      if (name === CONTROLLER) {
        global.push({ folder: folderOf(file.path), prefix, version });
        continue;
      }
      const target = targetOf(draft, lookup, file, mount);
      if (target === undefined) continue;
      const router = target === file.id ? name : undefined;
      mounted.set(target, [...(mounted.get(target) ?? []), { by: file.id, prefix, router, on }]);
    }
  const prefixesOf = (file: number, router: string, level: number): string[] => {
    const mounts = mounted.get(file) ?? mounted.get(lookup.importedFrom(file, router) ?? file) ?? [];
    // A router that its own file puts below another is not the one that other files mean.
    const inside = mounts.filter((mount) => mount.router === router);
    const own = inside.length > 0 ? inside : mounts.filter((mount) => mount.router === undefined);
    if (own.length === 0 || level === MOST_LEVELS) return [''];
    const whole = own.flatMap(({ by, prefix, on }) => {
      // A router that is put on itself is one whose name is used twice.
      const above = by === file && on === router ? [''] : prefixesOf(by, on, level + 1);
      return above.map((path) => joinPaths(path, prefix));
    });
    return [...new Set(whole)].slice(0, MOST_PREFIXES);
  };
  return (file, router) =>
    router.startsWith(CONTROLLER)
      ? [globalPrefix(global, draft.input.files[file]?.path ?? '', router.slice(CONTROLLER.length + 1))]
      : prefixesOf(file, router, 0);
}

/** Prefix of the routes of all controllers. */
interface GlobalPrefix {
  /** Of the program that says so. */
  folder: string;
  prefix: string;
  version: string | undefined;
}

/** The path before the routes of a controller: what the nearest program says. '' when none does. */
function globalPrefix(all: readonly GlobalPrefix[], path: string, own: string): string {
  const shared = ({ folder }: GlobalPrefix): number => {
    const parts = path.split('/');
    const at = folder.split('/').findIndex((part, place) => part !== parts[place]);
    return at === -1 ? folder.length + 1 : at;
  };
  const [nearest] = all.toSorted((a, b) => shared(b) - shared(a) || compareTexts(a.folder, b.folder));
  if (nearest === undefined) return '';
  const { prefix, version } = nearest;
  const number = version === undefined ? '' : own || version;
  return joinPaths(prefix, number === '' ? '' : `v${number}`);
}

/** The file that defines a router. */
function targetOf({ input }: GraphDraft, lookup: SymbolLookup, file: BuildFile, mount: FoundMount): number | undefined {
  if (mount.module !== undefined) {
    const path = `${mount.module.replaceAll('.', '/')}.py`;
    return input.files.find((buildFile) => buildFile.path === path || buildFile.path.endsWith(`/${path}`))?.id;
  }
  const symbol = lookup.usedAt(file.id, mount.line, mount.column);
  if (symbol !== undefined) return input.fileOfSymbol(symbol);
  if (lookup.symbolsOf(file.id).some(({ name }) => name === mount.name)) return file.id;
  // `include_router(users.router)`: the module is a file that this one imports.
  const imported = (input.depends[file.id] ?? []).filter((id) => fileStem(input.files[id]?.path ?? '') === mount.name);
  return imported.length === 1 ? imported[0] : undefined;
}
