import type { BlameRange } from './blame.ts';

/** A commit that wrote lines last that are still there. */
export interface LineOrigin {
  sha: string;
  author: string;
  /** Time of the commit, in seconds since 1970. */
  time: number;
  /** Number of the lines that it wrote. */
  lines: number;
}

/** The commits that wrote the lines from `start` to `end` last, the one with most lines first, then the newest. */
export function originsAmong(ranges: readonly BlameRange[], start: number, end: number): LineOrigin[] {
  const origins = new Map<string, LineOrigin>();
  for (const range of ranges) {
    const lines = Math.min(end, range.end) - Math.max(start, range.start) + 1;
    if (lines <= 0) continue;
    const { sha, author, time } = range;
    const origin = origins.get(sha);
    if (origin === undefined) origins.set(sha, { sha, author, time, lines });
    else origin.lines += lines;
  }
  return [...origins.values()].toSorted((a, b) => b.lines - a.lines || b.time - a.time || (a.sha < b.sha ? -1 : 1));
}
