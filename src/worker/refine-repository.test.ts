import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { addRepository, getRepository, type Repository } from '../repositories/repositories.ts';
import { openShard } from '../indexes/shards/shards.ts';
import type { TestRepository } from '../testing/git.ts';
import { type RepositoryBench, repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { indexRepository, type IndexParts } from './index-repository.ts';
import { refineRepository, type RefineParts } from './refine-repository.ts';
import { RunTurns } from './run-turns.ts';

const FILES = {
  'mail.ts': 'export function send(): void {}\n',
  'app.ts': "import { send } from './mail.ts';\nsend();\n",
};

interface Worker extends RepositoryBench {
  work: IndexParts & RefineParts;
  blobs: BlobStore;
  source: TestRepository;
  added: Repository;
}

async function worker(files: Record<string, string> = FILES): Promise<Worker> {
  const bench = await repositoryBench(() => new Date());
  const source = sourceRepository([{ files }]);
  const blobs = await openBlobStore(join(bench.context.dataDir, 'blobs'));
  const work: IndexParts & RefineParts = {
    repositories: bench.context,
    blobs,
    workDir: join(bench.context.dataDir, 'unfinished'),
    turns: new RunTurns(),
    extractProcesses: 1,
    exactPass: true,
    log: createLog('silent'),
    metrics: createMetrics(),
  };
  const added = await addRepository(bench.context, bench.account, { source: source.path, actor: 'system' });
  return { ...bench, work, blobs, source, added };
}

const never = new AbortController().signal;
const index = ({ work, account, added }: Worker): Promise<void> =>
  indexRepository(work, { tenant: account, id: added.id, attempt: 3, signal: never });
const refine = ({ work, account, added }: Worker, signal = never): Promise<void> =>
  refineRepository(work, { tenant: account, id: added.id, signal });
const now = ({ context, account, added }: Worker): Promise<Repository> => getRepository(context, account, added.id);

/** What the shard that is served says that compilers told it. */
async function known(bench: Worker): Promise<string | undefined> {
  const { shardHash } = await now(bench);
  const shard = openShard(bench.blobs.path(shardHash ?? ''), CODE_FORMAT);
  shard.close();
  return shard.meta.values['exact'];
}

test('a refinement replaces the shard of an index run and nothing else', async () => {
  const bench = await worker();
  await index(bench);
  const before = await now(bench);
  await refine({ ...bench, work: { ...bench.work, exactPass: false } });
  expect(await known(bench)).toBeUndefined();

  await refine(bench);

  const { shardHash, shardBytes, generation, ...after } = await now(bench);
  const { shardHash: _hash, shardBytes: _bytes, generation: _generation, ...same } = before;
  expect(after).toEqual(same);
  expect({ status: after.status, generation }).toEqual({ status: 'ready', generation: before.generation + 1 });
  expect(shardHash).not.toBe(before.shardHash);
  expect(shardBytes).toBeGreaterThan(0);
  expect(await known(bench)).toMatch(/^typescript \d/);

  // It is not refined again, and indexing the same commit keeps it.
  await refine(bench);
  expect((await now(bench)).generation).toBe(generation);
  await index(bench);
  expect(await now(bench)).toMatchObject({ status: 'ready', shardHash, gaps: [] });
});

test('a refinement that another snapshot overtakes publishes nothing', async () => {
  const bench = await worker();
  await index(bench);
  const { work } = bench;
  let isNext = true;
  // The next commit is indexed while the shard of this one is put into the store.
  const blobs: BlobStore = {
    ...bench.blobs,
    put: async (file) => {
      if (isNext) {
        isNext = false;
        bench.source.commit({ files: { 'app.ts': '// nothing is sent\n' } });
        await index(bench);
      }
      return bench.blobs.put(file);
    },
  };

  await refine({ ...bench, work: { ...work, blobs } });

  expect(await now(bench)).toMatchObject({ commit: bench.source.git('rev-parse', 'HEAD'), status: 'ready' });
  expect(await known(bench)).toBeUndefined();
});

test('a repository without TypeScript is not refined', async () => {
  const bench = await worker({ 'run.py': 'def run(): ...\n' });
  await index(bench);

  await refine(bench);

  expect(await known(bench)).toBeUndefined();
});

test('a refinement that is stopped leaves the shard as it was, and can run again', async () => {
  const bench = await worker();
  await index(bench);
  const before = await now(bench);
  const stopped = AbortSignal.abort(new Error('the worker stops'));

  await expect(refine(bench, stopped)).rejects.toThrow('the worker stops');

  expect(await now(bench)).toEqual(before);
  await refine(bench);
  expect(await known(bench)).toBeDefined();
});
