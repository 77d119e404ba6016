import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../../indexes/indexes.ts';
import { type ArgumentsOf, queryModule, type QueryName, type ResultOf } from '../../indexes/shards/shards.ts';
import { workerUrl } from '../../platform/threads.ts';
import type { StatedLayer } from '../build/build.ts';
import type * as queries from './store.ts';

export { featureName, NamedFeatures, requestedRoutes, type StatedLayer } from '../build/build.ts';
export type { NodeMatch as FoundNode } from './store-find.ts';
export type { FeatureParts } from './store-features.ts';
export type { FeatureQuestion, FeatureRow, FeatureRule, LayerMap, Mark } from './store-map.ts';
export type { LinkedNodes } from './store-linked.ts';

type Queries = typeof queries;

/** The queries of `store.ts`. */
const GRAPH_QUERIES = queryModule<Queries>(workerUrl(import.meta, './store'), CODE_FORMAT, {
  slow: ['graphPage', 'layerMap', 'rankedGraph'],
});

/** The repositories of one call, and the way to ask their graphs: each with the layers that people set for it. */
export class GraphSources extends IndexSources<Queries> {
  readonly #layers: ReadonlyMap<string, readonly StatedLayer[]>;

  /** `layers` are those that people set, by id of the repository. */
  constructor(
    indexes: Pick<Indexes, 'readers' | 'rebuild'>,
    call: ConstructorParameters<typeof IndexSources>[2],
    layers: ReadonlyMap<string, readonly StatedLayer[]>,
  ) {
    super(indexes, GRAPH_QUERIES, call);
    this.#layers = layers;
  }

  override ask<Name extends QueryName<Queries>>(
    repository: IndexedRepository,
    [name, args]: readonly [Name, ArgumentsOf<Queries[Name]>],
  ): Promise<Awaited<ResultOf<Queries[Name]>>> {
    return super.ask(repository, [name, { ...args, layers: this.#layers.get(repository.id) }]);
  }

  override get generation(): string {
    return this.repositories.map((repository) => this.keyOf(repository)).join(' ');
  }

  /** Changes with whatever the graph of a repository is made of. */
  keyOf({ id, shard }: Pick<IndexedRepository, 'id' | 'shard'>): string {
    const layers = this.#layers.get(id);
    return layers === undefined ? shard.hash : `${shard.hash} ${JSON.stringify(layers)}`;
  }
}
