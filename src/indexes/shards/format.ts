import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Page cache of one open shard. The operating system caches the file beside it. */
export const HANDLE_CACHE_BYTES = 4 * 1024 * 1024;

/** The kind of history shards, as they say it themselves. */
export const HISTORY_KIND = 'history';

/** A published shard: its content hash (SHA-256, hexadecimal) and its size. Stored where the owner keeps its pointer. */
export interface ShardRef {
  hash: string;
  sizeBytes: number;
  /** Path of the file when it is not in the blob store. */
  file?: string;
  /** Set if this process computed the hash from the file: then it is not compared again. */
  isChecked?: boolean;
}

/** Facts of a shard about itself: kind and format version, then what the builder was given, such as the commit. */
interface ShardMeta {
  kind: string;
  version: number;
  values: Record<string, string>;
}

/** Shards that a reader takes: one kind, and the format versions its queries were written for. */
export interface ShardFormat {
  kind: string;
  versions: readonly number[];
}

/** Reason why a shard file is not served. */
export type ShardFault = 'missing' | 'truncated' | 'altered' | 'unreadable' | 'kind' | 'version';

const FAULTS: Record<ShardFault, string> = {
  missing: 'it is missing from the blob store',
  truncated: 'its size differs from the published one',
  altered: 'its checksum differs from the published one',
  unreadable: 'it is not a readable database',
  kind: 'it holds another kind of data',
  version: 'this build does not read its format version',
};

/** A shard that must be built again: it was never served. The owner catches this, rebuilds and tries once more. */
export class ShardDamaged extends Error {
  readonly fault: ShardFault;
  readonly hash: string;

  constructor(fault: ShardFault, hash: string, cause?: unknown) {
    super(`The index shard ${hash.slice(0, 12)} cannot be used: ${FAULTS[fault]}.`, { cause });
    this.name = 'ShardDamaged';
    this.fault = fault;
    this.hash = hash;
  }
}

/**
 * An open, read-only shard. Statements are compiled once. Queries of the slices are functions over this; a long one reads
 * `cancelled` to learn that its answer is no longer needed.
 */
export class ShardDatabase {
  readonly meta: ShardMeta;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #derived = new Map<string, unknown>();
  #cancelled: () => boolean = () => false;

  constructor(db: DatabaseSync, meta: ShardMeta) {
    this.#db = db;
    this.meta = meta;
  }

  /** The compiled statement for this text. Texts are constants of a `store.ts`, so there are few. */
  prepare(statement: string): StatementSync {
    const existing = this.#statements.get(statement);
    if (existing !== undefined) return existing;
    const made = this.#db.prepare(statement);
    this.#statements.set(statement, made);
    return made;
  }

  /**
   * Returns the result of `make`, made once per open shard. For small arrays that many queries need, such as one flag a file:
   * they live as long as the handle, or until the heap of the thread holds too much.
   */
  derived<T>(name: string, make: () => T): T {
    // One name always has one maker, so its value is the maker's result.
    if (this.#derived.has(name)) return this.#derived.get(name) as T;
    const made = make();
    this.#derived.set(name, made);
    return made;
  }

  /** Frees what `derived` made; false when there is nothing. Between queries only: a query may hold on to parts of it. */
  forgetDerived(): boolean {
    const hadAny = this.#derived.size > 0;
    this.#derived.clear();
    return hadAny;
  }

  cancelled(): boolean {
    return this.#cancelled();
  }

  /** Sets the function behind `cancelled` while one query runs. */
  follow(cancelled: () => boolean): void {
    this.#cancelled = cancelled;
  }

  close(): void {
    this.#statements.clear();
    this.#derived.clear();
    this.#db.close();
  }
}

/** The address by which SQLite opens a finished shard: it takes no locks, writes nothing (not even statistics) and makes no file. */
export function shardUri(path: string): string {
  return `${pathToFileURL(path).href}?mode=ro&immutable=1`;
}

/**
 * Opens a shard file read-only and immutable: no locks, no journal, no other files beside it. Does not look at the
 * checksum. 1 to 7 ms.
 *
 * @throws ShardDamaged when it is missing, unreadable, of another kind or of a version that is not read.
 */
export function openShard(path: string, format: ShardFormat): ShardDatabase {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(shardUri(path), { readOnly: true });
    db.exec(`pragma query_only = 1; pragma temp_store = memory; pragma cache_size = ${-HANDLE_CACHE_BYTES / 1024}`);
    const meta = readMeta(db);
    const fault = formatFault(meta, format);
    if (fault === undefined) return new ShardDatabase(db, meta);
    throw new ShardDamaged(fault, path);
  } catch (error) {
    db?.close();
    throw error instanceof ShardDamaged ? error : new ShardDamaged('unreadable', path, error);
  }
}

/** True if this build can open the shard at a path. Does not check the hash. */
export function canOpenShard(path: string, format: ShardFormat): boolean {
  try {
    openShard(path, format).close();
    return true;
  } catch (error) {
    if (error instanceof ShardDamaged) return false;
    throw error;
  }
}

/**
 * Compares a file with its reference: size first, then SHA-256 over the whole content, streamed (about 1.5 GB/s).
 * Gives what is wrong, or nothing.
 */
export async function checkContent(path: string, ref: ShardRef): Promise<ShardFault | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return 'missing';
  if (stats.size !== ref.sizeBytes) return 'truncated';
  return (await hashFile(path)) === ref.hash ? undefined : 'altered';
}

/** True for errors that SQLite gives when the file under an open handle is not a sound database. */
export function isCorruption(error: unknown): boolean {
  // node:sqlite puts SQLite's result code in `errcode`: 11 SQLITE_CORRUPT, 26 SQLITE_NOTADB, 10 SQLITE_IOERR.
  const code = (error as { errcode?: number } | undefined)?.errcode;
  return code !== undefined && [10, 11, 26].includes(code % 256);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(part as Buffer);
  return hash.digest('hex');
}

function readMeta(db: DatabaseSync): ShardMeta {
  const rows = db.prepare('select key, value from meta').all() as { key: string; value: string }[];
  const {
    kind = '',
    format_version: version = '',
    ...values
  } = Object.fromEntries(rows.map((row) => [row.key, row.value]));
  return { kind, version: Number(version), values };
}

function formatFault(meta: ShardMeta, format: ShardFormat): ShardFault | undefined {
  if (meta.kind !== format.kind) return 'kind';
  return format.versions.includes(meta.version) ? undefined : 'version';
}
