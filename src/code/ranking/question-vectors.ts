import { LRUCache } from 'lru-cache';
import { EmbeddingFailed, type EmbeddingProvider } from '../../platform/embeddings.ts';
import { isSentenceText } from './sentences.ts';
import type { QuestionEmbedding } from './store-embeddings.ts';

/** Longest wait of a search: a search that is late is worse than one by the encoder that is built in. */
const LIMIT_MS = 2_000;
/** After a failure the service is left alone for so long. */
const REST_MS = 30_000;
/** Questions whose vectors are kept, those asked last. */
const KEPT = 200;

/** The vector of a question, or why there is none; neither when it is no sentence. */
export interface EmbeddedQuestion {
  embedding?: QuestionEmbedding;
  failure?: string;
}

/** Vectors of questions by an embedding service: each is asked for once, and for a short time only. */
export class QuestionVectors {
  readonly #provider: EmbeddingProvider;
  readonly #nowMs: () => number;
  readonly #limitMs: number;
  readonly #known = new LRUCache<string, Promise<EmbeddedQuestion>>({ max: KEPT });
  #failed: { atMs: number; failure: string } | undefined;

  constructor(provider: EmbeddingProvider, { now, limitMs = LIMIT_MS }: { now: () => Date; limitMs?: number }) {
    this.#provider = provider;
    this.#nowMs = () => now().getTime();
    this.#limitMs = limitMs;
  }

  /** The model that is asked. */
  get model(): string {
    return this.#provider.model;
  }

  /** A service that fails is no fault of the search, which goes on without. Names and few words are never sent. */
  async of(query: string): Promise<EmbeddedQuestion> {
    const question = query.trim().slice(0, this.#provider.limits.characters);
    if (!isSentenceText(question)) return {};
    const known = this.#known.get(question);
    if (known !== undefined) return known;
    const failed = this.#failed;
    if (failed !== undefined && this.#nowMs() - failed.atMs < REST_MS) return { failure: failed.failure };
    const asked = this.#ask(question);
    this.#known.set(question, asked);
    return asked;
  }

  async #ask(question: string): Promise<EmbeddedQuestion> {
    const { revision } = this.#provider;
    try {
      const [vector] = await this.#provider.embed([question], 'question', AbortSignal.timeout(this.#limitMs));
      this.#failed = undefined;
      return vector === undefined ? {} : { embedding: { revision, vector: toLengthOne(vector) } };
    } catch (error) {
      this.#known.delete(question);
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      if (!isLate && !(error instanceof EmbeddingFailed)) throw error;
      const failure = isLate ? 'The embedding service did not answer in time.' : error.message;
      this.#failed = { atMs: this.#nowMs(), failure };
      return { failure };
    }
  }
}

function toLengthOne(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  return vector.map((value) => value / length);
}
