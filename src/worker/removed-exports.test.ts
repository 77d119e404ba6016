import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commitTool } from '../commits/commit-tool.ts';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { addRepository, getRepository, type Repository } from '../repositories/repositories.ts';
import { ShardReaders } from '../indexes/shards/shards.ts';
import type { TestRepository } from '../testing/git.ts';
import { type RepositoryBench, repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { indexRepository, type IndexParts } from './index-repository.ts';
import { findRemovedExports } from './removed-exports.ts';
import { RunTurns } from './run-turns.ts';

/** Each test indexes real repositories in processes of their own. */
const MANIFEST = '{"name": "mail", "main": "send.ts"}\n';

interface Worker extends RepositoryBench {
  work: IndexParts & { readers: ShardReaders };
  blobs: BlobStore;
  source: TestRepository;
  added: Repository;
}

async function worker(): Promise<Worker> {
  const bench = await repositoryBench(() => new Date());
  const source = sourceRepository([
    { files: { 'package.json': MANIFEST, 'send.ts': 'export function send() {}\nexport function retry() {}\n' } },
    { message: 'refactor: send once', files: { 'send.ts': 'export function send() {}\n' } },
  ]);
  const blobs = await openBlobStore(join(bench.context.dataDir, 'blobs'));
  const readers = new ShardReaders({ blobs, threads: 1, cacheBytes: 1e7 });
  onTestFinished(() => readers.close());
  const work = {
    repositories: bench.context,
    blobs,
    readers,
    workDir: join(bench.context.dataDir, 'unfinished'),
    turns: new RunTurns(),
    extractProcesses: 1,
    log: createLog('silent'),
    metrics: createMetrics(),
  };
  const added = await addRepository(bench.context, bench.account, { source: source.path, actor: 'system' });
  return { ...bench, work, blobs, source, added };
}

const never = new AbortController().signal;
const index = ({ work, account, added }: Worker): Promise<void> =>
  indexRepository(work, { tenant: account, id: added.id, attempt: 3, signal: never });
const look = ({ work, account, added }: Worker, blobs = work.blobs): Promise<void> =>
  findRemovedExports({ ...work, blobs }, { tenant: account, id: added.id, signal: never });
const now = ({ context, account, added }: Worker): Promise<Repository> => getRepository(context, account, added.id);

/** The whole changelog as a call gives it. Nothing can be asked of git. */
async function changelog(bench: Worker): Promise<string> {
  const { id, shardHash, shardBytes, historyHash, historyBytes, commit } = await now(bench);
  const shard = { hash: shardHash ?? '', sizeBytes: shardBytes ?? 0 };
  const history = { hash: historyHash ?? '', sizeBytes: historyBytes ?? 0 };
  const provenance = { repo: 'mail', ref: 'main', commit: commit ?? '', index: { state: 'fresh' as const } };
  const tool = commitTool({
    readers: bench.work.readers,
    repositories: async () => [{ id, provenance, shard, history }],
    rebuild: async () => undefined,
  });
  const caller = { ...bench.account, keyId: 'k', scopes: ['read'] as const };
  const context = { caller, now: () => new Date(), signal: never, progress: () => undefined };
  return (await tool.run(context, tool.input.parse({ action: 'changelog', since: '2020-01-01' }))).text;
}

test('removed exports are found after the index run and served, while all else of the snapshot stays', async () => {
  const bench = await worker();
  await index(bench);
  const before = await now(bench);
  expect(await changelog(bench)).toContain('removed exports of 2 commits are not known yet');

  await look(bench);

  const { historyHash, historyBytes, ...after } = await now(bench);
  const { historyHash: hash, historyBytes: _bytes, ...same } = before;
  expect(after).toEqual(same);
  expect(historyHash).not.toBe(hash);
  expect(historyBytes).toBeGreaterThan(0);
  expect(await changelog(bench)).toContain('Send once; removed: retry');
  expect(await changelog(bench)).not.toContain('not known');
  // It is not done again.
  await look(bench);
  expect((await now(bench)).historyHash).toBe(historyHash);
});

test('what was found stays known when the next index run goes on from it', async () => {
  const bench = await worker();
  await index(bench);
  await look(bench);
  bench.source.commit({ message: 'feat: more', files: { 'more.ts': 'export const more = 1;\n' } });

  await index(bench);

  const text = await changelog(bench);
  expect(text).toContain('removed: retry');
  expect(text).toContain('removed exports of 1 commits are not known yet');
});

test('when another history is served meanwhile, that one stays', async () => {
  const bench = await worker();
  await index(bench);
  let isNext = true;
  // A new commit is indexed just before what was found is put into the store.
  const blobs: BlobStore = {
    ...bench.blobs,
    put: async (file) => {
      if (isNext) {
        isNext = false;
        bench.source.commit({ files: { 'send.ts': '// nothing is sent\n' } });
        await index(bench);
      }
      return bench.blobs.put(file);
    },
  };

  await look(bench, blobs);

  const served = await now(bench);
  expect(served).toMatchObject({ commit: bench.source.git('rev-parse', 'HEAD'), status: 'ready' });
  expect(await changelog(bench)).toContain('removed exports of 3 commits are not known yet');
});
