import { type DiffHunk, readUnifiedDiff } from '../../kernel/unified-diff.ts';
import { GitFailure } from '../../platform/git/git.ts';
import type { GitObjects } from '../../platform/git/git-objects.ts';

/** `git log -L` follows lines in 0.1 to some seconds; what takes longer is not waited for. */
const FOLLOWING_MS = 15_000;
const MOST_COMMITS = 50;

/**
 * The commits that changed lines of a file, newest first, through renames: `git log -L`. At most 50; undefined where
 * contents are missing (a partial clone) or git takes longer than 15 s.
 */
export async function lineHistory(
  objects: GitObjects,
  { commit, path, start, end }: { commit: string; path: string; start: number; end: number },
): Promise<string[] | undefined> {
  const limit = AbortSignal.timeout(FOLLOWING_MS);
  const range = `-L${start},${end}:${path}`;
  const args = ['log', '--no-patch', '--no-textconv', `--max-count=${MOST_COMMITS}`, '--format=%H', range, commit];
  try {
    const output = (await objects.run(args, limit)).toString('latin1');
    return output.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  } catch (error) {
    if (error instanceof GitFailure || limit.aborted) return undefined;
    throw error;
  }
}

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
    const diff = await objects.run(['diff-tree', ...format, from, to, '--', path], limit);
    const [file] = readUnifiedDiff(diff.toString());
    const isAdded = file !== undefined && file.oldPath === undefined;
    return lines.map((line) => (isAdded ? undefined : moveLine(line, file?.hunks ?? [])));
  } catch (error) {
    if (error instanceof GitFailure || limit.aborted) return lines.map(() => undefined);
    throw error;
  }
}

/** Hunks ascend. One without old lines was added after line `start`. */
function moveLine(line: number, hunks: readonly DiffHunk[]): number | undefined {
  let moved = line;
  for (const hunk of hunks) {
    const { start } = hunk.old;
    const [count, newCount] = [hunk.old.texts.length, hunk.new.texts.length];
    const last = count === 0 ? start : start + count - 1;
    if (count > 0 && start <= line && line <= last)
      return newCount === 0 ? undefined : hunk.new.start + Math.min(line - start, newCount - 1);
    if (last < line) moved += newCount - count;
  }
  return moved;
}

/** git follows a file in 10 ms to some seconds; what takes longer is not waited for. */
const DEADLINE_MS = 20_000;

/** Lines that one commit wrote last, 1-based and inclusive. */
export interface BlameRange {
  start: number;
  end: number;
  sha: string;
  author: string;
  email: string;
  /** Time of the commit, in seconds since 1970. */
  time: number;
}

/** File in which projects list the commits that only moved or formatted code, as `git blame --ignore-revs-file` reads it. */
const IGNORED_LIST = '.git-blame-ignore-revs';
/** Commits of that list that count: they travel as arguments. */
const MOST_IGNORED = 1_000;

/**
 * The commits that a project wants left out of blame: those that `.git-blame-ignore-revs` of a commit lists and that are
 * here. None where there is no such file, or its content is missing.
 */
export async function ignoredRevisions(objects: GitObjects, commit: string): Promise<string[]> {
  const entry = (await objects.run(['ls-tree', commit, '--', IGNORED_LIST])).toString();
  const blob = /^\d+ blob ([0-9a-f]+)\t/.exec(entry)?.[1];
  if (blob === undefined) return [];
  for await (const { bytes } of objects.readBlobs([blob])) {
    const listed = (bytes?.toString() ?? '').split('\n').map((line) => line.replace(/#.*/, '').trim().toLowerCase());
    const named = listed.filter((line) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(line)).slice(0, MOST_IGNORED);
    // git refuses to work when it is told to ignore what is not there.
    const there = await objects.sizes(named);
    return named.filter((sha) => there.has(sha));
  }
  return [];
}

/**
 * Returns who wrote the lines of a file last, in order. Changes of white space and ignored commits do not count, and authors
 * have their names of `.mailmap`. Lines that only an ignored commit made are its own. Undefined where git cannot tell: contents
 * are missing (a partial clone), there is no such file, or it takes longer than 20 s. None when the file is empty.
 */
export async function blame(
  objects: GitObjects,
  { commit, path, ignored }: { commit: string; path: string; ignored: readonly string[] },
): Promise<BlameRange[] | undefined> {
  const limit = AbortSignal.timeout(DEADLINE_MS);
  const args = [
    '-c',
    `mailmap.blob=${commit}:.mailmap`,
    'blame',
    '--porcelain',
    '-w',
    '--no-textconv',
    ...ignored.flatMap((sha) => ['--ignore-rev', sha]),
    commit,
    '--',
    path,
  ];
  try {
    return readBlame((await objects.run(args, limit)).toString());
  } catch (error) {
    // Of a content that is not here git also says that there is no such path.
    if (error instanceof GitFailure || limit.aborted) return undefined;
    throw error;
  }
}

/** Reads `git blame --porcelain`, which says everything of a commit with its first line only. Neighbours of one commit join. */
function readBlame(output: string): BlameRange[] {
  const commits = new Map<string, Omit<BlameRange, 'start' | 'end'>>();
  const lines: { sha: string; line: number }[] = [];
  let current: Omit<BlameRange, 'start' | 'end'> | undefined;
  for (const line of output.split('\n')) {
    if (line.startsWith('\t')) continue;
    const [, sha, final] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (sha !== undefined) {
      current = commits.get(sha) ?? { sha, author: '', email: '', time: 0 };
      commits.set(sha, current);
      lines.push({ sha, line: Number(final) });
    } else if (current !== undefined && line.startsWith('author ')) current.author = line.slice(7);
    else if (current !== undefined && line.startsWith('author-mail '))
      current.email = line.slice(12).replace(/^<|>$/g, '');
    else if (current !== undefined && line.startsWith('author-time ')) current.time = Number(line.slice(12));
  }
  const ranges: BlameRange[] = [];
  for (const { sha, line } of lines) {
    const last = ranges.at(-1);
    const of = commits.get(sha);
    if (last?.sha === sha && last.end === line - 1) last.end = line;
    else if (of !== undefined) ranges.push({ ...of, start: line, end: line });
  }
  return ranges;
}
