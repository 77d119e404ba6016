import { copyFile, open, rename, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';

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
  const partial = `${path}.partial`;
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
