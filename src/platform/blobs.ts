import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ServiceError } from '../kernel/errors.ts';

/** Unfinished files of a crash are older than any upload takes. */
const LEFTOVER_MS = 24 * 60 * 60_000;
const CHUNK_BYTES = 1024 * 1024;

const HASH = /^[0-9a-f]{64}$/;

/** Bytes in pieces of any size, as they arrive. */
export type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Content that has arrived whole and is on the disk, but no blob yet. After a crash it is removed a day later. */
export interface ReceivedContent {
  /** SHA-256, 64 hexadecimal digits. */
  hash: string;
  sizeBytes: number;
  /** Makes it a blob, as `put` does. */
  keep(): Promise<void>;
  /** Removes it; does nothing once it is a blob. */
  discard(): Promise<void>;
}

/** Immutable files named by their content, in a folder that several processes may share. */
export interface BlobStore {
  /**
   * Stores bytes, or a copy of the file at a path. After it returns the blob survives a power loss. Putting the same
   * content again replaces the file, which repairs a damaged one; readers are not disturbed.
   */
  put(source: Uint8Array | string): Promise<{ hash: string; sizeBytes: number }>;
  /** Stores content while it arrives, a piece in memory at a time, and hashes it. @throws what `content` throws. */
  receive(content: Content): Promise<ReceivedContent>;
  /** Path where the blob is on this machine, or would be if there were one: readers open it in place. */
  path(hash: string): Promise<string>;
  /** The content, or undefined when there is none. @throws ServiceError `content_damaged` when it has another hash now. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /** True if the blob is there and its content still has this hash. Reads all of it: 46 ms for 63 MB. */
  verify(hash: string): Promise<boolean>;
  /** Does nothing when it is not there. A reader that has it open keeps it until it closes. */
  delete(hash: string): Promise<void>;
}

/** Opens the store in `folder`, makes the folder when missing and removes what a crash left unfinished a day ago. */
export async function openBlobStore(folder: string, now: Date = new Date()): Promise<BlobStore> {
  const unfinished = join(folder, 'unfinished');
  mkdirSync(unfinished, { recursive: true });
  await removeLeftovers(unfinished, now);
  const path = (hash: string): string => {
    if (!HASH.test(hash)) throw new Error(`"${hash}" is not the SHA-256 of a blob.`);
    return join(folder, hash.slice(0, 2), hash);
  };
  const receive = async (content: Content): Promise<ReceivedContent> => {
    const temporary = join(unfinished, randomUUID());
    const discard = () => rm(temporary, { force: true });
    const orDiscard = async (error: unknown): Promise<never> => {
      await discard();
      throw error;
    };
    const written = await writeHashed(temporary, content).catch(orDiscard);
    const keep = () => publish(temporary, path(written.hash)).catch(orDiscard);
    return { ...written, keep, discard };
  };
  return {
    path: async (hash) => path(hash),
    put: async (source) => {
      const received = await receive(typeof source === 'string' ? readChunks(source) : [source]);
      await received.keep();
      return { hash: received.hash, sizeBytes: received.sizeBytes };
    },
    receive,
    get: async (hash) => {
      const content = await readWhole(path(hash));
      if (content !== undefined && (await hashOfBytes(content)) !== hash) throw damagedBlob(hash);
      return content;
    },
    verify: async (hash) => (await hashOfFile(path(hash))) === hash,
    delete: async (hash) => rm(path(hash), { force: true }),
  };
}

/** The error of a blob whose content has another hash than its name. */
export function damagedBlob(hash: string): ServiceError {
  return new ServiceError(
    'content_damaged',
    `The stored file ${hash} is damaged: its content has changed since it was stored.`,
    {
      fix: 'Upload the same file again, or restore it from a backup, and check the disk.',
    },
  );
}

/** Writes the content to a new file, on the disk when it returns. */
async function writeHashed(path: string, content: Content): Promise<{ hash: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const target = await open(path, 'wx');
  try {
    for await (const chunk of content) {
      for (const slice of slicesOf(chunk)) {
        hash.update(slice);
        await target.writeFile(slice);
      }
      sizeBytes += chunk.length;
    }
    await target.sync();
  } finally {
    await target.close();
  }
  return { hash: hash.digest('hex'), sizeBytes };
}

/** Gives the finished file its name in one step, and makes the name survive a power loss too. */
async function publish(temporary: string, path: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  await rename(temporary, path);
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The SHA-256 of bytes in hexadecimal. Lets others have their turn between pieces of 1 MB, which take a millisecond each. */
async function hashOfBytes(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (const slice of slicesOf(bytes)) {
    hash.update(slice);
    await setImmediate();
  }
  return hash.digest('hex');
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function readWhole(path: string): Promise<Uint8Array | undefined> {
  const file = await openIfThere(path);
  if (file === undefined) return undefined;
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The SHA-256 of a file's content; undefined when there is none. */
export async function hashOfFile(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of readChunks(path)) hash.update(chunk);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return hash.digest('hex');
}

async function removeLeftovers(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(ignoreMissing);
    if (stats !== undefined && now.getTime() - stats.mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return open(path, 'r').catch(ignoreMissing);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
