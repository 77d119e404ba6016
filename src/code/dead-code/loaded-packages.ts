import type { LoadedModules } from '../../languages/languages.ts';

/** Folders around a file that a path in it may start from. */
const MOST_AROUND = 3;

/** Files of one language by the folder that they lie in (`''`, or with `/` at the end). */
type FilesByFolder = ReadonlyMap<string, readonly { id: number; path: string }[]>;

/**
 * The files that one in a folder loads, where it names packages or lists folders: all below those, and of its own folder those
 * right in it. What it lists counts when something loads files by names that only a run tells.
 */
export function filesLoaded(
  folder: string,
  { packages, folders }: Pick<LoadedModules, 'packages' | 'folders'>,
  byFolder: FilesByFolder,
): number[] {
  const below = new Set<string>();
  for (const name of packages) {
    if (name === '.') continue;
    const path = `/${name.replaceAll('.', '/')}/`;
    for (const candidate of byFolder.keys()) {
      const at = `/${candidate}`.indexOf(path);
      if (at >= 0) below.add(candidate.slice(0, at + path.length - 1));
    }
  }
  const around = foldersAround(folder);
  for (const name of folders) {
    const base = name === '.' ? undefined : around.find((start) => hasBelow(byFolder, `${start}${name}/`));
    if (base !== undefined) below.add(`${base}${name}/`);
  }
  const isOwn = packages.includes('.') || (folders.includes('.') && below.size === 0);
  const files = isOwn ? [...(byFolder.get(folder) ?? []), ...initFiles(byFolder, folder)] : [];
  for (const [candidate, some] of byFolder)
    if ([...below].some((start) => candidate.startsWith(start))) files.push(...some);
  return files.map(({ id }) => id);
}

function hasBelow(byFolder: FilesByFolder, start: string): boolean {
  for (const folder of byFolder.keys()) if (folder.startsWith(start)) return true;
  return false;
}

/** Files that stand for the packages directly inside a folder. */
function initFiles(byFolder: FilesByFolder, folder: string): { id: number; path: string }[] {
  return [...byFolder].flatMap(([candidate, files]) =>
    candidate.startsWith(folder) && candidate.split('/').length === folder.split('/').length + 1
      ? files.filter(({ path }) => path === `${candidate}__init__.py`)
      : [],
  );
}

function foldersAround(folder: string): string[] {
  const around = [folder];
  while (around.length <= MOST_AROUND && around.at(-1) !== '') {
    const inner = around.at(-1) ?? '';
    around.push(inner.slice(0, inner.lastIndexOf('/', inner.length - 2) + 1));
  }
  return around;
}
