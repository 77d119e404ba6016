import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { RefShardCache } from './ref-shard-cache.ts';

const NOW = new Date('2026-03-01T00:00:00Z');

function setUp() {
  const dataDir = testFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const keep = (cache: RefShardCache, commit: string, { sizeBytes = 40, isPassing = false } = {}) => {
    const file = join(dataDir, `next-${commit}`);
    writeFileSync(file, commit.padEnd(sizeBytes));
    return cache.keep(file, {
      repositoryId: 'r',
      kind: 'code',
      commit,
      indexedAt: NOW,
      isPassing,
      unparsed: 1,
      gaps: [],
    });
  };
  const folder = join(dataDir, 'repositories', 'r', 'refs');
  return { dataDir, keep, folder, files: () => readdirSync(folder).filter((name) => name.endsWith('.db')) };
}

test('what is kept is found by the next process, last used first', async () => {
  const { dataDir, keep } = setUp();
  const cache = new RefShardCache(dataDir, 1_000, () => true);
  const a = await keep(cache, 'a');
  await keep(cache, 'b');

  const next = new RefShardCache(dataDir, 1_000, () => true);

  const { isChecked, ...shard } = a.shard;
  expect(isChecked).toBe(true);
  // The next process made no hash of it.
  expect(await next.find('r', 'a')).toEqual({ ...a, shard });
  expect((await next.of('r')).map(({ commit }) => commit)).toEqual(['a', 'b']);
  expect(await next.find('other', 'a')).toBeUndefined();
});

test('what was used longest ago is deleted to stay within the limit, and one larger than it stays alone', async () => {
  const { dataDir, keep, files } = setUp();
  const cache = new RefShardCache(dataDir, 100, () => true);
  await keep(cache, 'a');
  await keep(cache, 'b');
  await cache.find('r', 'a');
  await keep(cache, 'c');

  expect(await cache.find('r', 'b')).toBeUndefined();
  expect(await cache.find('r', 'a')).toBeDefined();
  await expect.poll(() => files().map((name) => name[0])).toEqual(['a', 'c']);
  await keep(cache, 'd', { sizeBytes: 500 });
  expect((await cache.of('r')).map(({ commit }) => commit)).toEqual(['d']);
  await expect.poll(() => files()).toHaveLength(1);
});

test('a shard without its note was never finished: it is neither served nor left', async () => {
  const { dataDir, keep, folder, files } = setUp();
  await keep(new RefShardCache(dataDir, 1_000, () => true), 'whole');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'half-1.db'), 'hal');
  writeFileSync(join(folder, 'torn-1.db'), 'torn');
  writeFileSync(join(folder, 'torn-1.db.json'), '{"commit":"to');

  const next = new RefShardCache(dataDir, 1_000, () => true);

  expect(await next.find('r', 'half')).toBeUndefined();
  expect((await next.of('r')).map(({ commit }) => commit)).toEqual(['whole']);
  expect(files()).toHaveLength(1);
});

test('what the queries of this build do not read is deleted when the next process starts', async () => {
  const { dataDir, keep, files } = setUp();
  const before = new RefShardCache(dataDir, 1_000, () => true);
  await keep(before, 'a');
  await keep(before, 'b');

  const next = new RefShardCache(dataDir, 1_000, (kind, file) => kind === 'code' && /\/b-[^/]+$/.test(file));

  expect(await next.find('r', 'a')).toBeUndefined();
  expect((await next.of('r')).map(({ commit }) => commit)).toEqual(['b']);
  expect(files()).toHaveLength(1);
});

test('of the states of a checkout the last few are kept, and all refs', async () => {
  const { dataDir, keep } = setUp();
  const cache = new RefShardCache(dataDir, 1_000, () => true);
  await keep(cache, 'ref');
  for (const state of ['a', 'b', 'c', 'd']) await keep(cache, state, { isPassing: true });

  expect((await cache.of('r')).map(({ commit }) => commit)).toEqual(['d', 'c', 'b', 'ref']);
});

test('what is forgotten is deleted, and can be made again at once', async () => {
  const { dataDir, keep } = setUp();
  const cache = new RefShardCache(dataDir, 1_000, () => true);
  const before = await keep(cache, 'a');

  cache.forget(before);
  const after = await keep(cache, 'a');

  await expect.poll(() => existsSync(before.shard.file)).toBe(false);
  expect(existsSync(after.shard.file)).toBe(true);
  expect(await cache.find('r', 'a')).toEqual(after);
  // A call that still asked the first one found it gone, and says so after the second was made.
  cache.forget(before);
  expect(await cache.find('r', 'a')).toEqual(after);
});
