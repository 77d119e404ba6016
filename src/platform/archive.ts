import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { ServiceError } from '../kernel/errors.ts';

const MEGABYTE = 1024 * 1024;

/** Limits that keep an archive from filling the disk or the memory. */
export const FILE_BYTES = 50 * MEGABYTE;
const UNPACKED_BYTES = 1024 * MEGABYTE;
const MOST_ENTRIES = 10_000;
/** Highest compression ratio of an archive, once it is large. */
const MOST_RATIO = 100;
const RATIO_FROM_BYTES = 10 * MEGABYTE;

/** An entry that was skipped. */
export interface ArchiveProblem {
  name: string;
  reason: string;
}

/**
 * Gives the files of a ZIP archive to `onFile`, one at a time. What cannot be read alone is named in the answer; folders
 * and what systems put beside files (`__MACOSX`, names with a dot first) are passed over.
 *
 * @throws ServiceError `too_large` when it unpacks to more than 1 GB or 10,000 entries or is packed more than 100 to 1,
 * `bad_argument` when it is broken or names files outside of itself.
 */
export async function readArchive(
  archive: Buffer,
  onFile: (name: string, bytes: Buffer) => Promise<void>,
): Promise<ArchiveProblem[]> {
  const { fromBufferPromise } = await import('yauzl');
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(archive, { lazyEntries: true, autoClose: false });
  } catch (cause) {
    throw brokenArchive(cause);
  }
  try {
    if (zip.entryCount > MOST_ENTRIES) throw tooLarge(`has ${zip.entryCount} entries, more than ${MOST_ENTRIES}`);
    return await readEntries(zip, onFile);
  } catch (error) {
    throw error instanceof ServiceError ? error : brokenArchive(error);
  } finally {
    zip.close();
  }
}

async function readEntries(
  zip: ZipFile,
  onFile: (name: string, bytes: Buffer) => Promise<void>,
): Promise<ArchiveProblem[]> {
  const problems: ArchiveProblem[] = [];
  const read = { bytes: 0 };
  const guard = (bytes: number): void => {
    read.bytes += bytes;
    if (read.bytes > UNPACKED_BYTES) throw tooLarge('unpacks to more than 1 GB');
    if (read.bytes > RATIO_FROM_BYTES && read.bytes > MOST_RATIO * zip.fileSize)
      throw tooLarge(`is packed more than ${MOST_RATIO} to 1`);
  };
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, uncompressedSize } = entry;
    const isPassedOver = name.endsWith('/') || name.startsWith('__MACOSX/') || basename(name).startsWith('.');
    if (isPassedOver) continue;
    if (entry.isEncrypted()) problems.push({ name, reason: 'It is encrypted.' });
    else if (uncompressedSize > FILE_BYTES) problems.push({ name, reason: 'It is larger than 50 MB.' });
    else {
      const bytes = await readEntry(zip, entry, guard);
      if (Buffer.isBuffer(bytes)) await onFile(name, bytes);
      else problems.push({ name, reason: bytes.reason });
    }
  }
  return problems;
}

/** The bytes of one entry, or why they cannot be had. */
async function readEntry(
  zip: ZipFile,
  entry: Entry,
  guard: (bytes: number) => void,
): Promise<Buffer | { reason: string }> {
  const parts: Buffer[] = [];
  let stream: Readable | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    for await (const part of stream) {
      // A stream without an encoding gives buffers.
      const bytes = part as Buffer;
      guard(bytes.length);
      parts.push(bytes);
    }
    return Buffer.concat(parts);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    return { reason: `It is broken: ${error instanceof Error ? error.message : ''}` };
  } finally {
    stream?.destroy();
  }
}

function tooLarge(what: string): ServiceError {
  return new ServiceError('too_large', `The archive ${what}.`, {
    fix: 'Upload it in smaller parts, or upload the files one by one.',
  });
}

function brokenArchive(cause: unknown): ServiceError {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  return new ServiceError('bad_argument', `The archive is broken${why}`, {
    fix: 'Create the ZIP again with relative names, and upload it.',
    cause,
  });
}
