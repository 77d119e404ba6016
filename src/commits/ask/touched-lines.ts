import { readUnifiedDiff } from '../../kernel/unified-diff.ts';
import { GitFailure } from '../../platform/git/git.ts';
import { openObjects } from '../../platform/git/git-objects.ts';

/** Comparing two commits takes 5 to 200 ms; what takes longer is not linked. */
const DEADLINE_MS = 5_000;
/** A patch without context. */
const PATCH = ['--no-color', '--no-ext-diff', '--no-textconv', '--unified=0', '-M', '-p', '-r'];

/** Lines of a file, as pairs of first and last, 1-based. */
interface TouchedFile {
  path: string;
  lines: [number, number][];
}

/** A file of a commit, and its name in `at` where that is another. */
interface CommitFilePath {
  path: string;
  later: string | undefined;
}

/** One hunk of a patch without context: where it begins before and after, and how many lines there are. */
interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

/**
 * The lines of the files of `at` that a commit wrote or cut into, by the paths they have there. Lines that were changed
 * again since are left out; a removal touches the lines beside it. Undefined where git lacks the contents, `late` where it
 * needs more than 5 s.
 */
export async function touchedLines(
  {
    gitDir,
    commit,
    parent,
    at,
    signal,
  }: { gitDir: string; commit: string; parent: string | undefined; at: string; signal: AbortSignal },
  files: readonly CommitFilePath[],
): Promise<TouchedFile[] | 'late' | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  await using objects = await openObjects(gitDir);
  const patch = async (range: readonly string[], only: readonly string[]): Promise<Map<string, FilePatch>> => {
    const args = ['-c', 'core.quotePath=false', 'diff-tree', ...PATCH, '--no-commit-id', ...range, '--', ...only];
    return readPatch((await objects.run(args, limit)).toString());
  };
  try {
    const paths = files.map(({ path }) => path);
    const own = await patch(parent === undefined ? ['--root', commit] : [parent, commit], paths);
    const later = files.flatMap(({ later: name }) => (name === undefined ? [] : [name]));
    const since = commit === at ? new Map<string, FilePatch>() : await patch([commit, at], [...paths, ...later]);
    return Array.from(own.values(), ({ newPath: path, hunks }) => {
      const after = since.get(path);
      const lines = hunks.flatMap((hunk) => carryRange(writtenBy(hunk), after?.hunks ?? []));
      return { path: after?.newPath ?? path, lines };
    }).filter(({ lines }) => lines.length > 0);
  } catch (error) {
    if (limit.aborted && !signal.aborted) return 'late';
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** The lines of `to` that differ from `from`, by the paths they have there, and the paths that `to` has not. */
export async function changedLines(
  { gitDir, from, to }: { gitDir: string; from: string; to: string },
  signal: AbortSignal,
): Promise<{ files: TouchedFile[]; removed: string[] }> {
  await using objects = await openObjects(gitDir);
  const args = ['-c', 'core.quotePath=false', 'diff-tree', ...PATCH, from, to];
  const patch = readPatch((await objects.run(args, signal)).toString());
  const files = Array.from(patch.values()).filter(({ isRemoved }) => !isRemoved);
  return {
    files: files.map(({ newPath: path, hunks }) => ({ path, lines: hunks.map(writtenBy) })),
    removed: [...patch.values()].filter(({ isRemoved }) => isRemoved).map(({ newPath }) => newPath),
  };
}

interface FilePatch {
  newPath: string;
  isRemoved: boolean;
  hunks: Hunk[];
}

/** A patch without context by old path where there is one, else by new path. */
function readPatch(text: string): Map<string, FilePatch> {
  return new Map(
    readUnifiedDiff(text).map(({ oldPath, newPath, hunks }) => [
      oldPath ?? newPath ?? '',
      {
        newPath: newPath ?? oldPath ?? '',
        isRemoved: newPath === undefined,
        hunks: hunks.map(({ old, new: written }) => ({
          oldStart: old.start,
          oldCount: old.texts.length,
          newStart: written.start,
          newCount: written.texts.length,
        })),
      },
    ]),
  );
}

/** The lines after a hunk: those it wrote, or the two around a cut. */
function writtenBy({ newStart, newCount }: Hunk): [number, number] {
  return newCount > 0 ? [newStart, newStart + newCount - 1] : [Math.max(1, newStart), newStart + 1];
}

/** Maps a range of lines through further hunks; returns the parts that these did not rewrite. */
function carryRange([from, to]: [number, number], hunks: readonly Hunk[]): [number, number][] {
  const carriedRanges: [number, number][] = [];
  let shift = 0;
  let start = from;
  for (const { oldStart, oldCount, newCount } of hunks) {
    // An insertion stands behind its line and takes none away.
    const first = oldCount === 0 ? oldStart + 1 : oldStart;
    const end = first + oldCount;
    if (first > to) break;
    if (start < first) carriedRanges.push([start + shift, first - 1 + shift]);
    start = Math.max(start, end);
    shift += newCount - oldCount;
  }
  if (start <= to) carriedRanges.push([start + shift, to + shift]);
  return carriedRanges;
}
