import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';

/** What others than its user may do with a file. */
const OTHERS = 0o077;
const FOLDER_MODE = 0o700;

/** From now on what this process writes is its user's alone. Processes that it starts inherit that. */
export function writePrivately(): void {
  process.umask(OTHERS);
}

/**
 * Makes the folders of the data where they are missing, and keeps everybody but their user out of them: those that an
 * older version left open are closed. Where the file system knows no rights, or another user owns a folder, it stays as
 * it is: `openFolders` tells it.
 */
export function keepPrivate(config: Pick<Config, 'dataDir' | 'blobDir'>): void {
  for (const folder of [config.dataDir, config.blobDir]) mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  for (const folder of openFolders(config)) {
    try {
      chmodSync(folder, FOLDER_MODE);
    } catch {
      // Told by whoever asks for the folders that are open.
    }
  }
}

/**
 * Folders of the data that others than their user may enter: the data folder, that of the blobs, and those right below,
 * which are what a copy of the data takes along. On Windows none: rights are no bits there.
 */
export function openFolders({ dataDir, blobDir }: Pick<Config, 'dataDir' | 'blobDir'>): string[] {
  if (process.platform === 'win32') return [];
  const folders = new Set([dataDir, ...foldersIn(dataDir), blobDir]);
  return [...folders].filter((folder) => existsSync(folder) && (statSync(folder).mode & OTHERS) !== 0);
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));
}
