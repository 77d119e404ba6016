import { LRUCache } from 'lru-cache';
import { gradeCode, type GraphNode, relationCode } from './model/model.ts';
import { ProductFeatures } from './product-features.ts';
import { edgeWeight, type GraphSources, type LinkedNodes, routesFor } from './queries/queries.ts';
import type { FollowedEdge, NodeKey } from './traverse.ts';
import type { FeatureEdit } from './edits/edits.ts';
import type { Written, WrittenEdge } from './written/written.ts';

/** Numbers that each repository has for its nodes; a shard has fewer. */
export const NODES_OF_ONE = 2 ** 31;
/** Shards of which it is remembered what is linked from outside. */
const KNOWN_SHARDS = 64;
const NOTHING = -1;

interface KnownShard {
  linked: LinkedNodes;
  /** Nodes of ids that were looked up; -1 for none. */
  ends: Map<string, number>;
}

/** What links lead to in each shard, by its hash. Shards do not change, so nothing is looked up twice. */
export type KnownShards = LRUCache<string, KnownShard>;

export function knownShards(): KnownShards {
  return new LRUCache({ max: KNOWN_SHARDS });
}

/** What is joined with the code of a product when it is asked about. */
export interface ProductLinks {
  features: ProductFeatures;
  /** What people wrote, features that only people know among it. */
  nodes: GraphNode[];
  /** Edges that no shard has, each with its source. */
  edges: Map<FollowedEdge, string>;
  /** Code that people gave to features. */
  given: { key: string; node: NodeKey }[];
}

/** Joins what people wrote, what they say of features, and the requests of one repository to the routes of another. */
export async function joinLinks(
  memory: KnownShards,
  sources: GraphSources,
  { written, edits }: { written: Written; edits: readonly FeatureEdit[] },
): Promise<ProductLinks> {
  const shards = await Promise.all(
    sources.repositories.map(async (repository) => {
      const { hash } = repository.shard;
      const known = memory.get(hash) ?? { linked: await sources.ask(repository, ['linkedNodes', {}]), ends: new Map() };
      memory.set(hash, known);
      return known;
    }),
  );
  const features = new ProductFeatures(
    edits,
    shards.map(({ linked }, index) =>
      linked.features.map((one) => ({ ...one, node: index * NODES_OF_ONE + one.node })),
    ),
  );
  const made = features.pinned.filter(({ key }) => features.nodesOf(key).length === 0);
  const nodes = [
    ...written.nodes,
    ...made.map(({ key }): GraphNode => ({ id: `feature:${key}`, kind: 'feature', name: features.nameOf(key) })),
  ];
  const paths = pathsOfFeatures(features, edits, sources);
  const keys = await endKeys(shards, sources, {
    nodes,
    ends: [...written.edges.flatMap(({ from, to }) => [from, to]), ...paths],
  });
  const edges = new Map<FollowedEdge, string>();
  for (const one of written.edges) {
    const [from, to] = [keys(one.from), keys(one.to)];
    if (from !== undefined && to !== undefined && from !== to) edges.set(followed(one, from, to), one.source);
  }
  const given = paths.flatMap((end) => {
    const node = keys(end);
    if (node === undefined) return [];
    const from = features.nodesOf(end.key)[0] ?? keys({ id: `feature:${end.key}` });
    if (from !== undefined)
      edges.set(followed({ relation: 'contains', grade: 'stated' }, from, node), `feature:${end.key}`);
    return [{ key: end.key, node }];
  });
  for (const [edge, source] of requestEdges(shards)) edges.set(edge, source);
  return { features, nodes, edges, given };
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
function requestEdges(shards: readonly KnownShard[]): [FollowedEdge, string][] {
  return shards.flatMap(({ linked: { requests } }, index) =>
    shards.flatMap(({ linked: { routes } }, other) => {
      if (index === other) return [];
      return requests.flatMap((request) =>
        routesFor(request, routes).map(({ node }): [FollowedEdge, string] => {
          const [from, to] = [index * NODES_OF_ONE + request.from, other * NODES_OF_ONE + node];
          return [followed({ relation: 'calls', grade: 'name' }, from, to), request.source];
        }),
      );
    }),
  );
}

function followed(
  { relation, grade }: Pick<WrittenEdge, 'relation' | 'grade'>,
  from: NodeKey,
  to: NodeKey,
): FollowedEdge {
  const [kind, sureness] = [relationCode(relation), gradeCode(grade)];
  return { from, to, relation: kind, grade: sureness, weight: edgeWeight(kind, sureness) };
}

/** The keys of ends; undefined for what is not there. Ends in code are looked up once a shard. */
async function endKeys(
  shards: readonly KnownShard[],
  sources: GraphSources,
  { nodes, ends }: { nodes: readonly GraphNode[]; ends: readonly WrittenEnd[] },
): Promise<(end: WrittenEnd) => NodeKey | undefined> {
  const { repositories } = sources;
  const own = new Map(nodes.map(({ id }, index) => [id, repositories.length * NODES_OF_ONE + index]));
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
    const index = repositories.findIndex((one) => one.id === repositoryId);
    const number = shards[index]?.ends.get(id);
    return number === undefined || number === NOTHING ? undefined : index * NODES_OF_ONE + number;
  };
}
