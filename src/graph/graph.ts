import type { Indexes } from '../indexes/indexes.ts';
import { type GraphMemory, graphMemory, type ShardCache, createShardCache } from './shard-cache.ts';
import type { WrittenParts } from './written/written.ts';

export { artifactGraphKey, readArtifactFeatures, readArtifactGraph, streamArtifactGraph } from './artifact-graph.ts';
export { type PackedRow, packRows } from './model/packed-rows.ts';
export type { FeatureParts } from './queries/queries.ts';
export type { ArtifactRequest } from './other-repositories.ts';
export { ENTITY_OUTPUTS } from './entity-output.ts';
export { findFeatures } from './find-features.ts';
export { graphMemory };

/** Dependencies of the graphs of all products. */
export interface Graph extends WrittenParts {
  indexes: Indexes;
  /** Caches of what links lead to in each shard. */
  shards: ShardCache;
}

/** Holds no resource: nothing to close. `memory` is that of the usual setting when absent. */
export function openGraph(parts: Omit<Graph, 'shards'>, memory?: GraphMemory): Graph {
  return { ...parts, shards: createShardCache(memory) };
}
