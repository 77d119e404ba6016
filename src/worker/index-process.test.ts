import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { openShard } from '../indexes/shards/shards.ts';
import { createLog } from '../platform/log.ts';
import { type SupervisionMetrics, Supervisor } from '../platform/supervision.ts';
import { testFolder } from '../testing/git.ts';
import { childProcessesFromNow } from '../testing/processes.ts';
import { sourceRepository } from '../testing/repositories.ts';
import { answerOf, runIndexProcess } from './index-process.ts';
import type { IndexOrder } from './index-task.ts';

/** Its files are never opened. */
const ORDER = { task: { kind: 'scip' }, stays: false } as IndexOrder;

const started = childProcessesFromNow('index-child');

test('an index process that says nothing any more is ended, and the run fails', async () => {
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const task = {
    gitDir: join(shop.path, '.git'),
    commit: shop.git('rev-parse', 'HEAD'),
    targetFile: join(folder, 'h'),
  };
  const { signal } = new AbortController();

  let outcome: unknown = 'finished';
  // On a busy machine the process may be done before it is held: then it is tried again.
  while (outcome === 'finished') {
    const run = runIndexProcess({ kind: 'history', ...task }, { signal, onProgress: () => {}, stallMs: 1_500 });
    const [child] = started();
    try {
      if (child !== undefined) process.kill(child.pid, 'SIGSTOP');
    } catch {
      // Gone already.
    }
    outcome = await run.then(
      () => 'finished',
      (error: unknown) => error,
    );
  }

  expect(String(outcome)).toContain('The history indexer made no progress for 1.5 s and was stopped.');
  await expect.poll(started).toEqual([]);
});

test.each([
  [false, 10],
  [true, getPriority()],
])('an index process steps back behind everything else unless a call waits (%s)', async (isAwaited, priority) => {
  vi.stubEnv('SVC_BACKGROUND_PRIORITY', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const stop = new AbortController();
  const task = {
    gitDir: join(shop.path, '.git'),
    commit: shop.git('rev-parse', 'HEAD'),
    targetFile: join(folder, 'h'),
  };

  const run = runIndexProcess({ kind: 'history', ...task }, { signal: stop.signal, onProgress: () => {}, isAwaited });
  const [child] = started();

  expect(getPriority(child?.pid)).toBe(priority);
  stop.abort(new Error('seen'));
  await expect(run).rejects.toThrow('seen');
});

test.each([
  ['the same', undefined],
  ['another', 0],
])('an index of code holds what only all of it shows, which %s process computes', async (_, memoryBytes) => {
  const shop = sourceRepository([
    { files: { 'a.ts': 'export function a(): void {}\n', 'b.ts': "import { a } from './a.ts';\na();\n" } },
  ]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const task = {
    gitDir: join(shop.path, '.git'),
    commit: shop.git('rev-parse', 'HEAD'),
    repository: 'shop',
    factsCache: join(folder, 'facts'),
    targetFile: join(folder, 'shard'),
    processes: 1,
    memoryBytes,
  };

  const run = { signal: new AbortController().signal, onProgress: () => undefined };
  const { faults } = await runIndexProcess({ kind: 'code', ...task }, run);

  const shard = openShard(task.targetFile, CODE_FORMAT);
  onTestFinished(() => shard.close());
  const names = shard.prepare('select name from dense').all() as { name: string }[];
  expect(faults).toEqual([]);
  expect(names.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['central_order', 'import_cycles', 'duplicates', 'dead_code', 'graph', 'adjacency']),
  );
});

test('the service hears of a parser that crashes in an index process, and that another one came', async () => {
  const shop = sourceRepository([
    { files: { 'a.ts': `x = ${'a ?\nb :\n'.repeat(50_000)}c`, 'b.ts': 'export const b = 1;' } },
  ]);
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const task = {
    gitDir: join(shop.path, '.git'),
    commit: shop.git('rev-parse', 'HEAD'),
    repository: 'shop',
    factsCache: join(folder, 'facts'),
    targetFile: join(folder, 'shard'),
    processes: 1,
  };
  const counted: string[] = [];
  const metrics: SupervisionMetrics = {
    countEnded: (part, reason) => counted.push(`${part} ${reason}`),
    setDown: () => {},
  };
  const supervisor = new Supervisor({ log: createLog('silent'), metrics, now: () => new Date() });

  await runIndexProcess(
    { kind: 'code', ...task },
    { signal: new AbortController().signal, onProgress: () => {}, supervisor },
  );

  expect(counted).toEqual(['extractor crashed', 'extractor crashed']);
  expect(supervisor.missing()).toEqual([]);
});

test('an answer that is read after its process has ended counts', async () => {
  const child = Object.assign(new EventEmitter(), { connected: true, stderr: null, send: () => true });
  // Only what a process is asked for and what it reports is used of it.
  const answer = answerOf(child as unknown as ChildProcess, ORDER, {
    signal: new AbortController().signal,
    onProgress: () => {},
  });

  child.emit('exit', 0, null);
  child.emit('message', { type: 'done', result: 'written' });
  child.emit('disconnect');

  expect(await answer).toBe('written');
});

test('a process that ends without an answer is reported once its channel is closed', async () => {
  const child = Object.assign(new EventEmitter(), { connected: true, stderr: null, send: () => true });
  const answer = answerOf(child as unknown as ChildProcess, ORDER, {
    signal: new AbortController().signal,
    onProgress: () => {},
  });

  child.emit('exit', 0, null);
  child.emit('disconnect');

  await expect(answer).rejects.toThrow('The scip indexer ended with code 0.');
});
