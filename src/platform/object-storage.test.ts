import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestStorage, type TestStorage } from '../testing/object-storage.ts';
import { openObjectStorage } from './object-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-objects-'));
const NAME = 'ab'.repeat(32);
let storage: TestStorage;
beforeAll(async () => {
  storage = await openTestStorage(join(folder, 'server'));
});
beforeEach(() => {
  storage.fault = () => undefined;
  storage.calls.length = 0;
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

function fileOf(content: string | Uint8Array): string {
  const path = join(folder, 'source');
  writeFileSync(path, content);
  return path;
}

async function contentOf(hash: string, from = 0, files = storage.files): Promise<string | undefined> {
  const content = await files.read(hash, from);
  return content && Buffer.concat(await Array.fromAsync(content)).toString();
}

test('an object has its content, also from a byte on, until it is deleted', async () => {
  await storage.files.put(NAME, fileOf('hello'));

  expect(storage.calls).toEqual([`PUT /blobs/team/one/ab/${NAME}`]);
  expect(await storage.files.has(NAME)).toBe(true);
  expect([await contentOf(NAME), await contentOf(NAME, 3)]).toEqual(['hello', 'lo']);

  await storage.files.delete(NAME);
  await storage.files.delete(NAME);
  expect([await storage.files.has(NAME), await contentOf(NAME)]).toEqual([false, undefined]);
});

test('a large file is stored in parts, each of which may be tried again', async () => {
  const large = randomBytes(20 * 1024 * 1024);
  storage.fault = ({ path, number }) => (path.includes('partNumber=2') && number === 3 ? 'is slow down' : undefined);
  await storage.files.put(NAME, fileOf(large));

  const parts = storage.calls.map((call) => /partNumber=(\d)/.exec(call)?.[1] ?? call.slice(0, 4).trim());
  expect(parts).toEqual(['POST', '1', '2', '2', '3', 'POST']);
  const content = Buffer.concat(await Array.fromAsync((await storage.files.read(NAME, 0)) ?? []));
  expect(content.equals(large)).toBe(true);
});

test.each(['is slow down', 'fails', 'hangs'] as const)(
  'a call that %s is tried again, five times at most',
  async (fault) => {
    // A call that hangs is waited for nine times; what answers may take its time on a busy machine.
    const silenceMs = fault === 'hangs' ? 400 : 10_000;
    const files = openObjectStorage(storage.settings, { silenceMs, firstWaitMs: 1 });
    let count = 4;
    storage.fault = () => (count-- > 0 ? fault : undefined);
    await files.put(NAME, fileOf('again'));
    expect(storage.calls).toHaveLength(5);

    storage.fault = () => fault;
    await expect(files.has(NAME)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(storage.calls).toHaveLength(10);
  },
);

test('a refusal comes at once, with the reason of the storage', async () => {
  storage.fault = () => 'refuses';
  await expect(storage.files.put(NAME, fileOf('x'))).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: expect.stringContaining('403 AccessDenied'),
  });
  expect(storage.calls).toHaveLength(1);
});

test('a missing bucket is no missing object', async () => {
  const other = openObjectStorage(
    { ...storage.settings, blobUrl: 's3://other/team' },
    { silenceMs: 200, firstWaitMs: 1 },
  );

  await expect(other.read(NAME, 0)).rejects.toThrow(/404 NoSuchBucket/);
});

test('content that breaks off or falls silent is an error, not an end', async () => {
  await storage.files.put(NAME, fileOf('hello'));
  for (const fault of ['breaks off', 'falls silent'] as const) {
    storage.fault = () => fault;
    await expect(contentOf(NAME, 0, storage.impatient)).rejects.toThrow(/terminated|nothing came/);
  }
});

test('calls are signed, and without an access key none is made', async () => {
  expect(() => openObjectStorage({ ...storage.settings, s3SecretAccessKey: undefined })).toThrow(/no access key/);
  const wrong = openObjectStorage({ ...storage.settings, s3AccessKeyId: 'other' });
  await expect(wrong.put(NAME, fileOf('x'))).rejects.toThrow(/403 InvalidAccessKeyId/);
});

test('the bucket is a part of the host name where the settings say so', async () => {
  const settings = { ...storage.settings, s3Endpoint: 'http://storage.invalid', s3PathStyle: 'off' as const };
  const other = openObjectStorage(settings, { silenceMs: 200, firstWaitMs: 1 });
  await expect(other.has(NAME)).rejects.toThrow(/blobs\.storage\.invalid/);
});
