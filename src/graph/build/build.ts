/** The graph that a repository's code gives: written into its shard, and read from there. */
export { isDocument } from './components.ts';
export { requestedRoutes } from './link-requests.ts';
export type { LayerFault, RepositoryGraph, RepositoryRequest } from './repository-graph.ts';
export type { StatedLayer } from './stated-layers.ts';
export { readGraph, writeFindings, writeGraph } from './stored-graph.ts';
export { featureName, isFeatureCalled, NamedFeatures } from './feature-names.ts';
