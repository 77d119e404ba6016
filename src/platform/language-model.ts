import type { LanguageModel } from 'ai';
import { ServiceError } from '../kernel/errors.ts';
import type { Config } from './config.ts';

/** One answer of the model that takes longer hangs. */
const REQUEST_MS = 60_000;
/** Before a call of an agent has to have ended, so that there is time for the answer without a model. */
const TOTAL_MS = 30_000;
const STEP_MS = 20_000;

/** The language model that is configured. */
export interface ModelProvider {
  /** The model as people know it. */
  model: string;
  /** Loads the client with the first question: 0.3 s that a service without a model does not spend. */
  load: () => Promise<LanguageModel>;
  /** Limit of a task in all, and of one round of it, in milliseconds. */
  timeout: { totalMs: number; stepMs: number };
  /** Price of a million tokens, in the currency of the operator. */
  price?: { input: number; output: number } | undefined;
  /** Most that one key may spend in a day. */
  dailyCost?: number | undefined;
}

/** Tokens that a model read and wrote. */
export interface TokenCount {
  inputTokens: number;
  outputTokens: number;
}

/** Cost of these tokens, in the currency of the price; 0 without one. */
export function costOf({ price }: Pick<ModelProvider, 'price'>, { inputTokens, outputTokens }: TokenCount): number {
  return price === undefined ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

type ModelConfig = Pick<Config, 'llmUrl' | 'llmModel' | 'llmKey'> &
  Partial<Pick<Config, 'llmApi' | 'llmPrice' | 'llmDailyCost' | 'llmProductDailyCost'>>;

/**
 * The model that agents may use: any service with OpenAI's `/chat/completions`, that of Ollama included, or with Anthropic's
 * `/messages`. Nothing when none is configured.
 *
 * @throws ServiceError `bad_argument` when only the address or only the model is given, or a limit of cost without a price.
 */
export function configuredModel(config: ModelConfig): ModelProvider | undefined {
  const { llmUrl: url, llmModel: model, llmKey: key, llmApi: api, llmPrice, llmDailyCost: dailyCost } = config;
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined) {
    throw new ServiceError('bad_argument', 'SVC_LLM_URL and SVC_LLM_MODEL belong together.', {
      fix: 'Set both, for example http://127.0.0.1:11434/v1 and qwen3, or neither.',
    });
  }
  if ((dailyCost ?? config.llmProductDailyCost) !== undefined && llmPrice === undefined) {
    throw new ServiceError('bad_argument', 'SVC_LLM_DAILY_COST and SVC_LLM_PRODUCT_DAILY_COST need SVC_LLM_PRICE.', {
      fix: 'Set SVC_LLM_PRICE to the prices of a million tokens read and written, for example 3/15.',
    });
  }
  let loading: Promise<LanguageModel> | undefined;
  const load = async (): Promise<LanguageModel> => {
    if (api === 'anthropic') {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      // Without a key of ours the client would take one from the environment.
      return createAnthropic({ baseURL: url, apiKey: key ?? '', fetch: fetchWithin(REQUEST_MS) })(model);
    }
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const service = createOpenAICompatible({
      name: 'llm',
      baseURL: url,
      ...(key !== undefined && { apiKey: key }),
      // Services report the tokens of a streamed answer only on request.
      includeUsage: true,
      fetch: fetchWithin(REQUEST_MS),
    });
    return service.chatModel(model);
  };
  const price = llmPrice === undefined ? undefined : priceOf(llmPrice);
  const timeout = { totalMs: TOTAL_MS, stepMs: STEP_MS };
  return { model, load: () => (loading ??= load()), timeout, price, dailyCost };
}

/** `3/15` as prices. */
function priceOf(text: string): { input: number; output: number } {
  const [input = 0, output = 0] = text.split('/').map(Number);
  return { input, output };
}

/** Fetches within a time. Follows no redirect: code goes to the address that was configured, and to no other. */
export function fetchWithin(timeoutMs: number): typeof fetch {
  return (input, init) => {
    const inTime = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, inTime]) : inTime;
    return fetch(input, { ...init, signal, redirect: 'error' });
  };
}
