import { workerUrl } from '../../platform/threads.ts';
import type { IndexSources } from '../../indexes/indexes.ts';
import { queryModule } from '../../indexes/shards/shards.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import type * as queries from './store.ts';

/** The queries of `store.ts`, for `ShardReaders.query(ref, CODE_QUERIES, ['usages', { … }])`. */
export const CODE_QUERIES = queryModule<typeof queries>(workerUrl(import.meta, './store'), CODE_FORMAT, {
  slow: [
    'codeMap',
    'comments',
    'deadCode',
    'embeddingTexts',
    'grep',
    'hitTexts',
    'impact',
    'localise',
    'rankUnits',
    'readQuestion',
    'semanticSearch',
    'smells',
    'testsOf',
    'untestedOf',
  ],
});

/** The repositories of one call, and the way to ask their code. */
export type CodeSources = IndexSources<typeof queries>;
