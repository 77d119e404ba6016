import { describeNodes as describe, withLayers } from './graph-view.ts';
import { readAdjacency as adjacency } from './store-adjacency.ts';
import { edgeSources as sources } from './store-edges.ts';
import { findNodes as find, nodesOfIds as ofIds } from './store-find.ts';
import { linkedNodes as linked, unownedNodes as unowned } from './store-linked.ts';
import { featureParts as parts } from './store-features.ts';
import { layerMap as map } from './store-map.ts';
import { graphPage as page, rankedGraph as ranked } from './store-whole.ts';

/** Queries of reader threads about the graph of a code shard, each with the layers that people set for the repository. */
export const describeNodes = withLayers(describe);
export const readAdjacency = withLayers(adjacency);
export const edgeSources = withLayers(sources);
export const findNodes = withLayers(find);
export const nodesOfIds = withLayers(ofIds);
export const linkedNodes = withLayers(linked);
export const unownedNodes = withLayers(unowned);
export const layerMap = withLayers(map);
export const featureParts = withLayers(parts);
export const graphPage = withLayers(page);
export const rankedGraph = withLayers(ranked);
