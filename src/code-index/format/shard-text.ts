import type { DatabaseSync } from 'node:sqlite';
import { constants, zstdCompressSync } from 'node:zlib';
import { lineStarts } from './line-starts.ts';
import { type FileWords, Vocabulary } from './rank-words.ts';
import { TrigramWriter } from './trigrams.ts';
import { WORD_VECTORS } from './word-vectors.ts';

/** Unit of the trigram index: smaller is more precise, larger is a smaller index. */
const CHUNK_UNITS = 4096;

/** Text in one zstd frame: larger compresses better, smaller is faster to read one line from. */
export const BLOCK_BYTES = 32 * 1024;

const CHUNK_COLUMNS = 5;

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Memory of the words of a text for each of its characters, about: a word of some five takes 12 bytes. */
const WORD_BYTES = 2.4;

/**
 * The texts of a shard, read before anything is known of their symbols: chunks of whole lines in compressed blocks, the
 * trigrams of each chunk, and the words. Memory: about half of the text, and `wordBytes` of words; those of later texts are read
 * when their file is written.
 */
export class ShardTexts {
  readonly vocabulary = new Vocabulary(WORD_VECTORS.terms);
  readonly #trigrams = new TrigramWriter();
  /** Columns of `chunk` but for the id, row after row. */
  readonly #chunks: number[] = [];
  readonly #blocks: Uint8Array[] = [];
  readonly #words = new Map<number, FileWords>();
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #files = 0;
  #characters = 0;
  readonly #wordCharacters: number;

  constructor(wordBytes = Infinity) {
    this.#wordCharacters = wordBytes / WORD_BYTES;
  }

  /** Number of files added. */
  get size(): number {
    return this.#files;
  }

  /** Adds the text of the next file, '' when it has none. Without `hasWords` it is searched, but not ranked. */
  add(text: string, hasWords = true): void {
    const file = this.#files++;
    const starts = lineStarts(text);
    this.#characters += text.length;
    if (!hasWords) this.#words.set(file, this.vocabulary.read('', starts));
    else if (this.#characters <= this.#wordCharacters) this.#words.set(file, this.vocabulary.read(text, starts));
    for (const chunk of chunksOf(text, starts)) this.#chunk(file, chunk.line, chunk.text);
  }

  /** The words of a file, which are forgotten then. `starts` holds the offset of each line. */
  takeWords(file: number, text: string, starts: Int32Array): FileWords {
    const words = this.#words.get(file) ?? this.vocabulary.read(text, starts);
    this.#words.delete(file);
    return words;
  }

  /** Writes the chunks, the blocks and the trigrams. */
  write(db: DatabaseSync): void {
    this.#flushBlock();
    const insertChunk = db.prepare('insert into chunk values (?, ?, ?, ?, ?, ?)');
    for (let at = 0; at < this.#chunks.length; at += CHUNK_COLUMNS)
      insertChunk.run(at / CHUNK_COLUMNS, ...this.#chunks.slice(at, at + CHUNK_COLUMNS));
    const insertBlock = db.prepare('insert into block values (?, ?)');
    for (const [id, block] of this.#blocks.entries()) insertBlock.run(id, block);
    const insertGram = db.prepare('insert into gram values (?, ?)');
    for (const { pair, postings } of this.#trigrams.rows()) insertGram.run(pair, postings);
  }

  #flushBlock(): void {
    if (this.#parts.length === 0) return;
    this.#blocks.push(packBlock(this.#parts));
    this.#parts = [];
    this.#partsBytes = 0;
  }

  #chunk(file: number, line: number, text: string): void {
    const bytes = Buffer.from(text);
    if (this.#partsBytes > 0 && this.#partsBytes + bytes.length > BLOCK_BYTES) this.#flushBlock();
    this.#trigrams.add(this.#chunks.length / CHUNK_COLUMNS, text);
    this.#chunks.push(file, line, this.#blocks.length, this.#partsBytes, bytes.length);
    this.#parts.push(bytes);
    this.#partsBytes += bytes.length;
  }
}

/** Whole lines of a text, about 4 KiB together, in order; `line` is the first, from 1. `starts` holds the offset of each line. */
export function* chunksOf(text: string, starts: Int32Array): Generator<{ line: number; text: string }> {
  for (let line = 0; line < starts.length;) {
    const start = starts[line] ?? 0;
    let next = line + 1;
    while (next < starts.length && (starts[next + 1] ?? text.length) - start <= CHUNK_UNITS) next++;
    const end = starts[next] ?? text.length;
    if (end > start) yield { line: line + 1, text: text.slice(start, end) };
    line = next;
  }
}

/** The chunks of a block as it is kept. */
export function packBlock(chunks: readonly Uint8Array[]): Uint8Array {
  return zstdCompressSync(Buffer.concat(chunks), ZSTD);
}
