/** What reader threads can be asked about the graph of a code shard. */
export { describeNodes } from './graph-view.ts';
export { readAdjacency } from './store-adjacency.ts';
export { edgeSources } from './store-edges.ts';
export { findNodes, nodesOfIds } from './store-find.ts';
export { linkedNodes, unownedNodes } from './store-linked.ts';
export { layerMap } from './store-map.ts';
export { graphPage, rankedGraph } from './store-whole.ts';
