import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBlobStore } from './blobs.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-blobs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

test('bytes and files are stored under the hash of their content', async () => {
  const store = await openBlobStore(join(folder, 'blobs'));
  const large = 'x'.repeat(2_500_000);
  writeFileSync(join(folder, 'large'), large);

  const stored = await store.put(bytes('hello'));
  const other = await store.put(join(folder, 'large'));

  expect(stored).toEqual({ hash: sha256('hello'), sizeBytes: 5 });
  expect(other).toEqual({ hash: sha256(large), sizeBytes: 2_500_000 });
  expect(Buffer.from((await store.get(stored.hash)) ?? []).toString()).toBe('hello');
  expect(await store.verify(other.hash)).toBe(true);
  expect(readdirSync(join(folder, 'blobs/unfinished'))).toEqual([]);
});

test('a damaged blob is noticed, never given out, and repaired by putting it again', async () => {
  const store = await openBlobStore(folder);
  const { hash } = await store.put(bytes('hello'));
  truncateSync(await store.path(hash), 3);

  expect(await store.verify(hash)).toBe(false);
  await expect(store.get(hash)).rejects.toMatchObject({ code: 'content_damaged' });

  await store.put(bytes('hello'));
  expect(await store.verify(hash)).toBe(true);
});

test('a blob that is not there is absent, and deleting it again does nothing', async () => {
  const store = await openBlobStore(folder);
  const { hash } = await store.put(bytes('hello'));

  await store.delete(hash);
  await store.delete(hash);

  expect(await store.get(hash)).toBeUndefined();
  expect(await store.verify(hash)).toBe(false);
});

test('a name that is no hash reaches no file', async () => {
  const store = await openBlobStore(folder);

  await expect(store.get('../../etc/passwd')).rejects.toThrow(/is not the SHA-256/);
});

test('what a crash left unfinished is removed a day later', async () => {
  await openBlobStore(folder);
  const [old, fresh] = [join(folder, 'unfinished/old'), join(folder, 'unfinished/fresh')];
  writeFileSync(old, 'x');
  writeFileSync(fresh, 'x');
  utimesSync(old, new Date('2026-01-01'), new Date('2026-01-01'));
  utimesSync(fresh, new Date('2026-01-02T12:00:00Z'), new Date('2026-01-02T12:00:00Z'));

  await openBlobStore(folder, new Date('2026-01-02T13:00:00Z'));

  expect(readdirSync(join(folder, 'unfinished'))).toEqual(['fresh']);
});

test('a source that cannot be read leaves nothing behind', async () => {
  const store = await openBlobStore(folder);

  await expect(store.put(join(folder, 'missing'))).rejects.toThrow(/ENOENT/);

  expect(readdirSync(join(folder, 'unfinished'))).toEqual([]);
});
