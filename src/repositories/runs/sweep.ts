import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clearLeftovers, FETCH_TIMEOUT_MS } from '../../platform/git/git-transfer.ts';
import { sweepTemporaryFolders } from '../../platform/temporary-folder.ts';
import { mirrorFolder, type Repositories, repositoryFolder } from '../context.ts';
import { selectAllIds, takeReleasedBlobs } from '../store.ts';

/** Age at which a blob that no snapshot uses is deleted: readers may hold it, and answers in progress end long before. */
const BLOB_GRACE_MS = 60 * 60_000;

interface Swept {
  blobs: number;
  folders: number;
  /**
   * Number of removed leftovers of a killed git in mirrors (incomplete packs and objects, lock files), and of temporary
   * folders.
   */
  leftovers: number;
}

/**
 * Deletes blobs that were released longer ago than `graceMs`, folders of repositories that were removed while a run
 * was still writing, temporary folders of processes that are gone, and what git left in mirrors when it was killed longer
 * ago than a fetch may take. Safe at any time, in several processes. A snapshot that is published with the very content that is
 * being deleted finds its blob missing, and is built again as a damaged one.
 */
export async function sweep(context: Repositories, graceMs: number = BLOB_GRACE_MS): Promise<Swept> {
  const hashes = await takeReleasedBlobs(context.db, new Date(context.now().getTime() - graceMs));
  for (const hash of hashes) await context.blobs.delete(hash);
  const folders = await sweepFolders(context);
  const leftovers = (await sweepTemporaryFolders()) + (await sweepLeftovers(context, Date.now() - FETCH_TIMEOUT_MS));
  return { blobs: hashes.length, folders, leftovers };
}

/**
 * Deletes what a killed git left half written in mirrors, and gives the number of files. Without `before`, in milliseconds
 * since 1970, all of it: for the start of a service that is the only one on its data.
 */
export async function sweepLeftovers(context: Repositories, before?: number): Promise<number> {
  const ids = await readdir(join(context.dataDir, 'repositories')).catch(() => []);
  let leftovers = 0;
  for (const id of ids) {
    const mirror = mirrorFolder(context, id);
    if (existsSync(mirror)) leftovers += await clearLeftovers(mirror, before);
  }
  return leftovers;
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
