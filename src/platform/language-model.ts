import type { LanguageModel } from 'ai';
import { ServiceError } from '../kernel/errors.ts';
import type { Config } from './config.ts';

/** One answer of the model that takes longer hangs. */
const REQUEST_MS = 60_000;

/** The language model that is configured. */
export interface ModelProvider {
  /** The model as people know it. */
  model: string;
  /** Loads the client with the first question: 0.3 s that a service without a model does not spend. */
  load: () => Promise<LanguageModel>;
}

type ModelConfig = Pick<Config, 'llmUrl' | 'llmModel' | 'llmKey'>;

/**
 * The model that agents may use: any service with OpenAI's `/chat/completions`, those of Ollama and Anthropic included. Nothing when
 * none is configured.
 *
 * @throws ServiceError `bad_argument` when only the address or only the model is given.
 */
export function configuredModel({ llmUrl: url, llmModel: model, llmKey: key }: ModelConfig): ModelProvider | undefined {
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined) {
    throw new ServiceError('bad_argument', 'SVC_LLM_URL and SVC_LLM_MODEL belong together.', {
      fix: 'Set both, for example http://127.0.0.1:11434/v1 and qwen3, or neither.',
    });
  }
  let loading: Promise<LanguageModel> | undefined;
  const load = async (): Promise<LanguageModel> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const service = createOpenAICompatible({
      name: 'llm',
      baseURL: url,
      ...(key !== undefined && { apiKey: key }),
      fetch: fetchInTime,
    });
    return service.chatModel(model);
  };
  return { model, load: () => (loading ??= load()) };
}

/** Follows no redirect: code goes to the address that was configured, and to no other. */
const fetchInTime: typeof fetch = (input, init) => {
  const inTime = AbortSignal.timeout(REQUEST_MS);
  const signal = init?.signal ? AbortSignal.any([init.signal, inTime]) : inTime;
  return fetch(input, { ...init, signal, redirect: 'error' });
};
