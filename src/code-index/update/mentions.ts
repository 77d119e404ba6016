import { zstdDecompressSync } from 'node:zlib';
import { chunkList, trigramsOf } from '../format/trigrams.ts';
import type { BaseShard } from './base-shard.ts';

type ChunkRow = readonly [id: number, file: number, block: number, start: number, sizeBytes: number];

/** A word at a place of a piece of text, whose characters are bytes. */
interface Mention {
  file: number;
  text: string;
  at: number;
}

/** Finds the files of the old shard that have a word, by the trigrams of their chunks and then by their text. */
export class Mentions {
  readonly #base: BaseShard;
  readonly #chunks: ReadonlyMap<number, ChunkRow>;
  readonly #blocks = new Map<number, Uint8Array>();
  readonly #rows = new Map<number, Uint8Array | undefined>();

  constructor(base: BaseShard) {
    this.#base = base;
    const rows = base.rows<ChunkRow>('select id, file, block, start, size_bytes from chunk');
    this.#chunks = new Map(rows.map((row) => [row[0], row]));
  }

  /**
   * Old ids of the files that have a word, at a place that is `accepted` if that is given; undefined when the index cannot tell.
   */
  of(name: string, accepted: (mention: Mention) => boolean = () => true): Set<number> | undefined {
    // Trigrams with a character beyond ASCII are in no index, and nothing may be asked of shorter names.
    if (!/^[\x20-\x7e]{3,}$/.test(name)) return undefined;
    let chunks: Set<number> | undefined;
    for (const trigram of trigramsOf(name)) {
      chunks = this.#withTrigram(trigram, chunks);
      if (chunks.size === 0) break;
    }
    const files = new Set<number>();
    for (const chunk of chunks ?? []) {
      const file = this.#chunks.get(chunk)?.[1] ?? -1;
      if (files.has(file)) continue;
      const text = this.#textOf(chunk);
      if (placesOf(text, name).some((at) => accepted({ file, text, at }))) files.add(file);
    }
    return files;
  }

  #textOf(chunk: number): string {
    const [, , block, start, sizeBytes] = this.#chunks.get(chunk) ?? [0, 0, -1, 0, 0];
    let bytes = this.#blocks.get(block);
    if (bytes === undefined) {
      const [row] = this.#base.rows<[Uint8Array]>('select text from block where id = ?', block);
      this.#blocks.set(block, (bytes = zstdDecompressSync(row?.[0] ?? new Uint8Array(0))));
    }
    // Names that are asked for are ASCII: one byte a character is enough.
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, sizeBytes).toString('latin1');
  }

  /** Chunks with a trigram, of `among` only when given. */
  #withTrigram(trigram: number, among: ReadonlySet<number> | undefined): Set<number> {
    const chunks = new Set<number>();
    const pair = trigram >> 7;
    if (!this.#rows.has(pair)) {
      const [row] = this.#base.rows<[Uint8Array]>('select postings from gram where pair = ?', pair);
      this.#rows.set(pair, row?.[0]);
    }
    const list = chunkList(this.#rows.get(pair) ?? new Uint8Array(0), trigram);
    if (list === undefined) return chunks;
    for (let next = 0; list.from.at < list.end;) {
      next += list.from.next();
      if (among === undefined || among.has(next - 1)) chunks.add(next - 1);
    }
    return chunks;
  }
}

/** Yields the offsets at which a text has a name that is no part of a longer one. */
function* placesOf(text: string, name: string): Generator<number> {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!isWordAt(text, at - 1) && !isWordAt(text, at + name.length)) yield at;
}

const isWordAt = (text: string, at: number): boolean => /^\w$/.test(text.charAt(at));
