import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../../testing/git.ts';
import { EmbeddingCache } from './embed-shard.ts';

function cacheFile(): string {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'embeddings.db');
}

const vectorOf = (value: number): Int8Array => new Int8Array(100).fill(value);
const keysOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `key ${at}`);

/** Opens the cache for one step, as a run does. */
function during<T>(file: string, revision: string, step: (cache: EmbeddingCache) => T): T {
  using cache = new EmbeddingCache(file, revision);
  return step(cache);
}

test('vectors are there when it is opened again, and gone for another revision', () => {
  const file = cacheFile();
  during(file, 'one', (cache) => cache.write([{ key: 'a', vector: vectorOf(-3) }]));

  expect(during(file, 'one', (cache) => [cache.read('a'), cache.read('b')])).toEqual([vectorOf(-3), undefined]);
  expect(during(file, 'two', (cache) => cache.read('a'))).toBeUndefined();
});

test('what a commit does not have is kept until it is many', () => {
  using cache = new EmbeddingCache(cacheFile(), 'one');
  cache.write(keysOf(2_010).map((key) => ({ key, vector: vectorOf(1) })));

  cache.prune(keysOf(5));
  expect(cache.read('key 2009')).toBeDefined();
  cache.write([{ key: 'one more', vector: vectorOf(1) }]);
  cache.prune(keysOf(5));

  expect([cache.read('key 4'), cache.read('key 5')]).toEqual([vectorOf(1), undefined]);
});

test.each([
  ['no database', () => Buffer.from('nothing that can be read '.repeat(1_000))],
  ['overwritten in the middle', (bytes: Buffer) => bytes.fill(0x5a, 8_192, bytes.length - 4_096)],
])('a file that is %s starts anew', (_, damage) => {
  const file = cacheFile();
  during(file, 'one', (cache) => cache.write(keysOf(2_000).map((key) => ({ key, vector: vectorOf(1) }))));
  writeFileSync(file, damage(readFileSync(file)));

  using cache = new EmbeddingCache(file, 'one');

  expect(cache.read('key 1')).toBeUndefined();
  cache.write([{ key: 'a', vector: vectorOf(2) }]);
  expect(cache.read('a')).toEqual(vectorOf(2));
});
