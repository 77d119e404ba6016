import { access, constants, lstat, readdir, statfs } from 'node:fs/promises';
import { statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Free bytes below which the service says that it is not ready, before writes fail. */
const LEAST_FREE_BYTES = 256 * 1024 * 1024;

/** PostgreSQL ends itself when it cannot add two segments of 16 MB to its log. */
const FULL_BYTES = 32 * 1024 * 1024;

const MEGABYTE = 1024 * 1024;

/** A folder that must take what the service stores, and what people call it. */
interface StoredFolder {
  name: string;
  path: string;
}

/** Describes the faults of the disks of these folders, a sentence each; empty when all can be written and have room. */
export async function diskTroubles(
  folders: readonly StoredFolder[],
  leastFreeBytes: number = LEAST_FREE_BYTES,
): Promise<string[]> {
  const troubles: string[] = [];
  for (const { name, path } of folders) {
    const trouble = await troubleOf(path, leastFreeBytes);
    if (trouble !== undefined) troubles.push(`${name} ${trouble}`);
  }
  return troubles;
}

async function troubleOf(path: string, leastFreeBytes: number): Promise<string | undefined> {
  try {
    await access(path, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(path);
    const bytes = bavail * bsize;
    if (bytes >= leastFreeBytes) return undefined;
    const [free, least] = [bytes, leastFreeBytes].map((count) => Math.floor(count / MEGABYTE));
    return `has ${free} MB left on its disk, less than ${least} MB`;
  } catch {
    return 'cannot be written';
  }
}

/** True if the disk that a folder is on, or would be on, has no room for a database to work. */
export function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < FULL_BYTES;
  } catch {
    const parent = dirname(path);
    return parent !== path && isFull(parent);
  }
}

/** Bytes free for this process on the disk of a folder; undefined when nobody knows. */
export async function freeBytes(path: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** Bytes of the files below a folder, whatever comes and goes meanwhile; links are not followed. Costs one look per file. */
export async function usedBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await usedBytes(path);
    else if (entry.isFile()) bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
