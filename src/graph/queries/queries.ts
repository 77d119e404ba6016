import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { type IndexSources } from '../../indexes/indexes.ts';
import { queryModule } from '../../indexes/shards/shards.ts';
import { workerUrl } from '../../platform/threads.ts';
import type * as queries from './store.ts';

export { featureName, NamedFeatures, routesFor } from '../build/build.ts';
export type { FoundNode } from './store-find.ts';
export type { FeatureRow, FeatureRule, LayerMap, Mark } from './store-map.ts';
export type { LinkedNodes } from './store-linked.ts';

/** The queries of `store.ts`. */
export const GRAPH_QUERIES = queryModule<typeof queries>(workerUrl(import.meta, './store'), CODE_FORMAT, {
  slow: ['graphPage', 'layerMap', 'rankedGraph'],
  whole: ['readAdjacency'],
});

/** The repositories of one call, and the way to ask their graphs. */
export type GraphSources = IndexSources<typeof queries>;
