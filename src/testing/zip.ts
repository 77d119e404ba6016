import { packArchive } from '../platform/pack-archive.ts';

/** Offsets of fields in the end of the directory, an entry of it and the header of a file, in bytes (APPNOTE.TXT 4.3). */
const END = { bytes: 22, entries: 10, directory: 16 };
const ENTRY = { bytes: 46, flags: 8, size: 24, name: 28, extra: 30, comment: 32, header: 42 };
const HEADER = { flags: 6, size: 22 };
const ENCRYPTED = 1;

/** A ZIP archive of these files. `lie` changes what its directory says about each. */
export function zipOf(
  files: Record<string, string | Buffer>,
  lie: { sizeBytes?: number; isEncrypted?: boolean } = {},
): Buffer {
  const archive = packArchive(new Map(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)])));
  const end = archive.length - END.bytes;
  let at = archive.readUInt32LE(end + END.directory);
  for (let entry = 0; entry < archive.readUInt16LE(end + END.entries); entry += 1) {
    const header = archive.readUInt32LE(at + ENTRY.header);
    for (const [flags, size] of [
      [at + ENTRY.flags, at + ENTRY.size],
      [header + HEADER.flags, header + HEADER.size],
    ] as const) {
      if (lie.isEncrypted === true) archive.writeUInt16LE(archive.readUInt16LE(flags) | ENCRYPTED, flags);
      if (lie.sizeBytes !== undefined) archive.writeUInt32LE(lie.sizeBytes, size);
    }
    const names = [ENTRY.name, ENTRY.extra, ENTRY.comment].map((field) => archive.readUInt16LE(at + field));
    at += names.reduce((sum, bytes) => sum + bytes, ENTRY.bytes);
  }
  return archive;
}
