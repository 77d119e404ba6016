import { expect, test } from 'vitest';
import { answerJson, embeddingServer } from '../../testing/embedding-server.ts';
import { QuestionVectors } from './question-vectors.ts';

/** A busy machine must not make the service late. */
const PATIENT_MS = 60_000;

const SENTENCE = 'where are letters sent to customers';

test('a question is encoded once', async () => {
  const server = await embeddingServer();
  const vectors = new QuestionVectors(server.provider(), { now: () => new Date(0), limitMs: PATIENT_MS });

  const [first, second] = await Promise.all([vectors.of(SENTENCE), vectors.of(` ${SENTENCE} `)]);
  expect(await vectors.of(' ')).toEqual({});

  expect(first).toBe(second);
  expect(first.embedding?.model).toBe(server.provider().model);
  expect(server.requests.map(({ input }) => input)).toEqual([[SENTENCE]]);
});

test('a service that fails is told, left alone for half a minute, and asked again', async () => {
  const server = await embeddingServer();
  let now = 0;
  const vectors = new QuestionVectors(server.provider(), { now: () => new Date(now), limitMs: PATIENT_MS });
  server.odd.push((response) => answerJson(response, 500, {}));

  const failed = { failure: 'The embedding service answered with status 500.' };
  expect(await vectors.of(SENTENCE)).toEqual(failed);
  now = 29_999;
  expect(await vectors.of(SENTENCE)).toEqual(failed);
  expect(server.requests).toHaveLength(1);

  now = 30_000;
  expect((await vectors.of(SENTENCE)).embedding).toBeDefined();
});

test('a service that hangs does not hold a search up', async () => {
  const server = await embeddingServer();
  const vectors = new QuestionVectors(server.provider(), { now: () => new Date(0), limitMs: 30 });
  server.odd.push(() => undefined);

  expect(await vectors.of(SENTENCE)).toEqual({ failure: 'The encoder tiny did not answer in time.' });
});
