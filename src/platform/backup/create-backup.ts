import { sha256 } from '../../kernel/ids.ts';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import { sql } from 'kysely';
import type { BlobStore } from '../blobs.ts';
import type { Database, Db } from '../db.ts';
import { readSecretKey } from '../installation-key.ts';
import { readAppliedMigrations } from '../migrate.ts';
import { BACKUP_FORMAT, KEY_NAME, type Manifest, MANIFEST_NAME } from './manifest.ts';
import { blobHashes, readRows, tablesInOrder } from './tables.ts';
import { TAR_END, tarHeader, tarPadding } from './tar.ts';

/** Blobs that a backup carries: uploads and indexes; uploads alone, as indexes can be made again; or none. */
export const BLOB_CHOICES = ['all', 'uploads', 'none'] as const;
export type BlobChoice = (typeof BLOB_CHOICES)[number];

/** The parts of an installation that a backup reads. */
export interface BackupSource {
  database: Pick<Database, 'db' | 'copy'>;
  blobs: Pick<BlobStore, 'path'>;
  /** The data folder, with the key that the installation made for itself. */
  dataDir: string;
}

interface BackupOptions {
  blobs: BlobChoice;
  version: string;
  now: Date;
}

/**
 * The backup of an installation as the bytes of one file: a tar archive in zstd with every row of the database as one consistent
 * state, the blobs, and the key of secrets. Waiting jobs are not part of it. The service goes on meanwhile: a server gives a
 * snapshot, and of the embedded database the files are copied and read apart.
 */
export function createBackup(source: BackupSource, options: BackupOptions): Readable {
  const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };
  // An error of one end is the error of the other.
  return pipeline(Readable.from(archiveOf(source, options)), createZstdCompress({ params }), () => undefined);
}

async function* archiveOf(source: BackupSource, options: BackupOptions): AsyncGenerator<Buffer> {
  await using snapshot = await openSnapshot(source);
  const tables: Manifest['tables'] = [];
  const tx = await snapshot.db.startTransaction().setIsolationLevel('repeatable read').execute();
  let migrations: string[];
  let [originals, derived]: [string[], string[]] = [[], []];
  try {
    await sql`select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
    migrations = await readAppliedMigrations(tx);
    for (const table of await tablesInOrder(tx)) {
      const hash = createHash('sha256');
      let rows = 0;
      let batch = 0;
      for await (const lines of readRows(tx, table)) {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        hash.update(bytes);
        rows += lines.length;
        batch += 1;
        yield* entryOf(`tables/${table.name}/${String(batch).padStart(6, '0')}.ndjson`, bytes);
      }
      tables.push({ name: table.name, rows, sha256: hash.digest('hex') });
    }
    [originals, derived] = [await blobHashes(tx, '@original'), await blobHashes(tx, '@derived')];
  } finally {
    await tx.rollback().execute();
  }
  const secretKey = readSecretKey(source.dataDir);
  if (secretKey !== undefined) yield* entryOf(KEY_NAME, Buffer.from(secretKey));
  const carried = options.blobs === 'none' ? [] : options.blobs === 'all' ? [...originals, ...derived] : originals;
  const copied: Pick<Manifest, 'blobs' | 'lost'> = { blobs: [], lost: [] };
  for (const hash of new Set(carried)) yield* blobEntry(source.blobs, hash, copied);
  const manifest: Manifest = {
    format: BACKUP_FORMAT,
    created_at: options.now.toISOString(),
    version: options.version,
    migrations,
    tables,
    ...copied,
    referenced: options.blobs === 'none' ? [...new Set([...originals, ...derived])] : [],
    ...(secretKey !== undefined && { secret_key: sha256(secretKey) }),
  };
  yield* entryOf(MANIFEST_NAME, Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`));
  yield TAR_END;
}

/** The database as it is now, for reads that take long. */
async function openSnapshot({ database, dataDir }: BackupSource): Promise<{ db: Db } & AsyncDisposable> {
  if (database.copy === undefined) return { db: database.db, [Symbol.asyncDispose]: async () => {} };
  const folder = join(dataDir, 'unfinished', `backup-${randomUUID()}`);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = await database.copy(folder);
    const close = async (): Promise<void> => {
      await copy.close();
      await remove();
    };
    return { db: copy.db, [Symbol.asyncDispose]: close };
  } catch (error) {
    await remove();
    throw error;
  }
}

function* entryOf(name: string, bytes: Buffer): Generator<Buffer> {
  yield tarHeader(name, bytes.length);
  yield bytes;
  yield tarPadding(bytes.length);
}

/** Reads a blob in pieces into the archive. One that is gone or damaged does not prevent the others from being saved. */
async function* blobEntry(
  blobs: Pick<BlobStore, 'path'>,
  hash: string,
  copied: Pick<Manifest, 'blobs' | 'lost'>,
): AsyncGenerator<Buffer> {
  const path = await blobs.path(hash);
  const size = (await stat(path).catch(() => undefined))?.size;
  if (size === undefined) {
    copied.lost.push(hash);
    return;
  }
  yield tarHeader(`blobs/${hash}`, size);
  const actual = createHash('sha256');
  for await (const chunk of createReadStream(path)) {
    // A stream without an encoding gives buffers.
    const bytes = chunk as Buffer;
    actual.update(bytes);
    yield bytes;
  }
  yield tarPadding(size);
  if (actual.digest('hex') === hash) copied.blobs.push({ hash, bytes: size });
  else copied.lost.push(hash);
}
