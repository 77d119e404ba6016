import { packageMains } from '../../code/dependencies/dependencies.ts';
import { fileAt } from '../../code/reading/reading.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { EDGE_GRADES, type GraphLink, type GraphNode, type NodeNumber, RELATIONS } from '../model/model.ts';
import { edgeSize, isImpliedByIds, linkOf, nodeSize } from '../model/packed-rows.ts';
import {
  type Adjacency,
  adjacencyBytes,
  gradeOf,
  relationMask,
  strongestOf,
  visitEdgesAt,
} from '../model/adjacency.ts';
import { readAdjacency } from './store-adjacency.ts';
import { describeNodes, graphView } from './graph-view.ts';
import { personalRank, type VisitAllEdges } from './personal-rank.ts';

/** Characters that count as a token. */
const TOKEN_CHARACTERS = 3.5;

const ALL_RELATIONS = relationMask(undefined);

/** Edges of a larger graph are not ranked in the time of a call: its files are, and their symbols by what contains them. */
const MOST_RANKED_BYTES = 24 * 1024 * 1024;

/** Texts of people, for the rank: nodes that are numbered behind those of the repository, in their order. */
interface WrittenPart {
  nodes: readonly GraphNode[];
  edges: readonly { from: NodeNumber; to: NodeNumber; edge: GraphLink }[];
}

interface GraphRows {
  nodes: GraphNode[];
  edges: GraphLink[];
}

/**
 * The part of a graph that tells most within a budget of tokens: nodes by personalised PageRank from features, entry points and
 * files that changed lately, and all edges between them. Features themselves are described apart, and what ids say is left out.
 * Without line numbers, so that a line that moves changes nothing. Some 0.3 s for 100,000 edges.
 */
export function rankedGraph(
  db: ShardDatabase,
  { adjacency: whole, written, changed, maxTokens }: RankedQuestion,
): GraphRows & { isWhole: boolean } {
  const isLarge = adjacencyBytes(whole) > MOST_RANKED_BYTES;
  const adjacency = isLarge ? readAdjacency(db, { mostBytes: 0 }) : whole;
  const count = adjacency.kinds.length;
  const visitAll: VisitAllEdges = (visit) => {
    for (let node = 0; node < count; node += 1) visitEdgesAt(adjacency, [node, 'leaving'], (end) => visit(node, end));
    for (const { from, to } of written.edges) visit(from, to);
  };
  const rank = personalRank(count + written.nodes.length, visitAll, seedsOf(db, changed));
  const order = Uint32Array.from(rank.keys()).toSorted((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0) || a - b);
  const chosen = chooseNodes(db, order, { adjacency, written, characters: maxTokens * TOKEN_CHARACTERS });
  return { ...chosen, isWhole: chosen.isWhole && !isLarge };
}

interface RankedQuestion {
  /** Of this shard. */
  adjacency: Adjacency;
  written: WrittenPart;
  /** Paths of files that changed lately. */
  changed: readonly string[];
  maxTokens: number;
}

/** The nodes of a repository from a number on with the edges that leave them: what streams a whole graph. */
export function graphPage(
  db: ShardDatabase,
  { adjacency, from, limit }: { adjacency: Adjacency; from: NodeNumber; limit: number },
): GraphRows & { next: NodeNumber | undefined } {
  const count = adjacency.kinds.length;
  const nodes = Array.from({ length: Math.max(0, Math.min(limit, count - from)) }, (_, at) => from + at);
  const edges = edgeRows(
    db,
    nodes.flatMap((node) => leavingOf(adjacency, node)),
  );
  const next = from + nodes.length < count ? from + nodes.length : undefined;
  return { nodes: nodeRows(db, nodes), edges: edges.filter((edge) => !isImpliedByIds(edge)), next };
}

interface NumberedEdge {
  from: NodeNumber;
  to: NodeNumber;
  /** As in `EdgeList`. */
  says: number;
}

function leavingOf(adjacency: Adjacency, node: NodeNumber): NumberedEdge[] {
  const edges: NumberedEdge[] = [];
  visitEdgesAt(adjacency, [node, 'leaving'], (to, says) => edges.push({ from: node, to, says }));
  return edges;
}

function reachingOf(adjacency: Adjacency, node: NodeNumber): NumberedEdge[] {
  const edges: NumberedEdge[] = [];
  visitEdgesAt(adjacency, [node, 'reaching'], (from, says) => edges.push({ from, to: node, says }));
  return edges;
}

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
  order: Iterable<NodeNumber>,
  { adjacency, written, characters }: { adjacency: Adjacency; written: WrittenPart; characters: number },
): GraphRows & { isWhole: boolean } {
  const count = adjacency.kinds.length;
  const chosen = new Set<NodeNumber>();
  const [nodes, edges]: [GraphNode[], GraphLink[]] = [[], []];
  const byNode = Map.groupBy(
    written.edges.flatMap((edge) => [
      { node: edge.from, other: edge.to, edge: edge.edge },
      { node: edge.to, other: edge.from, edge: edge.edge },
    ]),
    ({ node }) => node,
  );
  // Which lists of links rows have already.
  const lists = new Set<string>();
  let left = characters;
  for (const node of order) {
    const [row] = node < count ? nodeRows(db, [node]) : [written.nodes[node - count]];
    if (row === undefined || row.kind === 'feature') continue;
    const own = node < count ? edgesBetween(db, adjacency, { node, chosen }) : [];
    own.push(...(byNode.get(node) ?? []).flatMap(({ other, edge }) => (chosen.has(other) ? [edge] : [])));
    const links = own.filter((edge) => !isImpliedByIds(edge));
    const opened = new Set<string>();
    const size = links.reduce((sum, edge) => {
      const key = `${edge.from} ${linkOf(edge)}`;
      const isFirst = !lists.has(key) && !opened.has(key);
      opened.add(key);
      return sum + edgeSize(edge, isFirst);
    }, nodeSize(row));
    if (size > left) return { nodes, edges, isWhole: false };
    left -= size;
    chosen.add(node);
    for (const key of opened) lists.add(key);
    nodes.push(row);
    edges.push(...links);
  }
  return { nodes, edges, isWhole: true };
}

function edgesBetween(
  db: ShardDatabase,
  adjacency: Adjacency,
  { node, chosen }: { node: NodeNumber; chosen: ReadonlySet<NodeNumber> },
): GraphLink[] {
  return edgeRows(db, [
    ...leavingOf(adjacency, node).filter(({ to }) => chosen.has(to)),
    ...reachingOf(adjacency, node).filter(({ from }) => chosen.has(from)),
  ]);
}

function nodeRows(db: ShardDatabase, nodes: readonly NodeNumber[]): GraphNode[] {
  return describeNodes(db, { nodes }).map(({ line: _, ...row }) => row);
}

function edgeRows(db: ShardDatabase, numbered: readonly NumberedEdge[]): GraphLink[] {
  const ids = new Map<NodeNumber, string>();
  const idOf = (node: NodeNumber): string => {
    let id = ids.get(node);
    if (id === undefined) ids.set(node, (id = describeNodes(db, { nodes: [node] })[0]?.id ?? ''));
    return id;
  };
  return numbered.map(({ from, to, says }) => ({
    from: idOf(from),
    to: idOf(to),
    relation: RELATIONS[strongestOf(says, ALL_RELATIONS)] ?? 'references',
    grade: EDGE_GRADES[gradeOf(says)] ?? 'resolved',
  }));
}
