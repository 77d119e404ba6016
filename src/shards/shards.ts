import { ThreadPool, workerUrl } from '../platform/threads.ts';
import { HANDLE_CACHE_BYTES, ShardDamaged, type ShardFault, type ShardFormat, type ShardRef } from './format.ts';

export { buildShard, type ShardPlan } from './builder.ts';
export {
  canOpenShard,
  openShard,
  ShardDamaged,
  ShardDatabase,
  type ShardFault,
  type ShardFormat,
  type ShardRef,
} from './format.ts';
export { identifierParts, partsOf, stem, termsOf, termsOfWord, WORD } from './terms.ts';
export { packLength, unpackLength, VarintReader, VarintWriter } from './varints.ts';

/** Most shards one thread holds open. */
const MOST_HANDLES = 64;

/** Most heap of one thread: a query beyond it is a fault, and must not take the service along. */
const HEAP_MEGABYTES = 512;

/** What readers need of the blob store. */
export interface ShardBlobs {
  /** Stores a file's content and gives its SHA-256 and size. The second time it does nothing. */
  put(file: string): Promise<ShardRef>;
  /** Where the content lies as a local file. It may not exist. */
  path(hash: string): string | Promise<string>;
}

/** The queries a slice brings: where their module is, and (as type only) what it exports. */
export interface QueryModule<Queries> {
  url: URL;
  format: ShardFormat;
  /** Never set: it carries the type. */
  queries?: Queries;
}

/** The exports of `Queries` that readers can call. */
type QueryName<Queries> = {
  [Name in keyof Queries]: Queries[Name] extends (db: never, args: never) => unknown ? Name : never;
}[keyof Queries] &
  string;

export type ArgumentsOf<Query> = Query extends (db: never, args: infer Arguments) => unknown ? Arguments : never;

export type ResultOf<Query> = Query extends (...args: never[]) => infer Result ? Result : never;

export interface ReaderOptions {
  blobs: ShardBlobs;
  /** Most threads; they start with the first queries. */
  threads: number;
  /** Page caches of all threads together. */
  cacheBytes: number;
}

export interface QueryOptions {
  signal?: AbortSignal;
  /** Ends the query's thread when it is passed. 10 s when absent. */
  deadlineMs?: number;
}

/** Limits of the handles in one thread. */
export interface ReaderLimits {
  handles: number;
  bytes: number;
  handleBytes: number;
}

/** What a thread is asked. */
export interface QueryTask {
  path: string;
  ref: ShardRef;
  format: ShardFormat;
  /** True until this process has seen the whole content match its checksum. */
  verify: boolean;
  module: string;
  name: string;
  args: unknown;
}

export type QueryReply = { value: unknown } | { fault: ShardFault };

/**
 * Ties the URL of a module of queries to its exports: `queryModule<typeof queries>(workerUrl(import.meta,
 * './store'), CODE_FORMAT)`. Each export that takes `(db, args)` can be asked for by name.
 */
export function queryModule<Queries>(url: URL, format: ShardFormat): QueryModule<Queries> {
  return { url, format };
}

/** Puts a finished shard file into the blob store, for readers of any process. */
export function publishShard(blobs: ShardBlobs, file: string): Promise<ShardRef> {
  return blobs.put(file);
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
  /** Hashes whose content has been checked by this process; a promise while the check is under way. */
  readonly #checked = new Map<string, Promise<boolean> | true>();

  constructor({ blobs, threads, cacheBytes }: ReaderOptions) {
    const bytes = Math.max(HANDLE_CACHE_BYTES, Math.floor(cacheBytes / threads));
    const data: ReaderLimits = { handles: MOST_HANDLES, bytes, handleBytes: HANDLE_CACHE_BYTES };
    this.#blobs = blobs;
    const url = workerUrl(import.meta, './reader-thread');
    this.#pool = new ThreadPool({ url, size: threads, data, heapMegabytes: HEAP_MEGABYTES });
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
    const { signal, deadlineMs = 10_000 } = options;
    const path = await this.#blobs.path(ref.hash);
    const send = (verify: boolean): Promise<QueryReply> =>
      this.#pool.run<QueryReply>(
        { path, ref, format: module.format, verify, module: module.url.href, name, args } satisfies QueryTask,
        { signal, deadlineMs },
      );
    const reply = await this.#checkedFirst(ref.hash, send);
    if ('fault' in reply) {
      this.#checked.delete(ref.hash);
      throw new ShardDamaged(reply.fault, ref.hash);
    }
    // The thread ran the export that `Name` names, on these arguments.
    return reply.value as Awaited<ResultOf<Queries[Name]>>;
  }

  /** Threads alive, queries at work, queries waiting. */
  get load(): { threads: number; running: number; waiting: number } {
    return this.#pool.load;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Lets one query check the content; those that come meanwhile wait for it, and try themselves when it failed. */
  async #checkedFirst(hash: string, send: (verify: boolean) => Promise<QueryReply>): Promise<QueryReply> {
    for (;;) {
      const state = this.#checked.get(hash);
      if (state === true) return send(false);
      if (state === undefined) break;
      await state;
    }
    const reply = send(true);
    const done = reply.then(
      (one) => !('fault' in one),
      () => false,
    );
    this.#checked.set(hash, done);
    if (await done) this.#checked.set(hash, true);
    else this.#checked.delete(hash);
    return reply;
  }
}
