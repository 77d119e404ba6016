import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/git.ts';
import { childProcessesFromNow } from '../testing/processes.ts';
import { sourceRepository } from '../testing/repositories.ts';
import { WarmProcess } from './warm-process.ts';

/** A task that reads the history of a repository of one commit, which takes a moment. */
function historyTask() {
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [gitDir, commit] = [join(shop.path, '.git'), shop.git('rev-parse', 'HEAD')];
  return { kind: 'history', gitDir, commit, targetFile: join(folder, 'h') } as const;
}

const run = (signal = new AbortController().signal) => ({ signal, onProgress: () => undefined });
const started = childProcessesFromNow('index-child');
const pids = (): number[] => started().map(({ pid }) => pid);

test('tasks that follow each other share a process; of two at once one stays, and none after the end', async () => {
  const indexer = new WarmProcess();
  onTestFinished(() => indexer.close());

  const first = await indexer.run(historyTask(), run());
  const before = pids();
  const second = await indexer.run(historyTask(), run());
  expect([first, second]).toMatchObject([{ commits: 1 }, { commits: 1 }]);
  expect(pids()).toEqual(before);

  await Promise.all([indexer.run(historyTask(), run()), indexer.run(historyTask(), run())]);
  await expect.poll(pids).toHaveLength(1);

  indexer.close();
  await expect.poll(pids).toEqual([]);
});

test('a process that waits in vain ends, and one that fails or is cancelled takes no other task', async () => {
  const indexer = new WarmProcess({ idleMs: 1 });
  onTestFinished(() => indexer.close());
  await indexer.run(historyTask(), run());
  await expect.poll(pids).toEqual([]);

  await expect(indexer.run({ ...historyTask(), commit: 'f'.repeat(40) }, run())).rejects.toThrow(/commit|object/i);
  await expect.poll(pids).toEqual([]);
  const stop = new AbortController();
  const cancelled = indexer.run(historyTask(), run(stop.signal));
  stop.abort(new Error('nobody waits any more'));
  await expect(cancelled).rejects.toThrow('nobody waits any more');
  await expect.poll(pids).toEqual([]);
  expect(await indexer.run(historyTask(), run())).toMatchObject({ commits: 1 });
});

test('a process that holds too much after a task ends, and the next task has another', async () => {
  const ended: unknown[] = [];
  const supervisor = { watch: () => ({ ended: (error: unknown) => void ended.push(error), ready: () => undefined }) };
  const indexer = new WarmProcess({ mostBytes: 1, supervisor });
  onTestFinished(() => indexer.close());
  await indexer.run(historyTask(), run());
  expect(await indexer.run(historyTask(), run())).toMatchObject({ commits: 1 });
  expect(ended).toEqual([]);
  await expect.poll(pids).toEqual([]);
});

test('what waits and is killed from outside is replaced', async () => {
  const indexer = new WarmProcess();
  onTestFinished(() => indexer.close());
  await indexer.run(historyTask(), run());
  for (const pid of pids()) process.kill(pid, 'SIGKILL');
  await expect.poll(pids).toEqual([]);

  expect(await indexer.run(historyTask(), run())).toMatchObject({ commits: 1 });
});
