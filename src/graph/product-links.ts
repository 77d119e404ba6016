import { endKey, type ShardCache } from './shard-cache.ts';
import { gradeCode, type GraphNode, type NodeNumber, relationCode } from './model/model.ts';
import { ProductFeatures } from './product-features.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import type { Adjacency } from './model/adjacency.ts';
import { edgeWeight } from './model/weights.ts';
import { type GraphSources, type LinkedNodes, requestedRoutes } from './queries/queries.ts';
import type { NodeKey, PassedEdge } from './traverse.ts';
import type { FeatureEdit } from './edits/edits.ts';
import { featuresNamed, collectStatedFeatures } from './stated-features.ts';
import type { Written, WrittenEdge } from './written/written.ts';

/** The edges of a repository, read once. */
export async function adjacencyOf(
  { adjacency }: ShardCache,
  sources: GraphSources,
  repository: IndexedRepository,
): Promise<Adjacency> {
  const key = sources.keyOf(repository);
  const cached = adjacency.get(key);
  if (cached !== undefined) return cached;
  const edges = await sources.ask(repository, ['readAdjacency', { mostBytes: adjacency.maxSize }]);
  adjacency.set(key, edges);
  return edges;
}

/** A request in one repository to a route of another, by the numbers that both nodes have in their own. */
export interface RequestLink {
  from: NodeNumber;
  to: NodeNumber;
  source: string;
}

/** The requests of one repository to the routes of another one. */
export async function requestsBetween(
  shards: ShardCache,
  sources: GraphSources,
  [client, server]: readonly [IndexedRepository, IndexedRepository],
): Promise<readonly RequestLink[]> {
  const pair = `${sources.keyOf(client)} ${sources.keyOf(server)}`;
  const remembered = shards.requests.get(pair);
  if (remembered !== undefined) return remembered;
  const [asking, serving] = await Promise.all([linkedOf(shards, sources, client), linkedOf(shards, sources, server)]);
  const links = requestedRoutes(asking.requests, serving.routes, [serving.types, asking.types]).map(
    ({ request: { from, source }, route }): RequestLink => ({ from, to: route.node, source }),
  );
  shards.requests.set(pair, links);
  return links;
}

async function linkedOf(
  { links }: ShardCache,
  sources: GraphSources,
  repository: IndexedRepository,
): Promise<LinkedNodes> {
  const key = sources.keyOf(repository);
  const cached = links.get(key);
  if (cached !== undefined) return cached;
  const linked = await sources.ask(repository, ['linkedNodes', {}]);
  links.set(key, linked);
  return linked;
}

/** Nodes and edges that are joined with the code of a product when it is queried. */
export interface ProductLinks {
  features: ProductFeatures;
  /** Nodes that people wrote, features that only people know among them. */
  nodes: GraphNode[];
  /** Edges that no shard has. */
  edges: LinkEdge[];
  /** Code that people gave to features. */
  given: { key: string; node: NodeKey }[];
  /** The number of the first node of each repository, then that of what is written. */
  bases: readonly NodeKey[];
}

/** An edge that no shard has. */
export interface LinkEdge extends PassedEdge {
  /** Cost of passing it, from 1, wherever it leads. */
  weight: number;
  source: string;
}

/** The features of a product as its code suggests them and people left them. */
export async function readFeatures(
  memory: ShardCache,
  sources: GraphSources,
  edits: readonly FeatureEdit[],
): Promise<{ features: ProductFeatures; bases: NodeKey[] }> {
  const shards = await Promise.all(sources.repositories.map((repository) => linkedOf(memory, sources, repository)));
  const bases = [0];
  for (const linked of shards) bases.push((bases.at(-1) ?? 0) + linked.nodes);
  const suggested = shards.map((linked, index) =>
    linked.features.map((feature) => ({ ...feature, node: (bases[index] ?? 0) + feature.node })),
  );
  return { features: new ProductFeatures(edits, suggested), bases };
}

/** Joins what people wrote, what they say of features, and the requests of one repository to the routes of another. */
export async function joinLinks(
  memory: ShardCache,
  sources: GraphSources,
  { written, edits }: { written: Written; edits: readonly FeatureEdit[] },
): Promise<ProductLinks> {
  const { features, bases } = await readFeatures(memory, sources, edits);
  const named = featuresNamed(features, written.names);
  const placed = pathsOfFeatures(features, edits, sources);
  const stated = await collectStatedFeatures(sources, features, { ...written, named, given: placed });
  named.push(...stated.flatMap(({ key, names }) => names.map((name) => ({ ...name, key }))));
  const made = [...features.pinned, ...stated].filter(({ key }) => features.nodesOf(key).length === 0);
  const nodes = [
    ...written.nodes,
    ...[...new Set(made.map(({ key }) => key))].map((key): GraphNode => ({
      id: `feature:${key}`,
      kind: 'feature',
      name: features.nameOf(key),
    })),
  ];
  const paths = [...placed, ...stated.flatMap(({ key, files }) => files.map((file) => ({ ...file, key })))];
  const keys = await endKeys({ memory, bases }, sources, {
    nodes,
    ends: [...written.edges.flatMap(({ from, to }) => [from, to]), ...paths],
  });
  const edges: LinkEdge[] = [];
  for (const edge of written.edges) {
    const [from, to] = [keys(edge.from), keys(edge.to)];
    if (from !== undefined && to !== undefined && from !== to) edges.push(linkEdge(edge, from, to));
  }
  const given = paths.flatMap((end) => {
    const node = keys(end);
    if (node === undefined) return [];
    const from = features.nodesOf(end.key)[0] ?? keys({ id: `feature:${end.key}` });
    const source = `feature:${end.key}`;
    if (from !== undefined) edges.push(linkEdge({ relation: 'contains', grade: 'stated', source }, from, node));
    return [{ key: end.key, node }];
  });
  for (const { key, from, relation, source } of named) {
    const end = keys({ id: from });
    const shown = features.nodesOf(key);
    for (const to of shown.length > 0 ? shown : [keys({ id: `feature:${key}` })])
      if (end !== undefined && to !== undefined) edges.push(linkEdge({ relation, grade: 'name', source }, end, to));
  }
  edges.push(...(await requestEdges(memory, sources, bases)));
  return { features, nodes, edges, given, bases };
}

const NOTHING = -1;

type WrittenEnd = WrittenEdge['from'];

/** The paths that people gave to features, in each repository that they may mean. */
function pathsOfFeatures(
  features: ProductFeatures,
  edits: readonly FeatureEdit[],
  { repositories }: GraphSources,
): (WrittenEnd & { key: string })[] {
  return edits.flatMap(({ key: own, paths }) => {
    const key = features.finalKey(own);
    if (features.isHidden(key)) return [];
    return paths.flatMap((text) =>
      repositories.flatMap(({ id, provenance: { repo } }) => {
        const path = text.startsWith(`${repo}:`) ? text.slice(repo.length + 1) : text;
        // Of what stands at the path, a file or a folder, one is there.
        return ['file', 'component'].map((kind) => ({
          key,
          id: `${kind}:${path.replace(/\/+$/, '')}`,
          repositoryId: id,
        }));
      }),
    );
  });
}

/** Edges from what makes requests in one repository to the routes of the others. */
async function requestEdges(memory: ShardCache, sources: GraphSources, bases: readonly NodeKey[]): Promise<LinkEdge[]> {
  const edges: LinkEdge[] = [];
  for (const [index, client] of sources.repositories.entries())
    for (const [place, server] of sources.repositories.entries()) {
      if (index === place) continue;
      for (const { from, to, source } of await requestsBetween(memory, sources, [client, server])) {
        const [start, end] = [(bases[index] ?? 0) + from, (bases[place] ?? 0) + to];
        edges.push(linkEdge({ relation: 'calls', grade: 'name', source }, start, end));
      }
    }
  return edges;
}

function linkEdge(
  { relation, grade, source }: Pick<WrittenEdge, 'relation' | 'grade' | 'source'>,
  from: NodeKey,
  to: NodeKey,
): LinkEdge {
  const [kind, sureness] = [relationCode(relation), gradeCode(grade)];
  return { from, to, relation: kind, grade: sureness, weight: edgeWeight(kind, sureness), source };
}

/** The keys of ends; undefined for what is not there. Ends in code are looked up once a shard. */
async function endKeys(
  { memory, bases }: { memory: ShardCache; bases: readonly NodeKey[] },
  sources: GraphSources,
  { nodes, ends }: { nodes: readonly GraphNode[]; ends: readonly WrittenEnd[] },
): Promise<(end: WrittenEnd) => NodeKey | undefined> {
  const own = new Map(nodes.map(({ id }, index) => [id, (bases.at(-1) ?? 0) + index]));
  const inCode = new Map<string, Map<string, NodeKey>>();
  await Promise.all(
    sources.repositories.map(async (repository, index) => {
      const ids = new Set(ends.flatMap(({ repositoryId, id }) => (repositoryId === repository.id ? [id] : [])));
      const numbers = await numbersOf(memory, sources, { repository, ids: [...ids] });
      const base = bases[index] ?? 0;
      const keys = [...numbers].map(([id, number]) => [id, base + number] as const);
      inCode.set(repository.id, new Map(keys));
    }),
  );
  return ({ id, repositoryId }) => (repositoryId === undefined ? own : inCode.get(repositoryId))?.get(id);
}

/** The numbers of nodes of one repository by their ids; those that it does not have are left out. */
async function numbersOf(
  { ends }: ShardCache,
  sources: GraphSources,
  { repository, ids }: { repository: IndexedRepository; ids: readonly string[] },
): Promise<Map<string, NodeNumber>> {
  const shard = sources.keyOf(repository);
  const numbers = new Map(ids.map((id) => [id, ends.get(endKey(shard, id))]));
  const unknown = ids.filter((id) => numbers.get(id) === undefined);
  const answers = unknown.length === 0 ? [] : await sources.ask(repository, ['nodesOfIds', { ids: unknown }]);
  for (const [at, id] of unknown.entries()) {
    const number = answers[at] ?? NOTHING;
    ends.set(endKey(shard, id), number);
    numbers.set(id, number);
  }
  return new Map(
    [...numbers].flatMap(([id, number]) => (number === undefined || number === NOTHING ? [] : [[id, number]])),
  );
}
