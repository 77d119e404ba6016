import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { readBlock } from '../mine/change-blocks.ts';
import { isPublicPath } from '../classify/public-paths.ts';
import { earlierNames, pathTable } from './store-filter.ts';

/** A commit with those of its files that may have lost exported names. */
export interface ShrunkCommit {
  id: number;
  sha: string;
  /** False where contents are missing. */
  counted: boolean;
  /** As they were called before. */
  paths: { id: number; path: string }[];
}

/**
 * The commits above an id, newest first, that took lines from files whose exports others use; `offered` are such files as of
 * the newest commit, their earlier names count. Reads the blocks of the commits: 0.1 ms a commit.
 */
export function shrunkCommits(
  db: ShardDatabase,
  { offered, above }: { offered: readonly string[]; above: number },
): ShrunkCommit[] {
  const { paths, omitted } = pathTable(db);
  const isPublic = publicPaths(db, offered);
  const commitOf = db.prepare('select sha, counted from git_commit where id = ?');
  const results: ShrunkCommit[] = [];
  const blocks = db.prepare(
    'select first_commit as first, data from change_block where last_commit > ? order by first_commit',
  );
  for (const { first, data } of blocks.iterate(above) as Iterable<{ first: number; data: Uint8Array }>) {
    for (const { id, merge, changes } of readBlock(first, data)) {
      if (merge || id <= above) continue;
      const shrunk = changes.filter(
        ({ path, oldPath, status, deleted }) =>
          status !== 'A' && deleted !== 0 && omitted[path] !== 1 && isPublic(oldPath ?? path),
      );
      if (shrunk.length === 0) continue;
      const { sha, counted } = commitOf.get(id) as { sha: string; counted: number };
      const ids = [...new Set(shrunk.map(({ path, oldPath }) => oldPath ?? path))];
      results.push({
        id,
        sha,
        counted: counted === 1,
        paths: ids.map((path) => ({ id: path, path: paths[path] ?? '' })),
      });
    }
  }
  return results.toReversed();
}

function publicPaths(db: ShardDatabase, offered: readonly string[]): (path: number) => boolean {
  const { paths } = pathTable(db);
  const idOf = db.prepare('select id from path where path = ?');
  const everOffered = new Set(offered);
  for (const path of offered) {
    const row = idOf.get(path) as { id: number } | undefined;
    if (row !== undefined) for (const id of earlierNames(db, row.id).keys()) everOffered.add(paths[id] ?? '');
  }
  const publicByPath = new Map<number, boolean>();
  return (path) => {
    const isPublicFile = publicByPath.get(path) ?? isPublicPath(paths[path] ?? '', everOffered);
    publicByPath.set(path, isPublicFile);
    return isPublicFile;
  };
}
