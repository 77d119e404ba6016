import { folderOf } from '../../kernel/paths.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import { searchSymbols } from '../../code/reading/reading.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { type GraphNode, NODE_KINDS, type NodeKind, type NodeNumber } from '../model/model.ts';
import { matchName, matchPath, type MatchTier } from '../model/name-match.ts';
import { isFeatureCalled } from '../build/build.ts';
import { type Adjacency, degreeOf } from '../model/adjacency.ts';
import { describeNodes, type GraphView, graphView, kindOf, nodeOfPlace } from './graph-view.ts';

/** A node that fits a question. */
export interface NodeMatch {
  node: NodeNumber;
  tier: MatchTier;
  row: GraphNode;
  /** Edges of all kinds, both ways. */
  degree: number;
}

interface NodeSearch {
  /** A name, a path or an id; '' for all of the kinds. */
  query: string;
  kinds?: readonly NodeKind[] | undefined;
  limit: number;
  /** Of this shard: who has more edges comes first. */
  adjacency: Adjacency;
}

interface NodeMatches {
  total: number;
  rows: NodeMatch[];
}

const SYMBOL_TIERS: Readonly<Record<string, MatchTier>> = {
  exact: 0,
  case: 1,
  prefix: 2,
  word: 2,
  substring: 3,
  fuzzy: 3,
};

/** The nodes that a name, path or id fits, best first: by tier, then by kind, then those with most edges. */
export function findNodes(db: ShardDatabase, search: NodeSearch): NodeMatches {
  const { query, kinds, limit, adjacency } = search;
  const kindSet = kinds === undefined || kinds.length === 0 ? undefined : new Set(kinds);
  const exact = nodeOfId(db, query);
  if (exact !== undefined) return { total: 1, rows: rowsOf(db, [{ node: exact, tier: 0 }], adjacency) };
  const symbols = kindSet?.has('symbol') === false || query === '' ? NONE : symbolsNamed(db, query, limit);
  const others = [...filesNamed(db, query, kindSet), ...derivedNamed(db, query, kindSet)];
  const view = graphView(db);
  const place = ({ node }: Ranked): number => NODE_KINDS.indexOf(kindOf(db, view, node));
  const best = [...symbols.found, ...others]
    .toSorted((a, b) => a.tier - b.tier || place(a) - place(b) || a.node - b.node)
    .slice(0, Math.max(limit * 2, 100));
  const rows = rowsOf(db, best, adjacency).toSorted(
    (a, b) =>
      a.tier - b.tier ||
      NODE_KINDS.indexOf(a.row.kind) - NODE_KINDS.indexOf(b.row.kind) ||
      b.degree - a.degree ||
      compareTexts(a.row.id, b.row.id),
  );
  return { total: symbols.total + others.length, rows: rows.slice(0, limit) };
}

interface Ranked {
  node: NodeNumber;
  tier: MatchTier;
}

const NONE = { total: 0, found: [] as Ranked[] };

/** The node of a handle of code, or nothing when it is none or is not here. */
function nodeOfId(db: ShardDatabase, id: string): NodeNumber | undefined {
  const view = graphView(db);
  const derived = view.byId.get(id);
  if (derived !== undefined) return derived;
  const symbol = /^sym:(.+)@([^@]+)$/.exec(id);
  if (symbol !== null) return nodeOfPlace(db, { path: symbol[2] ?? '', symbol: symbol[1] });
  const [, kind, path = ''] = /^(file|test|document|folder):(.+)$/.exec(id) ?? [];
  if (kind === undefined) return undefined;
  return kind === 'folder' ? folderNode(view, path) : nodeOfPlace(db, { path });
}

/** The component that holds a folder. */
function folderNode({ byId }: GraphView, folder: string): NodeNumber | undefined {
  for (let at = folder.replace(/\/+$/, ''); at !== ''; at = folderOf(at)) {
    const component = byId.get(`component:${at}`);
    if (component !== undefined) return component;
  }
  return byId.get('component:.');
}

/** The nodes of some handles of code, in their order. */
export function nodesOfIds(db: ShardDatabase, { ids }: { ids: readonly string[] }): (NodeNumber | undefined)[] {
  return ids.map((id) => nodeOfId(db, id));
}

function symbolsNamed(db: ShardDatabase, query: string, limit: number): { total: number; found: Ranked[] } {
  const { total, rows } = searchSymbols(db, { query, limit: Math.max(limit, 30), offset: 0 });
  // The answer tells the worst way of fitting alone; each row is looked at by itself.
  const matches = rows.map(({ id, name, qualified }): Ranked => {
    const tiers = [matchName(name, query), matchName(qualified, query)].flatMap((tier) => tier ?? []);
    return { node: id, tier: tiers.length === 0 ? (SYMBOL_TIERS['fuzzy'] ?? 3) : (Math.min(...tiers) as MatchTier) };
  });
  return { total, found: matches };
}

function filesNamed(db: ShardDatabase, query: string, kindSet: ReadonlySet<NodeKind> | undefined): Ranked[] {
  const isRequested =
    kindSet === undefined || ['file', 'test', 'document'].some((kind) => kindSet.has(kind as NodeKind));
  if (!isRequested || (query === '' && kindSet === undefined)) return [];
  const view = graphView(db);
  const paths = db.derived('graph_paths', () =>
    (db.prepare('select path from file order by id').all() as { path: string }[]).map(({ path }) => path),
  );
  return paths.flatMap((path, file): Ranked[] => {
    const tier = query === '' ? 0 : matchPath(path, query);
    const node = view.symbols + file;
    return tier === undefined || kindSet?.has(kindOf(db, view, node)) === false ? [] : [{ node, tier }];
  });
}

function derivedNamed(db: ShardDatabase, query: string, kindSet: ReadonlySet<NodeKind> | undefined): Ranked[] {
  const { graph, symbols, files } = graphView(db);
  const plainQuery = plainParameters(query);
  const isFeatureQuery = kindSet?.size === 1 && kindSet.has('feature');
  return graph.nodes.flatMap(({ kind, key, name, path }, index): Ranked[] => {
    if (kindSet?.has(kind) === false) return [];
    const tiers = [
      matchName(name, query),
      matchName(key, query),
      ...(kind === 'component' ? [matchPath(path, query)] : []),
      ...(kind === 'route' && plainParameters(key) === plainQuery ? ([1] as const) : []),
      ...(kind === 'feature' && isFeatureCalled(key, query, isFeatureQuery) ? ([1] as const) : []),
    ];
    const best = Math.min(...tiers.map((tier) => tier ?? Infinity), query === '' ? 0 : Infinity);
    return best === Infinity ? [] : [{ node: symbols + files + index, tier: best as MatchTier }];
  });
}

/** A route as any framework would write it: `/users/{id}`, `/users/<int:id>` and `/users/:user` are the same. */
function plainParameters(route: string): string {
  return route.replaceAll(/(?<=\/)(?::\w+\??|\{[^/}]*\}|<[^/>]*>|\[[^/\]]*\])(?=\/|$)/g, ':');
}

function rowsOf(db: ShardDatabase, matches: readonly Ranked[], adjacency: Adjacency): NodeMatch[] {
  const nodes = matches.map(({ node }) => node);
  const rows = describeNodes(db, { nodes });
  return matches.flatMap(({ node, tier }, at): NodeMatch[] => {
    const row = rows[at];
    return row === undefined ? [] : [{ node, tier, row, degree: degreeOf(adjacency, node) }];
  });
}
