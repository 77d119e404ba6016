import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
import { childProcesses } from '../testing/processes.ts';
import { repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { type IndexParts, indexRepository } from './index-repository.ts';
import { RunTurns } from './run-turns.ts';
import { WarmProcess } from './warm-process.ts';

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

test('small repositories are indexed by one process, one after the other', async () => {
  const { context, account } = await repositoryBench(() => new Date());
  const { signal } = new AbortController();
  const indexer = new WarmProcess({ isBackground: true });
  onTestFinished(() => indexer.close());
  const work = { ...(await workOn(context)), indexer };
  const pids: number[][] = [];
  for (const name of ['send', 'take']) {
    const source = sourceRepository([{ files: { 'a.ts': `export function ${name}() {}\n` } }]);
    const { id } = await addRepository(context, account, { source: source.path, actor: 'system' });
    await indexRepository(work, { tenant: account, id, attempt: 3, signal });
    expect(await getRepository(context, account, id)).toMatchObject({ status: 'ready', files: 1, symbols: 1 });
    pids.push(childProcesses('index-child').map(({ pid }) => pid));
  }

  expect(pids[0]).toHaveLength(1);
  expect(pids[1]).toEqual(pids[0]);
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
