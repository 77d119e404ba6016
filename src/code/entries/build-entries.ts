/** A file that a build configuration names in quotes, and what stands before the colon when it is the value of a key. */
export interface BuildEntry {
  path: string;
  key?: string;
}

/** Paths in quotes, as configuration names entry files: with a folder or the ending of a script. */
export function namedEntries(text: string): BuildEntry[] {
  return [
    ...text.matchAll(
      /(?:(?<![\w@./-])["'`]?([\w@./-]+)["'`]?\s*:\s*)?["'`]((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*)["'`]/g,
    ),
  ]
    .map(([, key, path = '']) => ({ path, ...(key !== undefined && { key }) }))
    .filter(({ path }) => path.includes('/') || /\.[cm]?[jt]sx?$/.test(path));
}

/**
 * True if a package offers what is built from an entry. `offered` are the files that its manifest names, without folder of
 * output and ending (`index`, `adapters/express`). Builders name their output by the key of the entry, by its path below the
 * sources, or by its base name.
 */
export function isOfferedEntry({ path, key }: BuildEntry, offered: ReadonlySet<string>): boolean {
  const below = path
    .replace(/^\.\//, '')
    .replace(/^src\//, '')
    .replace(/\.[cm]?[jt]sx?$/, '');
  const base = below.split('/').at(-1) ?? below;
  return [key, below, ...(base === 'index' ? [] : [base])].some((name) => name !== undefined && offered.has(name));
}
