import { afterEach, expect, test, vi } from 'vitest';
import { openQueue, type Queue } from '../platform/jobs.ts';
import { createLog } from '../platform/log.ts';
import { ownDatabase } from '../testing/database.ts';
import { JOBS } from './jobs.ts';
import { startJobs } from './run-jobs.ts';
import { type JobParts, type JobSubject, type ServiceJob, serviceJob } from './service-job.ts';

/** No test leaves a job in it. */
const openDatabase = ownDatabase();
const queues: Queue[] = [];
const log = createLog('silent');
// Jobs of these tests need nothing else.
const PARTS = { log, workDir: '/nowhere', embeddings: undefined } as unknown as JobParts;
const SUBJECT = { accountId: 'account', productId: 'product', repositoryId: 'repository' };
const fail = async (): Promise<void> => {
  throw new Error('not now');
};
const after = (name: string): string[] =>
  JOBS.filter(({ follows = [] }) => follows.includes(name)).map((job) => job.name);
const owed = async (): Promise<JobSubject[]> => [SUBJECT];

afterEach(async () => {
  const used = queues.splice(0);
  for (const queue of used) await queue.stop();
  if (used.length > 0) await (await openDatabase()).execute('delete from jobs.job');
});

async function start(): Promise<Queue> {
  const queue = await openQueue(await openDatabase(), { log });
  queues.push(queue);
  return queue;
}

/** A job that tells its runs. */
function telling(
  runs: [name: string, subject: JobSubject][],
  line: Pick<ServiceJob, 'name' | 'per'> & Partial<ServiceJob>,
): ServiceJob {
  return {
    needs: ['log'],
    retries: 0,
    ...line,
    run: async (parts, subject) => {
      runs.push([line.name, subject]);
      await line.run?.(parts, subject);
    },
  };
}

test('what follows an index run, and what follows that', () => {
  expect(after('repository.index').toSorted()).toEqual([
    'documents.take',
    'plans.take',
    'repository.refine',
    'repository.removed_exports',
    'signals.gather',
  ]);
  expect(after('repository.refine')).toEqual(['repository.embed']);
});

test('names are given once, and what is followed stands before', () => {
  const names = JOBS.map(({ name }) => name);

  expect(new Set(names).size).toBe(names.length);
  for (const [index, { follows = [] }] of JOBS.entries())
    expect(names.slice(0, index)).toEqual(expect.arrayContaining([...follows]));
});

test('the queue hands out more index runs than may work, so that there is one to overtake', () => {
  expect(JOBS.find(({ name }) => name === 'repository.index')?.concurrency).toBeGreaterThan(2);
});

test('a start asks for what is owed; jobs that follow get the subject as far as they are about it', async () => {
  const queue = await start();
  const runs: [string, JobSubject][] = [];
  using _ = await startJobs(queue, PARTS, [
    telling(runs, { name: 'test.index', per: 'repository', owed }),
    telling(runs, { name: 'test.refine', per: 'repository', follows: ['test.index'] }),
    telling(runs, { name: 'test.gather', per: 'product', follows: ['test.refine'] }),
  ]);

  await expect.poll(() => runs.length).toBe(3);
  expect(runs).toEqual([
    ['test.index', SUBJECT],
    ['test.refine', SUBJECT],
    ['test.gather', { ...SUBJECT, repositoryId: '' }],
  ]);
});

test('a job that has nothing to do after another is not queued', async () => {
  const queue = await start();
  const runs: [string, JobSubject][] = [];
  using _ = await startJobs(queue, PARTS, [
    telling(runs, { name: 'test.index', per: 'repository', owed }),
    telling(runs, { name: 'test.idle', per: 'product', follows: ['test.index'], isNeeded: async () => false }),
    telling(runs, { name: 'test.after', per: 'product', follows: ['test.idle'] }),
    telling(runs, { name: 'test.needed', per: 'product', follows: ['test.index'], isNeeded: async () => true }),
  ]);

  await expect.poll(() => runs.map(([name]) => name)).toEqual(['test.index', 'test.needed']);
});

test('nothing follows a job that fails; it runs again as often as its line says', async () => {
  const queue = await start();
  const runs: [string, JobSubject][] = [];
  using _ = await startJobs(queue, PARTS, [
    telling(runs, { name: 'test.once', per: 'repository', owed, run: fail }),
    telling(runs, { name: 'test.twice', per: 'repository', owed, run: fail, retries: 1 }),
    telling(runs, { name: 'test.after', per: 'repository', follows: ['test.once', 'test.twice'] }),
    telling(runs, { name: 'test.other', per: 'repository', owed }),
  ]);

  await expect.poll(() => runs.filter(([name]) => name === 'test.twice').length).toBe(2);
  await expect.poll(() => runs.map(([name]) => name)).toContain('test.other');
  expect(runs.map(([name]) => name).toSorted()).toEqual(['test.once', 'test.other', 'test.twice', 'test.twice']);
});

test('a job gets the parts that it names and no others; without one of them it is left out', async () => {
  const queue = await start();
  const given: string[][] = [];
  const run = async (parts: object): Promise<void> => void given.push(Object.keys(parts).toSorted());
  using _ = await startJobs(queue, PARTS, [
    serviceJob({ name: 'test.vectors', per: 'repository', needs: ['log', 'embeddings'], retries: 0, owed, run }),
    serviceJob({ name: 'test.files', per: 'repository', needs: ['log', 'workDir'], retries: 0, owed, run }),
  ]);

  await expect.poll(() => given.length).toBe(1);
  expect(given).toEqual([['attempt', 'log', 'signal', 'workDir']]);
});

test.each([
  ['where this process alone writes', true, [1, 2, 2, 3, 3, 4]],
  ['where others write too', false, [1, 2, 5, 6, 11, 12]],
])(
  'what is owed is looked for after a change, and now and then while there is none: %s',
  async (...[, isAlone, looked]) => {
    vi.useFakeTimers();
    let [writes, looks] = [0, 0];
    const queue: Queue = {
      send: async () => undefined,
      work: async () => {},
      writes: () => (isAlone ? writes : undefined),
      stop: async () => {},
    };
    const look = async (): Promise<never[]> => {
      looks += 1;
      return [];
    };
    const job = serviceJob({
      name: 'test.owed',
      per: 'service',
      needs: ['log'],
      retries: 0,
      owedEveryMs: 5_000,
      owed: look,
      run: async () => {},
    });
    try {
      using _ = await startJobs(queue, PARTS, [job]);
      const counts = [looks];
      const pass = async (ms: number): Promise<void> => {
        await vi.advanceTimersByTimeAsync(ms);
        counts.push(looks);
      };

      await pass(5_000);
      await pass(15_000);
      writes += 1;
      await pass(5_000);
      await pass(25_000);
      await pass(5_000);

      expect(counts).toEqual(looked);
    } finally {
      vi.useRealTimers();
    }
  },
);

test('a job with a schedule is asked for at the start and each time that its time has passed, until it is ended', async () => {
  const queue = await start();
  const runs: [string, JobSubject][] = [];
  const jobs = await startJobs(queue, PARTS, [
    telling(runs, { name: 'test.sweep', per: 'service', everyMs: 50 }),
    telling(runs, { name: 'test.seldom', per: 'service', everyMs: 1_000_000_000 }),
  ]);

  await expect.poll(() => runs.filter(([name]) => name === 'test.sweep').length).toBeGreaterThan(2);
  jobs[Symbol.dispose]();
  expect(runs.filter(([name]) => name === 'test.seldom')).toHaveLength(1);
});
