import { LRUCache } from 'lru-cache';
import type { IndexedRepository } from '../indexes/indexes.ts';
import type { ProductScope } from '../repositories/repositories.ts';
import { compare, type GraphNode, gradeCode, NODE_KINDS, type NodeKind, relationCode } from './model/model.ts';
import { matchName, type MatchTier } from './model/name-match.ts';
import { degreeWeight, edgeWeight, type FoundNode, type GraphSources } from './queries/queries.ts';
import type { EdgeReader, FollowedEdge, Following, NodeKey } from './traverse.ts';
import { readWritten, type Written, type WrittenEdge, type WrittenParts } from './written/written.ts';

/** Numbers that each repository has for its nodes; a shard has fewer. */
const NODES_OF_ONE = 2 ** 31;
/** Shards whose nodes of anchors are remembered. */
const KNOWN_SHARDS = 64;
const RESOLVED_TO_NOTHING = -1;

/** The nodes that the ends of written edges are, by shard and id; -1 for none. */
export type KnownEnds = LRUCache<string, Map<string, number>>;

export function knownEnds(): KnownEnds {
  return new LRUCache({ max: KNOWN_SHARDS });
}

/** A node as an answer shows it. */
export interface ShownNode extends GraphNode {
  /** Name of the repository; absent for what people wrote. */
  repo?: string;
}

/** The graph of a product for one call: the code of its repositories, and what people wrote. */
export class ProductGraph implements EdgeReader {
  readonly #sources: GraphSources;
  readonly #written: Written;
  readonly #edges: FollowedEdge[];
  readonly #byNode: Map<NodeKey, FollowedEdge[]>;
  readonly #sourceOf: Map<FollowedEdge, string>;

  /** Numbers of nodes: those of the first repository, of the second, and so on, then what is written. */
  private constructor(sources: GraphSources, written: Written, edges: ReadonlyMap<FollowedEdge, string>) {
    this.#sources = sources;
    this.#written = written;
    this.#edges = [...edges.keys()];
    this.#sourceOf = new Map(edges);
    this.#byNode = new Map();
    for (const edge of this.#edges)
      for (const node of [edge.from, edge.to]) {
        const list = this.#byNode.get(node);
        if (list === undefined) this.#byNode.set(node, [edge]);
        else list.push(edge);
      }
    for (const edge of this.#edges) edge.weight += degreeWeight(this.#byNode.get(edge.to)?.length ?? 0);
  }

  /** Reads what people wrote and finds what it names in the code. */
  static async open(
    parts: WrittenParts & { ends: KnownEnds },
    scope: ProductScope,
    sources: GraphSources,
  ): Promise<ProductGraph> {
    const written = await readWritten(parts, scope);
    const keys = await endKeys(parts.ends, sources, written);
    const edges = new Map<FollowedEdge, string>();
    for (const one of written.edges) {
      const [from, to] = [keys(one.from), keys(one.to)];
      if (from !== undefined && to !== undefined && from !== to) edges.set(followed(one, from, to), one.source);
    }
    return new ProductGraph(sources, written, edges);
  }

  get repositories(): readonly IndexedRepository[] {
    return this.#sources.repositories;
  }

  /** What people wrote, with the numbers of its ends in one repository: what an artifact of that one holds. */
  writtenOf(
    repository: number,
    nodes: number,
  ): { nodes: GraphNode[]; edges: { from: number; to: number; edge: FollowedEdge; source: string }[] } {
    const base = this.#writtenBase;
    const inside = (key: NodeKey): number | undefined => {
      if (key >= base) return nodes + (key - base);
      return Math.floor(key / NODES_OF_ONE) === repository ? key % NODES_OF_ONE : undefined;
    };
    const edges = this.#edges.flatMap((edge) => {
      const [from, to] = [inside(edge.from), inside(edge.to)];
      return from === undefined || to === undefined ? [] : [{ from, to, edge, source: this.#sourceOf.get(edge) ?? '' }];
    });
    return { nodes: this.#written.nodes, edges };
  }

  async edges(nodes: readonly NodeKey[], following: Following): Promise<{ edges: FollowedEdge[]; isCut: boolean }> {
    const { direction, relations } = following;
    const wanted = relations === undefined || relations.length === 0 ? undefined : new Set(relations.map(relationCode));
    const asked = new Set(nodes);
    const own = nodes
      .flatMap((node) => this.#byNode.get(node) ?? [])
      .filter(
        ({ from, to, relation }) =>
          wanted?.has(relation) !== false &&
          ((direction !== 'in' && asked.has(from)) || (direction !== 'out' && asked.has(to))),
      );
    let isCut = false;
    const code = await this.#perRepository(nodes, async (repository, numbers, base) => {
      const found = await this.#sources.ask(repository, ['weightedEdges', { nodes: numbers, direction, relations }]);
      isCut ||= found.isCut;
      return found.from.map((from, at): FollowedEdge => ({
        from: base + from,
        to: base + (found.to[at] ?? from),
        relation: found.relation[at] ?? 0,
        grade: found.grade[at] ?? 0,
        weight: found.weight[at] ?? 1,
      }));
    });
    return { edges: [...new Set([...own, ...code.flat()])], isCut };
  }

  async kinds(nodes: readonly NodeKey[]): Promise<NodeKind[]> {
    const known = new Map<NodeKey, NodeKind>();
    for (const node of nodes) if (node >= this.#writtenBase) known.set(node, this.#writtenNode(node).kind);
    await this.#perRepository(nodes, async (repository, numbers, base) => {
      const codes = await this.#sources.ask(repository, ['nodeKinds', { nodes: numbers }]);
      for (const [at, number] of numbers.entries()) known.set(base + number, NODE_KINDS[codes[at] ?? 0] ?? 'file');
    });
    return nodes.map((node) => known.get(node) ?? 'file');
  }

  /** Nodes as answers show them, in the order given. */
  async describe(nodes: readonly NodeKey[]): Promise<ShownNode[]> {
    const known = new Map<NodeKey, ShownNode>();
    for (const node of nodes) if (node >= this.#writtenBase) known.set(node, this.#writtenNode(node));
    await this.#perRepository(nodes, async (repository, numbers, base) => {
      const rows = await this.#sources.ask(repository, ['describeNodes', { nodes: numbers }]);
      for (const [at, number] of numbers.entries()) {
        const row = rows[at];
        if (row !== undefined) known.set(base + number, { ...row, repo: repository.provenance.repo });
      }
    });
    return nodes.flatMap((node) => known.get(node) ?? []);
  }

  /** Where each edge stands, in the order given. */
  async sourcesOf(edges: readonly FollowedEdge[]): Promise<string[]> {
    const told = new Map<FollowedEdge, string>();
    const coded = edges.filter((edge) => !this.#sourceOf.has(edge));
    for (const [index, repository] of this.repositories.entries()) {
      const base = index * NODES_OF_ONE;
      const own = coded.filter(({ from }) => Math.floor(from / NODES_OF_ONE) === index);
      if (own.length === 0) continue;
      const shown = own.map(({ from, to, relation }) => ({ from: from - base, to: to - base, relation }));
      const found = await this.#sources.ask(repository, ['edgeSources', { edges: shown }]);
      for (const [at, edge] of own.entries()) told.set(edge, found[at] ?? '');
    }
    return edges.map((edge) => this.#sourceOf.get(edge) ?? told.get(edge) ?? '');
  }

  /** What a name, path or id fits, best first, and how much there is in all. */
  async find(
    query: string,
    { kinds, limit }: { kinds?: readonly NodeKind[] | undefined; limit: number },
  ): Promise<{ total: number; found: FoundEntity[] }> {
    const wanted = kinds === undefined || kinds.length === 0 ? undefined : new Set(kinds);
    const own = this.#written.nodes.flatMap((row, index): FoundEntity[] => {
      const tier = query === '' || row.id === query ? 0 : matchName(row.name, query);
      const key = this.#writtenBase + index;
      if (tier === undefined || wanted?.has(row.kind) === false || (query === '' && wanted === undefined)) return [];
      return [{ key, tier, row, degree: this.#byNode.get(key)?.length ?? 0 }];
    });
    const code = await this.#sources.fromEach([...this.repositories.entries()], async ([index, repository]) => {
      const { total, rows } = await this.#sources.ask(repository, ['findNodes', { query, kinds, limit }]);
      const { repo } = repository.provenance;
      return { total, rows: rows.map((one) => this.#foundIn(index * NODES_OF_ONE, repo, one)) };
    });
    const all = [...own, ...code.flatMap(({ rows }) => rows)].toSorted(byFit);
    return { total: own.length + code.reduce((sum, { total }) => sum + total, 0), found: all };
  }

  #foundIn(base: number, repo: string, { node, tier, row, degree }: FoundNode): FoundEntity {
    const key = base + node;
    return { key, tier, row: { ...row, repo }, degree: degree + (this.#byNode.get(key)?.length ?? 0) };
  }

  get #writtenBase(): number {
    return this.repositories.length * NODES_OF_ONE;
  }

  #writtenNode(key: NodeKey): GraphNode {
    const node = this.#written.nodes[key - this.#writtenBase];
    if (node === undefined) throw new Error(`Nothing written has the number ${key}.`);
    return node;
  }

  /** Asks each repository about its own among some nodes. */
  #perRepository<Answer>(
    nodes: readonly NodeKey[],
    ask: (repository: IndexedRepository, numbers: number[], base: number) => Promise<Answer>,
  ): Promise<Answer[]> {
    const groups = Map.groupBy(
      nodes.filter((node) => node < this.#writtenBase),
      (node) => Math.floor(node / NODES_OF_ONE),
    );
    return Promise.all(
      [...groups].flatMap(([index, own]) => {
        const repository = this.repositories[index];
        const base = index * NODES_OF_ONE;
        const numbers = own.map((node) => node - base);
        return repository === undefined ? [] : [ask(repository, numbers, base)];
      }),
    );
  }
}

/** What fits a question. */
export interface FoundEntity {
  key: NodeKey;
  tier: MatchTier;
  row: ShownNode;
  degree: number;
}

function byFit(a: FoundEntity, b: FoundEntity): number {
  return (
    a.tier - b.tier ||
    NODE_KINDS.indexOf(a.row.kind) - NODE_KINDS.indexOf(b.row.kind) ||
    b.degree - a.degree ||
    compare(a.row.repo ?? '', b.row.repo ?? '') ||
    compare(a.row.id, b.row.id)
  );
}

function followed({ relation, grade }: WrittenEdge, from: NodeKey, to: NodeKey): FollowedEdge {
  const [kind, sureness] = [relationCode(relation), gradeCode(grade)];
  return { from, to, relation: kind, grade: sureness, weight: edgeWeight(kind, sureness) };
}

/** The keys of the ends of written edges; undefined for what is not there. Ends in code are looked up once a shard. */
async function endKeys(
  ends: KnownEnds,
  sources: GraphSources,
  { nodes, edges }: Written,
): Promise<(end: WrittenEdge['from']) => NodeKey | undefined> {
  const { repositories } = sources;
  const own = new Map(nodes.map(({ id }, index) => [id, repositories.length * NODES_OF_ONE + index]));
  const all = edges.flatMap(({ from, to }) => [from, to]);
  const known = await Promise.all(
    repositories.map(async (repository) => {
      const { hash } = repository.shard;
      const memory = ends.get(hash) ?? new Map<string, number>();
      ends.set(hash, memory);
      const named = all.filter(({ repositoryId, id }) => repositoryId === repository.id && !memory.has(id));
      const ids = [...new Set(named.map(({ id }) => id))];
      const found = ids.length === 0 ? [] : await sources.ask(repository, ['nodesOfIds', { ids }]);
      for (const [at, id] of ids.entries()) memory.set(id, found[at] ?? RESOLVED_TO_NOTHING);
      return memory;
    }),
  );
  return ({ id, repositoryId }) => {
    if (repositoryId === undefined) return own.get(id);
    const index = repositories.findIndex((one) => one.id === repositoryId);
    const number = known[index]?.get(id);
    return number === undefined || number === RESOLVED_TO_NOTHING ? undefined : index * NODES_OF_ONE + number;
  };
}
