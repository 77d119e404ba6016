import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { BLOCK_BYTES, chunksOf, packBlock } from '../format/shard-text.ts';
import { VarintReader, VarintWriter } from '../../kernel/varints.ts';
import { pairOf, TrigramWriter, trigramsOf } from '../format/trigrams.ts';
import type { BaseShard } from './base-shard.ts';
import { TableCopier } from './table-copier.ts';

/** A row of `chunk`. */
type ChunkRow = readonly [id: number, file: number, line: number, block: number, start: number, sizeBytes: number];

/** A chunk of the new shard: one of the old shard, or the bytes of a text. */
interface NewChunk {
  file: number;
  line: number;
  sizeBytes: number;
  old?: ChunkRow;
  bytes?: Uint8Array;
}

/**
 * Takes the texts of a shard over into the next one. Blocks whose chunks all stay are copied as they are; the chunks that
 * stay of the others are packed anew, with what is new between them.
 */
export class TextCarrier {
  readonly #base: BaseShard;
  /** Old chunks by file. */
  readonly #old: ChunkRow[][];
  readonly #chunks: NewChunk[] = [];
  readonly #chunkTo: Int32Array;
  readonly #trigrams = new TrigramWriter();
  #block: { id: number; bytes: Uint8Array } | undefined;

  constructor(base: BaseShard) {
    const rows = base.rows<ChunkRow>('select id, file, line, block, start, size_bytes from chunk order by id');
    this.#base = base;
    this.#old = base.files.map(() => []);
    this.#chunkTo = new Int32Array(rows.length).fill(-1);
    for (const row of rows) this.#old[row[1]]?.push(row);
  }

  /** Takes the text of the next file from the old shard. */
  keep(oldFile: number, file: number): void {
    for (const old of this.#old[oldFile] ?? []) {
      const [id, , line, , , sizeBytes] = old;
      this.#chunkTo[id] = this.#chunks.push({ file, line, sizeBytes, old }) - 1;
    }
  }

  /** Takes the text of the next file. `starts` holds the offset of each line. */
  add(file: number, text: string, starts: Int32Array): void {
    for (const chunk of chunksOf(text, starts)) {
      const bytes = Buffer.from(chunk.text);
      this.#trigrams.add(this.#chunks.length, chunk.text);
      this.#chunks.push({ file, line: chunk.line, sizeBytes: bytes.length, bytes });
    }
  }

  /** Writes the chunks, the blocks and the trigrams. */
  write(db: DatabaseSync): void {
    this.#writeBlocks(db);
    this.#writeTrigrams(db);
  }

  #writeTrigrams(db: DatabaseSync): void {
    const table = new TableCopier(db, 'gram', 'pair', ['postings']);
    const gone = this.#gonePairs();
    const merger = new GramMerger(this.#chunkTo);
    const added = new Map(Array.from(this.#trigrams.rows(), ({ pair, postings }) => [pair, postings.slice()] as const));
    const pairs = gone ?? this.#base.rows<[number]>('select pair from gram').map(([pair]) => pair);
    let first = 0;
    for (const pair of [...new Set([...pairs, ...added.keys()])].toSorted((a, b) => a - b)) {
      if (pair > first) table.keepAll(first, pair - 1);
      first = pair + 1;
      const [[old] = [NONE]] = this.#base.rows<[Uint8Array]>('select postings from gram where pair = ?', pair);
      const merged = merger.merge(old, added.get(pair) ?? NONE);
      if (merged.length > 0) table.put(pair, merged);
    }
    table.keepAll(first, Number.MAX_SAFE_INTEGER);
  }

  /** First characters of trigrams in old chunks that are gone; undefined when some that stay have other ids. */
  #gonePairs(): Set<number> | undefined {
    const pairs = new Set<number>();
    for (const row of this.#old.flat()) {
      const to = this.#chunkTo[row[0]] ?? -1;
      if (to === row[0]) continue;
      if (to >= 0) return undefined;
      for (const trigram of trigramsOf(Buffer.from(this.#bytesOf(row)).toString())) pairs.add(pairOf(trigram));
    }
    return pairs;
  }

  #writeBlocks(db: DatabaseSync): void {
    const insertChunk = db.prepare('insert into chunk values (?, ?, ?, ?, ?, ?)');
    const insertBlock = db.prepare('insert into block values (?, ?)');
    const copyBlock = db.prepare('insert into block select ?, text from base.block where id = ?');
    const whole = this.#wholeBlocks();
    let blocks = 0;
    let copied = -1;
    let parts: Uint8Array[] = [];
    let partsBytes = 0;
    const flush = (): void => {
      if (parts.length > 0) insertBlock.run(blocks++, packBlock(parts));
      [parts, partsBytes] = [[], 0];
    };
    for (const [id, { file, line, sizeBytes, old, bytes }] of this.#chunks.entries()) {
      if (old !== undefined && whole.has(old[3])) {
        flush();
        if (copied !== old[3]) copyBlock.run(blocks++, (copied = old[3]));
        insertChunk.run(id, file, line, blocks - 1, old[4], sizeBytes);
        continue;
      }
      if (partsBytes > 0 && partsBytes + sizeBytes > BLOCK_BYTES) flush();
      insertChunk.run(id, file, line, blocks, partsBytes, sizeBytes);
      parts.push(bytes ?? this.#bytesOf(old));
      partsBytes += sizeBytes;
    }
    flush();
  }

  /** Old blocks whose chunks all stay, and stay one after the other. */
  #wholeBlocks(): Set<number> {
    const lost = new Set<number>();
    const last = new Map<number, number>();
    for (const rows of this.#old) {
      for (const [id, , , block] of rows) {
        const to = this.#chunkTo[id] ?? -1;
        const before = last.get(block);
        if (to < 0 || (before !== undefined && to !== before + 1)) lost.add(block);
        last.set(block, to);
      }
    }
    return new Set([...last.keys()].filter((block) => !lost.has(block)));
  }

  #bytesOf(old: ChunkRow | undefined): Uint8Array {
    const [, , , block, start, sizeBytes] = old ?? [0, 0, 0, -1, 0, 0];
    if (this.#block?.id !== block) {
      const [row] = this.#base.rows<[Uint8Array]>('select text from block where id = ?', block);
      if (row === undefined) throw new Error(`The shard has no block ${block}.`);
      this.#block = { id: block, bytes: zstdDecompressSync(row[0]) };
    }
    return this.#block.bytes.subarray(start, start + sizeBytes);
  }
}

const NONE = new Uint8Array(0);

/** Puts rows of the trigram index together: what stays of the old one, and what is added. */
class GramMerger {
  readonly #chunkTo: Int32Array;
  readonly #out = new VarintWriter(4096);
  readonly #list = new VarintWriter(4096);
  #last = 0;

  constructor(chunkTo: Int32Array) {
    this.#chunkTo = chunkTo;
  }

  /** The row of one pair of characters; both hold third characters in order. Valid until the next call. */
  merge(old: Uint8Array, added: Uint8Array): Uint8Array {
    const [from, more] = [new VarintReader(old), new VarintReader(added)];
    this.#out.clear();
    let third = from.more ? from.next() : -1;
    let other = more.more ? more.next() : -1;
    while (third >= 0 || other >= 0) {
      const file = third < 0 || (other >= 0 && other < third) ? other : third;
      this.#list.clear();
      this.#last = 0;
      this.#mergeList(file === third ? gapsOf(from) : NO_GAPS, file === other ? gapsOf(more) : NO_GAPS);
      if (file === third) third = from.more ? from.next() : -1;
      if (file === other) other = more.more ? more.next() : -1;
      if (this.#list.length === 0) continue;
      this.#out.push(file);
      this.#out.push(this.#list.length);
      this.#out.append(this.#list.bytes());
    }
    return this.#out.bytes();
  }

  #mergeList(old: GapList, added: GapList): void {
    let chunk = 0;
    let next = added.from.at < added.end ? added.from.next() : 0;
    while (old.from.at < old.end) {
      chunk += old.from.next();
      const to = (this.#chunkTo[chunk - 1] ?? -1) + 1;
      if (to === 0) continue;
      while (next !== 0 && next < to) next = this.#pushNext(next, added);
      this.#list.push(to - this.#last);
      this.#last = to;
    }
    while (next !== 0) next = this.#pushNext(next, added);
  }

  /** Adds a chunk id + 1 of the added list, and gives the next of it, 0 after the last. */
  #pushNext(file: number, added: GapList): number {
    this.#list.push(file - this.#last);
    this.#last = file;
    return added.from.at < added.end ? file + added.from.next() : 0;
  }
}

/** A list of gaps between chunk ids + 1, up to `end`. */
interface GapList {
  from: VarintReader;
  end: number;
}

const NO_GAPS: GapList = { from: new VarintReader(NONE), end: 0 };

/** The list that comes next, which has its length before it. */
function gapsOf(from: VarintReader): GapList {
  const length = from.next();
  return { from, end: from.at + length };
}
