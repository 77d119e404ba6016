import { HISTORY_QUERIES } from '../../commits/commits.ts';
import type { ShardReaders, ShardRef } from '../../indexes/shards/shards.ts';
import type { HistoryLookup } from '../compare-anchors.ts';

/** The history of a repository, read from its shard. */
export function historyLookup(readers: ShardReaders, history: ShardRef, background: boolean): HistoryLookup {
  const options = { background };
  return {
    laterPaths: async (since, paths) => {
      const found = await readers.query(history, HISTORY_QUERIES, ['laterPaths', { since, paths }], options);
      return new Map(found.map(({ path, later }) => [path, later]));
    },
    commitsTouching: async (since, paths, limit) => {
      const found = await readers.query(
        history,
        HISTORY_QUERIES,
        ['commitsTouching', { since, paths, limit }],
        options,
      );
      return found.map(({ sha, subject, committedAt }) => ({
        sha,
        subject,
        date: new Date(committedAt * 1_000).toISOString(),
      }));
    },
    findCommit: (prefix) => readers.query(history, HISTORY_QUERIES, ['findCommit', { prefix }], options),
  };
}
