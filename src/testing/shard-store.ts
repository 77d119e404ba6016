import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import { testFolder } from './git.ts';

/** A store of shards, and what reads them. */
interface ShardStore {
  blobs: BlobStore;
  readers: ShardReaders;
}

/** That of all test files: threads that read take longer to start than to answer. It ends with this process. */
let shared: Promise<ShardStore> | undefined;

/** The store of shards that all benches share; each content is in it once. Never close it. */
export function testShards(): Promise<ShardStore> {
  return (shared ??= open());
}

async function open(): Promise<ShardStore> {
  const folder = testFolder();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const blobs = await openBlobStore(join(folder, 'blobs'));
  return { blobs, readers: new ShardReaders({ blobs, threads: 1, cacheBytes: 1e8 }) };
}
