import { expect, test } from 'vitest';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { openShard } from '../indexes/shards/shards.ts';
import {
  indexNewest,
  indexWorker,
  type IndexWorker,
  overtakenStore,
  servedRepository,
} from '../testing/index-worker.ts';
import { refineRepository } from './refine-repository.ts';

const FILES = {
  'mail.ts': 'export function send(): void {}\n',
  'app.ts': "import { send } from './mail.ts';\nsend();\n",
};

const never = new AbortController().signal;

async function worker(files: Record<string, string> = FILES): Promise<IndexWorker> {
  return indexWorker([{ files }]);
}

const refine = (
  { work, account, added }: IndexWorker,
  { exactPass = true, signal = never, blobs = work.blobs } = {},
): Promise<void> => refineRepository({ ...work, exactPass, blobs }, { tenant: account, id: added.id, signal });

/** Returns the key of the compiler pass in the shard that is served. */
async function exactKey(bench: IndexWorker): Promise<string | undefined> {
  const { shardHash } = await servedRepository(bench);
  const shard = openShard(await bench.work.blobs.path(shardHash ?? ''), CODE_FORMAT);
  shard.close();
  return shard.meta.values['exact'];
}

test('a refinement replaces the shard of an index run and nothing else', async () => {
  const bench = await worker();
  await indexNewest(bench);
  const before = await servedRepository(bench);
  await refine(bench, { exactPass: false });
  expect(await exactKey(bench)).toBeUndefined();

  await refine(bench);

  const { shardHash, shardBytes, generation, ...after } = await servedRepository(bench);
  const { shardHash: _hash, shardBytes: _bytes, generation: _generation, ...same } = before;
  expect(after).toEqual({ ...same, exact: 'done' });
  expect({ status: after.status, generation }).toEqual({ status: 'ready', generation: before.generation + 1 });
  expect(shardHash).not.toBe(before.shardHash);
  expect(shardBytes).toBeGreaterThan(0);
  expect(await exactKey(bench)).toMatch(/^typescript \d/);

  // It is not refined again, and indexing the same commit keeps it.
  await refine(bench);
  expect((await servedRepository(bench)).generation).toBe(generation);
  await indexNewest(bench);
  expect(await servedRepository(bench)).toMatchObject({ status: 'ready', shardHash, gaps: [] });
});

test('a refinement that another snapshot overtakes publishes nothing', async () => {
  const bench = await worker();
  await indexNewest(bench);
  // The next commit is indexed while the shard of this one is put into the store.
  const blobs = overtakenStore(bench, { 'app.ts': '// nothing is sent\n' });

  await refine(bench, { blobs });

  expect(await servedRepository(bench)).toMatchObject({
    commit: bench.source.git('rev-parse', 'HEAD'),
    status: 'ready',
  });
  expect(await exactKey(bench)).toBeUndefined();
});

test('whether compilers have resolved a snapshot: not yet after an index run, then done, or given up', async () => {
  const bench = await worker();
  const exact = async (): Promise<string | null> => (await servedRepository(bench)).exact;
  const attempt = (isLast: boolean): Promise<void> => {
    const blobs = { ...bench.work.blobs, put: () => Promise.reject(new Error('no space left on the device')) };
    return refineRepository(
      { ...bench.work, blobs },
      { tenant: bench.account, id: bench.added.id, isLast, signal: never },
    );
  };
  await indexNewest(bench);
  expect(await exact()).toBe('pending');

  await expect(attempt(false)).rejects.toThrow('no space');
  expect(await exact()).toBe('pending');
  await expect(attempt(true)).rejects.toThrow('no space');
  expect(await exact()).toBe('failed');

  await refine(bench);
  expect(await exact()).toBe('done');
  bench.source.commit({ files: { 'app.ts': '// nothing is sent\n' } });
  await indexNewest(bench);
  expect(await exact()).toBe('pending');
});

test('a repository without TypeScript is not refined', async () => {
  const bench = await worker({ 'run.py': 'def run(): ...\n' });
  await indexNewest(bench);

  await refine(bench);

  expect(await exactKey(bench)).toBeUndefined();
});

test('a refinement that is stopped leaves the shard as it was, and can run again', async () => {
  const bench = await worker();
  await indexNewest(bench);
  const before = await servedRepository(bench);
  const stopped = AbortSignal.abort(new Error('the worker stops'));

  await expect(refine(bench, { signal: stopped })).rejects.toThrow('the worker stops');

  expect(await servedRepository(bench)).toEqual(before);
  await refine(bench);
  expect(await exactKey(bench)).toBeDefined();
});
