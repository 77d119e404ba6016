import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBlobStore } from '../platform/blobs.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { pauseIndexing, resumeIndexing } from '../repositories/pause.ts';
import {
  addRepository,
  getRepository,
  type Repositories,
  unfinishedRepositories,
} from '../repositories/repositories.ts';
import { repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { type IndexParts, indexRepository } from './index-repository.ts';
import { RunTurns } from './run-turns.ts';

async function workOn(context: Repositories): Promise<IndexParts> {
  return {
    repositories: context,
    blobs: await openBlobStore(join(context.dataDir, 'blobs')),
    workDir: join(context.dataDir, 'unfinished'),
    turns: new RunTurns(),
    extractProcesses: 1,
    exactPass: true,
    log: createLog('silent'),
    metrics: createMetrics(),
  };
}

test('a short repository is ready while a long run works', async () => {
  const { context, account } = await repositoryBench(() => new Date());
  const source = sourceRepository([{ files: { 'send.ts': 'export function send() {}\n' } }]);
  const { signal } = new AbortController();
  const work = await workOn(context);
  const { id } = await addRepository(context, account, { source: source.path, actor: 'system' });

  using long = await work.turns.take(50_000, signal);
  await indexRepository(work, { tenant: account, id, attempt: 3, signal });

  expect(long).toBeDefined();
  expect(await getRepository(context, account, id)).toMatchObject({ status: 'ready', files: 1 });
});

test('while indexing is paused a repository waits, and the end of the pause says which do', async () => {
  const { context, account } = await repositoryBench(() => new Date());
  const source = sourceRepository([{ files: { 'send.ts': 'export function send() {}\n' } }]);
  const { signal } = new AbortController();
  const work = await workOn(context);
  const { id } = await addRepository(context, account, { source: source.path, actor: 'system' });

  await pauseIndexing(context, account);
  await indexRepository(work, { tenant: account, id, attempt: 1, signal });
  expect(await getRepository(context, account, id)).toMatchObject({ status: 'pending' });
  expect((await unfinishedRepositories(context)).filter((one) => one.id === id)).toEqual([]);

  expect(await resumeIndexing(context, account)).toEqual([id]);
  expect(await resumeIndexing(context, account)).toEqual([]);
  await indexRepository(work, { tenant: account, id, attempt: 1, signal });
  expect(await getRepository(context, account, id)).toMatchObject({ status: 'ready' });
});
