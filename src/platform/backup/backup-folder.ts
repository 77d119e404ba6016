import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../kernel/errors.ts';
import type { Config } from '../config.ts';
import { OBJECT_URL } from '../data-dir.ts';
import { openRemoteFolder, readResumed, type RemoteFolder } from '../object-storage.ts';
import { checkBackup } from './check-backup.ts';
import type { Manifest } from './manifest.ts';
import { saveBackup } from './save-backup.ts';

/** A folder of this machine or of object storage, into which backups are written. */
export interface BackupFolder {
  /** Path or address of a backup. */
  addressOf(name: string): string;
  /**
   * Writes a backup, which has its name once it was read to its end and is sound.
   *
   * @throws ServiceError `conflict` when there is one of that name, `bad_argument` when what came is no complete backup.
   */
  save(archive: AsyncIterable<Uint8Array>, name: string): Promise<{ bytes: number; manifest: Manifest }>;
  list(): Promise<string[]>;
  delete(name: string): Promise<void>;
}

/** Opens a folder of this machine, or `s3://bucket/prefix`. */
export function openBackupFolder(location: string, config: Config): BackupFolder {
  if (OBJECT_URL.test(location)) return remoteBackups(location, openRemoteFolder(location, config));
  const addressOf = (name: string): string => join(location, name);
  return {
    addressOf,
    save: (archive, name) => saveBackup(archive, addressOf(name)),
    list: () => readdir(location),
    delete: (name) => rm(addressOf(name)),
  };
}

/** The folder and the name of a backup that a command names, by its path or as `s3://bucket/prefix/name`. */
export function locateBackup(given: string, cwd: string): { folder: string; name: string } {
  if (!OBJECT_URL.test(given)) return { folder: dirname(resolve(cwd, given)), name: basename(given) };
  const at = given.lastIndexOf('/');
  const [folder, name] = [given.slice(0, at), given.slice(at + 1)];
  if (OBJECT_URL.test(folder) && name !== '') return { folder, name };
  throw new ServiceError('bad_argument', `${given} names no file in a bucket.`, {
    fix: 'Name one, such as s3://bucket/svc-2026-03-01.tar.zst.',
  });
}

/** Backups that go to object storage as they are made: nothing of them is written to a disk here. */
function remoteBackups(location: string, folder: RemoteFolder): BackupFolder {
  const addressOf = (name: string): string => `${location}/${name}`;
  return {
    addressOf,
    save: async (archive, name) => {
      try {
        if (await folder.has(name))
          throw new ServiceError('conflict', `${addressOf(name)} already exists.`, { fix: 'Choose another name.' });
        return await sendBackup(archive, folder, name);
      } finally {
        // Whoever sends it may stop, and free what it reads from.
        if (archive instanceof Readable) archive.destroy();
      }
    },
    list: () => folder.list(),
    delete: (name) => folder.delete(name),
  };
}

/** Sends a backup in parts, each of which the storage compares with its hash, and checks the whole on the way. */
async function sendBackup(
  archive: AsyncIterable<Uint8Array>,
  folder: RemoteFolder,
  name: string,
): Promise<{ bytes: number; manifest: Manifest }> {
  const copy = new PassThrough();
  const check = checkBackup(name, copy);
  // Whoever sends meets the error of the check, and the check that of the copy.
  check.catch(() => undefined);
  copy.on('error', () => undefined);
  let bytes = 0;
  const content = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of archive) {
      bytes += chunk.length;
      // What is no backup ends the check, and with it the upload.
      if (!copy.write(chunk)) await Promise.race([once(copy, 'drain'), check]);
      yield chunk;
    }
    copy.end();
  };
  try {
    await folder.receive(name, content(), () => check);
  } catch (error) {
    copy.destroy(error instanceof Error ? error : new Error(String(error)));
    await check.catch(() => undefined);
    throw error;
  }
  return { bytes, manifest: (await check).manifest };
}

/**
 * Copies a backup from object storage to a file in the data folder, which is removed at the end.
 *
 * @throws ServiceError `not_found` when there is none.
 */
export async function fetchBackup(address: string, config: Config): Promise<{ file: string } & AsyncDisposable> {
  const { folder, name } = locateBackup(address, '/');
  const remote = openRemoteFolder(folder, config);
  const first = await remote.read(name, 0);
  if (first === undefined)
    throw new ServiceError('not_found', `There is no ${address}.`, { fix: 'Name a file that svc backup wrote.' });
  const unfinished = join(config.dataDir, 'unfinished');
  const file = join(unfinished, `restore-${randomUUID()}.tar.zst`);
  const remove = (): Promise<void> => rm(file, { force: true });
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await pipeline(readResumed(remote, name, first), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { file, [Symbol.asyncDispose]: remove };
}
