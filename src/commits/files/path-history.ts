import { workerUrl } from '../../platform/threads.ts';
import { queryModule } from '../../indexes/shards/shards.ts';
import { HISTORY_FORMAT } from '../mine/history-schema.ts';
import type * as queries from '../queries/store-path-history.ts';

/** What became of paths: for `ShardReaders.query(history, PATH_HISTORY, ['laterPaths', { … }])`. */
export const PATH_HISTORY = queryModule<typeof queries>(
  workerUrl(import.meta, '../queries/store-path-history'),
  HISTORY_FORMAT,
);
