import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { pathTable, scanCommits } from './store-filter.ts';

/** A commit of more files says nothing about any of them. */
const MOST_FILES = 100;

/**
 * The files that the newest commits changed and that are still there, the one that changed last first. Merges, commits of
 * programs and those of more than 100 files do not count, nor do lock files and generated ones. Reads the whole history.
 */
export function recentPaths(db: ShardDatabase, { commits, limit }: { commits: number; limit: number }): string[] {
  const { paths, alive, omitted } = pathTable(db);
  const pathIds = new Set<number>();
  let remaining = commits;
  scanCommits(db, { range: {} }, (commit) => {
    if (remaining <= 0 || commit.merge || commit.bot || commit.changes.length > MOST_FILES) return;
    remaining -= 1;
    for (const { path } of commit.changes) if (alive[path] === 1 && omitted[path] !== 1) pathIds.add(path);
  });
  return [...pathIds].slice(0, limit).map((path) => paths[path] ?? '');
}
