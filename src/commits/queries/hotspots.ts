import { compareTexts } from '../../kernel/text-order.ts';

/** The changes of a range of commits to one file; earlier names of the file are included. */
export interface FileActivity {
  path: string;
  /** Commits that changed it; neither merges nor those of programs. */
  revisions: number;
  /** The same, each worth half as much after every 180 days. */
  decayedRevisions: number;
  /** Those that fixed something. */
  fixes: number;
  decayedFixes: number;
  /** People who changed it. */
  authors: number;
  /** Revisions in the later half of the range. */
  recent: number;
  /** Newest revision, in seconds since 1970. */
  lastAt: number;
}

/** The amount of code in a file. */
interface FileSize {
  lines: number;
  /** Cognitive complexity of its functions together. */
  complexity: number;
}

/** A file that is changed often and hard to change, with what says so. */
export interface Hotspot extends FileActivity {
  /** 0 to 100; the first one of all files has 100. */
  score: number;
  complexity: number;
  lines: number;
  /** -1 (all revisions in the earlier half of the range) to 1 (all in the later). */
  trend: number;
  /** Part of the revisions that fixed something, 0 to 1. */
  fixShare: number;
}

/**
 * Ranks files by how often they change (as a logarithm) times how much there is in them (as a square root), so that neither
 * outweighs the other: recent revisions count more, fixes twice. Highest first, then by path. Files without a size are not
 * code and are left out.
 */
export function rankHotspots(activities: readonly FileActivity[], sizes: ReadonlyMap<string, FileSize>): Hotspot[] {
  const ranked = activities.flatMap((activity): Hotspot[] => {
    const size = sizes.get(activity.path);
    if (size === undefined || activity.revisions === 0) return [];
    const { revisions, recent, fixes, decayedRevisions, decayedFixes } = activity;
    const score = Math.log1p(decayedRevisions + decayedFixes) * Math.sqrt(size.lines);
    return [
      {
        ...activity,
        score,
        lines: size.lines,
        complexity: size.complexity,
        trend: (2 * recent - revisions) / revisions,
        fixShare: fixes / revisions,
      },
    ];
  });
  const most = ranked.reduce((best, { score }) => Math.max(best, score), 0) || 1;
  return ranked
    .map((hotspot) => ({ ...hotspot, score: (100 * hotspot.score) / most }))
    .toSorted((a, b) => b.score - a.score || compareTexts(a.path, b.path));
}
