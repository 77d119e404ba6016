import { createHash } from 'node:crypto';
import { type IndexedRepository, IndexSources } from '../indexes/indexes.ts';
import type { Caller } from '../platform/operation/operation.ts';
import type { Graph } from './graph.ts';
import { compare, EDGE_GRADES, type GraphEdge, type GraphNode, RELATIONS } from './model/model.ts';
import { ProductGraph } from './product-graph.ts';
import { GRAPH_QUERIES } from './queries/queries.ts';

/** Nodes of a whole graph that are read at once. */
const READ_AT_ONCE = 5_000;

/** The graph of one repository as plain rows: nodes by id, edges by their ends and relation. */
export interface ArtifactGraph {
  /** All there are, whatever is given. */
  total: { nodes: number; edges: number };
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface ArtifactRequest {
  caller: Caller;
  repository: IndexedRepository;
  signal: AbortSignal;
}

/**
 * The part of a repository's graph that tells most within a budget: nodes by personalised PageRank from features, entry points
 * and files that changed lately (`changed`, paths), with all edges between them. Rows have no line numbers and no times, so
 * what did not change gives the same bytes. Plans, decisions and themes that name the repository are among them.
 */
export async function readArtifactGraph(
  parts: Graph,
  request: ArtifactRequest,
  { maxTokens, changed }: { maxTokens: number; changed: readonly string[] },
): Promise<ArtifactGraph> {
  const { sources, written } = await openOne(parts, request);
  const { total, nodes, edges } = await sources.ask(request.repository, [
    'rankedGraph',
    { written, changed, maxTokens },
  ]);
  return { total, nodes: nodes.toSorted(byId), edges: edges.toSorted(byEnds) };
}

/**
 * The whole graph of a repository in parts: each has nodes and the edges that leave them, in the order of the code; what is
 * written comes last. Takes memory by the part, not by the repository.
 */
export async function* streamArtifactGraph(parts: Graph, request: ArtifactRequest): AsyncGenerator<ArtifactGraph> {
  const { sources, written } = await openOne(parts, request);
  for (let from: number | undefined = 0; from !== undefined;) {
    const page: ArtifactGraph & { next: number | undefined } = await sources.ask(request.repository, [
      'graphPage',
      { from, limit: READ_AT_ONCE },
    ]);
    const { total, nodes, edges } = page;
    yield { total, nodes, edges: edges.toSorted(byEnds) };
    from = page.next;
  }
  const edges = written.edges.map(({ edge }) => edge).toSorted(byEnds);
  yield { total: { nodes: written.nodes.length, edges: edges.length }, nodes: written.nodes.toSorted(byId), edges };
}

/**
 * Changes with whatever changes the graph of the repository: its index, or what people wrote about it. The same on every
 * replica. Costs what reading the written part does, not the graph.
 */
export async function artifactGraphKey(parts: Graph, request: ArtifactRequest): Promise<string> {
  const { written } = await openOne(parts, request);
  const edges = written.edges.map(({ edge }) => edge).toSorted(byEnds);
  const key = JSON.stringify([request.repository.shard.hash, written.nodes.toSorted(byId), edges]);
  return createHash('sha256').update(key).digest('base64url');
}

/** The way to ask one repository, and what is written about it. */
async function openOne(parts: Graph, { caller, repository, signal }: ArtifactRequest) {
  const call = { caller, signal, repositories: [repository] };
  const sources = new IndexSources(parts.indexes, GRAPH_QUERIES, call);
  const graph = await ProductGraph.open(parts, caller, sources);
  const { nodes: own, edges } = graph.writtenOf(0, await sources.ask(repository, ['countNodes', {}]));
  const ends = await graph.describe([...new Set(edges.flatMap(({ edge }) => [edge.from, edge.to]))]);
  const keys = [...new Set(edges.flatMap(({ edge }) => [edge.from, edge.to]))];
  const ids = new Map(keys.map((key, at) => [key, ends[at]?.id ?? '']));
  const written = {
    nodes: own,
    edges: edges.map(({ from, to, edge, source }) => ({
      from,
      to,
      edge: {
        from: ids.get(edge.from) ?? '',
        to: ids.get(edge.to) ?? '',
        relation: RELATIONS[edge.relation] ?? ('references' as const),
        grade: EDGE_GRADES[edge.grade] ?? ('stated' as const),
        source,
      },
    })),
  };
  return { sources, written };
}

function byId(a: GraphNode, b: GraphNode): number {
  return compare(a.id, b.id);
}

function byEnds(a: GraphEdge, b: GraphEdge): number {
  return compare(a.from, b.from) || compare(a.to, b.to) || compare(a.relation, b.relation);
}
