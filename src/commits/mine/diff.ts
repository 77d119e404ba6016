import { lacksObject } from '../../platform/git/git-failure.ts';
import type { GitObjects } from '../../platform/git/git-objects.ts';
import { LARGEST_COMPARED, type LoggedChange, pathOf, readChange } from './git-log.ts';

/** Two commits, by object id. Without `from` everything in `to` is new. */
export interface DiffEnds {
  from: string | undefined;
  to: string;
}

/** Lines added and deleted, `-` for binary files; the path may hold tabs and line feeds itself. */
const COUNTS = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s;

/** A changed file with its lines: undefined for binary files, those beyond 512 KiB, and where contents are missing. */
export interface FileChange extends LoggedChange {
  added?: number;
  deleted?: number;
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
  `core.bigFileThreshold=${LARGEST_COMPARED}`,
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

/** Parses `git diff-tree -z --raw [--numstat]`: the changes, then the lines of each. */
function parseChanges(output: Buffer): FileChange[] {
  const tokens = output.toString('latin1').split('\0');
  const changes: FileChange[] = [];
  let counted = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const further = readChange(tokens, at, changes);
    const lines = further === 0 ? readLines(tokens, at) : undefined;
    at += lines?.further ?? further;
    if (lines === undefined) continue;
    // Both lists have the same order; git may leave out of this one what it does not count.
    while (counted < changes.length && changes[counted]?.path !== lines.path) counted += 1;
    const change = changes[counted];
    if (change !== undefined) Object.assign(change, lines.counts);
  }
  return changes;
}

/** The lines of one file, and how many further tokens of the output belong to them. */
interface FileLines {
  path: string;
  /** Empty for a binary file. */
  counts: Pick<FileChange, 'added' | 'deleted'>;
  further: number;
}

/** Reads what `--numstat -z` writes of one file: `added TAB deleted TAB path`; of a rename the path is empty, and two follow. */
export function readLines(tokens: readonly string[], at: number): FileLines | undefined {
  const [matched, added = '', deleted = '', inline = ''] = COUNTS.exec(tokens[at] ?? '') ?? [];
  if (matched === undefined) return undefined;
  return {
    path: pathOf(inline === '' ? tokens[at + 2] : inline),
    counts: added === '-' ? {} : { added: Number(added), deleted: Number(deleted) },
    further: inline === '' ? 2 : 0,
  };
}
