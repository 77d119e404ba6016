import { fetchWithin } from '../../platform/language-model.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Config } from '../../platform/config.ts';
import { type Encoder, EncodingFailed } from './encoder.ts';
import { toBytes } from './vector.ts';

/** Texts of one request: enough to keep a service busy, little enough for the limits on tokens of hosted ones. */
const TEXTS_A_CALL = 64;
/** Models read about 512 tokens and more; a token of code is about four characters. */
const MOST_CHARACTERS = 2_000;
/** One request that takes longer hangs. Models on a processor take seconds for one batch. */
const REQUEST_MS = 120_000;
/** Waits 2, 4, 8, 16 s between, or what `retry-after` says. */
const PASSAGE_RETRIES = 4;

/** Prefixes that models of these families expect before a text, from the documentation of their authors. */
const PREFIXES: readonly { model: RegExp; query: string; passage: string }[] = [
  { model: /nomic-embed-text/i, query: 'search_query: ', passage: 'search_document: ' },
  { model: /\be5-(?:small|base|large)/i, query: 'query: ', passage: 'passage: ' },
  {
    model: /mxbai-embed-large|bge-\w+-en/i,
    query: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
];

type EmbeddingConfig = Pick<Config, 'embeddingsUrl' | 'embeddingsModel' | 'embeddingsKey' | 'embeddingsDimensions'>;

/**
 * The embedding service that is configured: any with OpenAI's `/embeddings`, Ollama included. Undefined when none is.
 *
 * @throws ServiceError `bad_argument` when only the address or only the model is given.
 */
export function configuredEmbeddings(config: EmbeddingConfig): Encoder | undefined {
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsDimensions: dimensions } = config;
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined) {
    throw new ServiceError('bad_argument', 'SVC_EMBEDDINGS_URL and SVC_EMBEDDINGS_MODEL belong together.', {
      fix: 'Set both, for example http://127.0.0.1:11434/v1 and nomic-embed-text, or neither.',
    });
  }
  const { host, pathname } = new URL(url);
  const prefixes = PREFIXES.find((prefix) => prefix.model.test(model)) ?? { query: '', passage: '' };
  const connect = connector({ url, model, key: config.embeddingsKey, dimensions });
  return {
    model: [`${host}${pathname}`, model, ...(dimensions === undefined ? [] : [`${dimensions}`])].join(' '),
    name: model,
    limits: { texts: TEXTS_A_CALL, characters: MOST_CHARACTERS },
    encode: async (texts, kind, signal) => {
      const ask = await connect();
      const prefix = prefixes[kind];
      return ask(
        texts.map((text) => prefix + text),
        // Somebody waits for the answer to a question.
        { retries: kind === 'query' && texts.length === 1 ? 0 : PASSAGE_RETRIES, signal },
      );
    },
  };
}

type Ask = (texts: string[], how: { retries: number; signal: AbortSignal | undefined }) => Promise<Int8Array[]>;

/** Loads the client with the first question: 0.3 s that a service without a provider does not spend. */
function connector({
  url,
  model,
  key,
  dimensions,
}: {
  url: string;
  model: string;
  key: string | undefined;
  dimensions: number | undefined;
}): () => Promise<Ask> {
  const load = async (): Promise<Ask> => {
    const [{ embedMany }, { createOpenAICompatible }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/openai-compatible'),
    ]);
    const service = createOpenAICompatible({
      name: 'embeddings',
      baseURL: url,
      ...(key !== undefined && { apiKey: key }),
      fetch: fetchWithin(REQUEST_MS),
    });
    const embeddingModel = service.embeddingModel(model);
    return async (values, { retries, signal }) => {
      const request = {
        model: embeddingModel,
        values,
        maxRetries: retries,
        maxParallelCalls: 1,
        ...(signal !== undefined && { abortSignal: signal }),
        ...(dimensions !== undefined && { dimensions }),
      };
      try {
        return checkVectors((await embedMany(request)).embeddings, dimensions);
      } catch (error) {
        signal?.throwIfAborted();
        throw error instanceof EncodingFailed ? error : new EncodingFailed(reasonOf(error));
      }
    };
  };
  let loading: Promise<Ask> | undefined;
  return () => (loading ??= load());
}

function checkVectors(vectors: readonly number[][], dimensions: number | undefined): Int8Array[] {
  const length = dimensions ?? vectors[0]?.length ?? 0;
  const odd = vectors.find((vector) => vector.length === 0 || vector.length !== length);
  if (odd !== undefined)
    throw new EncodingFailed(
      `The embedding service returned a vector of ${odd.length} dimensions instead of ${length}.`,
    );
  return vectors.map((vector) => toBytes(Float32Array.from(vector)));
}

/** Returns the reason of a failure without the request, which errors of the client carry whole. */
function reasonOf(error: unknown): string {
  const last = error instanceof Error && 'lastError' in error ? error.lastError : error;
  if (!(last instanceof Error)) return 'The embedding service cannot be reached.';
  if (last.name === 'TimeoutError') return 'The embedding service did not answer in time.';
  const status = 'statusCode' in last && typeof last.statusCode === 'number' ? last.statusCode : undefined;
  if (status !== undefined && status >= 300) return `The embedding service answered with status ${status}.`;
  const isUnreached = status === undefined && last.name === 'AI_APICallError';
  return isUnreached
    ? 'The embedding service cannot be reached.'
    : 'The embedding service did not return a vector for each text.';
}
