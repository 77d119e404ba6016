import { folderOf } from '../../kernel/paths.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import { slugOf } from '../../kernel/slug.ts';
import { type NodeNumber } from '../model/model.ts';
import type { Component } from './components.ts';
import { layerUnits, type LayerUnit } from './layer-units.ts';
import { groupLayers } from './group-layers.ts';
import { orderOfLeastFaults } from './layer-order.ts';
import { type BuildFile, fileNode, type GraphDraft, type LayerFault } from './repository-graph.ts';
import { filesOfLayers, readStatedLayers, type StatedLayer } from './stated-layers.ts';

/** Layers that a picture of a repository can show. */
const MOST_LAYERS = 8;
/** Parts that the name of a layer names. */
const MOST_NAMES = 3;

interface Layer {
  key: string;
  /** Folder or file, '.' for the root. */
  path: string;
  name: string;
  node: NodeNumber;
  files: BuildFile[];
}

interface LayerSources {
  components: readonly Component[];
  read: (file: number) => string;
  set?: readonly StatedLayer[] | undefined;
}

/**
 * The layers of a repository from the top down, and the imports that go up. People may set them (`set`), or the repository say them; else the order is the one
 * in which the fewest imports go up, and what names usually mean decides where imports do not.
 */
export function addLayers(
  draft: GraphDraft,
  { components, read, set }: LayerSources,
): { layers: Layer[]; faults: LayerFault[]; statedFault: string } {
  const { layers: stated, source: by, fault } = readStatedLayers(draft.input.files, read, set);
  const parts = stated === undefined ? partsByImports(draft, components) : statedParts(draft, stated);
  const layers = parts.units.map(({ key, name, path, files }): Layer => {
    const node = draft.add({ kind: 'layer', key, name, path, line: 1 });
    const [grade, source] = stated === undefined ? (['resolved', path] as const) : (['stated', by] as const);
    for (const { id } of files)
      draft.link({ from: node, to: fileNode(draft.input, id), relation: 'contains', grade, source });
    return { key, path, name, node, files };
  });
  const kind = stated === undefined ? 'cycle' : 'violation';
  return { layers, faults: linkUses(draft, { layers, pairs: parts.pairs, kind }), statedFault: fault };
}

type Part = Pick<Layer, 'key' | 'name' | 'path' | 'files'>;

/** Parts from the top down, and how much each uses each other one in that order. */
interface Parts {
  units: Part[];
  pairs: Pair[][];
}

function statedParts(draft: GraphDraft, stated: readonly StatedLayer[]): Parts {
  const files = filesOfLayers(draft.input.product, stated);
  const keys = stated.map(({ name }) => slugOf(name) || 'layer');
  const units = stated.map(({ name, paths }, at): Part => ({
    key: keys.indexOf(keys[at] ?? '') === at ? (keys[at] ?? '') : `${keys[at] ?? ''}-${at + 1}`,
    name,
    path: paths[0] === '' ? '.' : (paths[0] ?? '.'),
    files: files[at] ?? [],
  }));
  return { units, pairs: pairsBetween(draft, units) };
}

function partsByImports(draft: GraphDraft, components: readonly Component[]): Parts {
  const packages = new Set(components.flatMap(({ isPackage, folder }) => (isPackage ? [folder] : [])));
  const units = layerUnits(draft.input.product, packages);
  if (units.length < 2) return { units: [], pairs: [] };
  const pairs = pairsBetween(draft, units);
  const uses = pairs.map((row) => row.map((pair) => pair.count));
  const order = orderByPackage(units, uses, packages);
  const keys = layerKeys(units);
  const parts = order.map((unit): Part => {
    const { folder, files } = units[unit] ?? { folder: '', files: [] };
    const [key = '', path] = [keys[unit], folder === '' ? '.' : folder];
    return { key, name: key, path, files };
  });
  const inOrder = order.map((from) => order.map((to) => uses[from]?.[to] ?? 0));
  const begins = groupLayers(
    inOrder,
    parts.map(({ files }) => files.length),
    MOST_LAYERS,
  );
  const layers = begins.map((begin, at) => joinParts(parts.slice(begin, begins[at + 1])));
  return { units: layers, pairs: pairsBetween(draft, layers) };
}

/** One layer of parts that hardly use each other: called as its largest ones, with the key and the folder of the largest. */
function joinParts(parts: readonly Part[]): Part {
  const bySize = parts.toSorted((a, b) => b.files.length - a.files.length);
  const [largest = { key: '', name: '', path: '', files: [] }] = bySize;
  const more = bySize.length - MOST_NAMES;
  const name = [...bySize.slice(0, MOST_NAMES).map((part) => part.name), ...(more > 0 ? [`${more} more`] : [])].join(
    ', ',
  );
  return { ...largest, name, files: parts.flatMap(({ files }) => files) };
}

/** The order of packages and of folders that belong to none, and in each place that of the folders of one package. */
function orderByPackage(
  units: readonly LayerUnit[],
  uses: readonly (readonly number[])[],
  packages: ReadonlySet<string>,
): number[] {
  const all = units.map((_, unit) => unit);
  const groups = [...Map.groupBy(all, (unit) => packageAround(units[unit]?.folder ?? '', packages) ?? `unit ${unit}`)];
  const between = groups.map(([, from]) =>
    groups.map(([, to]) => from.reduce((sum, a) => sum + to.reduce((inner, b) => inner + (uses[a]?.[b] ?? 0), 0), 0)),
  );
  const places = units.map(({ folder }) => usualPlace(folder));
  const placeOf = ([key, [first = 0]]: [string, number[]]): number =>
    packages.has(key) ? usualPlace(key) : (places[first] ?? UNKNOWN_PLACE);
  return orderOfLeastFaults(between, groups.map(placeOf)).flatMap((group) => {
    const inside = groups[group]?.[1] ?? [];
    const own = inside.map((from) => inside.map((to) => uses[from]?.[to] ?? 0));
    const order = orderOfLeastFaults(
      own,
      inside.map((unit) => places[unit] ?? UNKNOWN_PLACE),
    );
    return order.flatMap((at) => inside[at] ?? []);
  });
}

/** The package that a folder is or lies in; the one of the root holds all, and counts for none. */
function packageAround(folder: string, packages: ReadonlySet<string>): string | undefined {
  for (let at = folder; at !== ''; at = folderOf(at)) if (packages.has(at)) return at;
  return undefined;
}

interface Pair {
  count: number;
  /** The first file that uses the other part, and what it uses. */
  fromPath: string;
  toPath: string;
}

/** Counts the pairs of files by which each part uses each other one. */
function pairsBetween(
  { input: { files, depends } }: GraphDraft,
  units: readonly { files: readonly BuildFile[] }[],
): Pair[][] {
  const unitOf = new Map(units.flatMap((unit, index) => unit.files.map(({ id }) => [id, index] as const)));
  const pairs = units.map(() => units.map((): Pair => ({ count: 0, fromPath: '', toPath: '' })));
  for (const [from, unit] of units.entries())
    for (const { id, path } of unit.files)
      for (const target of depends[id] ?? []) {
        const to = unitOf.get(target);
        const pair = to === undefined || to === from ? undefined : pairs[from]?.[to];
        if (pair === undefined) continue;
        if (pair.count === 0) Object.assign(pair, { fromPath: path, toPath: files[target]?.path ?? '' });
        pair.count += 1;
      }
  return pairs;
}

/** Adds the edges between layers; those that go up are faults: they are against the stated layers, or close a circle. */
function linkUses(
  draft: GraphDraft,
  { layers, pairs, kind }: { layers: readonly Layer[]; pairs: Parts['pairs']; kind: LayerFault['kind'] },
): LayerFault[] {
  const faults: LayerFault[] = [];
  for (const [place, from] of layers.entries())
    for (const [other, to] of layers.entries()) {
      const pair = pairs[place]?.[other];
      if (pair === undefined || pair.count === 0) continue;
      const { fromPath, toPath, count } = pair;
      const source = `${fromPath} -> ${toPath}${count === 1 ? '' : ` and ${count - 1} more`}`;
      draft.link({ from: from.node, to: to.node, relation: 'imports', grade: 'resolved', source });
      if (other < place) faults.push({ kind, from: from.name, to: to.name, files: count, fromPath, toPath });
    }
  return faults.toSorted((a, b) => b.files - a.files || compareTexts(a.from, b.from) || compareTexts(a.to, b.to));
}

/** The last folder of each part, with the one before it where that is needed to tell them apart. */
function layerKeys(units: readonly LayerUnit[]): string[] {
  const parts = units.map(({ folder }) => (folder === '' ? ['root'] : folder.split('/')));
  for (let length = 1; ; length += 1) {
    const keys = parts.map((part) => slugOf(part.slice(-length).join('-')) || 'root');
    const longest = Math.max(...parts.map((part) => part.length));
    if (new Set(keys).size === keys.length) return keys;
    if (length >= longest) return keys.map((key, at) => (keys.indexOf(key) === at ? key : `${key}-${at + 1}`));
  }
}

/** Usual roles of folders by their names, from the top down. */
const USUAL: readonly (readonly string[])[] = [
  ['main', 'cmd', 'bin', 'cli', 'entrypoint', 'server'],
  ['ui', 'web', 'pages', 'views', 'screens', 'frontend', 'client', 'presentation', 'templates'],
  [
    'routes',
    'router',
    'routers',
    'routing',
    'controllers',
    'controller',
    'api',
    'http',
    'rest',
    'graphql',
    'handlers',
    'endpoints',
    'resolvers',
    'resources',
  ],
  ['middleware', 'middlewares', 'guards', 'interceptors', 'filters'],
  [
    'services',
    'service',
    'usecases',
    'application',
    'app',
    'workers',
    'jobs',
    'tasks',
    'commands',
    'features',
    'modules',
  ],
  ['domain', 'core', 'engine', 'business'],
  [
    'repositories',
    'repository',
    'dao',
    'persistence',
    'storage',
    'store',
    'stores',
    'db',
    'database',
    'data',
    'infrastructure',
    'infra',
    'adapters',
  ],
  ['models', 'model', 'entities', 'entity', 'schema', 'schemas', 'dto', 'dtos'],
  ['config', 'configuration', 'settings'],
  [
    'lib',
    'libs',
    'common',
    'shared',
    'util',
    'utils',
    'utilities',
    'helpers',
    'support',
    'internal',
    'types',
    'constants',
    'errors',
  ],
];
const UNKNOWN_PLACE = 4.5;

/** Packages that others are made of stand below all else, programs above. */
const LIBRARIES = /(?:^|\/)(?:libs|libraries|packages|crates)\/[^/]+$/;
const PROGRAMS = /(?:^|\/)(?:apps|applications)\/[^/]+$/;

function usualPlace(folder: string): number {
  const name = folder.split('/').at(-1)?.toLowerCase() ?? '';
  const at = USUAL.findIndex((names) => names.includes(name));
  const place = at === -1 ? UNKNOWN_PLACE : at;
  if (LIBRARIES.test(folder)) return USUAL.length + place;
  return PROGRAMS.test(folder) ? place - USUAL.length : place;
}
