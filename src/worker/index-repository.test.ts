import { expect, onTestFinished, test } from 'vitest';
import { pauseIndexing, resumeIndexing } from '../repositories/pause.ts';
import { addRepository, getRepository, unfinishedRepositories } from '../repositories/repositories.ts';
import { indexParts } from '../testing/index-worker.ts';
import { childProcessesFromNow } from '../testing/processes.ts';
import { repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { indexRepository } from './index-repository.ts';
import { WarmProcess } from './warm-process.ts';

test('a short repository is ready while a long run works', async () => {
  const { context, account } = await repositoryBench(() => new Date());
  const source = sourceRepository([{ files: { 'send.ts': 'export function send() {}\n' } }]);
  const { signal } = new AbortController();
  const work = await indexParts(context);
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
  const work = { ...(await indexParts(context)), indexer };
  const started = childProcessesFromNow('index-child');
  const pids: number[][] = [];
  for (const name of ['send', 'take']) {
    const source = sourceRepository([{ files: { 'a.ts': `export function ${name}() {}\n` } }]);
    const { id } = await addRepository(context, account, { source: source.path, actor: 'system' });
    await indexRepository(work, { tenant: account, id, attempt: 3, signal });
    expect(await getRepository(context, account, id)).toMatchObject({ status: 'ready', files: 1, symbols: 1 });
    pids.push(started().map(({ pid }) => pid));
  }

  expect(pids[0]).toHaveLength(1);
  expect(pids[1]).toEqual(pids[0]);
});

test('while indexing is paused a repository waits, and the end of the pause says which do', async () => {
  const { context, account } = await repositoryBench(() => new Date());
  const source = sourceRepository([{ files: { 'send.ts': 'export function send() {}\n' } }]);
  const { signal } = new AbortController();
  const work = await indexParts(context);
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
