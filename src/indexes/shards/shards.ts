import { copyFile, open, rename, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { cacheBytesOf, divideMemory, divideReaders, USUAL_MEMORY_BYTES } from '../../platform/memory.ts';
import type { Lane } from '../../platform/thread-lanes.ts';
import type { Supervisor } from '../../platform/supervision.ts';
import { ThreadPool, workerUrl } from '../../platform/threads.ts';
import { HANDLE_CACHE_BYTES, ShardDamaged, type ShardFault, type ShardFormat, type ShardRef } from './format.ts';

/** End of the name of a shard that is being built; a build that was killed leaves it. */
export const PARTIAL = '.partial';

/** Kind, version and content that a build starts from. */
interface ShardPlan {
  kind: string;
  /** Format version of this kind. A reader that does not know it refuses the shard, and the owner rebuilds. */
  version: number;
  /** Other facts of the shard about itself: repository id, commit, tokenizer version. Keys are snake_case. */
  meta: Record<string, string>;
  /** A shard of the same kind and version that is copied first and then changed, for data that only grows. */
  base?: string;
}

/**
 * Builds a shard file at `path`, replacing what is there, and gives what `fill` gives.
 *
 * `fill` writes tables into the database in one transaction; it must not commit. The file appears under its name only
 * when it is complete and on the disk; when `fill` throws, nothing is left behind.
 */
export async function buildShard<T>(
  path: string,
  plan: ShardPlan,
  fill: (db: DatabaseSync) => T | Promise<T>,
): Promise<T> {
  const partial = `${path}${PARTIAL}`;
  await rm(partial, { force: true });
  try {
    if (plan.base !== undefined) await copyFile(plan.base, partial);
    const result = await write(partial, plan, fill);
    await flush(partial);
    await rename(partial, path);
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function write<T>(path: string, plan: ShardPlan, fill: (db: DatabaseSync) => T | Promise<T>): Promise<T> {
  const db = new DatabaseSync(path);
  try {
    // A build that dies is thrown away whole, so it needs no journal and no fsync before its end.
    db.exec(`pragma page_size = 8192; pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory;
      pragma cache_size = -65536; pragma locking_mode = exclusive; begin;
      create table if not exists meta (key text primary key, value text not null) strict, without rowid`);
    const result = await fill(db);
    writeMeta(db, plan);
    // Of this file alone: a database that was attached to read from it belongs to another builder.
    db.exec('commit; analyze main');
    return result;
  } finally {
    db.close();
  }
}

function writeMeta(db: DatabaseSync, { kind, version, meta }: ShardPlan): void {
  const insert = db.prepare('insert or replace into meta (key, value) values (?, ?)');
  for (const [key, value] of Object.entries({ ...meta, kind, format_version: String(version) })) insert.run(key, value);
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

export {
  canOpenShard,
  HISTORY_KIND,
  openShard,
  ShardDamaged,
  ShardDatabase,
  type ShardFormat,
  type ShardRef,
  shardUri,
} from './format.ts';

/** Most shards whose content is remembered as sound: more than are queried between two index runs of each. */
const MOST_CHECKED = 10_000;

/** Most shards one thread holds open. */
const MOST_HANDLES = 256;

/** Numbers of threads up to four divide it: what goes to one of so many homes goes to one thread. */
const HOMES = 12;

/** One thread alone would let a slow query keep everything waiting. */
const FEWEST_THREADS = 2;

/** Time limit of a query: one that steps back behind others takes longer for the same. */
const QUESTION_LIMIT_MS = 10_000;
const BACKGROUND_LIMIT_MS = 60_000;

/** Longest look at a whole shard: 1 GB of a slow disk. */
const CHECK_LIMIT_MS = 60_000;

const MIB = 1024 * 1024;
const USUAL_MEMORY = divideReaders(divideMemory(USUAL_MEMORY_BYTES, { isEmbedded: true }), FEWEST_THREADS);

/** The part of the blob store that readers need. */
export interface ShardBlobs {
  /** Stores a file's content and gives its SHA-256 and size. The second time it does nothing. */
  put(file: string): Promise<ShardRef>;
  /** Path of the content as a local file. It may not exist. */
  path(hash: string): string | Promise<string>;
}

/** The queries a slice brings: where their module is, and (as type only) what it exports. */
export interface QueryModule<Queries> {
  url: URL;
  format: ShardFormat;
  /** Queries that may take longer than some milliseconds: they leave one thread to the others. */
  slow: ReadonlySet<QueryName<Queries>>;
  /** Never set: it carries the type. */
  queries?: Queries;
}

/** The exports of `Queries` that readers can call. */
export type QueryName<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (db: never, args: never) => unknown ? Name : never;
}[keyof Queries] &
  string;

export type ArgumentsOf<Query> = Query extends (db: never, args: infer Arguments) => unknown ? Arguments : never;

export type ResultOf<Query> = Query extends (...args: never[]) => infer Result ? Result : never;

interface ReaderOptions {
  blobs: ShardBlobs;
  /** Most threads, at least two; they start with the first queries. */
  threads: number;
  /** Heap of one thread: a query that needs more ends its thread, and takes nothing else along. That of the usual setting when absent. */
  heapBytes?: number;
  /** Page caches of all threads together. */
  cacheBytes: number;
  /** Receives the ends of threads. */
  supervisor?: Supervisor | undefined;
}

export interface QueryOptions {
  signal?: AbortSignal;
  /** Ends the query's thread when it is passed. 10 s when absent, a minute in the background. */
  deadlineMs?: number;
  /** Set for work without a waiting caller: it runs one at a time in a thread of its own, which makes way for everything else. */
  background?: boolean;
}

/** Limits of the handles in one thread. */
export interface ReaderLimits {
  handles: number;
  bytes: number;
  handleBytes: number;
  /** Bytes of the heap and beside it that open shards may hold from query to query. */
  heapBytes: number;
  /** True if the thread makes way for everything else on the machine. */
  yields: boolean;
}

/** Task of a thread. */
export type ShardTask = CheckTask | QueriesTask;

/** Task to compare the whole content with its checksum, once in this process before the first query. */
export interface CheckTask {
  kind: 'check';
  path: string;
  ref: ShardRef;
}

/** Task to run one query on each of some shards. */
export interface QueriesTask {
  kind: 'query';
  files: readonly { path: string; ref: ShardRef; args: unknown }[];
  format: ShardFormat;
  module: string;
  name: string;
}

export type QueryReply = { value: unknown } | { fault: ShardFault };

export interface QueriesReply {
  replies: QueryReply[];
  /** How many of the shards were not open before. */
  opened: number;
}

/**
 * Ties the URL of a module of queries to its exports: `queryModule<typeof queries>(workerUrl(import.meta, './store'),
 * CODE_FORMAT)`. Each export that takes `(db, args)` can be called by name.
 */
export function queryModule<Queries>(
  url: URL,
  format: ShardFormat,
  { slow = [] }: { slow?: readonly QueryName<Queries>[] } = {},
): QueryModule<Queries> {
  return { url, format, slow: new Set(slow) };
}

/**
 * Answers queries over published shards in a pool of threads that hold the files open.
 *
 * The first query of a shard in this process compares the whole file with its checksum (about 1.5 GB/s); later ones
 * cost the query and the hop to the thread (0.05 ms).
 */
export class ShardReaders {
  readonly #blobs: ShardBlobs;
  readonly #pool: ThreadPool;
  /** A pool beside the other, because a thread that once stepped back cannot step forward again. */
  readonly #background: ThreadPool;
  /** Results of checking contents, by hash; only sound ones stay. */
  readonly #checked = new LRUCache<string, Promise<ShardFault | undefined>>({ max: MOST_CHECKED });
  /** Shards that were asked, and how many of them had to be opened first. */
  readonly traffic = { asked: 0, opened: 0 };

  constructor({ blobs, threads, cacheBytes, heapBytes = USUAL_MEMORY.heapBytes, supervisor }: ReaderOptions) {
    const size = Math.max(FEWEST_THREADS, threads);
    // One share is for the thread in the background.
    const bytes = Math.max(HANDLE_CACHE_BYTES, Math.floor(cacheBytes / (size + 1)));
    const data: ReaderLimits = {
      handles: MOST_HANDLES,
      bytes,
      handleBytes: HANDLE_CACHE_BYTES,
      heapBytes: cacheBytesOf(heapBytes),
      yields: false,
    };
    this.#blobs = blobs;
    const options = {
      url: workerUrl(import.meta, './reader-thread'),
      heapMegabytes: Math.floor(heapBytes / MIB),
    };
    this.#pool = new ThreadPool({ ...options, size, data, watch: supervisor?.watch('readers') });
    const watch = supervisor?.watch('background_readers');
    this.#background = new ThreadPool({ ...options, size: 1, data: { ...data, yields: true }, watch });
  }

  /**
   * Runs one query of a module on one shard.
   *
   * @throws ShardDamaged when the file is missing, altered or of an unknown version: rebuild it. TaskTimeout past the
   * deadline, the signal's reason when cancelled, or what the query threw.
   */
  async query<Queries, Name extends QueryName<Queries>>(
    ref: ShardRef,
    module: QueryModule<Queries>,
    [name, args]: readonly [Name, ArgumentsOf<Queries[Name]>],
    options: QueryOptions = {},
  ): Promise<Awaited<ResultOf<Queries[Name]>>> {
    const [answer] = await this.queryEach(module, [name, [{ ref, args }]], options);
    // There is one answer for each shard.
    return answer as Awaited<ResultOf<Queries[Name]>>;
  }

  /** The same on each of some shards, in one task: to hand a task over costs as much as to answer from a small shard. */
  async queryEach<Queries, Name extends QueryName<Queries>>(
    module: QueryModule<Queries>,
    [name, requests]: readonly [Name, readonly { ref: ShardRef; args: ArgumentsOf<Queries[Name]> }[]],
    {
      signal,
      background = false,
      deadlineMs = background ? BACKGROUND_LIMIT_MS : QUESTION_LIMIT_MS,
    }: QueryOptions = {},
  ): Promise<Awaited<ResultOf<Queries[Name]>>[]> {
    const files: QueriesTask['files'][number][] = [];
    for (const { ref, args } of requests) {
      const path = ref.file ?? (await this.#blobs.path(ref.hash));
      const fault = await this.#check(path, ref);
      if (fault !== undefined) throw new ShardDamaged(fault, ref.hash);
      files.push({ path, ref, args });
    }
    signal?.throwIfAborted();
    const lane: Lane = module.slow.has(name) ? 'slow' : 'question';
    const pool = background ? this.#background : this.#pool;
    const task: QueriesTask = { kind: 'query', files, format: module.format, module: module.url.href, name };
    const home = files[0] === undefined ? 0 : homeOf(files[0].ref);
    const options = { signal, deadlineMs, lane, home, retryCrash: lane === 'question' };
    const { replies, opened } = await pool.run<QueriesReply>(task, options);
    this.traffic.asked += replies.length;
    this.traffic.opened += opened;
    return replies.map((reply, at) => {
      // The thread ran the export that `Name` names, on these arguments.
      if ('value' in reply) return reply.value as Awaited<ResultOf<Queries[Name]>>;
      const { hash = '' } = files[at]?.ref ?? {};
      this.#checked.delete(hash);
      throw new ShardDamaged(reply.fault, hash);
    });
  }

  /** Threads alive, queries at work, queries waiting. */
  get load(): { threads: number; running: number; waiting: number } {
    const [foreground, background] = [this.#pool.load, this.#background.load];
    return {
      threads: foreground.threads + background.threads,
      running: foreground.running + background.running,
      waiting: foreground.waiting + background.waiting,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#background.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the fault of the content, if any. Checked once while it is sound; calls that come meanwhile wait. */
  async #check(path: string, ref: ShardRef): Promise<ShardFault | undefined> {
    if (ref.isChecked === true) return undefined;
    const pendingCheck = this.#checked.get(ref.hash);
    if (pendingCheck !== undefined) return pendingCheck;
    const task: CheckTask = { kind: 'check', path, ref };
    const check = this.#pool
      .run<QueryReply>(task, { deadlineMs: CHECK_LIMIT_MS, retryCrash: true })
      .then((reply) => ('fault' in reply ? reply.fault : undefined));
    this.#checked.set(ref.hash, check);
    const fault = await check.catch((error: unknown) => {
      this.#checked.delete(ref.hash);
      throw error;
    });
    if (fault !== undefined) this.#checked.delete(ref.hash);
    return fault;
  }
}

/** Most shards that one task is about, and most bytes of them: what is larger waits for no other. */
const MOST_TOGETHER = 32;
const MOST_BYTES_TOGETHER = 16 * MIB;

/** Places of shards in lists that `queryEach` takes: those that one thread has open come together. */
export function batchesOf(refs: readonly ShardRef[]): number[][] {
  const byHome = Map.groupBy(refs.keys(), (at) => homeOf(refs[at] as ShardRef) % HOMES);
  const batches: number[][] = [];
  for (const places of byHome.values()) {
    let bytes = Infinity;
    for (const at of places) {
      const size = refs[at]?.sizeBytes ?? 0;
      const last = batches.at(-1);
      if (last === undefined || last.length >= MOST_TOGETHER || bytes + size > MOST_BYTES_TOGETHER) {
        batches.push([at]);
        bytes = size;
      } else {
        last.push(at);
        bytes += size;
      }
    }
  }
  return batches;
}

/** A number that one shard always has: its tasks go to one thread while that is idle. */
function homeOf({ hash }: ShardRef): number {
  return Number.parseInt(hash.slice(0, 6), 16) || 0;
}
