import type { GitObjects } from '../../platform/git/git-objects.ts';
import { breakingSigns } from '../classify/breaking.ts';
import { classifyCommit } from '../classify/classify.ts';
import type { DiffEnds } from '../mine/diff.ts';
import { readLog } from '../mine/git-log.ts';
import type { RangeCounts } from '../queries/store-compare.ts';

/** Commits that are read for their types: a second. Of more only the number is known. */
const MOST_READ = 2_000;
const MOST_NAMED = 10;

/**
 * Counts the commits of a range that the indexed history does not have, from git. `byType` is empty for more than 2,000.
 *
 * @throws GitFailure when commits or trees are missing.
 */
export async function countCommits(
  objects: GitObjects,
  { from, to }: DiffEnds,
  signal: AbortSignal,
): Promise<RangeCounts> {
  const commits = from === undefined ? 0 : await objects.countBetween(from, to, signal);
  const counts: RangeCounts = { commits, merges: 0, byType: {}, breaking: [] };
  if (commits > MOST_READ) return counts;
  for await (const batch of readLog(objects, { commit: to, after: from === undefined ? [] : [from], signal })) {
    for (const { sha, subject, body, parents, changes } of batch) {
      if (parents.length > 1) {
        counts.merges += 1;
        continue;
      }
      const files = changes.map(({ path, status, added, deleted }) => ({ path, status, added, deleted }));
      const { type } = classifyCommit({ subject, body, files });
      counts.byType[type] = (counts.byType[type] ?? 0) + 1;
      if (breakingSigns(subject, body).length > 0) counts.breaking.unshift({ sha, subject });
    }
  }
  counts.breaking.splice(MOST_NAMED);
  return counts;
}
