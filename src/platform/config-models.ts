import { z } from 'zod';
import { wholeNumber } from './config-schemas.ts';

/** Settings of the models that the service asks: one for vectors, one for answers. */
export const MODEL_VARIABLES = {
  encoder: {
    name: 'SVC_ENCODER',
    schema: z.enum(['on', 'off']),
    allowed: 'on or off',
    fallback: 'on',
    meaning:
      'Whether what people write is also compared by meaning, in any language: with the embedding service where one is configured, otherwise with a model that ships with the service. With off it is compared by its words.',
  },
  embeddingsUrl: {
    name: 'SVC_EMBEDDINGS_URL',
    schema: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
    allowed: 'the http or https URL before /embeddings, such as http://127.0.0.1:11434/v1',
    meaning:
      'Embedding service that receives code, questions and what people write (see docs/search.md). Without it nothing is sent.',
  },
  embeddingsModel: {
    name: 'SVC_EMBEDDINGS_MODEL',
    schema: z.string().min(1).max(200),
    allowed: 'the name of a model of the embedding service',
    meaning: 'Model of the embedding service. Changing it sends everything again.',
  },
  embeddingsKey: {
    name: 'SVC_EMBEDDINGS_KEY',
    schema: z.string().min(1).max(1000),
    allowed: 'the key from the embedding service',
    meaning: 'Key for the embedding service, if it needs one.',
    isSecret: true,
  },
  embeddingsDimensions: {
    name: 'SVC_EMBEDDINGS_DIMENSIONS',
    schema: wholeNumber(8, 8192),
    allowed: 'a whole number from 8 to 8192',
    meaning:
      'Length of the vectors, for models that can shorten them: shorter ones take less disk and time. By default the full length of the model.',
  },
  llmUrl: {
    name: 'SVC_LLM_URL',
    schema: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
    allowed: 'the http or https URL before /chat/completions or /messages, such as http://127.0.0.1:11434/v1',
    meaning:
      'Language model that receives questions to agents and what was found (see docs/agents.md). Without it nothing is sent.',
  },
  llmApi: {
    name: 'SVC_LLM_API',
    schema: z.enum(['openai', 'anthropic']),
    allowed: 'openai or anthropic',
    fallback: 'openai',
    meaning:
      'What the service of the language model speaks: /chat/completions as OpenAI and Ollama, or /messages as Anthropic.',
  },
  llmModel: {
    name: 'SVC_LLM_MODEL',
    schema: z.string().min(1).max(200),
    allowed: 'the name of a model of that service',
    meaning: 'Which language model agents ask.',
  },
  llmKey: {
    name: 'SVC_LLM_KEY',
    schema: z.string().min(1).max(1000),
    allowed: 'the key from the service of the language model',
    meaning: 'Key for the language model, if it needs one.',
    isSecret: true,
  },
  llmPrice: {
    name: 'SVC_LLM_PRICE',
    schema: z.string().regex(/^\d+(?:\.\d+)?\/\d+(?:\.\d+)?$/),
    allowed: 'the prices of a million tokens read and a million tokens written, such as 3/15',
    meaning:
      'What the language model costs, in any currency: answers then have a cost, and SVC_LLM_DAILY_COST can limit it.',
  },
  llmProductDailyCost: {
    name: 'SVC_LLM_PRODUCT_DAILY_COST',
    schema: z.coerce.number().positive(),
    allowed: 'a number above 0, in the currency of SVC_LLM_PRICE',
    meaning: 'Most that the language model may cost for one product in a day (UTC), all its API keys together.',
  },
  llmDailyCost: {
    name: 'SVC_LLM_DAILY_COST',
    schema: z.coerce.number().positive(),
    allowed: 'a number above 0, in the currency of SVC_LLM_PRICE',
    meaning:
      'Most that the language model may cost for one API key in a day (UTC). Beyond it agents answer without the model.',
  },
};
