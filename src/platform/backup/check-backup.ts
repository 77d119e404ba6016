import { sha256 } from '../../kernel/ids.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { ServiceError } from '../../kernel/errors.ts';
import { reasonOf } from '../failures.ts';
import { KEY_NAME, Manifest, MANIFEST_NAME } from './manifest.ts';
import { readEntry, readTar, type TarEntry } from './tar.ts';

/** Reads the files of a backup in their order. */
export function readEntries(file: string, content: Readable = createReadStream(file)): AsyncGenerator<TarEntry> {
  return readTar(pipeline(content, createZstdDecompress(), () => undefined));
}

/** A backup that was read to its end and is sound. */
export interface CheckedBackup {
  manifest: Manifest;
  secretKey: string | undefined;
}

/**
 * Reads a backup, the file or what arrives as its content, to its end and compares everything in it with its checksums.
 *
 * @throws ServiceError `bad_argument` when it is none, damaged, or not complete.
 */
export async function checkBackup(file: string, content?: Readable): Promise<CheckedBackup> {
  const tables = new Map<string, { rows: number; hash: ReturnType<typeof createHash> }>();
  const blobs = new Set<string>();
  let manifest: Manifest | undefined;
  let secretKey: string | undefined;
  try {
    for await (const entry of readEntries(file, content)) {
      const [folder, name = ''] = entry.name.split('/');
      if (folder === 'tables') {
        const table = tables.get(name) ?? { rows: 0, hash: createHash('sha256') };
        const bytes = await readEntry(entry);
        table.hash.update(bytes);
        table.rows += linesOf(bytes).length;
        tables.set(name, table);
      } else if (folder === 'blobs') {
        const hash = createHash('sha256');
        for await (const chunk of entry.content) hash.update(chunk);
        if (hash.digest('hex') === name) blobs.add(name);
      } else if (entry.name === KEY_NAME) secretKey = (await readEntry(entry)).toString();
      else if (entry.name === MANIFEST_NAME) manifest = Manifest.parse(JSON.parse((await readEntry(entry)).toString()));
    }
  } catch (cause) {
    throw damagedBackup(file, cause instanceof z.ZodError ? 'its manifest is of another form' : reasonOf(cause), cause);
  }
  if (manifest === undefined) throw damagedBackup(file, 'it has no manifest');
  for (const { name, rows, sha256: stated } of manifest.tables) {
    const { rows: actual, hash } = tables.get(name) ?? { rows: 0, hash: createHash('sha256') };
    if (actual !== rows) throw damagedBackup(file, `${name} has ${actual} rows instead of ${rows}`);
    if (hash.digest('hex') !== stated) throw damagedBackup(file, `the rows of ${name} differ from what was saved`);
  }
  for (const { hash } of manifest.blobs)
    if (!blobs.has(hash)) throw damagedBackup(file, `the blob ${hash} is missing or differs from what was saved`);
  if (manifest.secret_key !== (secretKey === undefined ? undefined : sha256(secretKey)))
    throw damagedBackup(file, 'its key of secrets is missing or differs from what was saved');
  return { manifest, secretKey };
}

/** The rows of a file of a table. Only `\n` ends one: other separators may be in a text. */
export function linesOf(bytes: Buffer): string[] {
  return bytes.toString('utf8').split('\n').slice(0, -1);
}

function damagedBackup(file: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('bad_argument', `${file} is no complete backup: ${what}.`, {
    fix: 'Name a file that `svc backup` wrote, or use another copy of it.',
    cause,
  });
}
