import { changesOnSide, type DiffFile, type DiffHunk, readUnifiedDiff } from '../../kernel/unified-diff.ts';
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
  const patch = async (range: readonly string[], only: readonly string[]): Promise<DiffFile[]> => {
    const args = ['-c', 'core.quotePath=false', 'diff-tree', ...PATCH, '--no-commit-id', ...range, '--', ...only];
    return readUnifiedDiff((await objects.run(args, limit)).toString());
  };
  try {
    const paths = files.map(({ path }) => path);
    const own = await patch(parent === undefined ? ['--root', commit] : [parent, commit], paths);
    const later = files.flatMap(({ later: name }) => (name === undefined ? [] : [name]));
    const since = commit === at ? [] : await patch([commit, at], [...paths, ...later]);
    const sinceByPath = new Map(since.map((file) => [file.oldPath, file]));
    return changesOnSide(own, 'new').files.flatMap(({ path, lines: written }) => {
      const after = sinceByPath.get(path);
      const lines = written.flatMap((range) => carryRange(range, after?.hunks ?? []));
      return lines.length === 0 ? [] : [{ path: after?.newPath ?? path, lines }];
    });
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
  const patch = readUnifiedDiff((await objects.run(args, signal)).toString());
  const { files, missing } = changesOnSide(patch, 'new');
  return { files, removed: missing };
}

/** Maps a range of lines through further hunks; returns the parts that these did not rewrite. */
function carryRange([from, to]: [number, number], hunks: readonly DiffHunk[]): [number, number][] {
  const carriedRanges: [number, number][] = [];
  let shift = 0;
  let start = from;
  for (const { old, new: written } of hunks) {
    // An insertion stands behind its line and takes none away.
    const first = old.texts.length === 0 ? old.start + 1 : old.start;
    const end = first + old.texts.length;
    if (first > to) break;
    if (start < first) carriedRanges.push([start + shift, first - 1 + shift]);
    start = Math.max(start, end);
    shift += written.texts.length - old.texts.length;
  }
  if (start <= to) carriedRanges.push([start + shift, to + shift]);
  return carriedRanges;
}
