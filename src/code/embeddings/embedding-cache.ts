import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Vectors beyond those of the commit that are kept for other branches and reverts, per document and at least. */
const SPARE_PER_DOCUMENT = 1;
const LEAST_SPARE = 2_000;

/** Longest wait of a write for that of another process. */
const BUSY_MS = 10_000;

/**
 * Vectors of texts by the SHA-256 of the text, of one revision of a provider, in one SQLite file: a text is sent once,
 * however many commits have it. Opening it for another revision empties it, as does damage: it can be made again.
 */
export class EmbeddingCache {
  readonly #db: DatabaseSync;
  readonly #read: StatementSync;
  readonly #write: StatementSync;

  constructor(file: string, revision: string) {
    this.#db = openOrReplace(file, revision);
    this.#read = this.#db.prepare('select vector from embedding where key = ?');
    this.#write = this.#db.prepare('insert or replace into embedding (key, vector) values (?, ?)');
  }

  /** About 0.02 ms. */
  read(key: string): Int8Array | undefined {
    const row = this.#read.get(key) as { vector: Uint8Array } | undefined;
    return row && new Int8Array(row.vector.buffer, row.vector.byteOffset, row.vector.length);
  }

  write(entries: readonly { key: string; vector: Int8Array }[]): void {
    this.#db.exec('begin');
    for (const { key, vector } of entries)
      this.#write.run(key, new Uint8Array(vector.buffer, vector.byteOffset, vector.length));
    this.#db.exec('commit');
  }

  /** Forgets all vectors. */
  clear(): void {
    this.#db.exec('delete from embedding');
  }

  /** Drops vectors of texts that the commit does not have, once they are many more than its own. */
  prune(used: readonly string[]): void {
    const size = Number(this.#db.prepare('select count(*) as size from embedding').get()?.['size'] ?? 0);
    if (size <= used.length * (1 + SPARE_PER_DOCUMENT) + LEAST_SPARE) return;
    this.#db.exec('begin; create temp table kept (key text primary key) without rowid');
    const insert = this.#db.prepare('insert or ignore into kept values (?)');
    for (const key of used) insert.run(key);
    this.#db.exec(`delete from embedding where key not in (select key from kept);
      drop table kept; commit; pragma incremental_vacuum`);
  }

  close(): void {
    this.#db.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

class DamagedCache extends Error {}

/** True if the file is no cache of ours: SQLITE_CORRUPT and SQLITE_NOTADB, with any extended code. */
function isDamage(error: unknown): boolean {
  if (error instanceof DamagedCache) return true;
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && [11, 26].includes(code & 0xff);
}

function openOrReplace(file: string, revision: string): DatabaseSync {
  try {
    return open(file, revision);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return open(file, revision);
  }
}

function open(file: string, revision: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    db.exec(`pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = normal;
      create table if not exists meta (key text primary key, value text not null) strict;
      create table if not exists embedding (key text primary key, vector blob not null) strict`);
    if (db.prepare('pragma quick_check(1)').get()?.['quick_check'] !== 'ok') throw new DamagedCache();
    const stored = db.prepare("select value from meta where key = 'revision'").get()?.['value'];
    if (stored === revision) return db;
    db.exec('delete from embedding');
    db.prepare("insert or replace into meta (key, value) values ('revision', ?)").run(revision);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
