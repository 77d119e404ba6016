import { expect, test } from 'vitest';
import { answerJson, embeddingServer, type EmbeddingServer } from '../../testing/embedding-server.ts';
import { readConfig } from '../../platform/config.ts';
import { configuredEmbeddings } from './embedding-service.ts';
import { EncodingFailed } from './encoder.ts';

const never = new AbortController().signal;

const busy: EmbeddingServer['odd'][number] = (response) =>
  answerJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after-ms': '5' });

test('without settings there is no provider, and an address without a model is refused', () => {
  expect(configuredEmbeddings(readConfig({}))).toBeUndefined();
  expect(() => configuredEmbeddings(readConfig({ SVC_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1' }))).toThrow(
    'belong together',
  );
  expect(() => configuredEmbeddings(readConfig({ SVC_EMBEDDINGS_MODEL: 'tiny' }))).toThrow('belong together');
});

test('texts are sent to the address with model, key and dimensions, and come back as vectors in their order', async () => {
  const server = await embeddingServer();
  const provider = configuredEmbeddings(
    readConfig({
      SVC_EMBEDDINGS_URL: `${server.url}/`,
      SVC_EMBEDDINGS_MODEL: 'tiny',
      SVC_EMBEDDINGS_KEY: 'sesame',
      SVC_EMBEDDINGS_DIMENSIONS: '16',
    }),
  );

  const vectors = await provider?.encode(['one', 'two', 'one'], 'passage', never);

  expect(vectors?.map(({ length }) => length)).toEqual([16, 16, 16]);
  expect(vectors?.[0]).toEqual(vectors?.[2]);
  expect(vectors?.[0]).not.toEqual(vectors?.[1]);
  expect(server.requests).toMatchObject([
    {
      model: 'tiny',
      input: ['one', 'two', 'one'],
      dimensions: 16,
      headers: { authorization: 'Bearer sesame' },
    },
  ]);
});

test('models that tell questions from documents get the words they were trained with', async () => {
  const server = await embeddingServer();
  const provider = server.provider({ model: 'nomic-embed-text:v1.5' });

  await provider.encode(['why'], 'query', never);
  await provider.encode(['because'], 'passage', never);

  expect(server.requests.map(({ input }) => input)).toEqual([['search_query: why'], ['search_document: because']]);
});

test('vectors of other services, models and lengths have other revisions', async () => {
  const [server, otherServer] = [await embeddingServer(), await embeddingServer()];

  const revisions = [
    server.provider(),
    otherServer.provider(),
    server.provider({ model: 'large' }),
    server.provider({ dimensions: 16 }),
  ].map(({ model }) => model);

  expect(new Set(revisions).size).toBe(4);
  expect(server.provider().model).toBe(revisions[0]);
});

test('a busy service is asked for documents again when it says so, and for a question only once', async () => {
  const server = await embeddingServer();
  const provider = server.provider();

  server.odd.push(busy, busy);
  expect(await provider.encode(['text'], 'passage', never)).toHaveLength(1);
  expect(server.requests).toHaveLength(3);

  server.odd.push(busy);
  await expect(provider.encode(['text'], 'query', never)).rejects.toThrow('answered with status 429');
  expect(server.requests).toHaveLength(4);
});

test('a failure says what happened without the text and the key', async () => {
  const server = await embeddingServer();
  const provider = server.provider({ key: 'sesame' });
  server.odd.push((response) => answerJson(response, 401, { error: { message: 'who is sesame' } }));

  const failure = await provider.encode(['private code'], 'passage', never).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(EncodingFailed);
  expect(Object.keys(failure as object)).toEqual(['name']);
  expect(String(failure)).toBe('EncodingFailed: The embedding service answered with status 401.');
});

test.each([
  ['too few vectors', { data: [{ embedding: [1, 2] }] }, 'did not return a vector for each text'],
  ['vectors of two lengths', { data: [{ embedding: [1, 2] }, { embedding: [1] }] }, 'of 1 dimensions instead of 2'],
  ['something else', { message: 'hello' }, 'did not return a vector for each text'],
])('%s are refused', async (_, body, reason) => {
  const server = await embeddingServer();
  server.odd.push((response) => answerJson(response, 200, body));

  await expect(server.provider().encode(['one', 'two'], 'query', never)).rejects.toThrow(reason);
});

test('a signal ends the wait for a service that hangs', async () => {
  const server = await embeddingServer();
  const stop = new AbortController();
  server.odd.push(() => stop.abort(new Error('enough')));

  await expect(server.provider().encode(['text'], 'passage', stop.signal)).rejects.toThrow('enough');
});

test('a redirect is not followed', async () => {
  const [server, other] = [await embeddingServer(), await embeddingServer()];
  server.odd.push((response) => response.writeHead(307, { location: `${other.url}/embeddings` }).end());

  await expect(server.provider().encode(['text'], 'query', never)).rejects.toThrow('cannot be reached');

  expect(other.requests).toEqual([]);
});

test('a service that hangs up cannot be reached', async () => {
  const server = await embeddingServer();
  server.odd.push((response) => response.destroy());

  await expect(server.provider().encode(['text'], 'query', never)).rejects.toThrow('cannot be reached');
});
