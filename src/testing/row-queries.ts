import { getPriority } from 'node:os';
import type { ShardDatabase } from '../indexes/shards/shards.ts';

let held = 0;

/** Queries over the shards that the tests of the reader pool build: one table `row`. */
export function countRows(db: ShardDatabase, _args: object): number {
  return (db.prepare('select count(*) as rows from row').get() as { rows: number }).rows;
}

export function findRow(db: ShardDatabase, { id }: { id: number }): string | undefined {
  return (db.prepare('select text from row where id = ?').get(id) as { text: string } | undefined)?.text;
}

export function describe(db: ShardDatabase, _args: object): ShardDatabase['meta'] {
  return db.meta;
}

/** Runs until the caller no longer waits. */
export function spin(db: ShardDatabase, _args: object): number {
  for (let turns = 0; ; turns++) if (db.cancelled()) return turns;
}

/** Blocks the thread until the gate is opened, once for each open shard; gives how often it did in this thread. */
export function hold(db: ShardDatabase, { gate }: { gate: SharedArrayBuffer }): number {
  return db.derived('held', () => {
    Atomics.wait(new Int32Array(gate), 0, 0);
    return (held += 1);
  });
}

/** Returns the nice value of the thread: 0 is the usual priority. */
export function niceness(_db: ShardDatabase, _args: object): number {
  return getPriority();
}
