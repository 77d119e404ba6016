import { workerUrl } from '../platform/threads.ts';
import { queryModule } from '../shards/shards.ts';
import { HISTORY_FORMAT } from './history-schema.ts';
import type * as queries from './store-path-history.ts';

/** What became of paths: for `ShardReaders.query(history, PATH_HISTORY, ['laterPaths', { … }])`. */
export const PATH_HISTORY = queryModule<typeof queries>(workerUrl(import.meta, './store-path-history'), HISTORY_FORMAT);
