import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBlobStore } from '../platform/blobs.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { addRepository, getRepository } from '../repositories/repositories.ts';
import { repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { indexRepository } from './index-repository.ts';
import { RunTurns } from './run-turns.ts';

test('a short repository is ready while a long run works', async () => {
  const { context, account } = await repositoryBench(() => new Date());
  const source = sourceRepository([{ files: { 'send.ts': 'export function send() {}\n' } }]);
  const turns = new RunTurns();
  const { signal } = new AbortController();
  const work = {
    repositories: context,
    blobs: await openBlobStore(join(context.dataDir, 'blobs')),
    workDir: join(context.dataDir, 'unfinished'),
    turns,
    extractProcesses: 1,
    exactPass: true,
    log: createLog('silent'),
    metrics: createMetrics(),
  };
  const { id } = await addRepository(context, account, { source: source.path, actor: 'system' });

  using long = await turns.take(50_000, signal);
  await indexRepository(work, { tenant: account, id, attempt: 3, signal });

  expect(long).toBeDefined();
  expect(await getRepository(context, account, id)).toMatchObject({ status: 'ready', files: 1 });
});
