import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync } from 'node:zlib';
import { TrigramWriter } from './trigrams.ts';

/** Unit of the trigram index: smaller is more precise, larger is a smaller index. */
const CHUNK_UNITS = 4096;

/** Text in one zstd frame: larger compresses better, smaller is faster to read one line from. */
const BLOCK_BYTES = 32 * 1024;

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Stores the text of files as chunks of whole lines in compressed blocks, with the trigrams of each chunk. */
export class TextWriter {
  readonly #insertChunk: StatementSync;
  readonly #insertBlock: StatementSync;
  readonly #insertGram: StatementSync;
  readonly #trigrams = new TrigramWriter();
  #chunks = 0;
  #blocks = 0;
  #parts: Buffer[] = [];
  #partsBytes = 0;

  constructor(db: DatabaseSync) {
    this.#insertChunk = db.prepare('insert into chunk values (?, ?, ?, ?, ?, ?)');
    this.#insertBlock = db.prepare('insert into block values (?, ?)');
    this.#insertGram = db.prepare('insert into gram values (?, ?)');
  }

  /** Stores one file. `starts` holds the offset of each line, as `lineStarts` gives it. */
  add(file: number, text: string, starts: Int32Array): void {
    for (let line = 0; line < starts.length;) {
      const start = starts[line] ?? 0;
      let next = line + 1;
      while (next < starts.length && (starts[next + 1] ?? text.length) - start <= CHUNK_UNITS) next++;
      const end = starts[next] ?? text.length;
      if (end > start) this.#chunk(file, line + 1, text.slice(start, end));
      line = next;
    }
  }

  /** Writes the last block and the trigrams. */
  finish(): void {
    this.#flushBlock();
    for (const { pair, postings } of this.#trigrams.rows()) this.#insertGram.run(pair, postings);
  }

  #flushBlock(): void {
    if (this.#parts.length === 0) return;
    this.#insertBlock.run(this.#blocks, zstdCompressSync(Buffer.concat(this.#parts), ZSTD));
    this.#blocks++;
    this.#parts = [];
    this.#partsBytes = 0;
  }

  #chunk(file: number, line: number, text: string): void {
    const bytes = Buffer.from(text);
    if (this.#partsBytes > 0 && this.#partsBytes + bytes.length > BLOCK_BYTES) this.#flushBlock();
    this.#insertChunk.run(this.#chunks, file, line, this.#blocks, this.#partsBytes, bytes.length);
    this.#trigrams.add(this.#chunks, text);
    this.#chunks++;
    this.#parts.push(bytes);
    this.#partsBytes += bytes.length;
  }
}

/** Offset of the start of each line. Lines end with `\n`; an end of line at the end of the text starts no line. */
export function lineStarts(text: string): Int32Array {
  const starts: number[] = text === '' ? [] : [0];
  for (let at = text.indexOf('\n'); at !== -1 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return Int32Array.from(starts);
}
