/** A folder and how many pairs of files lead from it to others, as `code-tool map` returns it. */
export interface FolderUses {
  path: string;
  files: number;
  uses: readonly { path: string; files: number }[];
}

/**
 * Folders from those that use others down to those that use none: each is above everything that it uses. Of two
 * folders that use each other, and in longer circles, the uses of the fewest files do not count.
 */
export function folderLevels(folders: readonly FolderUses[]): FolderUses[][] {
  const below = usesWithoutCircles(folders);
  const height = new Map<string, number>();
  const heightOf = (path: string): number => {
    const cached = height.get(path);
    if (cached !== undefined) return cached;
    const level = Math.max(-1, ...(below.get(path) ?? []).map(heightOf)) + 1;
    height.set(path, level);
    return level;
  };
  const levels = Map.groupBy(folders, ({ path }) => heightOf(path));
  return [...levels]
    .toSorted(([a], [b]) => b - a)
    .map(([, level]) => level.toSorted((a, b) => b.files - a.files || (a.path < b.path ? -1 : 1)));
}

/** Takes uses by their weight, most files first, and leaves out each that would close a circle. */
function usesWithoutCircles(folders: readonly FolderUses[]): Map<string, string[]> {
  const below = new Map<string, string[]>(folders.map(({ path }) => [path, []]));
  const reaches = (from: string, to: string): boolean =>
    from === to || (below.get(from) ?? []).some((next) => reaches(next, to));
  const uses = folders.flatMap(({ path, uses: used }) => used.map((use) => ({ from: path, ...use })));
  for (const { from, path: to } of uses.toSorted((a, b) => b.files - a.files)) {
    if (below.has(to) && !reaches(to, from)) below.get(from)?.push(to);
  }
  return below;
}
