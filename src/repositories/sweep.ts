import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Repositories, repositoryFolder } from './context.ts';
import { selectAllIds, takeReleasedBlobs } from './store.ts';

/** How long a blob that no snapshot uses is kept: readers may hold it, and answers in progress end long before. */
export const BLOB_GRACE_MS = 60 * 60_000;

export interface Swept {
  blobs: number;
  folders: number;
}

/**
 * Deletes blobs that were released longer ago than `graceMs`, and folders of repositories that were removed while a run
 * was still writing. Safe at any time, in several processes. A snapshot that is published with the very content that is
 * being deleted finds its blob missing, and is built again as a damaged one.
 */
export async function sweep(context: Repositories, graceMs: number = BLOB_GRACE_MS): Promise<Swept> {
  const hashes = await takeReleasedBlobs(context.db, new Date(context.now().getTime() - graceMs));
  for (const hash of hashes) await context.blobs.delete(hash);
  return { blobs: hashes.length, folders: await sweepFolders(context) };
}

async function sweepFolders(context: Repositories): Promise<number> {
  const root = join(context.dataDir, 'repositories');
  // Folders first: one that appears later belongs to a row that the second look sees.
  const names = await readdir(root).catch(() => []);
  if (names.length === 0) return 0;
  const ids = await selectAllIds(context.db);
  const strangers = names.filter((name) => !ids.has(name));
  for (const name of strangers) await rm(repositoryFolder(context, name), { recursive: true, force: true });
  return strangers.length;
}
