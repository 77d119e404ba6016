import { crc32, deflateRawSync } from 'node:zlib';
import { readArchive } from './archive.ts';

/** Names in UTF-8. */
const UTF8_NAMES = 0x800;
const [STORED, DEFLATED] = [0, 8];
/** File that shows programs the kind of an OpenDocument or EPUB file in its first bytes: it is not packed. */
const STORED_FILE = 'mimetype';

/**
 * The archive with some of its files changed: `change` gets their text, of those that `isChanged` names, and what it adds to
 * the map is packed too. Libraries that read office files have no other input for parts.
 */
export async function repackArchive(
  archive: Buffer,
  isRead: (name: string) => boolean,
  change: (texts: Map<string, string>) => void,
): Promise<Buffer> {
  const files = new Map<string, Buffer>();
  const texts = new Map<string, string>();
  await readArchive(archive, async (name, bytes) => {
    if (isRead(name)) texts.set(name, bytes.toString('utf8'));
    else files.set(name, bytes);
  });
  change(texts);
  for (const [name, text] of texts) files.set(name, Buffer.from(text));
  return packArchive(files);
}

/** A ZIP archive of these files, in their order. */
export function packArchive(files: ReadonlyMap<string, Buffer>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const isStored = name === STORED_FILE;
    const packed = isStored ? bytes : deflateRawSync(bytes, { level: 1 });
    const title = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(UTF8_NAMES, 2);
    fields.writeUInt16LE(isStored ? STORED : DEFLATED, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, title, packed]);
    const directoryFields = Buffer.alloc(14);
    directoryFields.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, directoryFields, title]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
