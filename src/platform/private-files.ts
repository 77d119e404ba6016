import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { blobFolder } from './data-dir.ts';

/** Permissions of a file for others than its user. */
const OTHERS = 0o077;
const FOLDER_MODE = 0o700;
const PRIVATE_MODE = 0o600;

/** Opens what is there itself, not what it points to, and does not wait for a writer of a pipe. Windows has neither flag. */
const READ_AS_IT_IS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The text of a file that only this user can have written and can read: a regular file of theirs with mode 600, not a
 * link. Git writes no such file, so one that came with a repository is refused. `refused` says why; neither where there
 * is no file.
 */
export function readPrivateFile(path: string): { text?: string; refused?: string } {
  let file: number;
  try {
    file = openSync(path, READ_AS_IT_IS);
  } catch (error) {
    const isLink = error instanceof Error && 'code' in error && ['ELOOP', 'EMLINK'].includes(String(error.code));
    return isLink ? { refused: `${path} is a symbolic link` } : {};
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { refused: `${path} is no regular file` };
    if (!isPrivate(stats)) return { refused: `${path} belongs to, or is open to, other users (mode 600 is needed)` };
    return { text: readFileSync(file, 'utf8') };
  } finally {
    closeSync(file);
  }
}

/** Writes a file of this user's alone. One of an earlier attempt is replaced, and a link is never followed. */
export function writePrivateFile(path: string, text: string): void {
  rmSync(path, { force: true });
  // Exclusive: a file or link that appears in between is an error.
  writeFileSync(path, text, { mode: PRIVATE_MODE, flag: 'wx' });
}

/** Windows has no such bits: there the folder of the user protects. */
function isPrivate({ mode, uid }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & OTHERS) === 0);
}

/** Makes the files that this process writes from now on readable by its user alone. Processes that it starts inherit that. */
export function writePrivately(): void {
  process.umask(OTHERS);
}

/**
 * Makes the folders of the data where they are missing, and keeps other users out of them: those that an older version created
 * open are closed. Where the file system has no permissions, or another user owns a folder, it stays as it is: `openFolders`
 * reports it.
 */
export function keepPrivate(config: Pick<Config, 'dataDir' | 'blobUrl'>): void {
  for (const folder of [config.dataDir, blobFolder(config)]) mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  for (const folder of openFolders(config)) {
    try {
      chmodSync(folder, FOLDER_MODE);
    } catch {
      // `openFolders` reports the folders that stay open.
    }
  }
}

/**
 * Folders of the data that others than their user may enter: the data folder, that of the blobs, and those right below,
 * which are what a copy of the data takes along. On Windows none: rights are no bits there.
 */
export function openFolders(config: Pick<Config, 'dataDir' | 'blobUrl'>): string[] {
  if (process.platform === 'win32') return [];
  const folders = new Set([config.dataDir, ...foldersIn(config.dataDir), blobFolder(config)]);
  return [...folders].filter((folder) => existsSync(folder) && (statSync(folder).mode & OTHERS) !== 0);
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}
