import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../kernel/errors.ts';
import { checkBackup } from './check-backup.ts';
import type { Manifest } from './manifest.ts';

/**
 * Writes a backup to a file for its user only, and reads it again to its end; the file has its name once it is sound and on the
 * disk.
 *
 * @throws ServiceError `conflict` when there is such a file, `bad_argument` when what came is no complete backup.
 */
export async function saveBackup(
  archive: AsyncIterable<Uint8Array>,
  file: string,
): Promise<{ bytes: number; manifest: Manifest }> {
  try {
    return await saveNew(archive, file);
  } finally {
    // Whoever sends it may stop, and free what it reads from.
    if (archive instanceof Readable) archive.destroy();
  }
}

async function saveNew(
  archive: AsyncIterable<Uint8Array>,
  file: string,
): Promise<{ bytes: number; manifest: Manifest }> {
  const isTaken = await stat(file).then(
    () => true,
    () => false,
  );
  if (isTaken)
    throw new ServiceError('conflict', `${file} already exists.`, { fix: 'Name a file that does not exist yet.' });
  const unfinished = `${file}.unfinished`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await rm(unfinished, { force: true });
    await pipeline(archive, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    const { manifest } = await checkBackup(unfinished);
    const { size: bytes } = await stat(unfinished);
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    return { bytes, manifest };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Makes the new name of a file survive a power loss. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
