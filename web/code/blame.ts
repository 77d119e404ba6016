import type { FileBlame } from '../../src/commits/history-bodies.ts';

/** Of a line: who wrote it last. */
export interface LineAuthor {
  sha: string;
  author: string;
  date: string;
  /** 0 for the newest fifth of the time in which the file was written, to 4 for the oldest. */
  age: number;
  /** The line above is of another commit. */
  isFirst: boolean;
}

/** The author of each line, by its number. */
export function authorsByLine(ranges: NonNullable<FileBlame['ranges']>): Map<number, LineAuthor> {
  const times = ranges.map(({ date }) => Date.parse(date));
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  const lines = new Map<number, LineAuthor>();
  for (const { start, end, sha, author, date } of ranges) {
    const share = (newest - Date.parse(date)) / Math.max(1, newest - oldest);
    const age = Math.min(4, Math.floor(share * 5));
    for (let line = start; line <= end; line += 1) lines.set(line, { sha, author, date, age, isFirst: line === start });
  }
  return lines;
}
