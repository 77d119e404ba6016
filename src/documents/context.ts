import type { Tenant } from '../kernel/tenant.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Db } from '../platform/db.ts';
import { ProcessPool } from '../platform/processes.ts';
import type { Watch } from '../platform/supervision.ts';
import { workerUrl } from '../platform/threads.ts';

/** Memory of one process that reads files, all of it: a text of 50 MB takes half. */
export const MEMORY_MEGABYTES = 512;

interface DocumentsOptions {
  db: Db;
  blobs: BlobStore;
  /** Folder for what archives are unpacked to; anything in it may be deleted when no job works. */
  workDir: string;
  /** Files that are read at a time. */
  readers: number;
  /** Receives the processes that end at a file. */
  watch?: Watch | undefined;
  /** Throws where the product may store no more. */
  requireRoom?: (tenant: Tenant) => Promise<void>;
  now: () => Date;
}

/** Database, stores and readers that the documents of all products use. */
export interface Documents extends Omit<DocumentsOptions, 'readers' | 'watch'> {
  pool: ProcessPool;
  close(): Promise<void>;
}

/** Processes start with the first file that is read, and end when there is none for a while. */
export function openDocuments({ readers, watch, ...options }: DocumentsOptions): Documents {
  const url = workerUrl(import.meta, './parse-process');
  const pool = new ProcessPool({ url, size: readers, memoryMegabytes: MEMORY_MEGABYTES, watch });
  return { ...options, pool, close: () => pool.close() };
}
