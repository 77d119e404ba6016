import { rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Encoder } from '../../text/encoder/encoder.ts';
import type { ShardReaders, ShardRef } from '../../indexes/shards/shards.ts';
import { CODE_QUERIES } from '../queries/code-queries.ts';
import { type EmbeddingText, writeEmbeddings } from '../ranking/store-embeddings.ts';

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

/** Documents whose texts are read at once: 2 MB of text. */
const READ_AT_ONCE = 1_000;

interface EmbedTask {
  readers: ShardReaders;
  encoder: Encoder;
  shard: ShardRef;
  /** Path of the shard. */
  file: string;
  /** Path of the cache of text vectors, which lasts from run to run. */
  cacheFile: string;
  /** The file to write. */
  target: string;
  signal: AbortSignal;
  /** Called about every thousand documents. Throw to stop; what was embedded is kept. */
  onProgress: (done: EmbedProgress) => Promise<void>;
}

export interface EmbedProgress {
  /** Symbols and files of the shard, and how many of them have their vectors. */
  documents: number;
  embedded: number;
  /** Texts that were sent; the others were known. */
  sent: number;
}

/**
 * Writes a copy of a code shard with the vectors of an encoder. Texts that were embedded before are not sent again, so a
 * run that was stopped goes on where it was.
 *
 * @throws EncodingFailed when the encoder fails; ShardDamaged; the reason of the signal.
 */
export async function embedShard(task: EmbedTask): Promise<EmbedProgress> {
  const { readers, encoder, shard, signal, target, file } = task;
  using cache = new EmbeddingCache(task.cacheFile, encoder.model);
  const { characters } = encoder.limits;
  const keys: string[] = [];
  const parts: Int8Array[] = [];
  const progress = { documents: 0, embedded: 0, sent: 0 };
  do {
    const page = { from: keys.length, limit: READ_AT_ONCE, characters };
    const { total, texts } = await readers.query(shard, CODE_QUERIES, ['embeddingTexts', page], {
      signal,
      background: true,
    });
    progress.sent += await embedMissing(cache, encoder, { texts, signal });
    for (const { key } of texts) {
      keys.push(key);
      const vector = cache.read(key);
      if (vector === undefined) throw new Error('A vector that was just kept is gone.');
      parts.push(vector);
    }
    progress.documents = total;
    progress.embedded = keys.length;
    await task.onProgress(progress);
  } while (keys.length < progress.documents);
  await writeEmbeddings(target, file, { revision: encoder.model, vectors: joinVectors(cache, parts) });
  cache.prune(keys);
  return progress;
}

/** Embeds the texts that are not known yet and keeps their vectors; gives how many were sent. */
async function embedMissing(
  cache: EmbeddingCache,
  encoder: Encoder,
  { texts, signal }: { texts: readonly EmbeddingText[]; signal: AbortSignal },
): Promise<number> {
  const missing = [...new Map(texts.map((text) => [text.key, text.text]))].filter(
    ([key]) => cache.read(key) === undefined,
  );
  for (let from = 0; from < missing.length; from += encoder.limits.texts) {
    const batch = missing.slice(from, from + encoder.limits.texts);
    const vectors = await encoder.encode(
      batch.map(([, text]) => text),
      'passage',
      signal,
    );
    cache.write(vectors.map((vector, at) => ({ key: batch[at]?.[0] ?? '', vector })));
  }
  return missing.length;
}

function joinVectors(cache: EmbeddingCache, parts: readonly Int8Array[]): Int8Array {
  const dimensions = parts[0]?.length ?? 0;
  if (parts.some((part) => part.length !== dimensions)) {
    // The model was replaced under its name: none of its vectors can be compared with the new ones.
    cache.clear();
    throw new Error(
      'The embedding service now returns vectors of a different length. All code will be embedded again.',
    );
  }
  const vectors = new Int8Array(parts.length * dimensions);
  for (const [index, part] of parts.entries()) vectors.set(part, index * dimensions);
  return vectors;
}
