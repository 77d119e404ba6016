import { workerUrl } from '../platform/threads.ts';
import { queryModule } from '../shards/shards.ts';
import { CODE_FORMAT } from './shard-schema.ts';

/** The queries of `store.ts`, for `ShardReaders.query(ref, CODE_QUERIES, ['usages', { … }])`. */
export const CODE_QUERIES = queryModule<typeof import('./store.ts')>(workerUrl(import.meta, './store'), CODE_FORMAT);
