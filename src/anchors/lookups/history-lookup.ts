import { GitFailure } from '../../platform/git/git.ts';
import { type GitObjects, openObjects } from '../../platform/git/git-objects.ts';
import { isTreePath } from '../../platform/git/tree-path.ts';
import { decodeAnyText } from '../../text/decode.ts';
import { HISTORY_QUERIES } from '../../commits/commits.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { ShardReaders, ShardRef } from '../../indexes/shards/shards.ts';
import type { AnchorCommit } from '../store/store.ts';

/** Longer files are not read. */
const MOST_BYTES = 1_000_000;

/** A file of a commit, or of the one before it. */
export interface FileVersion {
  commit: string;
  isBefore: boolean;
  path: string;
}

/** Texts of files as they were, in the order asked for; undefined where there was none, or it cannot be read. */
export type FileVersions = (versions: readonly FileVersion[]) => Promise<(string | undefined)[]>;

/** Reads from a git repository: two processes a call, whatever is wanted. */
export async function fileVersions(gitDir: string, versions: readonly FileVersion[]): Promise<(string | undefined)[]> {
  if (versions.length === 0) return [];
  try {
    await using objects = await openObjects(gitDir);
    const ids = await blobIds(objects, versions);
    const texts = new Map<string, string>();
    const sizes = await objects.sizes(new Set(ids.filter((id) => id !== '')));
    const small = [...sizes].filter(([, size]) => size <= MOST_BYTES).map(([id]) => id);
    for await (const { blob, bytes } of objects.readBlobs(small))
      if (bytes !== undefined) texts.set(blob, decodeAnyText(bytes));
    return ids.map((id) => texts.get(id));
  } catch (error) {
    if (error instanceof GitFailure) return versions.map(() => undefined);
    throw error;
  }
}

/** '' where there is none. */
async function blobIds(objects: GitObjects, versions: readonly FileVersion[]): Promise<string[]> {
  // A path with a line feed would be two questions, and at one that no commit can have git answers none of them.
  const names = versions.map(({ commit, isBefore, path }) =>
    path.includes('\n') || !isTreePath(path) ? commit : `${commit}${isBefore ? '^' : ''}:${path}`,
  );
  const output = await objects.run(['cat-file', '--batch-check', '--buffer'], undefined, `${names.join('\n')}\n`);
  const lines = output.toString().split('\n');
  return versions.map((_, index) => /^([0-9a-f]+) blob \d+$/.exec(lines[index] ?? '')?.[1] ?? '');
}

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
