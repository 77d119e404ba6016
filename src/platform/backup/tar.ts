import { Buffer } from 'node:buffer';

const BLOCK_BYTES = 512;
/** Largest size that eleven octal digits express; larger ones are written in binary, as GNU tar does. */
const MOST_OCTAL = 8 ** 11;
const NAME_BYTES = 100;
const CHECKSUM = { at: 148, bytes: 8 };
const SIZE = { at: 124, bytes: 12 };

/** A file of an archive. Its content has to be read before the next entry is. */
export interface TarEntry {
  name: string;
  size: number;
  content: AsyncIterable<Buffer>;
}

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK_BYTES);

/** The header of a file of an archive, readable by its user only. Its content and `tarPadding` follow. */
export function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > NAME_BYTES) throw new Error(`"${name}" is too long for a name in an archive.`);
  header.write(name, 0);
  header.write('0000600\0', 100);
  for (const at of [108, 116]) header.write('0000000\0', at);
  if (size < MOST_OCTAL) header.write(size.toString(8).padStart(11, '0'), SIZE.at);
  else {
    header[SIZE.at] = 0x80;
    header.writeBigUInt64BE(BigInt(size), SIZE.at + 4);
  }
  header.write('00000000000\0', 136);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM.at);
  return header;
}

/** The bytes after a content of this size, which fill its last block. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES);
}

/** Reads the files of an archive in their order. @throws Error when it is damaged or ends before its end mark. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const header = await bytes.take(BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return;
    const stored = Number.parseInt(header.toString('latin1', CHECKSUM.at, CHECKSUM.at + CHECKSUM.bytes), 8);
    if (stored !== checksumOf(header)) throw new Error('a header has another checksum');
    const size = sizeOf(header);
    const name = header.toString('utf8', 0, header.indexOf(0));
    let remaining = size;
    const content = async function* (): AsyncGenerator<Buffer> {
      while (remaining > 0) {
        const chunk = await bytes.next(remaining);
        remaining -= chunk.length;
        yield chunk;
      }
    };
    yield { name, size, content: content() };
    while (remaining > 0) remaining -= (await bytes.next(remaining)).length;
    await bytes.take(tarPadding(size).length);
  }
}

/** The content of an entry in one piece. */
export async function readEntry({ content }: TarEntry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function sizeOf(header: Buffer): number {
  if (header[SIZE.at] === 0x80) return Number(header.readBigUInt64BE(SIZE.at + 4));
  return Number.parseInt(header.toString('latin1', SIZE.at, SIZE.at + SIZE.bytes), 8);
}

/** The sum of the bytes of a header, whose own checksum counts as blanks. */
function checksumOf(header: Buffer): number {
  const sum = header.reduce((total, byte) => total + byte, 0);
  const own = header.subarray(CHECKSUM.at, CHECKSUM.at + CHECKSUM.bytes);
  return own.reduce((total, byte) => total - byte + 0x20, sum);
}

/** Bytes of a stream, taken in pieces of a wished size. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns between one and `most` bytes. @throws Error at the end. */
  async next(most: number): Promise<Buffer> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) throw new Error('it ends early');
      this.#chunk = value;
    }
    const part = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(part.length);
    return part;
  }

  async take(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = size; missing > 0;) {
      const part = await this.next(missing);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }
}
