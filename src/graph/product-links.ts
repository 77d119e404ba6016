import { LRUCache } from 'lru-cache';
import { gradeCode, type GraphNode, type NodeNumber, relationCode } from './model/model.ts';
import { ProductFeatures } from './product-features.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { type Adjacency, adjacencyBytes } from './model/adjacency.ts';
import { edgeWeight } from './model/weights.ts';
import { type GraphSources, type LinkedNodes, routesFor } from './queries/queries.ts';
import type { NodeKey, PassedEdge } from './traverse.ts';
import type { FeatureEdit } from './edits/edits.ts';
import { featuresNamed, featuresTold } from './told-features.ts';
import type { Written, WrittenEdge } from './written/written.ts';

/** Shards of which it is remembered what is linked from outside. */
const KNOWN_SHARDS = 64;
/** Products, each with repositories that are asked together, of which it is remembered what people wrote. */
const KNOWN_PRODUCTS = 32;
/** Room for the edges of shards: those of 40 million. */
const ADJACENCY_BYTES = 512 * 1024 * 1024;
const NOTHING = -1;

/** What is remembered of a shard. */
interface KnownShard {
  linked: LinkedNodes;
  /** Nodes of ids that were looked up; -1 for none. */
  ends: Map<string, number>;
}

/** What is known of shards, by `GraphSources.keyOf`. They do not change, so nothing is looked up twice. */
export interface KnownShards {
  links: LRUCache<string, KnownShard>;
  /** Requests from one shard to the routes of another. */
  requests: LRUCache<string, readonly RequestLink[]>;
  adjacency: LRUCache<string, Adjacency>;
  /** What was joined for a product and some of its repositories, and the state of the database before that was read. */
  joined: LRUCache<string, { state: string; links: ProductLinks }>;
}

export function knownShards(): KnownShards {
  return {
    links: new LRUCache({ max: KNOWN_SHARDS }),
    requests: new LRUCache({ max: KNOWN_SHARDS * KNOWN_SHARDS }),
    joined: new LRUCache({ max: KNOWN_PRODUCTS }),
    adjacency: new LRUCache({ maxSize: ADJACENCY_BYTES, sizeCalculation: adjacencyBytes }),
  };
}

/** The edges of a repository, read once. */
export async function adjacencyOf(
  { adjacency }: KnownShards,
  sources: GraphSources,
  repository: IndexedRepository,
): Promise<Adjacency> {
  const key = sources.keyOf(repository);
  const known = adjacency.get(key) ?? (await sources.ask(repository, ['readAdjacency', {}]));
  adjacency.set(key, known);
  return known;
}

/** A request in one repository to a route of another, by the numbers that both nodes have in their own. */
export interface RequestLink {
  from: NodeNumber;
  to: NodeNumber;
  source: string;
}

/** The requests of one repository to the routes of another one. */
export async function requestsBetween(
  known: KnownShards,
  sources: GraphSources,
  [client, server]: readonly [IndexedRepository, IndexedRepository],
): Promise<readonly RequestLink[]> {
  const pair = `${sources.keyOf(client)} ${sources.keyOf(server)}`;
  const remembered = known.requests.get(pair);
  if (remembered !== undefined) return remembered;
  const [asking, serving] = await Promise.all([shardOf(known, sources, client), shardOf(known, sources, server)]);
  const found = asking.linked.requests.flatMap((request) =>
    routesFor(request, serving.linked.routes).map(({ node }): RequestLink => ({
      from: request.from,
      to: node,
      source: request.source,
    })),
  );
  known.requests.set(pair, found);
  return found;
}

async function shardOf(
  { links }: KnownShards,
  sources: GraphSources,
  repository: IndexedRepository,
): Promise<KnownShard> {
  const key = sources.keyOf(repository);
  const known = links.get(key) ?? { linked: await sources.ask(repository, ['linkedNodes', {}]), ends: new Map() };
  links.set(key, known);
  return known;
}

/** What is joined with the code of a product when it is asked about. */
export interface ProductLinks {
  features: ProductFeatures;
  /** What people wrote, features that only people know among it. */
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
  /** What it costs to pass it, from 1, wherever it leads. */
  weight: number;
  source: string;
}

/** The features of a product as its code suggests them and people left them. */
export async function readFeatures(
  memory: KnownShards,
  sources: GraphSources,
  edits: readonly FeatureEdit[],
): Promise<{ features: ProductFeatures; shards: KnownShard[]; bases: NodeKey[] }> {
  const shards = await Promise.all(sources.repositories.map((repository) => shardOf(memory, sources, repository)));
  const bases = [0];
  for (const { linked } of shards) bases.push((bases.at(-1) ?? 0) + linked.nodes);
  const suggested = shards.map(({ linked }, index) =>
    linked.features.map((feature) => ({ ...feature, node: (bases[index] ?? 0) + feature.node })),
  );
  return { features: new ProductFeatures(edits, suggested), shards, bases };
}

/** Joins what people wrote, what they say of features, and the requests of one repository to the routes of another. */
export async function joinLinks(
  memory: KnownShards,
  sources: GraphSources,
  { written, edits }: { written: Written; edits: readonly FeatureEdit[] },
): Promise<ProductLinks> {
  const { features, shards, bases } = await readFeatures(memory, sources, edits);
  const named = featuresNamed(features, written.names);
  const placed = pathsOfFeatures(features, edits, sources);
  const told = await featuresTold(sources, features, { ...written, named, given: placed });
  named.push(...told.flatMap(({ key, names }) => names.map((name) => ({ ...name, key }))));
  const made = [...features.pinned, ...told].filter(({ key }) => features.nodesOf(key).length === 0);
  const nodes = [
    ...written.nodes,
    ...[...new Set(made.map(({ key }) => key))].map((key): GraphNode => ({
      id: `feature:${key}`,
      kind: 'feature',
      name: features.nameOf(key),
    })),
  ];
  const paths = [...placed, ...told.flatMap(({ key, files }) => files.map((file) => ({ ...file, key })))];
  const keys = await endKeys({ shards, bases }, sources, {
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
async function requestEdges(
  memory: KnownShards,
  sources: GraphSources,
  bases: readonly NodeKey[],
): Promise<LinkEdge[]> {
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
  { shards, bases }: { shards: readonly KnownShard[]; bases: readonly NodeKey[] },
  sources: GraphSources,
  { nodes, ends }: { nodes: readonly GraphNode[]; ends: readonly WrittenEnd[] },
): Promise<(end: WrittenEnd) => NodeKey | undefined> {
  const { repositories } = sources;
  const own = new Map(nodes.map(({ id }, index) => [id, (bases.at(-1) ?? 0) + index]));
  await Promise.all(
    repositories.map(async (repository, index) => {
      const memory = shards[index]?.ends ?? new Map<string, number>();
      const named = ends.filter(({ repositoryId, id }) => repositoryId === repository.id && !memory.has(id));
      const ids = [...new Set(named.map(({ id }) => id))];
      const found = ids.length === 0 ? [] : await sources.ask(repository, ['nodesOfIds', { ids }]);
      for (const [at, id] of ids.entries()) memory.set(id, found[at] ?? NOTHING);
    }),
  );
  return ({ id, repositoryId }) => {
    if (repositoryId === undefined) return own.get(id);
    const index = repositories.findIndex((repository) => repository.id === repositoryId);
    const number = shards[index]?.ends.get(id);
    return number === undefined || number === NOTHING ? undefined : (bases[index] ?? 0) + number;
  };
}
