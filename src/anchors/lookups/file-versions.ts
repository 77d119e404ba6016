import { GitFailure } from '../../platform/git/git.ts';
import { type GitObjects, openObjects } from '../../platform/git/git-objects.ts';
import { isTreePath } from '../../platform/git/tree-path.ts';
import { decodeAnyText } from '../../text/decode.ts';

/** Longer files are not read. */
const MOST_BYTES = 1_000_000;

/** A file of a commit, or of the one before it. */
export interface FileVersion {
  commit: string;
  isBefore: boolean;
  path: string;
}

/** Texts of files as they were, in the order asked for; undefined where there was none, or it cannot be read. */
export type FileVersions = (versions: readonly FileVersion[]) => Promise<(string | undefined)[]>;

/** Reads from a git repository: two processes a call, whatever is wanted. */
export async function fileVersions(gitDir: string, versions: readonly FileVersion[]): Promise<(string | undefined)[]> {
  if (versions.length === 0) return [];
  try {
    await using objects = await openObjects(gitDir);
    const ids = await blobIds(objects, versions);
    const texts = new Map<string, string>();
    const sizes = await objects.sizes(new Set(ids.filter((id) => id !== '')));
    const small = [...sizes].filter(([, size]) => size <= MOST_BYTES).map(([id]) => id);
    for await (const { blob, bytes } of objects.readBlobs(small))
      if (bytes !== undefined) texts.set(blob, decodeAnyText(bytes));
    return ids.map((id) => texts.get(id));
  } catch (error) {
    if (error instanceof GitFailure) return versions.map(() => undefined);
    throw error;
  }
}

/** '' where there is none. */
async function blobIds(objects: GitObjects, versions: readonly FileVersion[]): Promise<string[]> {
  // A path with a line feed would be two questions, and at one that no commit can have git answers none of them.
  const names = versions.map(({ commit, isBefore, path }) =>
    path.includes('\n') || !isTreePath(path) ? commit : `${commit}${isBefore ? '^' : ''}:${path}`,
  );
  const output = await objects.run(['cat-file', '--batch-check', '--buffer'], undefined, `${names.join('\n')}\n`);
  const lines = output.toString().split('\n');
  return versions.map((_, index) => /^([0-9a-f]+) blob \d+$/.exec(lines[index] ?? '')?.[1] ?? '');
}
