import trained from './word-vectors.json' with { type: 'json' };

/** Output of `lab/retrieval/train-vectors.ts`: for each term one vector for questions and one for code. */
export interface TrainedVectors {
  dimensions: number;
  /** One a line. */
  terms: string;
  /** Rarity of each term: inverse document frequencies over the corpus, with spaces between. */
  idf: string;
  /** Base64 of signed bytes, term after term. Units do not matter: what is made of them is brought to length 1. */
  question: string;
  code: string;
}

/** Terms of one document of code by what they stand in, with how often. */
interface CodeTerms {
  /** Body, comments, signature and documentation together. */
  text: ReadonlyMap<number, number>;
  name: readonly number[];
  /** Names around it, and its path. */
  context: readonly number[];
}

/** Shares of the three kinds of terms in the vector of a document. The text counts with length 1 before. */
const TEXT = 3;
const NAME = 0.4;
const CONTEXT = 0.14;

const LARGEST_BYTE = 127;

/**
 * A bag-of-words encoder of two sides, learned from pairs of documentation and function: it brings `every` near `all`,
 * and `delete` near `remove`. Terms that it does not know count for nothing.
 */
export class WordVectors {
  readonly dimensions: number;
  /** In the order of their rows. */
  readonly terms: readonly string[];
  readonly #rows: ReadonlyMap<string, number>;
  readonly #idf: Float32Array;
  readonly #question: Int8Array;
  readonly #code: Int8Array;
  /** Sum of the vectors in `nearness`, allocated once: a search calls it hundreds of times. */
  readonly #sum: Float64Array;

  /** About 10 ms. */
  constructor({ dimensions, terms, idf, question, code }: TrainedVectors) {
    this.dimensions = dimensions;
    this.terms = terms.split('\n');
    this.#rows = new Map(this.terms.map((term, row) => [term, row]));
    this.#idf = Float32Array.from(idf.split(' '), Number);
    this.#question = bytesOf(question);
    this.#code = bytesOf(code);
    this.#sum = new Float64Array(dimensions);
  }

  /** The vector of a question, of length 1; undefined when no term of it is known. */
  ofQuestion(terms: readonly string[]): Float32Array | undefined {
    const counts = new Map<number, number>();
    for (const term of terms) {
      const row = this.#rows.get(term);
      if (row !== undefined) counts.set(row, (counts.get(row) ?? 0.5) + 0.5);
    }
    if (counts.size === 0) return undefined;
    const vector = new Float32Array(this.dimensions);
    for (const [row, count] of counts) this.#addTo(vector, this.#question, { row, weight: this.#weight(row, count) });
    return scaleVector(vector, 1);
  }

  /** The vector of a document, in bytes that stand for -1 to 1; zeros when no term of it is known. */
  ofCode({ text, name, context }: CodeTerms): Int8Array {
    const vector = new Float32Array(this.dimensions);
    let squares = 0;
    for (const [row, count] of text) squares += this.#weight(row, Math.log1p(count)) ** 2;
    const share = TEXT / (Math.sqrt(squares) || 1);
    for (const [row, count] of text)
      this.#addTo(vector, this.#code, { row, weight: share * this.#weight(row, Math.log1p(count)) });
    for (const row of name) this.#addTo(vector, this.#code, { row, weight: this.#weight(row, NAME) });
    for (const row of context) this.#addTo(vector, this.#code, { row, weight: this.#weight(row, CONTEXT) });
    const bytes = new Int8Array(vector.length);
    const full = scaleVector(vector, LARGEST_BYTE);
    for (let at = 0; at < full.length; at++) bytes[at] = Math.round(full[at] ?? 0);
    return bytes;
  }

  /** Returns how near a few words of code are to a question, -1 to 1; 0 when none of them is known. */
  nearness(question: Float32Array, terms: readonly string[]): number {
    const [vector, dimensions] = [this.#sum.fill(0), this.dimensions];
    for (const [index, term] of terms.entries()) {
      const row = this.#rows.get(term);
      if (row === undefined || terms.indexOf(term) < index) continue;
      const weight = this.#weight(row, 1);
      for (let at = 0, from = row * dimensions; at < dimensions; at++, from++)
        vector[at] = (vector[at] ?? 0) + weight * (this.#code[from] ?? 0);
    }
    let [sum, squares] = [0, 0];
    for (let at = 0; at < dimensions; at++) {
      const value = vector[at] ?? 0;
      sum += (question[at] ?? 0) * value;
      squares += value * value;
    }
    return squares === 0 ? 0 : sum / Math.sqrt(squares);
  }

  #weight(row: number, count: number): number {
    return (this.#idf[row] ?? 0) * count;
  }

  #addTo(vector: Float32Array, rows: Int8Array, { row, weight }: { row: number; weight: number }): void {
    const from = row * this.dimensions;
    for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) + weight * (rows[from + at] ?? 0);
  }
}

/**
 * Returns how near each document is to a question, -1 to 1. `vectors` holds the bytes of one document after the other. About
 * 100 ns a document.
 */
export function similarities(question: Float32Array, vectors: Int8Array): Float32Array {
  const dimensions = question.length;
  const scores = new Float32Array(vectors.length / dimensions);
  for (let document = 0, from = 0; document < scores.length; document++, from += dimensions) {
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += (question[at] ?? 0) * (vectors[from + at] ?? 0);
    scores[document] = sum / LARGEST_BYTE;
  }
  return scores;
}

function scaleVector(vector: Float32Array, length: number): Float32Array {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] ?? 0) * (vector[at] ?? 0);
  const factor = length / (Math.sqrt(squares) || 1);
  const result = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) result[at] = (vector[at] ?? 0) * factor;
  return result;
}

function bytesOf(base64: string): Int8Array {
  const bytes = Buffer.from(base64, 'base64');
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The encoder of this build. A shard holds vectors of the encoder that it was written with. */
export const WORD_VECTORS = new WordVectors(trained);
