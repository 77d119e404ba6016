import { VarintReader, VarintWriter } from '../../kernel/varints.ts';

/** Characters that trigrams are made of: ASCII without NUL and line feed, capitals as small letters. 7 bits each. */
const CODES = Uint8Array.from({ length: 128 }, (_, unit) =>
  unit === 10 ? 0 : unit >= 65 && unit <= 90 ? unit + 32 : unit,
);
const TRIGRAMS = 1 << 21;

/** Room for a posting list grows by blocks: bytes of it, then the place of the next block. */
const BLOCK_BYTES = 16;
const BLOCK_DATA = 12;

/**
 * The trigrams of a text: three characters in a row, as numbers of 21 bits, each once. Case is ignored. Those with a line
 * feed or a character beyond ASCII are left out: they are in no index, so nothing may be asked of them.
 */
export function trigramsOf(text: string): Set<number> {
  const trigrams = new Set<number>();
  eachTrigram(text, (trigram) => trigrams.add(trigram));
  return trigrams;
}

/** The first two characters of a trigram, which its row of the index goes by. */
export function pairOf(trigram: number): number {
  return trigram >> 7;
}

function eachTrigram(text: string, take: (trigram: number) => void): void {
  let trigram = 0;
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = CODES[text.charCodeAt(at)] ?? 0;
    length = code === 0 ? 0 : length + 1;
    trigram = ((trigram << 7) | code) & (TRIGRAMS - 1);
    if (length >= 3) take(trigram);
  }
}

/**
 * Collects which chunks hold which trigrams. Memory: 24 MiB that are touched as trigrams are met, and about the size of
 * the finished index.
 */
export class TrigramWriter {
  /** Per trigram: its first block, where its next byte goes, its last chunk + 1. 0 is none. */
  readonly #first = new Int32Array(TRIGRAMS);
  readonly #next = new Int32Array(TRIGRAMS);
  readonly #last = new Int32Array(TRIGRAMS);
  /** Pairs that begin a trigram that was met. */
  readonly #met = new Uint8Array(TRIGRAMS >> 7);
  #arena = new Uint8Array(1 << 20);
  /** The same memory by fours. */
  #links = new Int32Array(this.#arena.buffer);
  #list = new Uint8Array(1024);
  /** The first block is never given out, so that 0 is no place. */
  #used = BLOCK_BYTES;

  /** Chunks come in ascending order. */
  add(chunk: number, text: string): void {
    const last = this.#last;
    let trigram = 0;
    let length = 0;
    // As `eachTrigram`, without a call for each character.
    for (let at = 0; at < text.length; at++) {
      const code = CODES[text.charCodeAt(at)] ?? 0;
      length = code === 0 ? 0 : length + 1;
      trigram = ((trigram << 7) | code) & (TRIGRAMS - 1);
      if (length < 3) continue;
      const gap = chunk + 1 - (last[trigram] ?? 0);
      if (gap === 0) continue;
      last[trigram] = chunk + 1;
      let remainder = gap;
      for (; remainder > 127; remainder >>>= 7) this.#append(trigram, (remainder & 127) | 128);
      this.#append(trigram, remainder);
    }
  }

  /**
   * The index: for each pair of characters that begins a trigram, in ascending order, third characters with the length
   * of their list and the list, which holds gaps between chunk ids + 1. Each blob is valid until the next is asked for.
   */
  *rows(): Generator<{ pair: number; postings: Uint8Array }> {
    const out = new VarintWriter(1024);
    for (let pair = 0; pair < TRIGRAMS >> 7; pair++) {
      if (this.#met[pair] === 0) continue;
      out.clear();
      for (let third = 0; third < 128; third++) {
        const trigram = (pair << 7) | third;
        if (this.#first[trigram] === 0) continue;
        const list = this.#listOf(trigram);
        out.push(third);
        out.push(list.length);
        out.append(list);
      }
      yield { pair, postings: out.bytes() };
    }
  }

  #append(trigram: number, byte: number): void {
    let at = this.#next[trigram] ?? 0;
    if (at % BLOCK_BYTES === 0) {
      at = this.#newBlock();
      this.#first[trigram] = at;
      this.#met[pairOf(trigram)] = 1;
    } else if (at % BLOCK_BYTES === BLOCK_DATA) {
      const block = this.#newBlock();
      this.#links[at / 4] = block;
      at = block;
    }
    this.#arena[at] = byte;
    this.#next[trigram] = at + 1;
  }

  #newBlock(): number {
    if (this.#used + BLOCK_BYTES > this.#arena.length) {
      const grown = new Uint8Array(this.#arena.length * 2);
      grown.set(this.#arena);
      this.#arena = grown;
      this.#links = new Int32Array(grown.buffer);
    }
    this.#used += BLOCK_BYTES;
    return this.#used - BLOCK_BYTES;
  }

  /** The bytes of a list in a row; valid until the next is asked for. */
  #listOf(trigram: number): Uint8Array {
    const end = this.#next[trigram] ?? 0;
    let length = 0;
    for (let at = this.#first[trigram] ?? 0; at !== end; at++) {
      if (at % BLOCK_BYTES === BLOCK_DATA) at = this.#links[at / 4] ?? 0;
      if (length === this.#list.length) {
        const grown = new Uint8Array(length * 2);
        grown.set(this.#list);
        this.#list = grown;
      }
      this.#list[length++] = this.#arena[at] ?? 0;
    }
    return this.#list.subarray(0, length);
  }
}

/** The trigrams of the row of their first two characters. */
export function* gramsOfPair(pair: number, postings: Uint8Array): Generator<number> {
  const from = new VarintReader(postings);
  while (from.more) {
    yield (pair << 7) | from.next();
    from.skip(from.next());
  }
}

/** The list of a trigram in the row of its first two characters: gaps between chunk ids + 1, from `from` up to `end`. */
export function chunkList(postings: Uint8Array, trigram: number): { from: VarintReader; end: number } | undefined {
  const from = new VarintReader(postings);
  while (from.more) {
    const third = from.next();
    const length = from.next();
    if (third === (trigram & 127)) return { from, end: from.at + length };
    from.skip(length);
  }
  return undefined;
}

/** Adds 1 to the count of each chunk that holds the trigram. `postings` is the row of its first two characters. */
export function countChunks(postings: Uint8Array, trigram: number, counts: Uint16Array): void {
  const list = chunkList(postings, trigram);
  if (list === undefined) return;
  for (let next = 0; list.from.at < list.end;) {
    next += list.from.next();
    counts[next - 1] = (counts[next - 1] ?? 0) + 1;
  }
}
