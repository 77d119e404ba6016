import type { IndexedRepository } from '../indexes/indexes.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Caller } from '../platform/operation/operation.ts';
import type { Graph } from './graph.ts';
import { graphSources } from './graph-sources.ts';
import type { GraphNode, NodeNumber } from './model/model.ts';
import { type RequestLink, requestsBetween } from './product-links.ts';
import type { GraphSources } from './queries/queries.ts';

/** Request for the graph of a repository, and its caller. */
export interface ArtifactRequest {
  caller: Caller;
  repository: IndexedRepository;
  signal: AbortSignal;
}

/** A request between a repository and another one of its product. */
export interface OtherRequest {
  own: NodeNumber;
  ownId: string;
  /** In the other repository; its name stands before the id: `web:sym:readOrder@src/client.ts`. */
  other: GraphNode & { repo: string };
  /** True if the repository makes the request; else it serves it. */
  isOut: boolean;
  source: string;
}

/**
 * The requests that other repositories of the product make to the routes of one, and those that it makes to theirs. An index that cannot
 * be read now is left out. Remembered by pair of shards: only the first question costs more than the names of the nodes.
 */
export async function requestsOfOthers(parts: Graph, request: ArtifactRequest): Promise<OtherRequest[]> {
  const { caller, repository, signal } = request;
  const all = await parts.indexes.repositories(caller, '*');
  const sources = await graphSources(parts, { caller, signal, repositories: all });
  const others = all.filter(({ id }) => id !== repository.id);
  const links = await Promise.all(others.map((other) => withOther(parts, sources, [repository, other])));
  return links.flat();
}

async function withOther(
  { shards }: Graph,
  sources: GraphSources,
  [own, other]: readonly [IndexedRepository, IndexedRepository],
): Promise<OtherRequest[]> {
  try {
    const [out, into] = await Promise.all([
      requestsBetween(shards, sources, [own, other]),
      requestsBetween(shards, sources, [other, own]),
    ]);
    return [
      ...(await describeEnds(sources, [own, other], { links: out, isOut: true })),
      ...(await describeEnds(sources, [own, other], { links: into, isOut: false })),
    ];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_indexed') return [];
    throw error;
  }
}

async function describeEnds(
  sources: GraphSources,
  [own, other]: readonly [IndexedRepository, IndexedRepository],
  { links, isOut }: { links: readonly RequestLink[]; isOut: boolean },
): Promise<OtherRequest[]> {
  if (links.length === 0) return [];
  const pairs = links.map(({ from, to, source }) =>
    isOut ? { near: from, far: to, source } : { near: to, far: from, source },
  );
  const [nears, fars] = await Promise.all([
    sources.ask(own, ['describeNodes', { nodes: pairs.map(({ near }) => near) }]),
    sources.ask(other, ['describeNodes', { nodes: pairs.map(({ far }) => far) }]),
  ]);
  const { repo } = other.provenance;
  return pairs.flatMap(({ near, source }, at): OtherRequest[] => {
    const [nearRow, farRow] = [nears[at], fars[at]];
    if (nearRow === undefined || farRow === undefined) return [];
    const { line: _, id, ...row } = farRow;
    return [{ own: near, ownId: nearRow.id, other: { ...row, id: `${repo}:${id}`, repo }, isOut, source }];
  });
}
