import { GitFailure } from '../../platform/git/git.ts';
import type { GitObjects } from '../../platform/git/git-objects.ts';

/** `git log -L` follows lines in 0.1 to some seconds; what takes longer is not waited for. */
const DEADLINE_MS = 15_000;
const MOST_COMMITS = 50;

/**
 * The commits that changed lines of a file, newest first, through renames: `git log -L`. At most 50; undefined where
 * contents are missing (a partial clone) or git takes longer than 15 s.
 */
export async function lineHistory(
  objects: GitObjects,
  { commit, path, start, end }: { commit: string; path: string; start: number; end: number },
): Promise<string[] | undefined> {
  const limit = AbortSignal.timeout(DEADLINE_MS);
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
