import type { Tenant } from '../kernel/tenant.ts';
import type { Job, JobRun, Queue } from '../platform/jobs.ts';
import { JOBS, type JobName } from './jobs.ts';
import { type JobParts, JobSubject, type ServiceJob } from './service-job.ts';

/** Where this process alone writes and nothing was written, what is due by time is looked for only so often. */
const UNCHANGED_MS = 30_000;

/**
 * Asks for a job; while one of the same name and group waits, nothing is added.
 *
 * @throws Error when the database cannot be reached.
 */
export async function askForJob(
  queue: Queue,
  name: JobName,
  subject: Partial<JobSubject>,
  options?: { isFirst?: boolean },
): Promise<void> {
  const job = JOBS.find((candidate) => candidate.name === name);
  if (job !== undefined) await ask(queue, job, subject, options);
}

/** Asks for a job about the repository that is named; while one of the same waits, nothing is added, but it may be put first. */
export function askAbout(
  queue: Queue,
  name: JobName,
): (tenant: Tenant, id: string, options?: { isFirst?: boolean }) => Promise<void> {
  return ({ accountId, productId }, id, options) =>
    askForJob(queue, name, { accountId, productId, repositoryId: id }, options);
}

/**
 * Runs the jobs of the list in this process, and asks for what a start owes: runs that were cut off, what follows them and
 * was lost, and what is done on a schedule, from now on. Disposing ends the schedule; running jobs end with the queue.
 */
export async function startJobs(
  queue: Queue,
  parts: JobParts,
  list: readonly ServiceJob[] = JOBS,
): Promise<Disposable> {
  const jobs = list.filter(({ needs }) => needs.every((need) => parts[need] !== undefined));
  await queue.work(
    jobs.map((job) => queueJob(job, followers(job, jobs), queue)),
    parts,
  );
  for (const job of jobs) await askForOwed(queue, job, parts);
  const scheduled = jobs.filter(({ everyMs }) => everyMs !== undefined);
  for (const job of scheduled) await ask(queue, job, {});
  const timers = [
    ...scheduled.map((job) => setInterval(() => askAgain(queue, job, parts), job.everyMs).unref()),
    ...jobs.flatMap((job) =>
      job.owedEveryMs === undefined ? [] : [lookRegularly(queue, job, parts, job.owedEveryMs)],
    ),
  ];
  return { [Symbol.dispose]: () => timers.forEach((timer) => clearInterval(timer)) };
}

/** The jobs of a list that are queued when this one has run. */
function followers({ name }: ServiceJob, list: readonly ServiceJob[]): ServiceJob[] {
  return list.filter(({ follows = [] }) => follows.includes(name));
}

function queueJob(job: ServiceJob, next: readonly ServiceJob[], queue: Queue): Job<typeof JobSubject, JobParts> {
  return {
    ...inQueue(job),
    concurrency: job.concurrency ?? 1,
    run: async (parts: JobParts & JobRun, subject) => {
      await job.run(parts, subject);
      for (const following of next)
        if ((await following.isNeeded?.(parts, subject)) ?? true) await ask(queue, following, subject);
    },
  };
}

/** Returns the definition of a job for the queue. */
function inQueue({ name, per, retries }: ServiceJob) {
  return {
    name,
    retries,
    payload: JobSubject,
    key: ({ repositoryId, productId }: JobSubject) =>
      ({ repository: repositoryId, product: productId, service: 'all' })[per],
  };
}

async function ask(
  queue: Queue,
  job: ServiceJob,
  subject: Partial<JobSubject>,
  options?: { isFirst?: boolean },
): Promise<void> {
  const { accountId, productId, repositoryId } = JobSubject.parse(subject);
  const isOfRepository = job.per === 'repository';
  await queue.send(inQueue(job), { accountId, productId, ...(isOfRepository && { repositoryId }) }, options);
}

function askAgain(queue: Queue, job: ServiceJob, { log }: JobParts): void {
  ask(queue, job, {}).catch((error: unknown) => log.error({ err: error, job: job.name }, 'asking for a job failed'));
}

async function askForOwed(queue: Queue, job: ServiceJob, parts: JobParts): Promise<void> {
  for (const subject of (await job.owed?.(parts)) ?? []) await ask(queue, job, subject);
}

/** Looks for what is owed at an interval, at most each half minute while nothing was written. */
function lookRegularly(queue: Queue, job: ServiceJob, parts: JobParts, everyMs: number): NodeJS.Timeout {
  let before: { writes: number | undefined; atMs: number } | undefined;
  const look = (): void => {
    const [writes, atMs] = [queue.writes(), performance.now()];
    const isUnchanged = writes !== undefined && writes === before?.writes;
    if (isUnchanged && before !== undefined && atMs - before.atMs < UNCHANGED_MS) return;
    before = { writes, atMs };
    askOwed(queue, job, parts);
  };
  return setInterval(look, everyMs).unref();
}

function askOwed(queue: Queue, job: ServiceJob, parts: JobParts): void {
  askForOwed(queue, job, parts).catch((error: unknown) =>
    parts.log.error({ err: error, job: job.name }, 'asking for a job failed'),
  );
}
