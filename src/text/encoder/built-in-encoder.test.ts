import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BUILT_IN_MODEL, builtInEncoder } from './built-in-encoder.ts';
import { MODEL_FILES } from './load-encoder.ts';
import { openModelFile } from './model-file.ts';
import { readPieces, unigramTokenizer } from './unigram-tokenizer.ts';
import { cosine, toBytes, unitVector } from './vector.ts';

const MODELS = join(import.meta.dirname, '../../../models');
const readJson = (file: string): unknown => JSON.parse(readFileSync(join(MODELS, file), 'utf8'));

/** It starts with the first text. */
const encoder = builtInEncoder();
afterAll(() => encoder.close());

/** By another implementation, with all 250,002 pieces. `ids` are undefined for a text with a piece that does not ship. */
const reference = readJson('reference.json') as {
  texts: string[];
  ids: (number[] | null)[];
  query: number[][];
  passage: number[][];
};

test('texts have the vectors of the model, whatever the language', async () => {
  // The vectors of passages differ in the prefix alone.
  const passages = reference.texts.slice(0, 4);

  const vectors = [...(await encoder.encode(reference.texts, 'query')), ...(await encoder.encode(passages, 'passage'))];

  const expected = [...reference.query, ...reference.passage.slice(0, passages.length)];
  const similarities = vectors.map((vector, at) => cosine(vector, Int8Array.from(expected[at] ?? [])));
  expect(Math.min(...similarities)).toBeGreaterThan(0.99);
  expect(similarities.reduce((sum, value) => sum + value, 0) / similarities.length).toBeGreaterThan(0.999);
  expect(vectors[0]).toHaveLength(384);
});

test('a text that is given twice has one vector, and a text without words has one too', async () => {
  const [first, empty, again] = await encoder.encode(['Where is my order?', '', 'Where is my order?'], 'query');

  expect(again).toEqual(first);
  expect(empty?.some((value) => value !== 0)).toBe(true);
});

test('a text beyond the positions of the model is read as far as they go', async () => {
  const [vector] = await encoder.encode(['refund '.repeat(600)], 'passage');

  expect(vector).toHaveLength(384);
});

test('what nobody waits for any more is not encoded', async () => {
  const closed = builtInEncoder();
  const reason = new Error('The caller left.');

  await expect(closed.encode(['text'], 'query', AbortSignal.abort(reason))).rejects.toBe(reason);
  await closed.close();
  await expect(closed.encode(['text'], 'query')).rejects.toMatchObject({ name: 'EncodingFailed' });
});

test('texts are split into the pieces of the model', () => {
  const split = unigramTokenizer(readPieces(join(MODELS, MODEL_FILES.pieces)));
  const references = reference.texts.flatMap((text, at) => {
    const ids = reference.ids[at] ?? undefined;
    return ids === undefined ? [] : [{ text, ids }];
  });

  expect(references).toHaveLength(23);
  for (const { text, ids } of references) expect([text, split(`query: ${text}`, 512)]).toEqual([text, ids]);
  expect(split('\u{10ffff}\u{10ffff}', 512)).toEqual([0, split(' ', 512)[1], 3, 2]);
  expect(split('one two three', 4)).toHaveLength(4);
});

test('the files are those that the manifest names, and of the model that vectors are stored by', () => {
  const manifest = readJson('manifest.json') as { model: string; files: { file: string; sha256: string }[] };
  using weights = openModelFile(join(MODELS, MODEL_FILES.weights));

  expect(weights.header.model).toBe(BUILT_IN_MODEL);
  expect(manifest.files.map(({ file }) => file)).toEqual(Object.values(MODEL_FILES));
  for (const { file, sha256 } of manifest.files) {
    const hash = createHash('sha256')
      .update(readFileSync(join(MODELS, file)))
      .digest('hex');
    expect([file, hash]).toEqual([file, sha256]);
  }
  expect(readdirSync(MODELS)).toContain('LICENSE');
});

test('only the direction of a vector counts', () => {
  const vector = toBytes(Float32Array.of(0.3, -0.4, 0));

  expect([...vector]).toEqual([95, -127, 0]);
  expect(cosine(vector, Int8Array.of(3, -4, 0))).toBeCloseTo(1, 3);
  expect(cosine(vector, Int8Array.of(4, 3, 0))).toBeCloseTo(0, 2);
  expect(cosine(vector, new Int8Array(3))).toBe(0);
  expect(Math.hypot(...unitVector(vector))).toBeCloseTo(1);
});
