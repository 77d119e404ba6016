import { LRUCache } from 'lru-cache';
import { estimateBytes } from '../kernel/estimate-bytes.ts';
import { divideMemory, mainCacheBytes, type MemoryShares, USUAL_MEMORY_BYTES } from '../platform/memory.ts';
import { type Adjacency, adjacencyBytes } from './model/adjacency.ts';
import type { NodeNumber } from './model/model.ts';
import type { ProductLinks, RequestLink } from './product-links.ts';
import type { LinkedNodes } from './queries/queries.ts';

/** Shares of the caches of graphs in the memory for caches of the main thread, in percent. */
const PERCENT = { links: 25, requests: 10, joined: 35, ends: 20 } as const;

/** Of an entry, besides its key: a number and what the cache adds. */
const END_BYTES = 128;

/** Bytes that graphs may take in the main thread. */
export interface GraphMemory {
  /** Edges of code, which threads share. */
  edgesBytes: number;
  /** Caches of shards and products. */
  cacheBytes: number;
}

/**
 * Caches of what was read of shards, by `GraphSources.keyOf`, so that nothing is looked up twice. Shards do not change; each
 * cache is bounded by bytes and drops what was not used for longest.
 */
export interface ShardCache {
  /** Nodes to which links from outside may lead. */
  links: LRUCache<string, LinkedNodes>;
  /** Numbers of nodes by shard and id (`endKey`); -1 for those that a shard does not have. */
  ends: LRUCache<string, NodeNumber>;
  /** Requests from one shard to the routes of another. */
  requests: LRUCache<string, readonly RequestLink[]>;
  adjacency: LRUCache<string, Adjacency>;
  /** Links of a product and some of its repositories, and the state of the database before they were read. */
  joined: LRUCache<string, { state: string; links: ProductLinks }>;
}

/** Returns the share of graphs in the memory of the service. */
export function graphMemory(memory: MemoryShares): GraphMemory {
  return { edgesBytes: memory.graphEdges, cacheBytes: mainCacheBytes(memory) };
}

const USUAL = graphMemory(divideMemory(USUAL_MEMORY_BYTES, { isEmbedded: true }));

export function createShardCache({ edgesBytes, cacheBytes }: GraphMemory = USUAL): ShardCache {
  const share = (percent: number): number => Math.max(1, Math.floor((cacheBytes * percent) / 100));
  return {
    links: new LRUCache<string, LinkedNodes>({ maxSize: share(PERCENT.links), sizeCalculation: estimateBytes }),
    ends: new LRUCache({ maxSize: share(PERCENT.ends), sizeCalculation: (_, key) => END_BYTES + key.length }),
    requests: new LRUCache<string, readonly RequestLink[]>({
      maxSize: share(PERCENT.requests),
      sizeCalculation: estimateBytes,
    }),
    joined: new LRUCache({ maxSize: share(PERCENT.joined), sizeCalculation: ({ links }) => linksBytes(links) }),
    adjacency: new LRUCache({ maxSize: Math.max(1, edgesBytes), sizeCalculation: adjacencyBytes }),
  };
}

/** The key of a node in `ShardCache.ends`. */
export function endKey(shard: string, id: string): string {
  return `${shard}\n${id}`;
}

/** Estimates the bytes of links. Features are read from the others and share a part with them. */
function linksBytes({ nodes, edges, given }: ProductLinks): number {
  return 2 * estimateBytes([nodes, edges, given]);
}
