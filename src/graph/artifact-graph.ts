import { compareTexts } from '../kernel/text-order.ts';
import { createHash } from 'node:crypto';
import type { Graph } from './graph.ts';
import { graphSources } from './graph-sources.ts';
import { EDGE_GRADES, type GraphLink, type GraphNode, RELATIONS } from './model/model.ts';
import type { ProductFeatures } from './product-features.ts';
import { ProductGraph } from './product-graph.ts';
import type { FeatureParts } from './queries/queries.ts';
import { type ArtifactRequest, type OtherRequest, requestsOfOthers } from './other-repositories.ts';

/** Nodes of a whole graph that are read at once. */
const READ_AT_ONCE = 5_000;

/** Nodes of one repository's graph by id, and the edges between them. */
interface ArtifactGraph {
  nodes: GraphNode[];
  edges: GraphLink[];
}

/**
 * The part of a repository's graph that tells most within a budget: nodes by personalised PageRank from features, entry points
 * and files that changed lately (`changed`, paths), with all edges between them; features are in `readArtifactFeatures`. Rows have no
 * line numbers and no times, so what did not change gives the same bytes. Plans, decisions and themes that name the repository are
 * among them.
 */
export async function readArtifactGraph(
  parts: Graph,
  request: ArtifactRequest,
  { maxTokens, changed }: { maxTokens: number; changed: readonly string[] },
): Promise<ArtifactGraph & { isWhole: boolean }> {
  const { sources, graph, written, features } = await openOne(parts, request);
  await graph.readEdges();
  const adjacency = graph.adjacency(0);
  const { isWhole, ...rows } = await sources.ask(request.repository, [
    'rankedGraph',
    { adjacency, written, changed, maxTokens },
  ]);
  return { isWhole, ...asPeopleLeftIt(features, rows) };
}

/** The features of a repository as people left them, by id: their routes, files, tests and what is written about them. */
export async function readArtifactFeatures(parts: Graph, request: ArtifactRequest): Promise<FeatureParts[]> {
  const { graph } = await openOne(parts, request);
  const [own] = await graph.featureParts();
  return own ?? [];
}

/**
 * The whole graph of a repository in parts: each has nodes and the edges that leave them, in the order of the code; what is
 * written comes last. Takes memory by the part, not by the repository.
 */
export async function* streamArtifactGraph(parts: Graph, request: ArtifactRequest): AsyncGenerator<ArtifactGraph> {
  const { sources, graph, written, features } = await openOne(parts, request);
  await graph.readEdges();
  const adjacency = graph.adjacency(0);
  const byFrom = Map.groupBy(
    written.edges.map(({ edge }) => edge),
    ({ from }) => from,
  );
  const writtenFrom = (nodes: readonly GraphNode[]): GraphLink[] => nodes.flatMap(({ id }) => byFrom.get(id) ?? []);
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: ArtifactGraph & { next: number | undefined } = await sources.ask(request.repository, [
      'graphPage',
      { adjacency, from, limit: READ_AT_ONCE },
    ]);
    yield asPeopleLeftIt(features, { nodes: page.nodes, edges: [...page.edges, ...writtenFrom(page.nodes)] });
    from = page.next;
  }
  yield { nodes: written.nodes, edges: writtenFrom(written.nodes) };
}

/**
 * Changes with whatever changes the graph of the repository: its index, or what people wrote about it or say of its features. The same on every
 * replica. Costs what reading the written part does, not the graph.
 */
export async function artifactGraphKey(parts: Graph, request: ArtifactRequest): Promise<string> {
  const { sources, written, features } = await openOne(parts, request);
  const edges = written.edges.map(({ edge }) => edge).toSorted(byEnds);
  const key = JSON.stringify([
    sources.keyOf(request.repository),
    written.nodes.toSorted(byId),
    edges,
    features.rules(0),
  ]);
  return createHash('sha256').update(key).digest('base64url');
}

/** The way to ask one repository, what is written about it, and what of other repositories calls its routes or serves its requests. */
async function openOne(parts: Graph, { caller, repository, signal }: ArtifactRequest) {
  const sources = await graphSources(parts, { caller, signal, repositories: [repository] });
  const graph = await ProductGraph.open(parts, caller, sources);
  const { nodes: own, edges } = graph.writtenOf(0);
  const ends = await graph.describe([...new Set(edges.flatMap(({ edge }) => [edge.from, edge.to]))]);
  const keys = [...new Set(edges.flatMap(({ edge }) => [edge.from, edge.to]))];
  const ids = new Map(keys.map((key, at) => [key, ends[at]?.id ?? '']));
  const written: NumberedPart = {
    nodes: [...own],
    edges: edges.map(({ from, to, edge }) => ({
      from,
      to,
      edge: {
        from: ids.get(edge.from) ?? '',
        to: ids.get(edge.to) ?? '',
        relation: RELATIONS[edge.relation] ?? ('references' as const),
        grade: EDGE_GRADES[edge.grade] ?? ('stated' as const),
      },
    })),
  };
  addOthers(written, graph.nodes, await requestsOfOthers(parts, { caller, repository, signal }));
  return { sources, graph, written, features: graph.features };
}

/** Nodes that are numbered from a repository's own on, in their order, and edges with the numbers of their ends. */
interface NumberedPart {
  nodes: GraphNode[];
  edges: { from: number; to: number; edge: GraphLink }[];
}

/** Adds what is linked in other repositories, behind the nodes that have the numbers below `next`. */
function addOthers(written: NumberedPart, next: number, others: readonly OtherRequest[]): void {
  const numbers = new Map<string, number>();
  for (const { own, ownId, other, isOut } of others) {
    let number = numbers.get(other.id);
    if (number === undefined) {
      numbers.set(other.id, (number = next + numbers.size));
      written.nodes.push(other);
    }
    const [from, to, start, end] = isOut ? [own, number, ownId, other.id] : [number, own, other.id, ownId];
    const edge = { from: start, to: end, relation: 'calls' as const, grade: 'name' as const };
    written.edges.push({ from, to, edge });
  }
}

/** Rows with the names that people gave to features, without what they took away; what they merged is one row. */
function asPeopleLeftIt(
  features: ProductFeatures,
  rows: { nodes: readonly GraphNode[]; edges: readonly GraphLink[] },
): { nodes: GraphNode[]; edges: GraphLink[] } {
  const idOf = (id: string): string => (id.startsWith('feature:') ? `feature:${features.finalKey(id.slice(8))}` : id);
  const isThere = (id: string): boolean => !id.startsWith('feature:') || !features.isHidden(id.slice(8));
  const named = rows.nodes.map((node) => {
    const id = idOf(node.id);
    return node.kind === 'feature' ? { ...node, id, name: features.nameOf(id.slice(8)) } : node;
  });
  const joined = rows.edges.map((edge) => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) }));
  return {
    nodes: [...new Map(named.map((node) => [node.id, node])).values()].filter(({ id }) => isThere(id)),
    edges: [...new Map(joined.map((edge) => [`${edge.from} ${edge.to} ${edge.relation}`, edge])).values()].filter(
      ({ from, to }) => from !== to && isThere(from) && isThere(to),
    ),
  };
}

function byId(a: GraphNode, b: GraphNode): number {
  return compareTexts(a.id, b.id);
}

function byEnds(a: GraphLink, b: GraphLink): number {
  return compareTexts(a.from, b.from) || compareTexts(a.to, b.to) || compareTexts(a.relation, b.relation);
}
