import { expect, onTestFinished, test } from 'vitest';
import { commitTool } from '../commits/commit-tool.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import {
  indexNewest,
  indexWorker,
  type IndexWorker,
  overtakenStore,
  servedRepository,
} from '../testing/index-worker.ts';
import { findRemovedExports, lacksRemovedExports } from './removed-exports.ts';

const MANIFEST = '{"name": "mail", "main": "send.ts"}\n';

const never = new AbortController().signal;

async function worker(): Promise<IndexWorker & { readers: ShardReaders }> {
  const bench = await indexWorker([
    { files: { 'package.json': MANIFEST, 'send.ts': 'export function send() {}\nexport function retry() {}\n' } },
    { message: 'refactor: send once', files: { 'send.ts': 'export function send() {}\n' } },
  ]);
  const readers = new ShardReaders({ blobs: bench.work.blobs, threads: 1, cacheBytes: 1e7 });
  onTestFinished(() => readers.close());
  return { ...bench, readers };
}

type Worker = Awaited<ReturnType<typeof worker>>;

const look = ({ work, readers, account, added }: Worker, blobs = work.blobs): Promise<void> =>
  findRemovedExports({ ...work, readers, blobs }, { tenant: account, id: added.id, signal: never });

/** The whole changelog as a call gives it. Nothing can be asked of git. */
async function changelog(bench: Worker): Promise<string> {
  const { id, shardHash, shardBytes, historyHash, historyBytes, commit } = await servedRepository(bench);
  const shard = { hash: shardHash ?? '', sizeBytes: shardBytes ?? 0 };
  const history = { hash: historyHash ?? '', sizeBytes: historyBytes ?? 0 };
  const provenance = { repo: 'mail', ref: 'main', commit: commit ?? '', index: { state: 'fresh' as const } };
  const tool = commitTool({
    readers: bench.readers,
    repositories: async () => [{ id, provenance, shard, history }],
    rebuild: async () => undefined,
  });
  const caller = { ...bench.account, keyId: 'k', scopes: ['read'] as const };
  const context = { caller, now: () => new Date(), signal: never, progress: () => undefined };
  return (await tool.run(context, tool.input.parse({ action: 'changelog', since: '2020-01-01' }))).text;
}

test('removed exports are found after the index run and served, while all else of the snapshot stays', async () => {
  const bench = await worker();
  await indexNewest(bench);
  const before = await servedRepository(bench);
  expect(await changelog(bench)).toContain('removed exports of 2 commits are not known yet');

  expect(await lacksRemovedExports(bench.work, bench.account, bench.added.id)).toBe(true);
  await look(bench);
  expect(await lacksRemovedExports(bench.work, bench.account, bench.added.id)).toBe(false);

  const { historyHash, historyBytes, ...after } = await servedRepository(bench);
  const { historyHash: hash, historyBytes: _bytes, ...same } = before;
  expect(after).toEqual(same);
  expect(historyHash).not.toBe(hash);
  expect(historyBytes).toBeGreaterThan(0);
  expect(await changelog(bench)).toContain('Send once; removed: retry');
  expect(await changelog(bench)).not.toContain('not known');
  // It is not done again.
  await look(bench);
  expect((await servedRepository(bench)).historyHash).toBe(historyHash);
});

test('what was found stays known when the next index run goes on from it', async () => {
  const bench = await worker();
  await indexNewest(bench);
  await look(bench);
  bench.source.commit({ message: 'feat: more', files: { 'more.ts': 'export const more = 1;\n' } });

  await indexNewest(bench);

  const text = await changelog(bench);
  expect(text).toContain('removed: retry');
  expect(text).toContain('removed exports of 1 commit are not known yet');
});

test('when another history is served meanwhile, that one stays', async () => {
  const bench = await worker();
  await indexNewest(bench);
  // A new commit is indexed just before what was found is put into the store.
  const blobs = overtakenStore(bench, { 'send.ts': '// nothing is sent\n' });

  await look(bench, blobs);

  const served = await servedRepository(bench);
  expect(served).toMatchObject({ commit: bench.source.git('rev-parse', 'HEAD'), status: 'ready' });
  expect(await changelog(bench)).toContain('removed exports of 3 commits are not known yet');
});
