import type { Indexes } from '../indexes/indexes.ts';
import type { KnownEnds } from './product-graph.ts';
import { knownEnds } from './product-graph.ts';
import type { WrittenParts } from './written/written.ts';

export {
  type ArtifactGraph,
  artifactGraphKey,
  type ArtifactRequest,
  readArtifactGraph,
  streamArtifactGraph,
} from './artifact-graph.ts';
export type { EdgeGrade, GraphEdge, GraphNode, NodeKind, Relation } from './model/model.ts';

/** What the graphs of all products are read from. */
export interface Graph extends WrittenParts {
  indexes: Indexes;
  /** Where what is written points in each shard, remembered. */
  ends: KnownEnds;
}

/** Holds no resource: nothing to close. */
export function openGraph(parts: Omit<Graph, 'ends'>): Graph {
  return { ...parts, ends: knownEnds() };
}
