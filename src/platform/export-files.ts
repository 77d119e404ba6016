import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type BlobStore, copyHashed, hashOfFile } from './blobs.ts';
import type { Db } from './db.ts';

/** A blob that an export carries, by its SHA-256. */
interface ExportedFile {
  hash: string;
  bytes: number;
}

/** Blobs of an export: those that it carries, and those that were lost or damaged before. */
export interface ExportedFiles {
  files: ExportedFile[];
  lost: string[];
}

/** The folder of an export that holds the blobs, each named by its hash. */
const FOLDER = 'files';

/**
 * Copies every blob into the export that a column with the comment `@original` names: those that cannot be made again. Each is
 * read and written in pieces, and its content compared with its name in passing. One that is gone or damaged does not prevent
 * the others from being saved.
 */
export async function exportFiles(tx: Db, blobs: Pick<BlobStore, 'path'>, folder: string): Promise<ExportedFiles> {
  const exported: ExportedFiles = { files: [], lost: [] };
  const hashes = await originalsOf(tx);
  if (hashes.length > 0) await mkdir(join(folder, FOLDER));
  for (const hash of hashes) {
    const target = fileOf(folder, hash);
    const copied = await copyHashed(target, await blobs.path(hash));
    if (copied?.hash === hash) {
      exported.files.push({ hash, bytes: copied.sizeBytes });
      continue;
    }
    await rm(target, { force: true });
    exported.lost.push(hash);
  }
  return exported;
}

/** Describes the first fault of the blobs of an export; undefined when each is there with the content that its name says. */
export async function damageOfFiles(folder: string, files: readonly ExportedFile[]): Promise<string | undefined> {
  for (const { hash } of files) {
    const actualHash = await hashOfFile(fileOf(folder, hash));
    if (actualHash === undefined) return `files/${hash} is missing`;
    if (actualHash !== hash) return `files/${hash} differs from what was exported`;
  }
  return undefined;
}

/** Puts the blobs of an export into the store. @throws Error when one is not what it was when it was looked at before. */
export async function importFiles(
  blobs: Pick<BlobStore, 'put'>,
  folder: string,
  files: readonly ExportedFile[],
): Promise<void> {
  for (const { hash } of files) {
    const stored = await blobs.put(fileOf(folder, hash));
    if (stored.hash !== hash) throw new Error(`files/${hash} changed while it was imported.`);
  }
}

function fileOf(folder: string, hash: string): string {
  return join(folder, FOLDER, hash);
}

async function originalsOf(db: Db): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.relname::text as table, a.attname::text as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and col_description(c.oid, a.attnum) like '@original%'
     order by 1, 2`.execute(db);
  const hashes = new Set<string>();
  for (const { table, column } of columns) {
    const { rows } = await sql<{ hash: string }>`
      select distinct ${sql.ref(column)} as hash from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(
      db,
    );
    for (const { hash } of rows) hashes.add(hash);
  }
  return [...hashes].toSorted();
}
