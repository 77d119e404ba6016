import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Parser } from '../../languages/languages.ts';
import { areWellFormed } from '../../languages/facts/facts-check.ts';
import { decodeFacts } from '../../languages/facts/facts-codec.ts';
import { FACTS_VERSION, type FileFacts } from '../../languages/facts/facts.ts';
import { type FileHead, packHead, unpackHead } from '../program/file-head.ts';

/** Entries beyond the files of the commit that are kept for other branches and reverts, per file and at least. */
const SPARE_PER_FILE = 3;
const LEAST_SPARE = 2_000;

/** Longest time that a write waits for that of another process. */
const BUSY_MS = 10_000;

/** Facts of a text, or the reason why there are none. */
export type CachedFacts = { facts: FileFacts } | { reason: string };

/** Cached result for a text. `packed` are compressed facts (`compressFacts`); `head` is theirs, of a file in a package. */
export type FactsEntry = { blob: string; parser: Parser } & (
  | { packed: Uint8Array; head?: FileHead | undefined }
  | { reason: string }
);

/** Compresses encoded facts: about a fifth of their size, at some 300 MB/s. */
export function compressFacts(facts: Uint8Array): Uint8Array {
  return zstdCompressSync(facts, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/**
 * Facts of texts by git blob id and parser, in one SQLite file: a text is parsed once, however many commits, paths and
 * branches have it. Each batch is one transaction, so a run that was killed goes on where it was.
 *
 * It holds nothing that cannot be made again: a file of another version, or one that is damaged, is thrown away.
 */
export class FactsCache {
  readonly #file: string;
  #db: DatabaseSync;
  #read: StatementSync;
  #write: StatementSync;
  #heads: ReadonlyMap<string, string> | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#db = openOrReplace(file);
    [this.#read, this.#write] = prepare(this.#db);
  }

  /** Number of texts that are known. */
  get size(): number {
    return (
      this.#guarded(() => Number(this.#db.prepare('select count(*) as size from facts').get()?.['size'] ?? 0)) ?? 0
    );
  }

  /**
   * Returns the cached facts of a text, or the reason why it has none; undefined when nothing is cached, or it is damaged.
   * About 0.1 ms.
   */
  read(blob: string, parser: Parser): CachedFacts | undefined {
    return this.#guarded(() => {
      const row = this.#read.get(blob, parser) as { packed: Uint8Array | null; reason: string | null } | undefined;
      if (row === undefined) return undefined;
      if (row.packed === null) return { reason: row.reason ?? '' };
      const facts = decodeFacts(zstdDecompressSync(row.packed));
      return facts !== undefined && areWellFormed(facts) ? { facts } : undefined;
    });
  }

  /** Returns the head of the facts of a text in a package; undefined when it is not cached. All are read by the first question. */
  head(blob: string, parser: Parser): FileHead | undefined {
    this.#heads ??= new Map(this.#guarded(() => readHeads(this.#db)));
    const head = this.#heads.get(`${blob} ${parser}`);
    return head === undefined ? undefined : unpackHead(head);
  }

  /** Keeps a batch. What is known already is replaced. */
  write(entries: readonly FactsEntry[]): void {
    this.#guarded(() => {
      this.#db.exec('begin');
      const writeHead = this.#db.prepare('insert or replace into head (blob, parser, head) values (?, ?, ?)');
      for (const entry of entries) {
        const isRead = 'packed' in entry;
        this.#write.run(entry.blob, entry.parser, isRead ? entry.packed : null, isRead ? null : entry.reason);
        if (isRead && entry.head !== undefined) writeHead.run(entry.blob, entry.parser, packHead(entry.head));
      }
      this.#db.exec('commit');
    });
  }

  /** Drops texts that the commit does not have, once they are many more than its files. */
  prune(retained: readonly { blob: string; parser: Parser }[]): void {
    if (this.size <= retained.length * (1 + SPARE_PER_FILE) + LEAST_SPARE) return;
    this.#guarded(() => {
      this.#db.exec('begin; create temp table kept (blob text, parser text, primary key (blob, parser)) without rowid');
      const insert = this.#db.prepare('insert or ignore into kept values (?, ?)');
      for (const { blob, parser } of retained) insert.run(blob, parser);
      this.#db.exec(
        `delete from facts where (blob, parser) not in (select blob, parser from kept);
         delete from head where (blob, parser) not in (select blob, parser from kept);
         drop table kept; commit; pragma incremental_vacuum`,
      );
    });
  }

  close(): void {
    this.#db.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Runs a query; when the file turns out to be damaged, starts anew with an empty one and knows nothing. */
  #guarded<T>(query: () => T): T | undefined {
    try {
      return query();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#db.close();
      remove(this.#file);
      this.#db = openOrReplace(this.#file);
      [this.#read, this.#write] = prepare(this.#db);
      return undefined;
    }
  }
}

function readHeads(db: DatabaseSync): [string, string][] {
  const rows = db.prepare("select blob || ' ' || parser, head from head");
  rows.setReturnArrays(true);
  return rows.all() as unknown as [string, string][];
}

function prepare(db: DatabaseSync): [StatementSync, StatementSync] {
  return [
    db.prepare('select packed, reason from facts where blob = ? and parser = ?'),
    db.prepare('insert or replace into facts (blob, parser, packed, reason) values (?, ?, ?, ?)'),
  ];
}

function openOrReplace(file: string): DatabaseSync {
  try {
    return open(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    remove(file);
    return open(file);
  }
}

/** Opens the file, emptied when another version wrote it. */
function open(file: string): DatabaseSync {
  // An index run and a refinement of the same repository may write at one time.
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    db.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = normal');
    // One step: of two that open it at once the second must not drop what the first has made.
    db.exec('begin immediate');
    const version = db.prepare('pragma user_version').get()?.['user_version'];
    if (version !== FACTS_VERSION)
      db.exec(`drop table if exists facts; drop table if exists head; pragma user_version = ${FACTS_VERSION}`);
    db.exec(`create table if not exists facts (
      blob text not null, parser text not null, packed blob, reason text, primary key (blob, parser)) strict;
      create table if not exists head (
      blob text not null, parser text not null, head text not null, primary key (blob, parser)) strict, without rowid;
      commit`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** True if SQLite or zstd found the file to be damaged, or not one of ours. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as Error & { errcode?: number; code?: string };
  // SQLITE_CORRUPT and SQLITE_NOTADB, with any extended code.
  return errcode !== undefined ? [11, 26].includes(errcode & 0xff) : (code ?? '').startsWith('ZSTD_');
}

function remove(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}
