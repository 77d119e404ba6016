import { GitFailure } from '../../platform/git/git.ts';
import type { GitObjects } from '../../platform/git/git-objects.ts';

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
