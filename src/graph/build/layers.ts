import { slugOf } from '../../kernel/slug.ts';
import { compare, type NodeNumber } from '../model/model.ts';
import { layerUnits, type LayerUnit } from './layer-units.ts';
import { orderOfLeastFaults } from './layer-order.ts';
import { type BuildFile, fileNode, type GraphDraft, type LayerFault } from './repository-graph.ts';

export interface Layer {
  key: string;
  /** Folder, '.' for the root. */
  path: string;
  name: string;
  node: NodeNumber;
  files: BuildFile[];
}

/**
 * The layers of a repository from the top down, and the imports that go up. The order is the one in which the fewest imports
 * go up; what names usually mean decides where imports do not.
 */
export function addLayers(draft: GraphDraft): { layers: Layer[]; faults: LayerFault[] } {
  const units = layerUnits(draft.scope.files);
  if (units.length < 2) return { layers: [], faults: [] };
  const pairs = pairsBetween(draft, units);
  const uses = pairs.map((row) => row.map((one) => one.count));
  const order = orderOfLeastFaults(
    uses,
    units.map(({ folder }) => usualPlace(folder)),
  );
  const keys = layerKeys(units);
  const layers = order.map((unit): Layer => {
    const { folder, files } = units[unit] ?? { folder: '', files: [] };
    const [key = '', path] = [keys[unit], folder === '' ? '.' : folder];
    const node = draft.add({ kind: 'layer', key, name: key, path, line: 1 });
    for (const { id } of files)
      draft.link({ from: node, to: fileNode(draft.scope, id), relation: 'contains', grade: 'resolved', source: path });
    return { key, path, name: key, node, files };
  });
  return { layers, faults: linkUses(draft, { layers, order, pairs }) };
}

interface Pair {
  count: number;
  /** The first file that uses the other part, and what it uses. */
  fromPath: string;
  toPath: string;
}

/** How many files of each part use how many of each other one. */
function pairsBetween({ scope: { files, depends } }: GraphDraft, units: readonly LayerUnit[]): Pair[][] {
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

/** Edges between layers; those that go up are faults: without them there would be no circle. */
function linkUses(
  draft: GraphDraft,
  { layers, order, pairs }: { layers: readonly Layer[]; order: readonly number[]; pairs: readonly (readonly Pair[])[] },
): LayerFault[] {
  const faults: LayerFault[] = [];
  for (const [place, from] of layers.entries())
    for (const [other, to] of layers.entries()) {
      const pair = pairs[order[place] ?? 0]?.[order[other] ?? 0];
      if (pair === undefined || pair.count === 0) continue;
      const { fromPath, toPath, count } = pair;
      const source = `${fromPath} -> ${toPath}${count === 1 ? '' : ` and ${count - 1} more`}`;
      draft.link({ from: from.node, to: to.node, relation: 'imports', grade: 'resolved', source });
      if (other < place) faults.push({ kind: 'cycle', from: from.name, to: to.name, files: count, fromPath, toPath });
    }
  return faults.toSorted((a, b) => b.files - a.files || compare(a.from, b.from) || compare(a.to, b.to));
}

/** The last folder of each part, with the one before it where that is needed to tell them apart. */
function layerKeys(units: readonly LayerUnit[]): string[] {
  const parts = units.map(({ folder }) => (folder === '' ? ['root'] : folder.split('/')));
  for (let length = 1; ; length += 1) {
    const keys = parts.map((one) => slugOf(one.slice(-length).join('-')) || 'root');
    const longest = Math.max(...parts.map((one) => one.length));
    if (new Set(keys).size === keys.length) return keys;
    if (length >= longest) return keys.map((key, at) => (keys.indexOf(key) === at ? key : `${key}-${at + 1}`));
  }
}

/** What folders of these names usually are, from the top down. */
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

function usualPlace(folder: string): number {
  const name = folder.split('/').at(-1)?.toLowerCase() ?? '';
  const at = USUAL.findIndex((names) => names.includes(name));
  return at === -1 ? UNKNOWN_PLACE : at;
}
