import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { configuredEmbeddings } from '../text/encoder/embedding-service.ts';
import type { Encoder } from '../text/encoder/encoder.ts';

const DIMENSIONS = 64;

/** One request as the service got it. */
interface EmbeddingRequest {
  model: string;
  input: string[];
  dimensions?: number;
  headers: IncomingHttpHeaders;
}

/** An embedding service as OpenAI's, on this machine. */
export interface EmbeddingServer {
  /** Base address, to which `/embeddings` is added. */
  url: string;
  requests: EmbeddingRequest[];
  /** Answers the next requests instead of vectors; they are taken from the front. */
  odd: ((response: ServerResponse) => void)[];
  /** Length of its vectors; may be changed. */
  dimensions: number;
  /** Words that mean another one. */
  meanings: Record<string, string>;
  provider: (more?: { model?: string; key?: string; dimensions?: number }) => Encoder;
}

/** Vectors are sums of one pseudo-random direction a word: texts that share words are near. Stopped after the test. */
export async function embeddingServer(): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const received = JSON.parse(body) as Omit<EmbeddingRequest, 'headers'>;
      service.requests.push({ ...received, headers: request.headers });
      const odd = service.odd.shift();
      if (odd !== undefined) return odd(response);
      answerJson(response, 200, {
        data: received.input.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: wordVector(text, { ...service, dimensions: received.dimensions ?? service.dimensions }),
        })),
        model: received.model,
        usage: { prompt_tokens: 1, total_tokens: 1 },
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const service: EmbeddingServer = {
    url,
    requests: [],
    odd: [],
    dimensions: DIMENSIONS,
    meanings: {},
    provider: ({ model = 'tiny', key, dimensions } = {}) => {
      const provider = configuredEmbeddings({
        embeddingsUrl: url,
        embeddingsModel: model,
        embeddingsKey: key,
        embeddingsDimensions: dimensions,
      });
      if (provider === undefined) throw new Error('An address and a model are a provider.');
      return provider;
    },
  };
  return service;
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The sum of one pseudo-random direction a word. */
export function wordVector(
  text: string,
  { dimensions, meanings }: Pick<EmbeddingServer, 'dimensions' | 'meanings'>,
): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let state = seedOf(meanings[word] ?? word);
    for (let at = 0; at < dimensions; at++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      vector[at] = (vector[at] ?? 0) + state / 2 ** 31 - 1;
    }
  }
  return vector;
}

function seedOf(word: string): number {
  let seed = 7;
  for (const letter of word) seed = (Math.imul(seed, 31) + letter.charCodeAt(0)) >>> 0;
  return seed;
}
