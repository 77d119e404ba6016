import { lacksObject } from '../../platform/git/git-failure.ts';
import { type GitObjects, splitBytes } from '../../platform/git/git-objects.ts';
import { DIFF_TREE, diffArguments, type DiffEnds, readDiff } from '../mine/diff.ts';
import type { FileChange } from '../mine/diff.ts';

/** A file in which more lines changed is generated or data; whoever wants it names it. */
const MOST_LINES_OF_FILE = 3_000;
/** Changed lines of one patch, over its files in their order: about 2 MB. */
const MOST_LINES = 40_000;
/** Longer lines are cut, as nobody reads them, in characters. */
const LONGEST_LINE = 300;

/** A changed file with its patch, or why there is none. */
export interface FilePatch {
  change: FileChange;
  /** From the first `@@` on, without the head that repeats the path. None for a rename without edits. */
  lines: readonly string[];
  omitted?: string;
}

/** The files of a patch that a client asks for. */
export interface PatchSelection {
  isIncluded: (change: FileChange) => boolean;
  /** True if a file is named, so that its patch is there whatever its size. */
  isNamed: (change: FileChange) => boolean;
}

/**
 * The patch between two commits, file by file in git's order. Binary files and those of more than 3,000 changed lines have
 * none, as have those behind the first 40,000 changed lines, unless they are named. `select` is given all changes. Undefined
 * where contents are missing.
 */
export async function readPatch(
  objects: GitObjects,
  ends: DiffEnds,
  { signal, select }: { signal: AbortSignal; select: (changes: readonly FileChange[]) => PatchSelection },
): Promise<FilePatch[] | undefined> {
  const { changes, counted } = await readDiff(objects, ends, signal);
  if (!counted) return undefined;
  const { isIncluded, isNamed } = select(changes);
  const files = reasons(changes.filter(isIncluded), isNamed);
  const shownChanges = files.filter(({ omitted }) => omitted === undefined).map(({ change }) => change);
  const texts = await patchTexts(objects, ends, { signal, shownChanges });
  if (texts === undefined) return undefined;
  const byChange = new Map(shownChanges.map((change, at) => [change, texts[at] ?? []]));
  return files.map((file) => ({ ...file, lines: byChange.get(file.change) ?? [] }));
}

/** Returns all files of a patch, those that are omitted with the reason. */
function reasons(changes: readonly FileChange[], isNamed: (change: FileChange) => boolean): FilePatch[] {
  let sum = 0;
  return changes.map((change): FilePatch => {
    const { added, deleted } = change;
    if (added === undefined || deleted === undefined)
      return { change, lines: [], omitted: 'binary, or larger than 512 KiB' };
    const lines = added + deleted;
    if (!isNamed(change) && lines > MOST_LINES_OF_FILE)
      return { change, lines: [], omitted: `${lines} changed lines: ask for it with path` };
    if (!isNamed(change) && sum + lines > MOST_LINES)
      return { change, lines: [], omitted: 'the patch is long: ask for it with path' };
    sum += lines;
    return { change, lines: [] };
  });
}

/** The patches of some changes, in their order; undefined where contents are missing. */
async function patchTexts(
  objects: GitObjects,
  ends: DiffEnds,
  { signal, shownChanges }: { signal: AbortSignal; shownChanges: readonly FileChange[] },
): Promise<string[][] | undefined> {
  if (shownChanges.length === 0) return [];
  const paths = shownChanges.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path]));
  const how = ['-p', '--find-renames', '-l1000', '--unified=3'];
  // Thousands of paths are too long for a command line: then all files are read, and those that are left out are dropped.
  const only = paths.length > 2_000 ? [] : ['--', ...paths.map((path) => `:(top,literal)${path}`)];
  try {
    const output = await objects.run(
      ['--no-literal-pathspecs', ...DIFF_TREE, ...how, ...diffArguments(ends), ...only],
      signal,
    );
    return splitPatches(output, shownChanges);
  } catch (error) {
    if (lacksObject(error)) return undefined;
    throw error;
  }
}

/** Cuts a patch into its files, and finds each by its place or, where files are between that nobody asked for, by its head. */
function splitPatches(output: Buffer, shownChanges: readonly FileChange[]): string[][] {
  const byHead = new Map<string, string[]>();
  let lines: string[] | undefined;
  let isHead = false;
  for (const bytes of splitBytes(output, 0x0a)) {
    const line = bytes.toString();
    if (line.startsWith('diff --git ')) {
      // A file that became a link has two parts with one head.
      lines = byHead.get(line) ?? [];
      byHead.set(line, lines);
      isHead = true;
    } else if (isHead && !line.startsWith('@@')) continue;
    else {
      isHead = false;
      lines?.push(shortenLine(line));
    }
  }
  const inOrder = [...byHead.values()];
  // Git writes unusual paths in a way of its own.
  return shownChanges.map(({ path, oldPath = path }, at) =>
    inOrder.length === shownChanges.length
      ? (inOrder[at] ?? [])
      : (byHead.get(`diff --git a/${oldPath} b/${path}`) ?? []),
  );
}

function shortenLine(line: string): string {
  const more = line.length - LONGEST_LINE;
  return more > 0 ? `${line.slice(0, LONGEST_LINE)}… (${more} more characters)` : line;
}
