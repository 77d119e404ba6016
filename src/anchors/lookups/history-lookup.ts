import { HISTORY_QUERIES } from '../../commits/commits.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { ShardReaders, ShardRef } from '../../indexes/shards/shards.ts';
import type { AnchorCommit } from '../store/store.ts';
import { type FileVersions, fileVersions } from './file-versions.ts';

/** The questions of a comparison to the history of a repository. */
export interface HistoryLookup {
  /** The names that each path had after the commit, in order. */
  laterPaths(since: string, paths: readonly string[]): Promise<Map<string, string[]>>;
  /** Commits after `since` (of all time without it) that touched one of the paths, newest first. */
  commitsTouching(since: string | undefined, paths: readonly string[], limit: number): Promise<AnchorCommit[]>;
  /** The id of the commit that begins so, in lower case. */
  findCommit(prefix: string): Promise<string | undefined>;
  /** Absent where the repository itself is not at hand. */
  fileVersions?: FileVersions;
}

/** The history of a repository, read from its shard. */
export function historyLookup(
  readers: ShardReaders,
  { history, gitDir, background }: { history: ShardRef; gitDir: IndexedRepository['gitDir']; background: boolean },
): HistoryLookup {
  const options = { background };
  return {
    laterPaths: async (since, paths) => {
      const renames = await readers.query(history, HISTORY_QUERIES, ['laterPaths', { since, paths }], options);
      return new Map(renames.map(({ path, later }) => [path, later]));
    },
    commitsTouching: async (since, paths, limit) => {
      const commits = await readers.query(
        history,
        HISTORY_QUERIES,
        ['commitsTouching', { since, paths, limit }],
        options,
      );
      return commits.map(({ sha, subject, committedAt }) => ({
        sha,
        subject,
        date: new Date(committedAt * 1_000).toISOString(),
      }));
    },
    ...(gitDir !== undefined && {
      fileVersions: async (versions) => {
        const folder = await gitDir();
        return folder === undefined ? versions.map(() => undefined) : fileVersions(folder, versions);
      },
    }),
    findCommit: (prefix) => readers.query(history, HISTORY_QUERIES, ['findCommit', { prefix }], options),
  };
}
