import { ServiceError } from '../../kernel/errors.ts';
import { addDenseValues } from '../../code-index/format/dense-values.ts';
import { CODE_FORMAT } from '../../code-index/format/shard-schema.ts';
import { openShard, type ShardDatabase } from '../../indexes/shards/shards.ts';
import { dense } from '../files/store-files.ts';
import { ComparedShards, type ValueInputs } from './compared-shards.ts';

export type { ValueInputs } from './compared-shards.ts';

/**
 * Files of a shard that a reader can compute a value of while somebody waits, and within its memory. Of larger shards
 * every value is computed with the index.
 */
const MOST_FILES = 3_000;
const MOST_SYMBOLS = 60_000;
/** Bytes of references. */
const MOST_EDGE_BYTES = 4_000_000;

/** Raised when values, or what they are computed by, change: those of another version are computed anew, never taken over. */
export const VALUES_VERSION = 1;
/** Its name in the table `dense`. */
const VERSION = 'values_version';

/** A value that is computed out of a whole shard once, and read from then on. */
export interface StoredValue<Value> {
  /** Name in the table `dense`. */
  name: string;
  /** `before` is a shard of an earlier commit, with values of this version. */
  compute(db: ShardDatabase, before?: ShardDatabase): Value;
  /** What it is computed of; absent where that is another with every commit. */
  inputs?: ValueInputs;
  pack(value: Value): Uint8Array;
  unpack(data: Uint8Array): Value;
}

/**
 * The value of an open shard: the one that was stored with the index; of a small shard without it, as of a ref, the one
 * that is computed now.
 *
 * @throws ServiceError `not_indexed` when a large shard lacks it, because computing it failed with the index.
 */
export function storedValue<Value>(db: ShardDatabase, stored: StoredValue<Value>): Value {
  return db.derived(stored.name, () => takeStored(db, stored));
}

/** As `storedValue`, for a caller that hands the value on: it is not remembered with the open shard. */
export function takeStored<Value>(db: ShardDatabase, stored: StoredValue<Value>): Value {
  const { name } = stored;
  const row = db.prepare('select data from dense where name = ?').get(name) as { data: Uint8Array } | undefined;
  if (row !== undefined) return stored.unpack(row.data);
  if (isSmall(db)) return stored.compute(db);
  throw new ServiceError('not_indexed', `The index lacks "${name}", which could not be computed of this repository.`, {
    fix: 'Ask for something else; the log of the index run has the reason.',
  });
}

/** Bytes of a stored value; 0 when there is none. */
export function storedBytes(db: ShardDatabase, name: string): number {
  const row = db.prepare('select length(data) as bytes from dense where name = ?').get(name);
  return (row as { bytes: number } | undefined)?.bytes ?? 0;
}

/** True if a reader may compute values of a shard while somebody waits. */
export function isSmall(db: ShardDatabase): boolean {
  const { files } = db.prepare('select count(*) as files from file').get() as { files: number };
  const symbols = dense(db, 'symbol_kind').length;
  if (files > MOST_FILES || symbols > MOST_SYMBOLS) return false;
  const { bytes } = db.prepare('select coalesce(sum(length(refers)), 0) as bytes from edge').get() as { bytes: number };
  return bytes <= MOST_EDGE_BYTES;
}

/** The shard of an earlier commit, and what is called before each step. */
interface ComputingValues {
  before?: string | undefined;
  onStep?: (() => void) | undefined;
}

/**
 * Computes values of a finished shard and puts them into it, before it is published. Those of `before` are taken over where what they are
 * computed of is the same, and their version too. `onStep` is called before each.
 *
 * @returns What could not be computed, and why: a fault costs its own value, not the index.
 */
export function addStoredValues(
  file: string,
  all: readonly StoredValue<unknown>[],
  { before, onStep }: ComputingValues = {},
): string[] {
  const shard = openShard(file, CODE_FORMAT);
  using compared = before === undefined ? undefined : ComparedShards.open(file, before);
  const version = Buffer.from(String(VALUES_VERSION));
  const earlier = version.equals(compared?.value(VERSION) ?? Buffer.of()) ? compared : undefined;
  try {
    const computed = all.map((stored) => {
      onStep?.();
      const carried = stored.inputs === undefined ? undefined : earlier?.carried(stored.name, stored.inputs);
      return { name: stored.name, data: carried ?? packedOf(shard, stored, earlier?.before) };
    });
    addDenseValues(file, [
      { name: VERSION, data: version },
      ...computed.flatMap(({ name, data }) => (data instanceof Error ? [] : [{ name, data }])),
    ]);
    return computed.flatMap(({ name, data }) => (data instanceof Error ? [`${name}: ${data.message}`] : []));
  } finally {
    shard.close();
  }
}

function packedOf(
  shard: ShardDatabase,
  stored: StoredValue<unknown>,
  before: ShardDatabase | undefined,
): Uint8Array | Error {
  try {
    return stored.pack(stored.compute(shard, before));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Returns keys by file that differ where what is read in the text may differ. A blob that could not be read is another content. */
export function contentKeys(db: ShardDatabase): string[] {
  const rows = db
    .prepare(
      `select path || char(0) || blob || ' ' || language || ' ' || parser || ' ' || lines || ' ' || coalesce(reason, '') as key
         from file order by id`,
    )
    .all() as { key: string }[];
  return rows.map(({ key }) => key);
}
