import { mkdtempSync, readdirSync } from 'node:fs';
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type * as rows from '../../testing/row-queries.ts';
import { workerUrl } from '../../platform/threads.ts';
import { batchesOf, buildShard, openShard, queryModule, ShardReaders } from './shards.ts';
import type { ShardBlobs, ShardRef } from './shards.ts';

const folder = mkdtempSync(join(tmpdir(), 'shards-'));
const opened: ShardReaders[] = [];
const FORMAT = { kind: 'rows', versions: [1, 2] };
const queries = queryModule<typeof rows>(workerUrl(import.meta, '../../testing/row-queries'), FORMAT, {
  slow: ['hold'],
});

const blobs: ShardBlobs = {
  async put(file) {
    const hash = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    await copyFile(file, join(folder, hash));
    return { hash, sizeBytes: (await stat(file)).size };
  },
  path: (hash) => join(folder, hash),
};

function readers(threads = 1, cacheBytes = 64 * 1024 * 1024): ShardReaders {
  const made = new ShardReaders({ blobs, threads, cacheBytes });
  opened.push(made);
  return made;
}

async function shard(count: number, version = 1): Promise<ShardRef> {
  const file = join(folder, 'built');
  await buildShard(file, { kind: 'rows', version, meta: { repository: 'shop', commit: 'abc' } }, (db) => {
    db.exec('create table row (id integer primary key, text text not null) strict');
    const insert = db.prepare('insert into row (text) values (?)');
    for (let row = 1; row <= count; row++) insert.run(`row ${row} ${'x'.repeat(100)}`);
  });
  return blobs.put(file);
}

async function flipByte(ref: ShardRef, at: number): Promise<void> {
  const file = await open(join(folder, ref.hash), 'r+');
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at);
  buffer[0] = (buffer[0] ?? 0) ^ 0xff;
  await file.write(buffer, 0, 1, at);
  await file.close();
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()));
});

afterAll(() => rm(folder, { recursive: true }));

test('a published shard answers queries and says what it is', async () => {
  const ref = await shard(3);
  const reader = readers();

  expect(await reader.query(ref, queries, ['countRows', {}])).toBe(3);
  expect(await reader.query(ref, queries, ['findRow', { id: 2 }])).toMatch(/^row 2 x/);
  expect(await reader.query(ref, queries, ['describe', {}])).toEqual({
    kind: 'rows',
    version: 1,
    values: { repository: 'shop', commit: 'abc' },
  });
});

test('several shards are answered in one task, each with its own arguments, and a damaged one is named', async () => {
  const refs = [await shard(3), await shard(5), await shard(7)];
  const reader = readers();
  const requests = refs.map((ref, at) => ({ ref, args: { id: at + 1 } }));

  const answers = await reader.queryEach(queries, ['findRow', requests]);
  expect(answers.map((answer) => String(answer).slice(0, 5))).toEqual(['row 1', 'row 2', 'row 3']);
  expect(reader.traffic).toEqual({ asked: 3, opened: 3 });
  await reader.queryEach(queries, ['findRow', requests.slice(0, 1)]);
  expect(reader.traffic).toEqual({ asked: 4, opened: 3 });

  await truncate(join(folder, refs[1]?.hash ?? ''), 4096);
  await expect(readers().queryEach(queries, ['findRow', requests])).rejects.toMatchObject({ hash: refs[1]?.hash });
});

test('shards that go to one thread come together, and a large one waits for no other', () => {
  const refs = Array.from({ length: 100 }, (_, at) => ({
    hash: (at % 24).toString(16).padStart(6, '0').padEnd(64, '0'),
    sizeBytes: at === 5 ? 1e9 : 1000,
  }));

  const batches = batchesOf(refs);

  expect(batches.flat().toSorted((a, b) => a - b)).toEqual(refs.map((_, at) => at));
  expect(batches.find((places) => places.includes(5))).toEqual([5]);
  for (const places of batches)
    expect(new Set(places.map((at) => Number.parseInt(refs[at]?.hash.slice(0, 6) ?? '', 16) % 12)).size).toBe(1);
  expect(Math.max(...batches.map((places) => places.length))).toBeLessThanOrEqual(32);
  expect(batches.length).toBeLessThan(30);
});

test('the same rows build a file of the same hash', async () => {
  expect((await shard(50)).hash).toBe((await shard(50)).hash);
});

test('a build that fails leaves nothing behind, and the old file stays', async () => {
  const file = join(folder, 'kept');
  const plan = { kind: 'rows', version: 1, meta: {} };
  await buildShard(file, plan, (db) => db.exec('create table row (id integer primary key)'));
  const before = await readFile(file);

  const failing = buildShard(file, plan, () => Promise.reject(new Error('no facts')));

  await expect(failing).rejects.toThrow('no facts');
  expect(await readFile(file)).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a shard that only grows starts from the one before it', async () => {
  const [base, grown] = [join(folder, 'base'), join(folder, 'grown')];
  const plan = { kind: 'rows', version: 1, meta: { commit: 'one' } };
  await buildShard(base, plan, (db) =>
    db.exec('create table row (id integer primary key); insert into row values (1)'),
  );

  await buildShard(grown, { ...plan, base, meta: { commit: 'two' } }, (db) => db.exec('insert into row values (2)'));

  const db = openShard(grown, FORMAT);
  expect(db.prepare('select count(*) as rows from row').get()).toEqual({ rows: 2 });
  expect(db.meta.values['commit']).toBe('two');
  db.close();
});

test('a truncated shard is refused', async () => {
  const ref = await shard(1000);
  await truncate(join(folder, ref.hash), ref.sizeBytes - 8192);

  await expect(readers().query(ref, queries, ['countRows', {}])).rejects.toMatchObject({
    name: 'ShardDamaged',
    fault: 'truncated',
  });
});

test('one changed byte anywhere is refused, by every query that waits for the check', async () => {
  const ref = await shard(1001);
  await flipByte(ref, ref.sizeBytes - 100);
  const reader = readers(2);

  const answers = await Promise.allSettled([1, 2, 3].map(() => reader.query(ref, queries, ['countRows', {}])));

  expect(answers.map((answer) => (answer.status === 'rejected' ? answer.reason.fault : answer.value))).toEqual(
    Array(3).fill('altered'),
  );
});

test('a missing shard is refused, and served once it is there', async () => {
  const ref = await shard(7);
  const reader = readers();
  const away = join(folder, 'away');
  await copyFile(join(folder, ref.hash), away);
  await rm(join(folder, ref.hash));

  await expect(reader.query(ref, queries, ['countRows', {}])).rejects.toMatchObject({ fault: 'missing' });
  await copyFile(away, join(folder, ref.hash));
  expect(await reader.query(ref, queries, ['countRows', {}])).toBe(7);
});

test('an unknown format version or another kind is refused although the content is sound', async () => {
  const ref = await shard(2, 3);
  const others = queryModule<typeof rows>(queries.url, { kind: 'history', versions: [3] });

  await expect(readers().query(ref, queries, ['countRows', {}])).rejects.toMatchObject({ fault: 'version' });
  await expect(readers().query(ref, others, ['countRows', {}])).rejects.toMatchObject({ fault: 'kind' });
});

test('a file that is no database is refused', async () => {
  const file = join(folder, 'noise');
  await copyFile(import.meta.filename, file);

  await expect(readers().query(await blobs.put(file), queries, ['countRows', {}])).rejects.toMatchObject({
    fault: 'unreadable',
  });
});

test('more shards than fit in the cache are all answered', async () => {
  const refs = [await shard(1), await shard(2), await shard(3)];
  const reader = readers(1, 1);

  for (const round of [1, 2])
    for (const [index, ref] of refs.entries())
      expect(await reader.query(ref, queries, ['countRows', {}]), `round ${round}`).toBe(index + 1);
});

test('a query that runs too long is ended, and the next one is answered', async () => {
  const ref = await shard(4);
  const reader = readers();
  await reader.query(ref, queries, ['countRows', {}]);

  await expect(reader.query(ref, queries, ['spin', {}], { deadlineMs: 100 })).rejects.toMatchObject({
    name: 'TaskTimeout',
  });
  expect(await reader.query(ref, queries, ['countRows', {}])).toBe(4);
});

test('a cancelled query stops the loop in its thread', async () => {
  const ref = await shard(5);
  const reader = readers();
  await reader.query(ref, queries, ['countRows', {}]);
  const controller = new AbortController();

  const spinning = reader.query(ref, queries, ['spin', {}], { signal: controller.signal });
  controller.abort(new Error('gone'));

  await expect(spinning).rejects.toThrow('gone');
  expect(await reader.query(ref, queries, ['countRows', {}])).toBe(5);
  expect(reader.load).toEqual({ threads: 1, running: 0, waiting: 0 });
});

/** A `hold` waits until this is opened. */
function closedGate(): { gate: SharedArrayBuffer; release: () => void } {
  const gate = new SharedArrayBuffer(4);
  const release = (): void => {
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
  };
  return { gate, release };
}

test('slow queries never hold the last reader', async () => {
  const ref = await shard(3);
  const reader = readers();
  const { gate, release } = closedGate();

  const slow = [1, 2, 3].map(() => reader.query(ref, queries, ['hold', { gate }]));

  expect(await reader.query(ref, queries, ['countRows', {}])).toBe(3);
  release();
  await Promise.all(slow);
});

test('the background takes no reader from questions or slow queries, and one query at a time', async () => {
  const ref = await shard(3);
  const reader = readers();
  const { gate, release } = closedGate();
  const held = [1, 2].map(() => reader.query(ref, queries, ['hold', { gate }], { background: true }));

  expect(await reader.query(ref, queries, ['countRows', {}])).toBe(3);
  const slow = reader.query(ref, queries, ['hold', { gate }]);
  expect(await reader.query(ref, queries, ['countRows', {}])).toBe(3);
  expect(reader.load).toMatchObject({ running: 2, waiting: 1 });
  release();
  await Promise.all([slow, ...held]);
});

// Elsewhere a thread has no priority of its own.
test.runIf(process.platform === 'linux')('a query of the background steps back behind everything else', async () => {
  vi.stubEnv('SVC_BACKGROUND_PRIORITY', '19');
  onTestFinished(() => void vi.unstubAllEnvs());
  const ref = await shard(3);
  const reader = readers();

  expect(await reader.query(ref, queries, ['niceness', {}], { background: true })).toBe(19);
  expect(await reader.query(ref, queries, ['niceness', {}])).toBe(getPriority());
});
