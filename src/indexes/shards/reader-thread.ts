import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { yieldThread } from '../../platform/background.ts';
import { HeapGuard } from '../../platform/heap-guard.ts';
import { serveTasks, type ThreadTask } from '../../platform/thread-tasks.ts';
import { checkContent, isCorruption, openShard, ShardDamaged, type ShardDatabase, type ShardFormat } from './format.ts';
import type { CheckTask, QueriesReply, QueriesTask, QueryReply, ReaderLimits, ShardTask } from './shards.ts';

/** A query of another slice: rows out of an open shard. */
type Query = (db: ShardDatabase, args: unknown) => unknown;

/** Bytes of an open shard beside its pages: schema and compiled statements. */
const HANDLE_BYTES = 64 * 1024;

/**
 * The shards that one thread holds open; those used longest ago are closed to make room for pages, and for objects in the heap.
 */
class OpenShards {
  readonly #limits: ReaderLimits;
  readonly #open: LRUCache<string, ShardDatabase>;
  /** How many were opened since the thread began. */
  opened = 0;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
    this.#open = new LRUCache({ max: limits.handles, maxSize: limits.bytes, dispose: (db) => db.close() });
  }

  /** The open shard, opened when it is not open yet. */
  get({ path, ref }: QueriesTask['files'][number], format: ShardFormat): ShardDatabase {
    const existing = this.#open.get(ref.hash);
    if (existing !== undefined) return existing;
    const db = openShard(path, format);
    this.opened += 1;
    // A small shard cannot fill its page cache: questions of all kinds read a third of it. One that is larger than all room is
    // open by itself.
    const size = Math.min(HANDLE_BYTES + ref.sizeBytes / 3, this.#limits.handleBytes, this.#limits.bytes);
    this.#open.set(ref.hash, db, { size: Math.max(1, Math.floor(size)) });
    return db;
  }

  drop(hash: string): void {
    this.#open.delete(hash);
  }

  /** Closes the shard that was used longest ago; of the last one, forgets what was derived from it. False when nothing is held. */
  release(): boolean {
    if (this.#open.size > 1) {
      this.#open.pop();
      return true;
    }
    const [last] = this.#open.values();
    return last?.forgetDerived() ?? false;
  }
}

/** Answers from one shard after the other; opening one may close another. */
async function runQueries(shards: OpenShards, task: QueriesTask, context: ThreadTask): Promise<QueriesReply> {
  const query = await findQuery(task, context);
  const before = shards.opened;
  const replies: QueryReply[] = [];
  for (const file of task.files) {
    try {
      const db = shards.get(file, task.format);
      db.follow(context.cancelled);
      replies.push({ value: await query(db, file.args) });
    } catch (error) {
      if (!(error instanceof ShardDamaged) && !isCorruption(error)) throw error;
      shards.drop(file.ref.hash);
      replies.push({ fault: error instanceof ShardDamaged ? error.fault : 'unreadable' });
    }
  }
  return { replies, opened: shards.opened - before };
}

/** Checks the content of a shard. An open shard is closed first: the file may be another one by now. */
async function runCheck(shards: OpenShards, { path, ref }: CheckTask): Promise<QueryReply> {
  shards.drop(ref.hash);
  const fault = await checkContent(path, ref);
  return fault === undefined ? { value: undefined } : { fault };
}

/** Modules that were imported: asking Node for one again costs as much as a small query. */
const importedModules = new Map<string, Record<string, unknown>>();

/** Modules come from our own slices. The time that the first import takes is none of the query's. */
async function findQuery({ module, name }: QueriesTask, { begin }: ThreadTask): Promise<Query> {
  let queries = importedModules.get(module);
  if (queries === undefined) {
    queries = (await import(module)) as Record<string, unknown>;
    importedModules.set(module, queries);
    begin();
  }
  const query = queries[name];
  if (typeof query !== 'function') throw new Error(`${module} exports no query named ${name}.`);
  return query as Query;
}

serveTasks(workerData as { data: ReaderLimits; stop: Int32Array }, (limits) => {
  if (limits.yields) yieldThread();
  const shards = new OpenShards(limits);
  const guard = new HeapGuard(limits.heapBytes, () => shards.release());
  return async (task: ShardTask, context) => {
    try {
      return await (task.kind === 'check' ? runCheck(shards, task) : runQueries(shards, task, context));
    } finally {
      guard.check();
    }
  };
});
