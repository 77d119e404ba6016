import { lacksObject } from '../../platform/git/git-failure.ts';
import type { GitObjects } from '../../platform/git/git-objects.ts';
import { type FileChange, LARGEST_COUNTED, parseChanges } from './git-log.ts';

/** Two commits, by object id. Without `from` everything in `to` is new. */
export interface DiffEnds {
  from: string | undefined;
  to: string;
}

/** The differences between two commits. */
interface Diff {
  /** In git's order: bytes of the path. */
  changes: FileChange[];
  /** False when contents are missing, so that lines and renames with edits are not known. */
  counted: boolean;
}

/** Arguments of `git diff-tree` that name its ends. */
export function diffArguments({ from, to }: DiffEnds): string[] {
  return [...(from === undefined ? ['--root', '--no-commit-id'] : [from]), to];
}

/** Options of every diff: no configuration and no attribute applies; files above the size limit are binary to git. */
export const DIFF_TREE = [
  '-c',
  `core.bigFileThreshold=${LARGEST_COUNTED}`,
  '-c',
  'core.quotePath=false',
  'diff-tree',
  '-r',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=all',
];

/**
 * The files in which two commits differ, with lines and renames. Costs by what differs: 2 ms, and 0.1 ms a file.
 *
 * @throws GitFailure when one of the commits or its trees is not there.
 */
export async function readDiff(objects: GitObjects, ends: DiffEnds, signal: AbortSignal): Promise<Diff> {
  const run = async (how: readonly string[]): Promise<FileChange[]> => {
    const args = [...DIFF_TREE, '-z', '--no-abbrev', '--raw', ...how, ...diffArguments(ends)];
    return parseChanges(await objects.run(args, signal));
  };
  try {
    return { changes: await run(['--numstat', '--find-renames', '-l1000']), counted: true };
  } catch (error) {
    if (!lacksObject(error)) throw error;
    // Renames of unchanged content only: anything else needs the contents.
    return { changes: await run(['--find-renames=100%']), counted: false };
  }
}
