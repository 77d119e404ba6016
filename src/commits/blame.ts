import { GitFailure } from '../platform/git.ts';
import type { GitObjects } from '../platform/git-objects.ts';

/** git follows a file in 10 ms to some seconds; what takes longer is not waited for. */
const DEADLINE_MS = 20_000;

/** Lines that one commit wrote last, 1-based and inclusive. */
export interface BlameRange {
  start: number;
  end: number;
  sha: string;
  author: string;
  email: string;
  /** When it was written, in seconds since 1970. */
  time: number;
}

/**
 * Who wrote the lines of a file last, in order; changes of white space do not count, and authors are called as in
 * `.mailmap`. Undefined where git cannot tell: contents are missing (a partial clone), there is no such file, or it takes
 * longer than 20 s. None when the file is empty.
 */
export async function blame(
  objects: GitObjects,
  { commit, path }: { commit: string; path: string },
): Promise<BlameRange[] | undefined> {
  const limit = AbortSignal.timeout(DEADLINE_MS);
  const args = [
    '-c',
    `mailmap.blob=${commit}:.mailmap`,
    'blame',
    '--porcelain',
    '-w',
    '--no-textconv',
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
