import { wordsOf } from './text-terms.ts';

/** What `bench/feedback/train-meanings.ts` writes. */
export interface TrainedMeanings {
  dimensions: number;
  /** Words in lower case, one a line. */
  words: string;
  /** Base64 of signed bytes, word after word. Only directions matter. */
  vectors: string;
  /** Stems whose weight is known, one a line. */
  stems: string;
  /** Base64 of bytes, one a stem: 255 for one that tells what a message is about, 0 for one that tells nothing. */
  weights: string;
}

/** Of a word that the training texts did not hold often enough: such words are mostly what a message is about. */
const UNKNOWN_WEIGHT = 0.8;
const LEAST_WEIGHT = 0.05;
const LARGEST_BYTE = 255;

/**
 * What words mean, learnt from public texts: how much each tells about the subject of a message, and a vector that is near
 * to those of words used alike. English; words of other languages have the weight of an unknown word and no vector.
 */
export class WordMeanings {
  readonly dimensions: number;
  readonly #rows: ReadonlyMap<string, number>;
  readonly #vectors: Int8Array;
  readonly #weights: ReadonlyMap<string, number>;

  /** About 20 ms. */
  constructor({ dimensions, words, vectors, stems, weights }: TrainedMeanings) {
    this.dimensions = dimensions;
    this.#rows = new Map(words.split('\n').map((word, row) => [word, row]));
    const bytes = Buffer.from(vectors, 'base64');
    this.#vectors = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    const known = Buffer.from(weights, 'base64');
    this.#weights = new Map(stems.split('\n').map((stem, at) => [stem, (known[at] ?? 0) / LARGEST_BYTE]));
  }

  /** How much a word tells of the subject, 0.05 to 1, by its stem. */
  weightOf(stem: string): number {
    return Math.max(LEAST_WEIGHT, this.#weights.get(stem) ?? UNKNOWN_WEIGHT);
  }

  /** Share of the words of a text that have a vector, 0 to 1. */
  knownShare(text: string): number {
    const words = wordsOf(text);
    return words.filter(({ written }) => this.#rows.has(written.toLowerCase())).length / Math.max(1, words.length);
  }

  /** The direction of a text, of length 1; zeros when no word of it is known. `rarity` is that of a stem among the texts. */
  vectorOf(text: string, rarity: (stem: string) => number): Float32Array {
    const sum = new Float32Array(this.dimensions);
    for (const { written, stem } of wordsOf(text)) {
      const row = this.#rows.get(written.toLowerCase());
      if (row === undefined) continue;
      const weight = this.weightOf(stem) * rarity(stem);
      for (let at = 0, from = row * this.dimensions; at < sum.length; at += 1, from += 1)
        sum[at] = (sum[at] ?? 0) + weight * (this.#vectors[from] ?? 0);
    }
    return toUnitLength(sum);
  }
}

/** Changes the vector itself, and gives it. Zeros stay zeros. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}
