import { LRUCache } from 'lru-cache';
import { type Encoder, EncodingFailed } from './encoder.ts';

/** Longest wait of a search: one that is late is worse than one by words. */
const LIMIT_MS = 2_000;
/** After a failure the encoder is left alone for so long. */
const PAUSE_MS = 30_000;
/** Questions whose vectors are kept, those asked last. */
const MOST_QUESTIONS = 200;

/** A question as an encoder sees it. */
export interface QuestionVector {
  /** Of the encoder: only texts that the same one encoded are compared. */
  model: string;
  vector: Int8Array;
}

/** The vector of a question, or why there is none. */
export interface EncodedQuestion {
  embedding?: QuestionVector;
  failure?: string;
}

/** Vectors of questions: each is encoded once, and searches wait for a short time only. */
export class QuestionVectors {
  readonly #encoder: Encoder;
  readonly #nowMs: () => number;
  readonly #limitMs: number;
  readonly #questions = new LRUCache<string, Promise<EncodedQuestion>>({ max: MOST_QUESTIONS });
  #failed: { atMs: number; failure: string } | undefined;

  constructor(encoder: Encoder, { now, limitMs = LIMIT_MS }: { now: () => Date; limitMs?: number }) {
    this.#encoder = encoder;
    this.#nowMs = () => now().getTime();
    this.#limitMs = limitMs;
  }

  /** An encoder that fails or is late is no fault of the search, which goes on without. */
  async of(query: string): Promise<EncodedQuestion> {
    const question = query.trim().slice(0, this.#encoder.limits.characters);
    if (question === '') return {};
    const cached = this.#questions.get(question);
    if (cached !== undefined) return this.#inTime(cached);
    const failed = this.#failed;
    if (failed !== undefined && this.#nowMs() - failed.atMs < PAUSE_MS) return { failure: failed.failure };
    const encoding = this.#encode(question);
    this.#questions.set(question, encoding);
    return this.#inTime(encoding);
  }

  /** Goes on when nobody waits any more: the first question also loads the model. */
  async #encode(question: string): Promise<EncodedQuestion> {
    const { model } = this.#encoder;
    try {
      const [vector] = await this.#encoder.encode([question], 'query');
      this.#failed = undefined;
      return vector === undefined ? {} : { embedding: { model, vector } };
    } catch (error) {
      this.#questions.delete(question);
      if (!(error instanceof EncodingFailed)) throw error;
      return this.#fail(error.message);
    }
  }

  async #inTime(encoding: Promise<EncodedQuestion>): Promise<EncodedQuestion> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), this.#limitMs);
    try {
      return (
        (await Promise.race([encoding, late])) ??
        this.#fail(`The encoder ${this.#encoder.name} did not answer in time.`)
      );
    } finally {
      clearTimeout(timer);
    }
  }

  #fail(failure: string): EncodedQuestion {
    this.#failed = { atMs: this.#nowMs(), failure };
    return { failure };
  }
}
