import { workerUrl } from '../../platform/threads.ts';
import type { IndexSources } from '../../indexes/indexes.ts';
import { queryModule } from '../../indexes/shards/shards.ts';
import { HISTORY_FORMAT } from '../mine/history-schema.ts';
import type * as queries from './store.ts';

/** The queries of `store.ts`, for `ShardReaders.query(history, HISTORY_QUERIES, ['searchCommits', { … }])`. */
export const HISTORY_QUERIES = queryModule<typeof queries>(workerUrl(import.meta, './store'), HISTORY_FORMAT, {
  slow: [
    'changelogEntries',
    'fileActivity',
    'filePairs',
    'fileTimelines',
    'findCommits',
    'groupCommits',
    'readReportHistory',
    'searchCommits',
  ],
});

/** The repositories of one call, and the way to ask their histories. */
export type HistorySources = IndexSources<typeof queries>;
