import { PgBoss, type Db as QueueDatabase } from 'pg-boss';
import type { z } from 'zod';
import type { Tenant } from '../kernel/tenant.ts';
import type { Database } from './db.ts';
import { faultLog } from './failures.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { runAlone } from './migrate.ts';

/** The queue's tables live in a schema of their own, which it makes and migrates itself. */
const SCHEMA = 'jobs';

/** A worker that says nothing for this long is dead and its job goes to another one. The queue allows no less than 10. */
const HEARTBEAT_SECONDS = 10;
/** Interval between looks for such workers. With the embedded database there are none in other processes. */
const SUPERVISE_SECONDS = { server: 5, embedded: 300 };

/** Longest run of one attempt. Death is noticed by the heartbeat; this ends what hangs but still beats. */
const EXPIRE_SECONDS = 6 * 60 * 60;

/** Attempts after the first, unless a job says otherwise. Waits 1, 2, 4, … s between, at most a minute. */
const RETRY_LIMIT = 3;
const RETRY_DELAY_MAX_SECONDS = 60;

/**
 * New jobs announce themselves. A worker looks again when its job has ended, which is when the turn of another one of the group
 * comes, and when a job that failed is due again. Polling is for what another process left behind, and for a lost announcement.
 */
const POLL_SECONDS = { server: 2, embedded: 300 };
/** Polling interval of further workers of a queue, so that an idle service queries little. */
const SPARE_POLL_SECONDS = 300;
/** Priority of a job that somebody wants first; the others have 0. */
const FIRST = 10;
/** Interval of what the queue checks for features that no job uses. */
const UNUSED_SECONDS = 60 * 60;

/** Time that a stop waits for jobs to notice their signal. */
const STOP_MS = 20_000;

/** Parts of every job besides those of the worker. */
export interface JobRun {
  /**
   * Aborts when the worker stops or lost the job. Throw soon: the job is run again later, from its start. A run that
   * returns is done all the same.
   */
  signal: AbortSignal;
  /** 1 at the first attempt. */
  attempt: number;
}

/** One kind of background work. `Parts` is what the worker gives to all its jobs: the database, the log and so on. */
export interface Job<Payload extends z.ZodObject = z.ZodObject, Parts extends object = object> {
  /** `slice.verb`, for example `repository.sync`. */
  name: string;
  payload: Payload;
  /**
   * Jobs of one key never run at the same time, and at most one of them waits: sending another one meanwhile adds
   * nothing. Absent: every job is on its own.
   */
  key?(payload: z.output<Payload>): string;
  /** Most of these that one worker runs at a time; 1 when absent. */
  concurrency?: number;
  /** Attempts after the first; 3 when absent. */
  retries?: number;
  /**
   * Does the work. Safe to run twice, because the queue promises at least once. A thrown error runs it again, as
   * often as `retries`; what cannot get better is recorded by the job itself instead.
   */
  run(parts: Parts & JobRun, payload: z.output<Payload>): Promise<void>;
}

/** Settings that define a queue. */
type QueueSettings = Pick<Job<never, never>, 'name' | 'key' | 'retries'>;

interface SendOptions {
  /** Before all that are not, also when it waits already. */
  isFirst?: boolean;
}

export interface Queue {
  /**
   * Puts one job in the queue and tells its id, or undefined when one of the same key waits already.
   * @throws ZodError when the payload is not what the job takes.
   */
  send<Payload extends z.ZodObject>(
    job: Pick<Job<Payload, never>, 'name' | 'payload' | 'key' | 'retries'>,
    payload: z.input<Payload>,
    options?: SendOptions,
  ): Promise<string | undefined>;
  /** Starts to run these jobs in this process, with `parts`. */
  work<Parts extends object>(jobs: readonly Job<z.ZodObject, Parts>[], parts: Parts): Promise<void>;
  /** Requests that changed rows of its database so far; undefined where other processes write as well. */
  writes(): number | undefined;
  /** Takes no further job, aborts the signals of those that run, waits for them and puts back those that throw. */
  stop(): Promise<void>;
}

interface QueueOptions {
  log: Log;
  metrics?: Metrics;
  /** Overrides the interval at which a worker looks for work that was not announced. */
  pollSeconds?: number;
}

/**
 * Opens the queue of this database. With the embedded database, jobs of a killed process are free again at once, because no
 * other process can be running them; on a server, at most 15 s after their worker fell silent.
 */
export async function openQueue(database: Database, options: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    db: queueDatabase(database),
    schema: SCHEMA,
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS[database.kind],
    monitorIntervalSeconds: SUPERVISE_SECONDS[database.kind],
    flowIntervalSeconds: UNUSED_SECONDS,
    queueCacheIntervalSeconds: UNUSED_SECONDS,
  });
  boss.on('error', faultLog(options.log, 'job queue'));
  boss.on('warning', (warning) => options.log.warn({ warning }, 'job queue'));
  await runAlone(database, () => boss.start());
  if (database.kind === 'embedded') await handBack(database);
  return new DatabaseQueue(boss, database, options);
}

class DatabaseQueue implements Queue {
  readonly #boss: PgBoss;
  readonly #database: Database;
  readonly #options: QueueOptions;
  readonly #stopping = new AbortController();
  /** Queues that this process has made sure of. */
  readonly #created = new Map<string, Promise<void>>();

  constructor(boss: PgBoss, database: Database, options: QueueOptions) {
    this.#boss = boss;
    this.#database = database;
    this.#options = options;
  }

  async send<Payload extends z.ZodObject>(
    job: Pick<Job<Payload, never>, 'name' | 'payload' | 'key' | 'retries'>,
    payload: z.input<Payload>,
    { isFirst = false }: SendOptions = {},
  ): Promise<string | undefined> {
    const data = job.payload.parse(payload);
    await this.#ensureQueue(job);
    const key = job.key?.(data);
    const id = await this.#boss.send(job.name, data, {
      ...(key !== undefined && { singletonKey: key, group: { id: key } }),
      ...(isFirst && { priority: FIRST }),
    });
    if (id === null && isFirst && key !== undefined)
      await this.#database.execute(
        `update ${SCHEMA}.job set priority = $1
          where name = $2 and singleton_key = $3 and state in ('created', 'retry')`,
        [FIRST, job.name, key],
      );
    return id ?? undefined;
  }

  async work<Parts extends object>(jobs: readonly Job<z.ZodObject, Parts>[], parts: Parts): Promise<void> {
    const pollSeconds = this.#options.pollSeconds ?? POLL_SECONDS[this.#database.kind];
    for (const job of jobs) {
      await this.#ensureQueue(job);
      for (let index = 0; index < (job.concurrency ?? 1); index += 1)
        await this.#startWorker(job, parts, index === 0 ? pollSeconds : SPARE_POLL_SECONDS);
    }
  }

  writes(): number | undefined {
    return this.#database.writes();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The worker stops.'));
    await this.#boss.stop({ graceful: true, timeout: STOP_MS });
  }

  async #startWorker<Parts extends object>(
    job: Job<z.ZodObject, Parts>,
    parts: Parts,
    pollSeconds: number,
  ): Promise<void> {
    const options = {
      notifyPollingIntervalSeconds: pollSeconds,
      ...(job.key !== undefined && { groupConcurrency: 1 }),
    };
    const workerId = await this.#boss.work<unknown>(job.name, options, async (batch) => {
      const wake = (): void => this.#boss.notifyWorker(workerId);
      for (const queued of batch)
        await this.#run(job, parts, queued)
          .catch((error: unknown) => {
            setTimeout(wake, retryDelayMs(queued.retryCount)).unref();
            throw error;
          })
          // Whatever became of it: others may wait.
          .finally(wake);
    });
  }

  async #run<Parts extends object>(
    job: Job<z.ZodObject, Parts>,
    parts: Parts,
    queued: { id: string; data: unknown; retryCount: number; signal: AbortSignal },
  ): Promise<void> {
    const startedAtMs = performance.now();
    const signal = AbortSignal.any([queued.signal, this.#stopping.signal]);
    const attempt = queued.retryCount + 1;
    let failure: unknown;
    try {
      await job.run({ ...parts, signal, attempt }, job.payload.parse(queued.data));
    } catch (error) {
      failure = error;
    }
    const outcome = failure === undefined ? 'done' : this.#stopping.signal.aborted ? 'stopped' : 'failed';
    this.#options.metrics?.countJob({ name: job.name, outcome, seconds: (performance.now() - startedAtMs) / 1_000 });
    if (outcome === 'stopped') await handBack(this.#database, queued.id);
    if (outcome !== 'failed') return;
    this.#options.log.error({ err: failure, job: job.name, id: queued.id, attempt }, 'job failed');
    throw failure;
  }

  #ensureQueue(job: QueueSettings): Promise<void> {
    const { name } = job;
    const existing = this.#created.get(name);
    if (existing !== undefined) return existing;
    const created = this.#createQueue(job);
    this.#created.set(name, created);
    created.catch(() => this.#created.delete(name));
    return created;
  }

  async #createQueue({ name, key, retries = RETRY_LIMIT }: QueueSettings): Promise<void> {
    const options = {
      retryLimit: retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: RETRY_DELAY_MAX_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
    };
    // `short`: at most one waiting job of a key. That none runs beside another is up to the group, in `work`.
    await this.#boss.createQueue(name, { ...options, policy: key === undefined ? 'standard' : 'short', notify: true });
    await this.#boss.updateQueue(name, options);
  }
}

/** Longest wait of a job before it is tried again, and a little more. */
function retryDelayMs(retries: number): number {
  return Math.min(2 ** (retries + 1), RETRY_DELAY_MAX_SECONDS) * 1_000 + 500;
}

/**
 * Makes running jobs wait again without counting the attempt: one of them, or all when no `id` is given. A job whose key
 * has one waiting already is cancelled, as that one does its work.
 */
async function handBack(database: Database, id?: string): Promise<void> {
  await database.execute(
    `update ${SCHEMA}.job j
        set state = (case when waiting.found then 'cancelled' else 'created' end)::${SCHEMA}.job_state,
            completed_on = case when waiting.found then now() end,
            started_on = null, heartbeat_on = null
       from (select a.id, a.name, exists (
               select from ${SCHEMA}.job w
                where w.name = a.name and w.policy = 'short' and w.state = 'created'
                  and w.singleton_key = a.singleton_key) as found
               from ${SCHEMA}.job a
              where a.state = 'active' and ($1::uuid is null or a.id = $1::uuid)) waiting
      where j.id = waiting.id and j.name = waiting.name and j.state = 'active'`,
    [id ?? null],
  );
}

/** Our database as the queue sees one. */
function queueDatabase(database: Database): QueueDatabase {
  return {
    executeSql: async (text, values) => ({ rows: await database.execute(text, values ?? []) }),
    listen: async (channel, onNotification, onReconnect) => {
      const stop = await database.listen(channel, onNotification, (isLive) => {
        if (isLive) onReconnect();
      });
      return { close: stop };
    },
  };
}

/** Jobs of one name in one state. */
export interface QueuedJobs {
  name: string;
  state: 'waiting' | 'running' | 'failed';
  jobs: number;
  /** Since the one that was sent first was sent. */
  oldestSeconds: number;
}

/** Counts the jobs that are not done, by name and state; failed ones as long as the queue keeps them. */
export async function countQueuedJobs(database: Pick<Database, 'execute'>): Promise<QueuedJobs[]> {
  const rows = await database.execute(
    `select name, state, count(*)::int as jobs, extract(epoch from now() - min(sent_on))::float8 as "oldestSeconds"
       from (select name, created_on as sent_on,
                    case state when 'active' then 'running' when 'failed' then 'failed' else 'waiting' end as state
               from ${SCHEMA}.job where state in ('created', 'retry', 'active', 'failed')) job
      group by name, state order by name, state`,
  );
  return rows as unknown as QueuedJobs[];
}

/** A job that waits, runs, or waits to be tried again. */
interface OpenJob {
  name: string;
  state: 'waiting' | 'running';
  repositoryId: string | null;
  sentAt: Date;
  startedAt: Date | null;
  /** Attempts that failed. */
  failures: number;
  isFirst: boolean;
}

/** The open jobs of a product in the order in which they run, and the number of all. */
export async function listOpenJobs(
  database: Pick<Database, 'execute'>,
  { accountId, productId }: Tenant,
  limit: number,
): Promise<{ jobs: OpenJob[]; running: number; waiting: number }> {
  const own = `data->>'accountId' = $1 and data->>'productId' = $2`;
  const isOpen = `state in ('created', 'retry', 'active')`;
  const jobs = await database.execute(
    `select name, case state when 'active' then 'running' else 'waiting' end as state,
            nullif(data->>'repositoryId', '') as "repositoryId", created_on as "sentAt", started_on as "startedAt",
            retry_count as failures, priority > 0 as "isFirst"
       from ${SCHEMA}.job where ${own} and ${isOpen}
      order by state = 'active' desc, priority desc, created_on, id limit $3`,
    [accountId, productId, limit],
  );
  const [counts] = (await database.execute(
    `select count(*) filter (where state = 'active')::int as running, count(*) filter (where state <> 'active')::int as waiting
       from ${SCHEMA}.job where ${own} and ${isOpen}`,
    [accountId, productId],
  )) as unknown as { running: number; waiting: number }[];
  return { jobs: jobs as unknown as OpenJob[], running: counts?.running ?? 0, waiting: counts?.waiting ?? 0 };
}
