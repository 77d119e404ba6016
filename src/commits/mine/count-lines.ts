import type { GitObjects } from '../../platform/git/git-objects.ts';
import { readLines } from './diff.ts';
import { LARGEST_COMPARED } from './git-log.ts';

const MARK = '\u0001';

/** A file and the commits that changed it. */
export interface RevisedFile {
  path: string;
  /** Each with the name that the file had then, and before it if the commit renamed it. */
  revisions: { sha: string; name: string; oldName: string | undefined }[];
}

/**
 * Counts the lines that were added to files and deleted from them in all of their revisions, in the order of the files; none of
 * binary contents and those beyond 512 KiB. Costs about 1 ms for a revision of a file of 100 KB.
 *
 * @throws GitFailure when contents are missing.
 */
export async function countLines(
  objects: GitObjects,
  files: readonly RevisedFile[],
  signal: AbortSignal,
): Promise<number[]> {
  const revisions = files.flatMap((file) => file.revisions);
  const names = new Set(revisions.flatMap(({ name, oldName }) => (oldName === undefined ? [name] : [name, oldName])));
  const lines = await readCommits(objects, new Set(revisions.map(({ sha }) => sha)), { names: [...names], signal });
  // A history that was merged as a folder does not have the name of the folder.
  const inFolder = revisions.filter(({ sha, name }) => lines.get(sha)?.get(name) === undefined);
  const whole = await readCommits(objects, new Set(inFolder.map(({ sha }) => sha)), { names: [], signal });
  const linesOf = ({ sha, name }: RevisedFile['revisions'][number]): number => {
    const exact = lines.get(sha)?.get(name);
    if (exact !== undefined) return exact;
    const [, below = 0] = [...(whole.get(sha) ?? [])].find(([path]) => name.endsWith(`/${path}`)) ?? [];
    return below;
  };
  return files.map((file) => file.revisions.reduce((sum, revision) => sum + linesOf(revision), 0));
}

/** The lines that commits changed, by commit and path; of all files where no names are given. */
async function readCommits(
  objects: GitObjects,
  shas: ReadonlySet<string>,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<Map<string, Map<string, number>>> {
  const commits = new Map<string, Map<string, number>>();
  if (shas.size === 0) return commits;
  const how = ['--no-walk=unsorted', '--stdin', '-z', '--numstat', '--find-renames', '-l1000', '--no-textconv'];
  const args = ['-c', `core.bigFileThreshold=${LARGEST_COMPARED}`, 'log', ...how, '--ignore-submodules=all'];
  const output = await objects.run(
    [...args, '--format=%x01%H%x00', '--', ...names],
    signal,
    `${[...shas].join('\n')}\n`,
  );
  const tokens = output.toString('latin1').split('\0');
  let files = new Map<string, number>();
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token.startsWith(MARK)) commits.set(token.slice(1), (files = new Map()));
    const lines = readLines(tokens, at);
    if (lines === undefined) continue;
    files.set(lines.path, (lines.counts.added ?? 0) + (lines.counts.deleted ?? 0));
    at += lines.further;
  }
  return commits;
}
