import { GitFailure } from '../../platform/git/git.ts';
import type { GitObjects } from '../../platform/git/git-objects.ts';

const DEADLINE_MS = 20_000;
/** The file was not there. */
const ADDED = /^--- \/dev\/null$/m;

/** Lines of a file that one commit replaced: `count` from `start` on became `newCount` from `newStart` on. */
interface Hunk {
  start: number;
  count: number;
  newStart: number;
  newCount: number;
}

/**
 * Maps lines of a file at an older commit to a newer one. A replaced line maps to its replacement; undefined for a removed one,
 * and for all where git cannot tell: contents are missing, or the file was not there under this path.
 */
export async function currentLines(
  objects: GitObjects,
  { from, to, path, lines }: { from: string; to: string; path: string; lines: readonly number[] },
): Promise<(number | undefined)[]> {
  const limit = AbortSignal.timeout(DEADLINE_MS);
  const format = ['-p', '--unified=0', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv'];
  try {
    const diff = (await objects.run(['diff-tree', ...format, from, to, '--', path], limit)).toString();
    if (ADDED.test(diff)) return lines.map(() => undefined);
    const hunks = readHunks(diff);
    return lines.map((line) => moveLine(line, hunks));
  } catch (error) {
    if (error instanceof GitFailure || limit.aborted) return lines.map(() => undefined);
    throw error;
  }
}

function readHunks(diff: string): Hunk[] {
  return Array.from(
    diff.matchAll(/^@@ -(?<start>\d+)(?:,(?<count>\d+))? \+(?<newStart>\d+)(?:,(?<newCount>\d+))? @@/gm),
    ({ groups = {} }) => ({
      start: Number(groups['start']),
      count: Number(groups['count'] ?? 1),
      newStart: Number(groups['newStart']),
      newCount: Number(groups['newCount'] ?? 1),
    }),
  );
}

/** Hunks ascend. One without old lines was added after line `start`. */
function moveLine(line: number, hunks: readonly Hunk[]): number | undefined {
  let moved = line;
  for (const { start, count, newStart, newCount } of hunks) {
    const last = count === 0 ? start : start + count - 1;
    if (count > 0 && start <= line && line <= last)
      return newCount === 0 ? undefined : newStart + Math.min(line - start, newCount - 1);
    if (last < line) moved += newCount - count;
  }
  return moved;
}
