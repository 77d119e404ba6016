import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ownDatabase } from '../testing/database.ts';
import type { Database } from './db.ts';
import { countQueuedJobs, listOpenJobs, openQueue, type Job, type Queue } from './jobs.ts';
import { createLog } from './log.ts';

const log = createLog('silent');
/** No test leaves a job in it. */
const openDatabase = ownDatabase();
const queues: Queue[] = [];

afterEach(async () => {
  for (const queue of queues.splice(0)) await queue.stop();
  await (await openDatabase()).execute('delete from jobs.job');
});

async function start(): Promise<{ database: Database; queue: Queue; open: () => Promise<Queue> }> {
  const database = await openDatabase();
  const open = async (): Promise<Queue> => {
    // Longer than any test: what begins was announced.
    const queue = await openQueue(database, { log, pollSeconds: 3_600 });
    queues.push(queue);
    return queue;
  };
  return { database, queue: await open(), open };
}

const Payload = z.object({ repository: z.string(), full: z.boolean().default(false) });

/** A job whose runs are collected, and a promise for the time when `count` of them have begun. */
function collector(
  count: number,
  body: Job<typeof Payload, { who: string }>['run'] = () => Promise.resolve(),
): { job: Job<typeof Payload, { who: string }>; runs: unknown[]; begun: Promise<void> } {
  const runs: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const job: Job<typeof Payload, { who: string }> = {
    name: 'test.collect',
    payload: Payload,
    key: ({ repository }) => repository,
    run: async (parts, payload) => {
      runs.push({ ...payload, who: parts.who, attempt: parts.attempt });
      if (runs.length === count) resolve();
      await body(parts, payload);
    },
  };
  return { job, runs, begun: promise };
}

test('a job runs once with its payload and the parts of the worker', async () => {
  const { queue } = await start();
  const { job, runs, begun } = collector(1);

  await queue.work([job], { who: 'worker' });
  expect(await queue.send(job, { repository: 'a' })).toEqual(expect.any(String));
  await begun;

  expect(runs).toEqual([{ repository: 'a', full: false, who: 'worker', attempt: 1 }]);
});

test('a payload that the job does not take is refused when it is sent', async () => {
  const { queue } = await start();

  // @ts-expect-error the compiler refuses it as well
  await expect(queue.send(collector(1).job, { repository: 7 })).rejects.toThrow(/repository/);
});

test('one job of a key waits at most, and it does not run beside the one that runs', async () => {
  const { queue } = await start();
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const { job, runs, begun } = collector(3, async (_, { repository }) => {
    if (repository === 'b') return;
    most = Math.max(most, (running += 1));
    await release.promise;
    running -= 1;
  });
  const first = collector(1);

  await queue.send(job, { repository: 'a' });
  await queue.work([{ ...job, concurrency: 2 }], { who: 'worker' });
  await expect.poll(() => runs.length).toBe(1);
  expect(await queue.send(first.job, { repository: 'a', full: true })).toBeDefined();
  expect(await queue.send(first.job, { repository: 'a' })).toBeUndefined();
  await queue.send(first.job, { repository: 'b' });
  await expect.poll(() => runs.length).toBe(2);
  release.resolve();
  await begun;

  expect(runs).toEqual([
    expect.objectContaining({ repository: 'a', full: false }),
    expect.objectContaining({ repository: 'b' }),
    expect.objectContaining({ repository: 'a', full: true }),
  ]);
  expect(most).toBe(1);
});

test('a job that throws is run again', async () => {
  const { queue } = await start();
  const { job, runs, begun } = collector(2, async (parts) => {
    if (parts.attempt === 1) throw new Error('not yet');
  });

  await queue.work([job], { who: 'worker' });
  await queue.send(job, { repository: 'a' });
  await begun;

  expect(runs).toEqual([expect.objectContaining({ attempt: 1 }), expect.objectContaining({ attempt: 2 })]);
});

test('a job that waits behind one that fails begins before that one is tried again', async () => {
  const { queue } = await start();
  const { job, runs, begun } = collector(3, async ({ attempt }, { repository }) => {
    if (repository === 'a' && attempt === 1) throw new Error('not yet');
  });

  await queue.send(job, { repository: 'a' });
  await queue.send(job, { repository: 'b' });
  await queue.work([job], { who: 'worker' });
  await begun;

  expect(runs).toEqual([
    expect.objectContaining({ repository: 'a', attempt: 1 }),
    expect.objectContaining({ repository: 'b' }),
    expect.objectContaining({ repository: 'a', attempt: 2 }),
  ]);
});

test('a stop aborts what runs and hands it to the next worker without counting the attempt', async () => {
  const { queue, open } = await start();
  const { job, begun } = collector(1, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    signal.throwIfAborted();
  });
  await queue.work([job], { who: 'first' });
  await queue.send(job, { repository: 'a' });
  await begun;
  await queue.stop();

  const second = collector(1);
  await (await open()).work([second.job], { who: 'second' });
  await second.begun;

  expect(second.runs).toEqual([{ repository: 'a', full: false, who: 'second', attempt: 1 }]);
});

test('a run that ends well is done, even when a stop reaches it meanwhile', async () => {
  const { database, queue } = await start();
  const { job, begun } = collector(1, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  });
  await queue.work([job], { who: 'first' });
  await queue.send(job, { repository: 'a' });
  await begun;
  await queue.stop();

  const rows = await database.execute(`select state from jobs.job where name = $1`, [job.name]);
  expect(rows).toEqual([{ state: 'completed' }]);
});

test('what a killed process left running runs again at the next start of the embedded database', async (context) => {
  const { database, queue, open } = await start();
  context.skip(database.kind === 'server', 'on a server the heartbeat decides');
  const { job } = collector(1);
  await queue.send(job, { repository: 'a' });
  await queue.send(job, { repository: 'b' });
  await database.execute(`update jobs.job set state = 'active', started_on = now()`);
  await queue.send(job, { repository: 'b', full: true });

  const second = collector(2);
  await (await open()).work([second.job], { who: 'second' });
  await second.begun;

  expect(second.runs).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ repository: 'a' }),
      expect.objectContaining({ repository: 'b', full: true }),
    ]),
  );
  const { length } = await database.execute(`select from jobs.job where state = 'cancelled'`);
  expect(length).toBe(1);
});

test('a job that is wanted first is put before all that wait, also when it waits already', async () => {
  const { queue } = await start();
  const { job, runs, begun } = collector(3);
  await queue.send(job, { repository: 'a' });
  await queue.send(job, { repository: 'b' });
  await queue.send(job, { repository: 'c' }, { isFirst: true });
  await queue.send(job, { repository: 'b' }, { isFirst: true });

  await queue.work([job], { who: 'worker' });
  await begun;

  expect(runs).toMatchObject([{ repository: 'b' }, { repository: 'c' }, { repository: 'a' }]);
});

test('the open jobs of a product are listed in their order, without those of others', async () => {
  const { database, queue } = await start();
  const payload = z.object({ accountId: z.string(), productId: z.string(), repositoryId: z.string() });
  const job = { name: 'test.list', payload, key: (data: { repositoryId: string }) => data.repositoryId };
  const tenant = { accountId: 'account', productId: 'shop' };
  await queue.send(job, { ...tenant, repositoryId: 'a' });
  await queue.send(job, { ...tenant, repositoryId: 'b' }, { isFirst: true });
  await queue.send(job, { ...tenant, productId: 'other', repositoryId: 'c' });

  expect(await listOpenJobs(database, tenant, 1)).toMatchObject({
    running: 0,
    waiting: 2,
    jobs: [{ name: 'test.list', state: 'waiting', repositoryId: 'b', isFirst: true, failures: 0 }],
  });
  expect((await listOpenJobs(database, { ...tenant, accountId: 'another' }, 9)).jobs).toEqual([]);
  await queue.send({ name: 'test.product', payload }, { ...tenant, repositoryId: '' });
  const { jobs } = await listOpenJobs(database, tenant, 9);
  expect(jobs.find(({ name }) => name === 'test.product')).toMatchObject({ repositoryId: null });
});

test('jobs that are not done are counted by name and state, with the age of the oldest', async () => {
  const { database, queue } = await start();
  const { job } = collector(1);
  await queue.send(job, { repository: 'a' });
  await queue.send(job, { repository: 'b' });
  await queue.send({ ...job, name: 'test.other' }, { repository: 'c' });
  await database.execute(`update jobs.job set created_on = now() - interval '2 hours' where singleton_key = 'a'`);
  await database.execute(`update jobs.job set state = 'active' where singleton_key = 'c'`);

  const counts = await countQueuedJobs(database);

  expect(counts).toEqual([
    { name: 'test.collect', state: 'waiting', jobs: 2, oldestSeconds: expect.closeTo(7_200, -2) as number },
    { name: 'test.other', state: 'running', jobs: 1, oldestSeconds: expect.closeTo(0, -2) as number },
  ]);
});
