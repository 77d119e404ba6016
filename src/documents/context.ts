import type { BlobStore } from '../platform/blobs.ts';
import type { Db } from '../platform/db.ts';
import { ThreadPool, workerUrl } from '../platform/threads.ts';

/** Memory of one thread that reads a file. */
const HEAP_MEGABYTES = 512;

export interface DocumentsOptions {
  db: Db;
  blobs: BlobStore;
  /** Folder for what archives are unpacked to; anything in it may be deleted when no job works. */
  workDir: string;
  /** Files that are read at a time. */
  threads: number;
  now: () => Date;
}

/** What the documents of all products work with. */
export interface Documents extends Omit<DocumentsOptions, 'threads'> {
  pool: ThreadPool;
  close(): Promise<void>;
}

/** Threads start with the first file that is read. */
export function openDocuments({ threads, ...options }: DocumentsOptions): Documents {
  const url = workerUrl(import.meta, './parse-thread');
  const pool = new ThreadPool({ url, size: threads, heapMegabytes: HEAP_MEGABYTES });
  return { ...options, pool, close: () => pool.close() };
}
