import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { scanActivity, timesOf } from './store-activity.ts';
import { type CommitFilter, pathTable } from './store-filter.ts';

/** Parts of equal length that a period is shown in. */
const TIMELINE_PARTS = 12;

/**
 * Returns how often files changed in each twelfth of the period of a filter, oldest first, in the order of `paths`. Counts the
 * same commits as their activity. Reads all blocks of the range.
 */
export function fileTimelines(
  db: ShardDatabase,
  { filter, paths }: { filter: CommitFilter; paths: readonly string[] },
): number[][] {
  const { from, to } = timesOf(db, filter);
  const table = pathTable(db);
  const requestedPaths = new Set(paths);
  const series = new Map(paths.map((path) => [path, Array.from({ length: TIMELINE_PARTS }, () => 0)]));
  scanActivity(db, filter, {
    mostFiles: Number.MAX_SAFE_INTEGER,
    visit: ({ time }, changed) => {
      const part = Math.floor((TIMELINE_PARTS * (time - from)) / (to - from + 1));
      for (const id of changed.keys()) {
        const path = table.paths[id] ?? '';
        const counts = requestedPaths.has(path) ? series.get(path) : undefined;
        const at = Math.min(TIMELINE_PARTS - 1, Math.max(0, part));
        if (counts !== undefined) counts[at] = (counts[at] ?? 0) + 1;
      }
    },
  });
  return paths.map((path) => series.get(path) ?? []);
}
