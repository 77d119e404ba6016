import { afterEach, expect, test } from 'vitest';
import { ServiceError } from '../kernel/errors.ts';
import { HANG_LIMIT_MS } from '../testing/limits.ts';
import type { OddTask } from '../testing/odd-thread.ts';
import type { Watch } from './supervision.ts';
import { TaskTimeout, ThreadCrashed, ThreadPool, workerUrl } from './threads.ts';

const pools: ThreadPool[] = [];

function pool(size = 1, startMs = 0, limits: { heapMegabytes?: number; watch?: Watch } = {}): ThreadPool {
  const made = new ThreadPool({
    url: workerUrl(import.meta, '../testing/odd-thread'),
    size,
    data: { greeting: 'hello', startMs },
    ...limits,
  });
  pools.push(made);
  return made;
}

const run = (on: ThreadPool, task: OddTask, deadlineMs = HANG_LIMIT_MS, signal?: AbortSignal): Promise<string> =>
  on.run<string>(task, { deadlineMs, signal });

afterEach(async () => {
  await Promise.all(pools.splice(0).map((threadPool) => threadPool.close()));
});

test('a worker URL keeps the kind of file the caller is', () => {
  expect(workerUrl({ ...import.meta, url: 'file:///a/src/b/c.ts' }, './d').href).toBe('file:///a/src/b/d.ts');
  expect(workerUrl({ ...import.meta, url: 'file:///a/src/b/c.ts?seen=1' }, './d').href).toBe('file:///a/src/b/d.ts');
  expect(workerUrl({ ...import.meta, url: 'file:///a/dist/b/c.js' }, './d').href).toBe('file:///a/dist/b/d.js');
});

test('answers tasks, more than there are threads', async () => {
  const two = pool(2);

  const answers = await Promise.all(Array.from({ length: 20 }, () => run(two, 'answer')));

  expect(answers).toEqual(Array(20).fill('hello'));
  expect(two.load).toEqual({ threads: 2, running: 0, waiting: 0 });
});

test('tasks of one home go to one thread, and to another where that is busy', async () => {
  const two = pool(2);
  const which = (home: number): Promise<string> => two.run<string>('which', { deadlineMs: HANG_LIMIT_MS, home });
  const [first, second] = await Promise.all([which(0), which(1)]);

  expect(first).not.toBe(second);
  for (const home of [1, 0, 1, 1]) expect(await which(home)).toBe(home === 0 ? first : second);
  expect(await Promise.all([which(1), which(1)])).toEqual([second, first]);
});

test('errors keep their kind, and the thread goes on', async () => {
  const threadPool = pool();

  await expect(run(threadPool, 'refuse')).rejects.toBeInstanceOf(ServiceError);
  await expect(run(threadPool, 'refuse')).rejects.toMatchObject({ code: 'bad_argument', fix: 'Ask otherwise.' });
  await expect(run(threadPool, 'fail')).rejects.toMatchObject({ name: 'TypeError', message: 'A bug.' });
  await expect(run(threadPool, 'answer')).resolves.toBe('hello');
});

test('a task that ignores its deadline is ended, and those behind it are answered', async () => {
  const threadPool = pool();

  const stuck = run(threadPool, 'hang', 50);
  const behind = run(threadPool, 'answer');

  await expect(stuck).rejects.toBeInstanceOf(TaskTimeout);
  await expect(behind).resolves.toBe('hello');
  expect(threadPool.load.threads).toBe(1);
  // Where the system tells it, processor time counts; only a thread that got none of it waits for longer.
  const limit = process.platform === 'linux' ? /^(?:0\.05 s of processor time|0\.15 s)$/ : '0.05 s';
  await expect(stuck).rejects.toMatchObject({ limit: expect.stringMatching(limit) as string });
});

test('the deadline is counted from when the thread has started, so that a busy machine ends nothing', async () => {
  const slow = pool(1, 600);

  await expect(run(slow, 'answer', 300)).resolves.toBe('hello');
});

test('a thread that dies takes only its own task along', async () => {
  const threadPool = pool();

  const dying = run(threadPool, 'die');
  const behind = run(threadPool, 'answer');

  await expect(dying).rejects.toBeInstanceOf(ThreadCrashed);
  await expect(behind).resolves.toBe('hello');
  expect(threadPool.load).toEqual({ threads: 1, running: 0, waiting: 0 });
});

test('a cancelled task is rejected at once; a thread that asks stops, one that does not is ended', async () => {
  const threadPool = pool();
  for (const task of ['obey', 'hang'] as const) {
    const controller = new AbortController();
    await run(threadPool, 'answer');

    const cancelled = run(threadPool, task, HANG_LIMIT_MS, controller.signal);
    controller.abort(new Error('not wanted'));

    await expect(cancelled).rejects.toThrow('not wanted');
    await expect(run(threadPool, 'answer')).resolves.toBe('hello');
  }
});

test('a task cancelled while it waits never starts', async () => {
  const threadPool = pool();
  const controller = new AbortController();
  const first = run(threadPool, 'hang', 100);

  const waiting = run(threadPool, 'die', HANG_LIMIT_MS, controller.signal);
  controller.abort(new Error('not wanted'));

  await expect(waiting).rejects.toThrow('not wanted');
  expect(threadPool.load.waiting).toBe(0);
  await expect(first).rejects.toBeInstanceOf(TaskTimeout);
});

test('a task that holds more than the threads may is ended at their limit, and the next one is answered', async () => {
  const threadPool = pool(1, 0, { heapMegabytes: 40 });

  await expect(run(threadPool, 'grow')).rejects.toThrow('at the limit of 40 MB of memory');
  await expect(run(threadPool, 'answer')).resolves.toBe('hello');
});

test('a signal that is already aborted refuses the task', async () => {
  await expect(run(pool(), 'answer', HANG_LIMIT_MS, AbortSignal.abort(new Error('too late')))).rejects.toThrow(
    'too late',
  );
});

test('a task that cannot be cloned is refused and the thread stays usable', async () => {
  const threadPool = pool();

  await expect(threadPool.run({ no: () => 1 }, { deadlineMs: HANG_LIMIT_MS })).rejects.toThrow(/could not be cloned/);
  await expect(run(threadPool, 'answer')).resolves.toBe('hello');
});

test('closing rejects what is at work and what waits, and then refuses', async () => {
  const threadPool = pool();
  const work = [run(threadPool, 'hang'), run(threadPool, 'answer')];
  const outcomes = Promise.allSettled(work);

  await threadPool.close();

  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(run(threadPool, 'answer')).rejects.toThrow('closed');
  expect(threadPool.load.threads).toBe(0);
});

test('a thread that dies is started again by itself, and both are reported', async () => {
  const events: string[] = [];
  const restarted = Promise.withResolvers<void>();
  const watch: Watch = {
    ended: (error, { reason, remaining }) => events.push(`${(error as Error).name} ${reason} ${remaining}`),
    ready: () => {
      events.push('ready');
      if (events.length > 2) restarted.resolve();
    },
  };
  const threadPool = pool(1, 0, { watch });

  await expect(run(threadPool, 'die')).rejects.toBeInstanceOf(ThreadCrashed);
  await restarted.promise;

  expect(events).toEqual(['ready', 'ThreadCrashed crashed 0', 'ready']);
  expect(threadPool.load).toEqual({ threads: 1, running: 0, waiting: 0 });
});

test('a task that only reads is given at once to another thread when its own dies, one time', async () => {
  const threadPool = pool(1);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const options = { deadlineMs: HANG_LIMIT_MS, retryCrash: true };

  await expect(threadPool.run({ dieOnce: flag }, options)).resolves.toBe('hello');
  await expect(threadPool.run('die', options)).rejects.toBeInstanceOf(ThreadCrashed);
  expect(threadPool.load.waiting).toBe(0);
});

test('a task with a result that cannot be sent fails, and the thread goes on', async () => {
  const threadPool = pool(1);

  await expect(run(threadPool, 'unsendable')).rejects.toThrow(/could not be cloned/);
  await expect(run(threadPool, 'answer')).resolves.toBe('hello');
});
