import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type BlobStore, type Content, damagedBlob, openBlobStore, type ReceivedContent } from './blobs.ts';
import type { Config } from './config.ts';
import { blobFolder, OBJECT_URL } from './data-dir.ts';
import { openObjectStorage, readResumed, type RemoteFiles } from './object-storage.ts';

/** A copy that was used so recently stays, whatever the limit: somebody may be about to open it. */
const IN_USE_MS = 10 * 60_000;
/** A copy says on disk when it was used, at most so late. */
const TOUCH_MS = 60_000;
/** Share of the limit that is stored and fetched between two looks at all copies. */
const UNCHECKED_SHARE = 1 / 50;
/** Blobs whose last use is known without a look at the disk. */
const REMEMBERED = 10_000;

interface CacheOptions {
  /** Bytes of copies. */
  limitBytes: number;
  now?: () => Date;
}

/** Work of a cache since its process started. */
interface CacheTraffic {
  /** Looks that a copy answered. */
  hits: number;
  fetches: number;
  fetchedBytes: number;
  /** Blobs that were stored. */
  stored: number;
  /** Fetches and puts that failed after all tries. */
  failures: number;
}

/** Opens the blobs where the settings say that they are. Nothing is sent. */
export async function openBlobs(config: Config): Promise<BlobStore> {
  const folder = blobFolder(config);
  if (!OBJECT_URL.test(config.blobUrl)) return openBlobStore(folder);
  return openBlobCache(folder, openObjectStorage(config), { limitBytes: config.blobCacheBytes });
}

/** Opens the blobs of `remote` with copies in `folder`. @see BlobCache */
export async function openBlobCache(folder: string, remote: RemoteFiles, options: CacheOptions): Promise<BlobCache> {
  const { limitBytes, now = () => new Date() } = options;
  return new BlobCache({ folder, copies: await openBlobStore(folder, now()), remote, limitBytes, now });
}

/**
 * Blobs that other machines share, with copies on this one of those that were used last, below a limit of bytes but for what was
 * used in the last ten minutes. Callers that need the same blob at the same time share one download, which goes on where it
 * broke off; what arrives is compared with its name. Several processes may share the folder.
 *
 * @throws ServiceError `storage_unavailable` where no copy helps and the storage does not answer.
 */
export class BlobCache implements BlobStore {
  readonly traffic: CacheTraffic = { hits: 0, fetches: 0, fetchedBytes: 0, stored: 0, failures: 0 };
  readonly #parts: Required<CacheOptions> & { folder: string; copies: BlobStore; remote: RemoteFiles };
  readonly #downloads = new Map<string, Promise<void>>();
  /** Blobs whose copies say on disk that they are in use. */
  readonly #touched: LRUCache<string, true>;
  #trimming: Promise<void> | undefined;
  /** Bytes of new copies since the last look at all of them; the first one makes a look. */
  #uncheckedBytes = Infinity;

  constructor(parts: Required<CacheOptions> & { folder: string; copies: BlobStore; remote: RemoteFiles }) {
    this.#parts = parts;
    const clock = { now: () => parts.now().getTime() };
    this.#touched = new LRUCache({ max: REMEMBERED, ttl: TOUCH_MS, perf: clock });
  }

  async put(source: Uint8Array | string): Promise<{ hash: string; sizeBytes: number }> {
    const stored = await this.#parts.copies.put(source);
    await this.#store(stored);
    return stored;
  }

  async receive(content: Content): Promise<ReceivedContent> {
    const received = await this.#parts.copies.receive(content);
    const keep = async (): Promise<void> => {
      await received.keep();
      await this.#store(received);
    };
    return { ...received, keep };
  }

  /** Fetches the blob unless there is a copy. */
  async path(hash: string): Promise<string> {
    const path = await this.#parts.copies.path(hash);
    if (!this.#touched.has(hash)) {
      if (!(await this.#touch(path))) {
        await this.#download(hash);
        return path;
      }
      this.#touched.set(hash, true);
    }
    this.traffic.hits += 1;
    return path;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    await this.path(hash);
    const content = await this.#parts.copies.get(hash).catch(() => undefined);
    if (content !== undefined) return content;
    await this.#downloadAgain(hash);
    return this.#parts.copies.get(hash);
  }

  async verify(hash: string): Promise<boolean> {
    // A copy alone would be lost to the other machines.
    if (!(await this.#parts.remote.has(hash))) return false;
    await this.path(hash);
    if (await this.#parts.copies.verify(hash)) return true;
    await this.#downloadAgain(hash);
    return this.#parts.copies.verify(hash);
  }

  async delete(hash: string): Promise<void> {
    this.#touched.delete(hash);
    await this.#parts.remote.delete(hash);
    await this.#parts.copies.delete(hash);
  }

  async #store({ hash, sizeBytes }: { hash: string; sizeBytes: number }): Promise<void> {
    const path = await this.#parts.copies.path(hash);
    await this.#touch(path);
    await this.#counted(this.#parts.remote.put(hash, path));
    this.traffic.stored += 1;
    await this.#trim(sizeBytes);
  }

  /** Fetches a blob whose copy was altered or deleted by somebody else. */
  async #downloadAgain(hash: string): Promise<void> {
    this.#touched.delete(hash);
    await this.#download(hash, true);
  }

  async #download(hash: string, isAgain = false): Promise<void> {
    const running = this.#downloads.get(hash) ?? this.#counted(this.#fetch(hash, isAgain));
    this.#downloads.set(hash, running);
    await running.finally(() => this.#downloads.delete(hash));
  }

  /** Makes a copy, if there is such a blob. Content with another hash is fetched once more. */
  async #fetch(hash: string, isAgain: boolean): Promise<void> {
    const { copies, remote } = this.#parts;
    // A download that ended while the caller looked for a copy.
    if (!isAgain && (await this.#touch(await copies.path(hash)))) return;
    for (let tries = 1; ; tries += 1) {
      const first = await remote.read(hash, 0);
      if (first === undefined) return;
      const received = await copies.receive(this.#countedBytes(readResumed(remote, hash, first)));
      this.traffic.fetches += 1;
      if (received.hash === hash) {
        await received.keep();
        await this.#touch(await copies.path(hash));
        return this.#trim(received.sizeBytes);
      }
      await received.discard();
      if (tries === 2) throw damagedBlob(hash);
    }
  }

  async *#countedBytes(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.traffic.fetchedBytes += chunk.length;
      yield chunk;
    }
  }

  /** Says on disk that a copy is in use; false when there is none. */
  async #touch(path: string): Promise<boolean> {
    const now = this.#parts.now();
    return utimes(path, now, now).then(
      () => true,
      () => false,
    );
  }

  /**
   * Deletes the copies that were used the longest ago until the others fit, once enough new bytes have come. Calls at the same time
   * share one look.
   */
  async #trim(newBytes: number): Promise<void> {
    this.#uncheckedBytes += newBytes;
    if (this.#uncheckedBytes < this.#parts.limitBytes * UNCHECKED_SHARE) return;
    this.#uncheckedBytes = 0;
    this.#trimming ??= this.#deleteOldest().finally(() => (this.#trimming = undefined));
    await this.#trimming;
  }

  async #deleteOldest(): Promise<void> {
    const { folder, limitBytes, now } = this.#parts;
    const readable = await Promise.all((await blobFiles(folder)).map(readCopy));
    const copies = readable.filter((copy) => copy !== undefined).toSorted((a, b) => a.usedMs - b.usedMs);
    let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
    for (const copy of copies) {
      if (bytes <= limitBytes || now().getTime() - copy.usedMs < IN_USE_MS) return;
      // Another process may have begun to use it since.
      if ((await readCopy(copy.path))?.usedMs === copy.usedMs) await rm(copy.path, { force: true });
      bytes -= copy.bytes;
    }
  }

  async #counted<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      this.traffic.failures += 1;
      throw error;
    }
  }
}

async function blobFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile() && /^[0-9a-f]{64}$/.test(entry.name) ? [join(entry.parentPath, entry.name)] : [],
  );
}

/** Undefined when another process has deleted it. */
async function readCopy(path: string): Promise<{ path: string; bytes: number; usedMs: number } | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats && { path, bytes: stats.size, usedMs: stats.mtimeMs };
}
