import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestStorage, type TestStorage } from '../testing/object-storage.ts';
import { type BlobCache, openBlobCache } from './blob-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-cache-'));
const CONTENT = 'hello '.repeat(40_000);
const HASH = createHash('sha256').update(CONTENT).digest('hex');
let storage: TestStorage;
let [first, second]: BlobCache[] = [];
let minutes = 0;
beforeAll(async () => {
  storage = await openTestStorage(join(folder, 'server'));
});
beforeEach(async () => {
  storage.fault = () => undefined;
  [first, second] = [await replica(), await replica()];
  storage.calls.length = 0;
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const now = (): Date => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);

function replica(limitBytes = 1e9): Promise<BlobCache> {
  return openBlobCache(mkdtempSync(join(folder, 'copies-')), storage.impatient, { limitBytes, now });
}

const textOf = async (cache: BlobCache | undefined, hash: string): Promise<string | undefined> => {
  const content = await cache?.get(hash);
  return content && Buffer.from(content).toString();
};

test('what one replica stores another fetches once, however many ask for it', async () => {
  const stored = await first?.put(Buffer.from(CONTENT));
  expect(stored).toEqual({ hash: HASH, sizeBytes: CONTENT.length });

  const paths = await Promise.all([second?.path(HASH), second?.path(HASH), second?.path(HASH)]);
  await second?.path(HASH);

  expect(existsSync(paths[0] ?? '')).toBe(true);
  expect(storage.calls.map((call) => call.split(' ')[0])).toEqual(['PUT', 'GET']);
  expect(await textOf(second, HASH)).toBe(CONTENT);
  expect(second?.traffic).toEqual({
    hits: expect.any(Number),
    fetches: 1,
    fetchedBytes: CONTENT.length,
    stored: 0,
    failures: 0,
  });
});

test('a download that breaks off or falls silent goes on where it stopped', async () => {
  await first?.put(Buffer.from(CONTENT));
  const faults = ['breaks off', 'falls silent', 'is slow down'] as const;
  let at = 0;
  storage.fault = () => faults[at++];

  expect(await textOf(second, HASH)).toBe(CONTENT);
  expect(second?.traffic.fetchedBytes).toBe(CONTENT.length);
});

test('content that arrives altered is fetched once more, and never served', async () => {
  await first?.put(Buffer.from(CONTENT));
  let altered = 1;
  storage.fault = () => (altered-- > 0 ? 'alters' : undefined);
  expect(await textOf(second, HASH)).toBe(CONTENT);

  const third = await replica();
  storage.fault = () => 'alters';
  await expect(third.path(HASH)).rejects.toMatchObject({ code: 'content_damaged' });
  expect(third.traffic.failures).toBe(1);
  storage.fault = () => undefined;
  expect(await textOf(third, HASH)).toBe(CONTENT);
});

test('a copy that was altered on the disk is fetched again', async () => {
  await first?.put(Buffer.from(CONTENT));
  writeFileSync((await first?.path(HASH)) ?? '', 'altered');

  expect(await first?.verify(HASH)).toBe(true);
  expect(await textOf(first, HASH)).toBe(CONTENT);
});

test('a missing object is absent, and a deleted one for all', async () => {
  await first?.put(Buffer.from(CONTENT));
  await second?.path(HASH);
  await first?.delete(HASH);

  expect(await first?.get(HASH)).toBeUndefined();
  expect(existsSync((await first?.path(HASH)) ?? '')).toBe(false);
  // A copy of what the storage lost is not enough for an index to go on from.
  expect(await second?.verify(HASH)).toBe(false);
});

test('a failure of the storage is one of the call, and copies are served meanwhile', async () => {
  await first?.put(Buffer.from(CONTENT));
  storage.fault = () => 'fails';

  expect(await textOf(first, HASH)).toBe(CONTENT);
  await expect(second?.path(HASH)).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(first?.put(Buffer.from('other'))).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(first?.traffic.failures).toBe(1);
});

test('copies that were used the longest ago go when the limit is reached, and none that is in use', async () => {
  const small = await replica(250);
  const put = async (letter: string): Promise<string> => (await small.put(Buffer.from(letter.repeat(100)))).hash;
  const hashes = [await put('a'), await put('b')];
  minutes += 60;
  await small.path(hashes[0] ?? '');
  hashes.push(await put('c'), await put('d'));
  storage.calls.length = 0;

  for (const hash of hashes) await small.path(hash);

  // `b` was not used for an hour. The others are more than the limit, but in use.
  expect(storage.calls).toEqual([expect.stringMatching(`GET .*${hashes[1]}`)]);
});

test('all copies are looked at only when a fiftieth of the limit is new', async () => {
  const small = await replica(10_000);
  const put = async (letter: string, bytes: number): Promise<string> => {
    const { hash } = await small.put(Buffer.from(letter.repeat(bytes)));
    return small.path(hash);
  };
  const full = await put('e', 10_000);
  minutes += 60;

  await put('f', 199);
  expect(existsSync(full)).toBe(true);
  await put('g', 1);
  expect(existsSync(full)).toBe(false);
});

test('a copy that somebody deleted is fetched again', async () => {
  await first?.put(Buffer.from(CONTENT));
  rmSync((await first?.path(HASH)) ?? '');

  expect(await textOf(first, HASH)).toBe(CONTENT);
  rmSync((await first?.path(HASH)) ?? '');
  expect(await first?.verify(HASH)).toBe(true);
});
