import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { graphMemory } from './graph/graph.ts';
import { createShardCache } from './graph/shard-cache.ts';
import {
  cacheBytesOf,
  divideMemory,
  divideReaders,
  LEAST_MEMORY_BYTES,
  MAIN_HEAP_SHARE,
  mainCacheBytes,
  readBytes,
  USUAL_MEMORY_BYTES,
} from './platform/memory.ts';

const MIB = 1024 ** 2;
const SETTINGS = [LEAST_MEMORY_BYTES, USUAL_MEMORY_BYTES, 4096 * MIB, 65_536 * MIB].flatMap((total) => [
  { total, isEmbedded: true },
  { total, isEmbedded: false },
]);

test.each(SETTINGS)('the limits of all parts add up to the setting: %o', ({ total, isEmbedded }) => {
  const { total: whole, ...parts } = divideMemory(total, { isEmbedded });
  const sum = Object.values(parts).reduce((bytes, part) => bytes + part, 0);

  expect(whole).toBe(total);
  expect(sum).toBeLessThanOrEqual(total);
  expect(sum).toBeGreaterThan(total - 10);
  expect(Math.min(...Object.values(parts).filter((part) => part > 0))).toBeGreaterThan(20 * MIB);
});

test.each([1, 2, 4, 16])('the heaps of readers and of the one in the background add up to their share: %d', (most) => {
  for (const { total, isEmbedded } of SETTINGS) {
    const memory = divideMemory(total, { isEmbedded });
    const { threads, heapBytes } = divideReaders(memory, most);

    expect(threads).toBeGreaterThanOrEqual(2);
    expect(threads).toBeLessThanOrEqual(Math.max(2, most));
    expect((threads + 1) * heapBytes).toBeLessThanOrEqual(memory.readers);
    expect(heapBytes).toBeGreaterThan(36 * MIB);
  }
});

test('more memory carries more readers', () => {
  const threads = [1, 2, 8].map(
    (gigabytes) => divideReaders(divideMemory(gigabytes * 1024 * MIB, { isEmbedded: true }), 4).threads,
  );

  expect(threads).toEqual([2, 4, 4]);
});

test('each cache of graphs is bounded by bytes, within its share of the main heap', () => {
  const memory = divideMemory(USUAL_MEMORY_BYTES, { isEmbedded: true });
  const { adjacency, ...caches } = createShardCache(graphMemory(memory));
  const bytes = Object.values(caches).map(({ maxSize }) => maxSize);

  expect(adjacency.maxSize).toBe(memory.graphEdges);
  expect(Math.min(...bytes)).toBeGreaterThan(1 * MIB);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(mainCacheBytes(memory));
  expect(mainCacheBytes(memory)).toBeLessThan(memory.mainHeap / 2);
  expect(cacheBytesOf(memory.readers)).toBeLessThan(memory.readers);
});

test('the launcher gives the main thread the share that is planned for it', () => {
  const launcher = readFileSync(join(import.meta.dirname, '../bin/svc.mjs'), 'utf8');
  const [, share] = /MAIN_HEAP_SHARE = ([\d.]+)/.exec(launcher) ?? [];
  const [, usual = ''] = /USUAL_MEMORY = '(\w+)'/.exec(launcher) ?? [];

  expect(Number(share)).toBe(MAIN_HEAP_SHARE);
  expect(readBytes(usual)).toBe(USUAL_MEMORY_BYTES);
});

test.each([
  ['1GB', 1024 * MIB],
  ['1.5 gb', 1536 * MIB],
  ['900MB', 900 * MIB],
  ['2000000000', 2_000_000_000],
  ['', undefined],
  ['1GiB', undefined],
  ['-1GB', undefined],
  ['all', undefined],
])('the size "%s" is %s bytes', (text, bytes) => {
  expect(readBytes(text)).toBe(bytes);
});
