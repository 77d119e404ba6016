import type { ProductScope } from '../kernel/product-scope.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { selectFeatureEdits } from './edits/edits.ts';
import { compare, type GraphNode, NODE_KINDS, type NodeKind, relationCode } from './model/model.ts';
import { matchName, type MatchTier } from './model/name-match.ts';
import type { ProductFeatures } from './product-features.ts';
import { joinLinks, type KnownShards, NODES_OF_ONE, type ProductLinks } from './product-links.ts';
import { degreeWeight, type FoundNode, type GraphSources, type LayerMap, type Mark } from './queries/queries.ts';
import type { EdgeReader, FollowedEdge, Following, NodeKey } from './traverse.ts';
import { readWritten, type WrittenParts } from './written/written.ts';

/** A node as an answer shows it. */
export interface ShownNode extends GraphNode {
  /** Name of the repository; absent for what people wrote. */
  repo?: string;
}

/** The graph of a product for one call: the code of its repositories, and what people wrote. */
export class ProductGraph implements EdgeReader {
  readonly #sources: GraphSources;
  readonly #links: ProductLinks;
  readonly #byNode = new Map<NodeKey, FollowedEdge[]>();
  /** Edges of a shard that are shown with other ends than they have there. */
  readonly #changed = new WeakMap<FollowedEdge, FollowedEdge>();

  /** Numbers of nodes: those of the first repository, of the second, and so on, then what is written. */
  private constructor(sources: GraphSources, links: ProductLinks) {
    this.#sources = sources;
    this.#links = links;
    for (const edge of links.edges.keys())
      for (const node of [edge.from, edge.to]) {
        const list = this.#byNode.get(node);
        if (list === undefined) this.#byNode.set(node, [edge]);
        else list.push(edge);
      }
    for (const edge of links.edges.keys()) edge.weight += degreeWeight(this.#byNode.get(edge.to)?.length ?? 0);
  }

  /** Reads what people wrote and say of features, and finds what it names in the code. */
  static async open(
    parts: WrittenParts & { shards: KnownShards },
    scope: ProductScope,
    sources: GraphSources,
  ): Promise<ProductGraph> {
    const [written, edits] = await Promise.all([readWritten(parts, scope), selectFeatureEdits(parts.plans.db, scope)]);
    return new ProductGraph(sources, await joinLinks(parts.shards, sources, { written, edits }));
  }

  get features(): ProductFeatures {
    return this.#links.features;
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
    const edges = [...this.#links.edges].flatMap(([edge, source]) => {
      const [from, to] = [inside(edge.from), inside(edge.to)];
      return from === undefined || to === undefined ? [] : [{ from, to, edge, source }];
    });
    return { nodes: this.#links.nodes, edges };
  }

  /** Features by layers of each repository, as people left them. */
  async maps(): Promise<{ repository: IndexedRepository; map: LayerMap }[]> {
    const { features, given } = this.#links;
    return this.#sources.fromEach([...this.repositories.entries()], async ([index, repository]) => {
      const base = index * NODES_OF_ONE;
      const isOwn = (node: NodeKey): boolean => Math.floor(node / NODES_OF_ONE) === index;
      const own = given.filter(({ node }) => isOwn(node));
      const question = {
        rules: features.rules(index),
        given: own.map(({ key, node }) => ({ key, name: features.nameOf(key), node: node - base })),
        marks: this.#marks(isOwn).map((mark) => ({ ...mark, node: mark.node - base })),
      };
      return { repository, map: await this.#sources.ask(repository, ['layerMap', question]) };
    });
  }

  /** Nodes of a repository that plans, decisions and themes name. */
  #marks(isOwn: (node: NodeKey) => boolean): Mark[] {
    return [...this.#links.edges.keys()].flatMap(({ from, to }): Mark[] => {
      if (from < this.#writtenBase || !isOwn(to)) return [];
      const { id, kind } = this.#writtenNode(from);
      return kind === 'plan' || kind === 'decision' || kind === 'theme' ? [{ node: to, kind, id }] : [];
    });
  }

  async edges(nodes: readonly NodeKey[], following: Following): Promise<{ edges: FollowedEdge[]; isCut: boolean }> {
    const { direction, relations } = following;
    const wanted = relations === undefined || relations.length === 0 ? undefined : new Set(relations.map(relationCode));
    const parts = nodes.flatMap((node) => this.features.partsOf(node));
    const asked = new Set(parts);
    const own = parts
      .flatMap((node) => this.#byNode.get(node) ?? [])
      .filter(
        ({ from, to, relation }) =>
          wanted?.has(relation) !== false &&
          ((direction !== 'in' && asked.has(from)) || (direction !== 'out' && asked.has(to))),
      );
    let isCut = false;
    const code = await this.#perRepository(parts, async (repository, numbers, base) => {
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
    const edges = [...new Set([...own, ...code.flat()])].flatMap((edge) => this.#shown(edge));
    return { edges, isCut };
  }

  /** An edge between what its ends are shown as; none when people took one of them away. */
  #shown(edge: FollowedEdge): FollowedEdge[] {
    const [from, to] = [this.features.shown(edge.from), this.features.shown(edge.to)];
    if (from === edge.from && to === edge.to) return [edge];
    if (from === undefined || to === undefined || from === to) return [];
    const shown = { ...edge, from, to };
    this.#changed.set(shown, edge);
    return [shown];
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
        if (row !== undefined)
          known.set(base + number, this.#named(base + number, { ...row, repo: repository.provenance.repo }));
      }
    });
    return nodes.flatMap((node) => known.get(node) ?? []);
  }

  /** A row with the id and name that people gave to its feature. */
  #named(node: NodeKey, row: ShownNode): ShownNode {
    const key = this.features.keyOf(node);
    return key === undefined ? row : { ...row, id: `feature:${key}`, name: this.features.nameOf(key) };
  }

  /** Where each edge stands, in the order given. */
  async sourcesOf(edges: readonly FollowedEdge[]): Promise<string[]> {
    const own = edges.map((edge) => this.#changed.get(edge) ?? edge);
    const told = new Map<FollowedEdge, string>(this.#links.edges);
    for (const [index, repository] of this.repositories.entries()) {
      const base = index * NODES_OF_ONE;
      const coded = own.filter((edge) => !told.has(edge) && Math.floor(edge.from / NODES_OF_ONE) === index);
      if (coded.length === 0) continue;
      const shown = coded.map(({ from, to, relation }) => ({ from: from - base, to: to - base, relation }));
      const found = await this.#sources.ask(repository, ['edgeSources', { edges: shown }]);
      for (const [at, edge] of coded.entries()) told.set(edge, found[at] ?? '');
    }
    return own.map((edge) => told.get(edge) ?? '');
  }

  /** What a name, path or id fits, best first, and how much there is in all. */
  async find(
    query: string,
    { kinds, limit }: { kinds?: readonly NodeKind[] | undefined; limit: number },
  ): Promise<{ total: number; found: FoundEntity[] }> {
    const wanted = kinds === undefined || kinds.length === 0 ? undefined : new Set(kinds);
    const own = this.#links.nodes.flatMap((row, index): FoundEntity[] => {
      const tier = query === '' || row.id === query ? 0 : matchName(row.name, query);
      const key = this.#writtenBase + index;
      if (tier === undefined || wanted?.has(row.kind) === false || (query === '' && wanted === undefined)) return [];
      return [{ key, tier, row, degree: this.#byNode.get(key)?.length ?? 0 }];
    });
    const code = await this.#sources.fromEach([...this.repositories.entries()], async ([index, repository]) => {
      const { total, rows } = await this.#sources.ask(repository, ['findNodes', { query, kinds, limit }]);
      const { repo } = repository.provenance;
      return { total, rows: rows.flatMap((one) => this.#foundIn(index * NODES_OF_ONE, repo, one)) };
    });
    const renamed = wanted?.has('feature') === false ? [] : await this.#featuresNamed(query);
    const distinct = new Map<NodeKey, FoundEntity>();
    for (const one of [...renamed, ...own, ...code.flatMap(({ rows }) => rows)])
      if ((distinct.get(one.key)?.tier ?? Infinity) > one.tier) distinct.set(one.key, one);
    const found = [...distinct.values()].toSorted(byFit);
    const total = own.length + code.reduce((sum, one) => sum + one.total, 0);
    return { total: Math.max(total, found.length), found };
  }

  /** Features by the ids and names that people gave them. */
  async #featuresNamed(query: string): Promise<FoundEntity[]> {
    const found = this.features.called(query);
    const rows = await this.describe(found.map(({ node }) => node));
    return found.flatMap(({ node, tier }, at): FoundEntity[] => {
      const row = rows[at];
      return row === undefined ? [] : [{ key: node, tier, row, degree: this.#byNode.get(node)?.length ?? 0 }];
    });
  }

  #foundIn(base: number, repo: string, { node, tier, row, degree }: FoundNode): FoundEntity[] {
    const key = this.features.shown(base + node);
    if (key === undefined) return [];
    return [
      { key, tier, row: this.#named(key, { ...row, repo }), degree: degree + (this.#byNode.get(key)?.length ?? 0) },
    ];
  }

  get #writtenBase(): number {
    return this.repositories.length * NODES_OF_ONE;
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
