import { mkdirSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { SafeFolder } from '../platform/safe-folder.ts';

/** Files below a folder, each by its path from there, with slashes. */
interface FolderFiles {
  files: { name: string; bytes: Buffer }[];
  /** Symbolic links, which were not followed: a repository can bring links to anything that its reader has. */
  links: string[];
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Reads all files below a folder whose paths are chosen. The folder itself may be a link, since the user named it.
 *
 * @throws ServiceError `bad_argument` where it is no folder.
 */
export function readFolderFiles(path: string, isChosen: (path: string) => boolean): FolderFiles {
  if (!isFolder(path)) {
    throw new ServiceError('bad_argument', `${path} is not a folder.`, { fix: 'Name an existing folder.' });
  }
  const read: FolderFiles = { files: [], links: [] };
  using folder = SafeFolder.open(path);
  addFiles(read, folder, { prefix: '', isChosen });
  return read;
}

function addFiles(
  read: FolderFiles,
  folder: SafeFolder,
  { prefix, isChosen }: { prefix: string; isChosen: (path: string) => boolean },
): void {
  for (const name of folder.names().toSorted()) {
    const path = `${prefix}${name}`;
    const kind = folder.kindOf(name);
    if (kind === 'folder') {
      using below = folder.enter(name);
      if (below !== undefined) addFiles(read, below, { prefix: `${path}/`, isChosen });
    } else if (kind === 'link') {
      if (isChosen(path)) read.links.push(path);
    } else if (kind === 'file' && isChosen(path)) {
      const bytes = folder.read(name);
      if (bytes !== undefined) read.files.push({ name: path, bytes });
    }
  }
}

/**
 * Makes a folder to write into. Below the current folder no step goes through a link, which the checkout may have brought;
 * the path of any other folder is the user's.
 */
export function makeFolder(cwd: string, path: string): SafeFolder {
  const steps = relative(cwd, path).split(sep);
  const isBelow = steps[0] !== '..' && !isAbsolute(relative(cwd, path));
  if (!isBelow) mkdirSync(path, { recursive: true });
  let folder = SafeFolder.open(isBelow ? cwd : path);
  for (const step of isBelow ? steps.filter(Boolean) : []) {
    using parent = folder;
    folder = parent.make(step);
  }
  return folder;
}
