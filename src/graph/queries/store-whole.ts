import { packageMains } from '../../code/dependencies/dependencies.ts';
import { fileAt } from '../../code/reading/reading.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { EDGE_GRADES, type GraphEdge, type GraphNode, type NodeNumber, RELATIONS } from '../model/model.ts';
import { describeNodes, graphView } from './graph-view.ts';
import { personalRank } from './personal-rank.ts';
import { edgesOf, edgeSources } from './store-edges.ts';

/** Characters that count as a token. */
const TOKEN_CHARACTERS = 3.5;
/** What a line of a file adds to its JSON. */
const LINE_CHARACTERS = 2;

/** What people wrote, for the rank: nodes that are numbered behind those of the repository, in their order. */
export interface WrittenPart {
  nodes: readonly GraphNode[];
  edges: readonly { from: NodeNumber; to: NodeNumber; edge: GraphEdge }[];
}

export interface WholeGraph {
  /** Nodes and edges there are, and those that are given. */
  total: { nodes: number; edges: number };
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** How many nodes the code of a repository has; what people wrote is numbered from there. */
export function countNodes(db: ShardDatabase, _scope: object): number {
  const { symbols, files, graph } = graphView(db);
  return symbols + files + graph.nodes.length;
}

/**
 * The part of a graph that tells most within a budget of tokens: nodes by personalised PageRank from features, entry points and
 * files that changed lately, and all edges between them. Without line numbers, so that a line that moves changes nothing.
 * Some 0.3 s for 100,000 edges.
 */
export function rankedGraph(
  db: ShardDatabase,
  { written, changed, maxTokens }: { written: WrittenPart; changed: readonly string[]; maxTokens: number },
): WholeGraph {
  const count = countNodes(db, {});
  const all = allEdges(db, count);
  const from = [...all.from, ...written.edges.map((edge) => edge.from)];
  const to = [...all.to, ...written.edges.map((edge) => edge.to)];
  const rank = personalRank(count + written.nodes.length, { from, to }, seedsOf(db, changed));
  const order = Array.from(rank.keys()).toSorted((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0) || a - b);
  const chosen = chooseNodes(db, order, { written, count, characters: maxTokens * TOKEN_CHARACTERS });
  return { total: { nodes: rank.length, edges: from.length }, ...chosen };
}

/** The nodes of a repository from a number on with the edges that leave them: what streams a whole graph. */
export function graphPage(
  db: ShardDatabase,
  { from, limit }: { from: NodeNumber; limit: number },
): WholeGraph & { next: NodeNumber | undefined } {
  const count = countNodes(db, {});
  const nodes = Array.from({ length: Math.max(0, Math.min(limit, count - from)) }, (_, at) => from + at);
  const edges = edgeRows(db, edgesOf(db, { nodes, direction: 'out' }));
  const next = from + nodes.length < count ? from + nodes.length : undefined;
  return { total: { nodes: count, edges: edges.length }, nodes: nodeRows(db, nodes), edges, next };
}

function allEdges(db: ShardDatabase, count: number): { from: number[]; to: number[] } {
  const all = { from: [] as number[], to: [] as number[] };
  for (let node = 0; node < count; node += READ_AT_ONCE) {
    const nodes = Array.from({ length: Math.min(READ_AT_ONCE, count - node) }, (_, at) => node + at);
    const { from, to } = edgesOf(db, { nodes, direction: 'out' });
    for (const [at, one] of from.entries()) {
      all.from.push(one);
      all.to.push(to[at] ?? one);
    }
  }
  return all;
}

/** Few enough that the limit of edges is not met. */
const READ_AT_ONCE = 200;

/** Features, where the code is entered, and what changed lately have a third each of what starts. */
function seedsOf(db: ShardDatabase, changed: readonly string[]): Map<NodeNumber, number> {
  const view = graphView(db);
  const base = view.symbols + view.files;
  const nodesOfKind = (kind: string): NodeNumber[] =>
    view.graph.nodes.flatMap((node, index) => (node.kind === kind ? [base + index] : []));
  const features = nodesOfKind('feature');
  const groups = [
    features.length > 0 ? features : nodesOfKind('component'),
    [...nodesOfKind('layer'), ...Array.from(packageMains(db), (file) => view.symbols + file)],
    changed.flatMap((path) => {
      const file = fileAt(db, path);
      return file === undefined ? [] : [view.symbols + file];
    }),
  ];
  const seeds = new Map<NodeNumber, number>();
  for (const group of groups) for (const node of group) seeds.set(node, (seeds.get(node) ?? 0) + 1 / group.length);
  return seeds;
}

/** Nodes in this order, each with its edges to those before it, until the budget is used up. */
function chooseNodes(
  db: ShardDatabase,
  order: readonly NodeNumber[],
  { written, count, characters }: { written: WrittenPart; count: number; characters: number },
): { nodes: GraphNode[]; edges: GraphEdge[] } {
  const chosen = new Set<NodeNumber>();
  const [nodes, edges]: [GraphNode[], GraphEdge[]] = [[], []];
  const byNode = Map.groupBy(
    written.edges.flatMap((one) => [
      { node: one.from, other: one.to, edge: one.edge },
      { node: one.to, other: one.from, edge: one.edge },
    ]),
    ({ node }) => node,
  );
  let left = characters;
  for (const node of order) {
    const [row] = node < count ? nodeRows(db, [node]) : [written.nodes[node - count]];
    if (row === undefined) continue;
    const own = node < count ? edgesBetween(db, node, chosen) : [];
    own.push(...(byNode.get(node) ?? []).flatMap(({ other, edge }) => (chosen.has(other) ? [edge] : [])));
    const size = [row, ...own].reduce((sum, one) => sum + JSON.stringify(one).length + LINE_CHARACTERS, 0);
    if (size > left) break;
    left -= size;
    chosen.add(node);
    nodes.push(row);
    edges.push(...own);
  }
  return { nodes, edges };
}

function edgesBetween(db: ShardDatabase, node: NodeNumber, chosen: ReadonlySet<NodeNumber>): GraphEdge[] {
  const all = edgesOf(db, { nodes: [node], direction: 'both' });
  const kept = all.from.flatMap((from, at) => {
    const to = all.to[at] ?? from;
    return chosen.has(from === node ? to : from) ? [at] : [];
  });
  const pick = (column: readonly number[]): number[] => kept.map((at) => column[at] ?? 0);
  return edgeRows(db, { from: pick(all.from), to: pick(all.to), relation: pick(all.relation), grade: pick(all.grade) });
}

function nodeRows(db: ShardDatabase, nodes: readonly NodeNumber[]): GraphNode[] {
  return describeNodes(db, { nodes }).map(({ line: _, ...row }) => row);
}

function edgeRows(
  db: ShardDatabase,
  { from, to, relation, grade }: Record<'from' | 'to' | 'relation' | 'grade', readonly number[]>,
): GraphEdge[] {
  const ids = new Map<NodeNumber, string>();
  const idOf = (node: NodeNumber): string => {
    let id = ids.get(node);
    if (id === undefined) ids.set(node, (id = describeNodes(db, { nodes: [node] })[0]?.id ?? ''));
    return id;
  };
  const sources = edgeSources(db, {
    edges: from.map((one, at) => ({ from: one, to: to[at] ?? one, relation: relation[at] ?? 0 })),
  });
  return from.map((one, at) => ({
    from: idOf(one),
    to: idOf(to[at] ?? one),
    relation: RELATIONS[relation[at] ?? 0] ?? 'references',
    grade: EDGE_GRADES[grade[at] ?? 0] ?? 'resolved',
    source: (sources[at] ?? '').replace(/:\d+$/, ''),
  }));
}
