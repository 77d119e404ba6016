import { compareTexts } from '../kernel/text-order.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { databaseState } from '../platform/db-state.ts';
import { selectFeatureEdits } from './edits/edits.ts';
import { type Adjacency, degreeOf, gradeOf, strongestOf, visitEdgesAt } from './model/adjacency.ts';
import { degreeWeight, edgeWeight } from './model/weights.ts';
import { type GraphNode, NODE_KINDS, type NodeKind, relationCode } from './model/model.ts';
import { matchName, type MatchTier } from './model/name-match.ts';
import type { ProductFeatures } from './product-features.ts';
import type { ShardCache } from './shard-cache.ts';
import { adjacencyOf, joinLinks, type LinkEdge, type ProductLinks } from './product-links.ts';
import type { FoundNode, GraphSources, FeatureParts, FeatureQuestion, LayerMap, Mark } from './queries/queries.ts';
import type { EdgeReader, Following, NodeKey, PassedEdge, IncidentEdge } from './traverse.ts';
import { readWritten, type WrittenParts } from './written/written.ts';

/** A node as an answer shows it. */
export interface ShownNode extends GraphNode {
  /** Name of the repository; absent for what people wrote. */
  repo?: string;
}

/** The graph of a product for one call: the code of its repositories, and what people wrote. */
export class ProductGraph implements EdgeReader {
  readonly #shards: ShardCache;
  readonly #sources: GraphSources;
  readonly #links: ProductLinks;
  /** By repository; none before `readEdges`. */
  #adjacency: readonly Adjacency[] = [];
  readonly #byNode = new Map<NodeKey, LinkEdge[]>();

  /** Numbers of nodes: those of the first repository, of the second, and so on, then what is written. */
  private constructor(shards: ShardCache, sources: GraphSources, links: ProductLinks) {
    this.#shards = shards;
    this.#sources = sources;
    this.#links = links;
    for (const edge of links.edges)
      for (const node of [edge.from, edge.to]) {
        const list = this.#byNode.get(node);
        if (list === undefined) this.#byNode.set(node, [edge]);
        else list.push(edge);
      }
  }

  /** Reads what people wrote and say of features, and finds what it names in the code. */
  static async open(
    parts: WrittenParts & { shards: ShardCache },
    tenant: Tenant,
    sources: GraphSources,
  ): Promise<ProductGraph> {
    return new ProductGraph(parts.shards, sources, await linksOf(parts, tenant, sources));
  }

  get features(): ProductFeatures {
    return this.#links.features;
  }

  get repositories(): readonly IndexedRepository[] {
    return this.#sources.repositories;
  }

  /** Reads the edges of the code, which finding and walking need, from the indexes. */
  async readEdges(): Promise<void> {
    if (this.#adjacency.length === this.repositories.length) return;
    const each = this.repositories.map((repository) => adjacencyOf(this.#shards, this.#sources, repository));
    this.#adjacency = await Promise.all(each);
  }

  /** Repositories whose edges between symbols exceed the memory for edges, and are left out. */
  get partial(): string[] {
    return this.repositories.flatMap(({ provenance }, index) =>
      this.#adjacency[index]?.isPartial === true ? [provenance.repo] : [],
    );
  }

  /** The edges of the code of the repository at this place, after `readEdges`. */
  adjacency(repository: number): Adjacency {
    const cached = this.#adjacency[repository];
    if (cached === undefined) throw new Error(`The edges of repository ${repository} were not read.`);
    return cached;
  }

  /** Returns what people wrote, with the numbers of its ends in one repository: the content of an artifact of that one. */
  writtenOf(repository: number): { nodes: GraphNode[]; edges: { from: number; to: number; edge: LinkEdge }[] } {
    const { bases, nodes, edges: all } = this.#links;
    const base = bases[repository] ?? 0;
    const count = (bases[repository + 1] ?? base) - base;
    const inside = (key: NodeKey): number | undefined => {
      if (key >= this.#writtenBase) return count + (key - this.#writtenBase);
      return this.#repositoryOf(key) === repository ? key - base : undefined;
    };
    const edges = all.flatMap((edge) => {
      const [from, to] = [inside(edge.from), inside(edge.to)];
      return from === undefined || to === undefined ? [] : [{ from, to, edge }];
    });
    return { nodes, edges };
  }

  /** Features by layers of each repository, as people left them. */
  async maps(): Promise<{ repository: IndexedRepository; map: LayerMap }[]> {
    return this.#sources.fromEach([...this.repositories.entries()], async ([index, repository]) => {
      return { repository, map: await this.#sources.ask(repository, ['layerMap', this.#featureQuestion(index)]) };
    });
  }

  /** Returns the parts of the features of each repository, with the edits of people. */
  async featureParts(): Promise<FeatureParts[][]> {
    return this.#sources.fromEach([...this.repositories.entries()], ([index, repository]) =>
      this.#sources.ask(repository, ['featureParts', this.#featureQuestion(index)]),
    );
  }

  /** Returns the edits of people on the features of the repository at this place, and what is written about its code. */
  #featureQuestion(index: number): FeatureQuestion {
    const { features, given, bases } = this.#links;
    const base = bases[index] ?? 0;
    const isOwn = (node: NodeKey): boolean => this.#repositoryOf(node) === index;
    const own = given.filter(({ node }) => isOwn(node));
    return {
      rules: features.rules(index),
      given: own.map(({ key, node }) => ({ key, name: features.nameOf(key), node: node - base })),
      marks: this.#marks(isOwn).map((mark) => ({ ...mark, node: mark.node - base })),
    };
  }

  /**
   * Returns the requests from code of one repository to routes of another: the number of requests, and of the routes that they
   * go to.
   */
  requests(): { from: string; to: string; requests: number; routes: number }[] {
    const name = (node: NodeKey): string | undefined => {
      const place = this.#repositoryOf(node);
      return place === undefined ? undefined : this.repositories[place]?.provenance.repo;
    };
    const pairs = new Map<string, { from: string; to: string; requests: number; routes: Set<NodeKey> }>();
    for (const edge of this.#links.edges) {
      if (edge.relation !== relationCode('calls')) continue;
      const [from, to] = [name(edge.from), name(edge.to)];
      if (from === undefined || to === undefined || from === to) continue;
      const pair = pairs.get(`${from} ${to}`) ?? { from, to, requests: 0, routes: new Set() };
      pair.requests += 1;
      pair.routes.add(edge.to);
      pairs.set(`${from} ${to}`, pair);
    }
    return [...pairs.values()].map((pair) => ({ ...pair, routes: pair.routes.size }));
  }

  /** Nodes of a repository that plans, decisions and themes name. */
  #marks(isOwn: (node: NodeKey) => boolean): Mark[] {
    return this.#links.edges.flatMap(({ from, to }): Mark[] => {
      if (from < this.#writtenBase || !isOwn(to)) return [];
      const { id, kind } = this.#writtenNode(from);
      return kind === 'plan' || kind === 'decision' || kind === 'theme' || kind === 'competitor'
        ? [{ node: to, kind, id }]
        : [];
    });
  }

  visitEdges(node: NodeKey, following: Following, visit: (edge: IncidentEdge) => void): void {
    for (const part of this.features.partsOf(node)) {
      this.#visitLinks(part, following, visit);
      const repository = this.#repositoryOf(part);
      if (repository === undefined) continue;
      if (following.direction !== 'in') this.#visitCode(repository, { node: part, isOut: true, ...following }, visit);
      if (following.direction !== 'out') this.#visitCode(repository, { node: part, isOut: false, ...following }, visit);
    }
  }

  #visitLinks(node: NodeKey, { direction, mask }: Following, visit: (edge: IncidentEdge) => void): void {
    for (const { from, to, relation, grade, weight } of this.#byNode.get(node) ?? []) {
      const isOut = from === node;
      if (((mask >> relation) & 1) === 0 || direction === (isOut ? 'in' : 'out')) continue;
      const far = this.features.shown(isOut ? to : from);
      if (far === undefined || far === node) continue;
      const commonness = degreeWeight(this.#byNode.get(far)?.length ?? 0);
      visit({ far, isOut, relation, grade, weight: weight + commonness });
    }
  }

  #visitCode(
    repository: number,
    { node, isOut, mask }: { node: NodeKey; isOut: boolean; mask: number },
    visit: (edge: IncidentEdge) => void,
  ): void {
    const adjacency = this.adjacency(repository);
    const { commonness, symbols, files } = adjacency;
    const base = this.#links.bases[repository] ?? 0;
    // One object for all: walks see hundreds of thousands.
    const edge: IncidentEdge = { far: 0, isOut, relation: 0, grade: 0, weight: 0 };
    visitEdgesAt(adjacency, [node - base, isOut ? 'leaving' : 'reaching'], (end, packed) => {
      const relation = strongestOf(packed, mask);
      if (relation === -1) return;
      // Only what is neither symbol nor file may be a feature, which people may have changed.
      const far = end < symbols + files ? base + end : this.features.shown(base + end);
      if (far === undefined || far === node) return;
      edge.far = far;
      edge.relation = relation;
      edge.grade = gradeOf(packed);
      edge.weight = edgeWeight(relation, edge.grade) + (commonness[end] ?? 0);
      visit(edge);
    });
  }

  get nodes(): number {
    return this.#writtenBase + this.#links.nodes.length;
  }

  degree(node: NodeKey): number {
    const degrees = this.features.partsOf(node).map((part) => {
      const repository = this.#repositoryOf(part);
      const links = this.#byNode.get(part)?.length ?? 0;
      if (repository === undefined) return links;
      return links + degreeOf(this.adjacency(repository), part - (this.#links.bases[repository] ?? 0));
    });
    return degrees.reduce((sum, degree) => sum + degree, 0);
  }

  kindOf(node: NodeKey): number {
    const repository = this.#repositoryOf(node);
    if (repository === undefined) return NODE_KINDS.indexOf(this.#writtenNode(node).kind);
    return this.adjacency(repository).kinds[node - (this.#links.bases[repository] ?? 0)] ?? 0;
  }

  /** Nodes as answers show them, in the order given. */
  async describe(nodes: readonly NodeKey[]): Promise<ShownNode[]> {
    const described = new Map<NodeKey, ShownNode>();
    for (const node of nodes) if (node >= this.#writtenBase) described.set(node, this.#writtenNode(node));
    await this.#perRepository(nodes, async (repository, numbers, base) => {
      const rows = await this.#sources.ask(repository, ['describeNodes', { nodes: numbers }]);
      for (const [at, number] of numbers.entries()) {
        const row = rows[at];
        if (row !== undefined)
          described.set(base + number, this.#named(base + number, { ...row, repo: repository.provenance.repo }));
      }
    });
    return nodes.flatMap((node) => described.get(node) ?? []);
  }

  /** A row with the id and name that people gave to its feature. */
  #named(node: NodeKey, row: ShownNode): ShownNode {
    const key = this.features.keyOf(node);
    return key === undefined ? row : { ...row, id: `feature:${key}`, name: this.features.nameOf(key) };
  }

  /** Returns the location of each edge, in the order given. */
  async sourcesOf(edges: readonly PassedEdge[]): Promise<string[]> {
    const meant = edges.flatMap((edge, at) => this.#joined(edge).map((passed) => ({ ...passed, at })));
    const sourceOf = new Map<number, string>();
    const tell = (at: number, source: string): void => {
      if (source !== '' && !sourceOf.has(at)) sourceOf.set(at, source);
    };
    for (const { from, to, relation, at } of meant) {
      const own = this.#byNode
        .get(from)
        ?.find((edge) => edge.from === from && edge.to === to && edge.relation === relation);
      tell(at, own?.source ?? '');
    }
    for (const [index, repository] of this.repositories.entries()) {
      const base = this.#links.bases[index] ?? 0;
      const isOwn = (node: NodeKey): boolean => this.#repositoryOf(node) === index;
      const coded = meant.filter(({ from, to, at }) => !sourceOf.has(at) && isOwn(from) && isOwn(to));
      if (coded.length === 0) continue;
      const shown = coded.map(({ from, to, relation }) => ({ from: from - base, to: to - base, relation }));
      const sources = await this.#sources.ask(repository, ['edgeSources', { edges: shown }]);
      for (const [place, { at }] of coded.entries()) tell(at, sources[place] ?? '');
    }
    return edges.map((_, at) => sourceOf.get(at) ?? '');
  }

  /** The edges that one stands for whose ends people merged. */
  #joined({ from, to, relation, grade }: PassedEdge): PassedEdge[] {
    return this.features
      .partsOf(from)
      .flatMap((part) => this.features.partsOf(to).map((other) => ({ from: part, to: other, relation, grade })));
  }

  /** Returns the entities that a name, path or id fits, best first, and their total number. */
  async find(
    query: string,
    { kinds, limit }: { kinds?: readonly NodeKind[] | undefined; limit: number },
  ): Promise<{ total: number; found: EntityMatch[] }> {
    await this.readEdges();
    const kindSet = kinds === undefined || kinds.length === 0 ? undefined : new Set(kinds);
    const own = this.#links.nodes.flatMap((row, index): EntityMatch[] => {
      const tier = query === '' || row.id === query ? 0 : matchName(row.name, query);
      const key = this.#writtenBase + index;
      if (tier === undefined || kindSet?.has(row.kind) === false || (query === '' && kindSet === undefined)) return [];
      return [{ key, tier, row, degree: this.#byNode.get(key)?.length ?? 0 }];
    });
    const code = await this.#sources.fromEach([...this.repositories.entries()], async ([index, repository]) => {
      const { total, rows } = await this.#sources.ask(repository, [
        'findNodes',
        { query, kinds, limit, adjacency: this.adjacency(index) },
      ]);
      const { repo } = repository.provenance;
      return { total, rows: rows.flatMap((row) => this.#entityMatches(this.#links.bases[index] ?? 0, repo, row)) };
    });
    const renamed = kindSet?.has('feature') === false ? [] : await this.#featuresNamed(query);
    const distinct = new Map<NodeKey, EntityMatch>();
    for (const entity of [...renamed, ...own, ...code.flatMap(({ rows }) => rows)])
      if ((distinct.get(entity.key)?.tier ?? Infinity) > entity.tier) distinct.set(entity.key, entity);
    const matches = [...distinct.values()].toSorted(byFit);
    const total = own.length + code.reduce((sum, answer) => sum + answer.total, 0);
    return { total: Math.max(total, matches.length), found: matches };
  }

  /** Features by the ids and names that people gave them. */
  async #featuresNamed(query: string): Promise<EntityMatch[]> {
    const matches = this.features.called(query);
    const rows = await this.describe(matches.map(({ node }) => node));
    return matches.flatMap(({ node, tier }, at): EntityMatch[] => {
      const row = rows[at];
      return row === undefined ? [] : [{ key: node, tier, row, degree: this.#byNode.get(node)?.length ?? 0 }];
    });
  }

  #entityMatches(base: number, repo: string, { node, tier, row, degree }: FoundNode): EntityMatch[] {
    const key = this.features.shown(base + node);
    if (key === undefined) return [];
    return [
      { key, tier, row: this.#named(key, { ...row, repo }), degree: degree + (this.#byNode.get(key)?.length ?? 0) },
    ];
  }

  get #writtenBase(): number {
    return this.#links.bases.at(-1) ?? 0;
  }

  /** The place of the repository that a node is of; undefined for what is written. */
  #repositoryOf(node: NodeKey): number | undefined {
    const { bases } = this.#links;
    for (let at = 1; at < bases.length; at += 1) if (node < (bases[at] ?? 0)) return at - 1;
    return undefined;
  }

  #writtenNode(key: NodeKey): GraphNode {
    const node = this.#links.nodes[key - this.#writtenBase];
    if (node === undefined) throw new Error(`Nothing written has the number ${key}.`);
    return node;
  }

  /** Asks each repository about its own among some nodes. */
  #perRepository<Answer>(
    nodes: readonly NodeKey[],
    ask: (repository: IndexedRepository, numbers: number[], base: number) => Promise<Answer>,
  ): Promise<Answer[]> {
    const groups = Map.groupBy(nodes, (node) => this.#repositoryOf(node));
    return Promise.all(
      [...groups].flatMap(([index, own]) => {
        const repository = index === undefined ? undefined : this.repositories[index];
        if (index === undefined || repository === undefined) return [];
        const base = this.#links.bases[index] ?? 0;
        return [
          ask(
            repository,
            own.map((node) => node - base),
            base,
          ),
        ];
      }),
    );
  }
}

/** Returns what is joined with the code of a product. Most calls come while nothing is written: then it is as it was. */
async function linksOf(
  parts: WrittenParts & { shards: ShardCache },
  tenant: Tenant,
  sources: GraphSources,
): Promise<ProductLinks> {
  const { joined } = parts.shards;
  const { db } = parts.plans;
  const key = `${tenant.accountId} ${tenant.productId} ${sources.generation}`;
  // Before anything is read: what is written meanwhile is read again the next time.
  const state = await databaseState(db);
  const cached = joined.get(key);
  if (cached?.state === state) return cached.links;
  const [written, edits] = await Promise.all([readWritten(parts, tenant), selectFeatureEdits(db, tenant)]);
  const links = await joinLinks(parts.shards, sources, { written, edits });
  joined.set(key, { state, links });
  return links;
}

/** Entity that fits a query. */
export interface EntityMatch {
  key: NodeKey;
  tier: MatchTier;
  row: ShownNode;
  degree: number;
}

function byFit(a: EntityMatch, b: EntityMatch): number {
  return (
    a.tier - b.tier ||
    NODE_KINDS.indexOf(a.row.kind) - NODE_KINDS.indexOf(b.row.kind) ||
    b.degree - a.degree ||
    compareTexts(a.row.repo ?? '', b.row.repo ?? '') ||
    compareTexts(a.row.id, b.row.id)
  );
}
