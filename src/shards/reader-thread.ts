import { workerData } from 'node:worker_threads';
import { serveTasks, type ThreadTask } from '../platform/threads.ts';
import { checkContent, isCorruption, openShard, ShardDamaged, type ShardDatabase } from './format.ts';
import type { QueryReply, QueryTask, ReaderLimits } from './shards.ts';

/** A query of another slice: rows out of an open shard. */
type Query = (db: ShardDatabase, args: unknown) => unknown;

/** The shards one thread holds open, the least used one first. */
class OpenShards {
  readonly #limits: ReaderLimits;
  readonly #open = new Map<string, { db: ShardDatabase; sizeBytes: number }>();
  #sizeBytes = 0;

  constructor(limits: ReaderLimits) {
    this.#limits = limits;
  }

  /** The open shard, opened and checked as the task asks when it is not there yet. */
  async get({ path, ref, format, verify }: QueryTask): Promise<ShardDatabase> {
    const known = this.#open.get(ref.hash);
    if (known !== undefined && !verify) {
      this.#open.delete(ref.hash);
      this.#open.set(ref.hash, known);
      return known.db;
    }
    if (known !== undefined) this.drop(ref.hash);
    const fault = verify ? await checkContent(path, ref) : undefined;
    if (fault !== undefined) throw new ShardDamaged(fault, ref.hash);
    const db = openShard(path, format);
    // A small shard cannot fill its page cache.
    const sizeBytes = Math.min(ref.sizeBytes, this.#limits.handleBytes);
    this.#makeRoom(sizeBytes);
    this.#open.set(ref.hash, { db, sizeBytes });
    this.#sizeBytes += sizeBytes;
    return db;
  }

  drop(hash: string): void {
    const entry = this.#open.get(hash);
    if (entry === undefined) return;
    this.#open.delete(hash);
    this.#sizeBytes -= entry.sizeBytes;
    entry.db.close();
  }

  #makeRoom(sizeBytes: number): void {
    for (const hash of this.#open.keys()) {
      const full = this.#open.size >= this.#limits.handles || this.#sizeBytes + sizeBytes > this.#limits.bytes;
      if (!full) return;
      this.drop(hash);
    }
  }
}

async function runQuery(shards: OpenShards, task: QueryTask, context: ThreadTask): Promise<QueryReply> {
  try {
    const db = await shards.get(task);
    const query = await findQuery(task);
    db.follow(context.cancelled);
    return { value: query(db, task.args) };
  } catch (error) {
    if (!(error instanceof ShardDamaged) && !isCorruption(error)) throw error;
    shards.drop(task.ref.hash);
    return { fault: error instanceof ShardDamaged ? error.fault : 'unreadable' };
  }
}

/** Modules come from our own slices; Node keeps each one after its first import. */
async function findQuery({ module, name }: QueryTask): Promise<Query> {
  const found = ((await import(module)) as Record<string, unknown>)[name];
  if (typeof found !== 'function') throw new Error(`${module} exports no query named ${name}.`);
  return found as Query;
}

serveTasks(workerData as { data: ReaderLimits; stop: Int32Array }, (limits) => {
  const shards = new OpenShards(limits);
  return (task: QueryTask, context) => runQuery(shards, task, context);
});
