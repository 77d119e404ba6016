import { Worker } from 'node:worker_threads';
import { limitProcessorTime, processorTimeOf } from './processor-limit.ts';
import type { EndReason, Watch } from './supervision.ts';
import { unpackError } from './task-reply.ts';
import { type Lane, nextStart, pairUp } from './thread-lanes.ts';
import type { Begun, ThreadReply } from './thread-tasks.ts';
import { type MeasuredThread, ThreadMemory } from './thread-memory.ts';

/**
 * Distance of the engine's own limit of a heap above what threads may hold: a thread that reaches it in one step, with a large
 * map or array, ends the process.
 */
const HEADROOM_MEGABYTES = 512;
const MIB = 1024 * 1024;

/** Space for new objects in a thread with a heap limit: small, because threads hand small rows out and forget them. */
const YOUNG_MEGABYTES = 8;

/** Time that a thread may take to load its module, whatever else the machine does. */
const START_LIMIT_MS = 60_000;

/** Times its deadline that a task may wait for a processor, or for a disk. */
const LONGEST_WAIT = 3;

/** Time that a cancelled task may go on before its thread is ended. */
const CANCEL_GRACE_MS = 500;

/** Waits before a thread is started in place of one that ended, by how many in a row ended before they could work. */
const RESTART_MS = [0, 200, 1_000, 5_000, 30_000];

/**
 * URL of a module beside the caller, for a thread or a dynamic import: `workerUrl(import.meta, './reader-thread')` is
 * the `.ts` file when run from the source and the `.js` file when run from the build.
 */
export function workerUrl(meta: ImportMeta, path: string): URL {
  const extension = new URL(meta.url).pathname.endsWith('.ts') ? '.ts' : '.js';
  return new URL(path + extension, meta.url);
}

/** The task ran past its deadline. Its thread has been ended and replaced. */
export class TaskTimeout extends Error {
  /** The limit in words, as `10 s`. */
  readonly limit: string;

  constructor(limit: string) {
    super(`The task was stopped at its limit of ${limit}.`);
    this.name = 'TaskTimeout';
    this.limit = limit;
  }
}

/** The threads of the pool held more memory than they may together, and this one most. It has been ended and replaced. */
export class ThreadOutOfMemory extends Error {
  constructor(megabytes: number) {
    super(`The task was stopped at the limit of ${megabytes} MB of memory.`);
    this.name = 'ThreadOutOfMemory';
  }
}

/** The thread ended in the middle of the task (out of memory, an uncaught error, `process.exit`). */
export class ThreadCrashed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ThreadCrashed';
  }
}

interface ThreadPoolOptions {
  /** Module that calls `serveTasks`. */
  url: URL;
  /** Most threads at a time. They start when there is work for them. */
  size: number;
  /** Passed to each thread as `workerData`. */
  data?: unknown;
  /**
   * Memory of one thread, what its objects hold beside the heap included. All threads of the pool share that of all: while
   * they hold more together, the largest one is ended and its task rejected.
   */
  heapMegabytes?: number;
  /** Receives the ends of threads, and the starts of those in their place. */
  watch?: Watch | undefined;
}

export interface TaskOptions {
  /** Rejects the task with the signal's reason at once; a thread that goes on regardless is ended a little later. */
  signal?: AbortSignal | undefined;
  /**
   * Most processor time, from the moment the thread begins with the task: loading its module does not count. Where a system
   * does not report it, the time that passes; nowhere more than three times that.
   */
  deadlineMs: number;
  /** `question` when absent. */
  lane?: Lane;
  /** Names the thread that gets the task when it is idle (`pairUp`): what it opened for one before is still open there. */
  home?: number;
  /** Gives the task at once to another thread when its own crashes, one time: for tasks that only read. */
  retryCrash?: boolean;
}

interface Job {
  id: number;
  task: unknown;
  options: TaskOptions;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  /** True if its thread crashed and it was given to another one. */
  isRetried: boolean;
}

interface Thread {
  worker: Worker;
  /** Set to 1 to ask the task at hand to stop. */
  stop: Int32Array;
  job: Job | undefined;
  /** Stops the clock that would end it. */
  stopClock: () => void;
  /** True if its module is loaded. */
  isReady: boolean;
  /** Its folder below /proc, where there is one. */
  folder: string | undefined;
  /** Processor time between two tasks, when it uses none: asking the system costs more than a small task. */
  processorMs: number | undefined;
  /** Lane of its job. */
  lane: Lane | undefined;
}

/**
 * Worker threads that take tasks one at a time, oldest first in each lane (`nextStart`). A thread that crashes or passes a
 * deadline is replaced at once; only its own task is rejected. Threads do not keep the process alive unless they work.
 */
export class ThreadPool {
  readonly #options: ThreadPoolOptions;
  readonly #threads = new Set<Thread>();
  readonly #queues: Record<Lane, Job[]> = { question: [], slow: [] };
  readonly #memory: ThreadMemory | undefined;
  #lastId = 0;
  #closed = false;
  /** Threads in a row that ended before they could work, and the timer of the next start. */
  #falseStarts = 0;
  #restart: NodeJS.Timeout | undefined;

  constructor(options: ThreadPoolOptions) {
    const { heapMegabytes, size } = options;
    this.#options = options;
    if (heapMegabytes !== undefined)
      this.#memory = new ThreadMemory(heapMegabytes * size * MIB, () => this.#measured(heapMegabytes * size));
  }

  /** Threads alive, tasks at work, tasks waiting. */
  get load(): { threads: number; running: number; waiting: number } {
    const { question, slow } = this.#queues;
    return {
      threads: this.#threads.size,
      running: [...this.#threads].filter(({ job }) => job !== undefined).length,
      waiting: question.length + slow.length,
    };
  }

  /**
   * Runs one task. `T` is what the thread's handler gives for it: it comes as a structured clone, so plain small values
   * are cheapest. A `ServiceError` thrown in the thread arrives as one.
   *
   * @throws TaskTimeout, ThreadCrashed, the signal's reason, or what the handler threw.
   */
  run<T>(task: unknown, options: TaskOptions): Promise<T> {
    const { signal } = options;
    if (this.#closed) return Promise.reject(new Error('The thread pool is closed.'));
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise<T>((resolve, reject) => {
      const job: Job = {
        id: ++this.#lastId,
        task,
        options,
        // The handler of the pool's module decides what comes back; `T` is that promise.
        resolve: resolve as (value: unknown) => void,
        reject,
        isRetried: false,
      };
      if (signal !== undefined) this.#watch(job, signal);
      this.#queueOf(job).push(job);
      this.#dispatch();
    });
  }

  /** Ends all threads. Tasks at work or waiting are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restart);
    const error = new Error('The thread pool was closed.');
    for (const queue of Object.values(this.#queues)) for (const job of queue.splice(0)) job.reject(error);
    const threads = [...this.#threads];
    for (const thread of threads) this.#remove(thread)?.reject(error);
    await Promise.all(threads.map((thread) => thread.worker.terminate()));
  }

  /** Makes a task follow its signal, and releases the signal when the task ends. */
  #watch(job: Job, signal: AbortSignal): void {
    const onAbort = (): void => this.#cancel(job, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const { resolve, reject } = job;
    job.resolve = (value) => {
      signal.removeEventListener('abort', onAbort);
      resolve(value);
    };
    job.reject = (error) => {
      signal.removeEventListener('abort', onAbort);
      reject(error);
    };
  }

  #cancel(job: Job, reason: unknown): void {
    job.reject(reason);
    const queue = this.#queueOf(job);
    const waiting = queue.indexOf(job);
    if (waiting !== -1) {
      queue.splice(waiting, 1);
      return;
    }
    const thread = [...this.#threads].find((candidate) => candidate.job === job);
    if (thread === undefined) return;
    Atomics.store(thread.stop, 0, 1);
    setClock(thread, CANCEL_GRACE_MS, () => this.#replace(thread, reason, 'cancelled'));
  }

  #dispatch(): void {
    for (;;) {
      const threads = [...this.#threads];
      const { question, slow } = this.#queues;
      const start = nextStart({ question: question.length, slow: slow.length }, threads, this.#options.size);
      if (start === undefined) return;
      const queue = this.#queues[start.lane];
      const pair = start.thread === undefined ? undefined : pairUp(queue, threads, start.thread);
      const [job] = queue.splice(pair?.task ?? 0, 1);
      const thread = pair === undefined ? this.#start() : threads[pair.thread];
      if (job === undefined || thread === undefined) return;
      this.#give(thread, job);
    }
  }

  #queueOf({ options }: Job): Job[] {
    return this.#queues[options.lane ?? 'question'];
  }

  #give(thread: Thread, job: Job): void {
    thread.job = job;
    thread.lane = job.options.lane ?? 'question';
    Atomics.store(thread.stop, 0, 0);
    thread.worker.ref();
    this.#memory?.watch();
    this.#limit(thread, job);
    thread.processorMs = undefined;
    try {
      thread.worker.postMessage({ id: job.id, task: job.task }, []);
    } catch (error) {
      // The task cannot be cloned: nothing reached the thread.
      job.reject(error);
      this.#release(thread);
    }
  }

  #start(): Thread {
    const { url, data, heapMegabytes, size } = this.#options;
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(url, {
      workerData: { data, stop },
      // Flags of a test runner or debugger are not for our threads.
      execArgv: [],
      ...(heapMegabytes !== undefined && {
        resourceLimits: {
          maxOldGenerationSizeMb: heapMegabytes * size + HEADROOM_MEGABYTES,
          maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
        },
      }),
    });
    const unset = { job: undefined, folder: undefined, processorMs: undefined, lane: undefined };
    const thread: Thread = { worker, stop, ...unset, stopClock: () => undefined, isReady: false };
    worker.on('message', (message: ThreadReply | Begun) =>
      'begun' in message ? this.#begin(thread, message) : this.#settle(thread, message),
    );
    worker.on('error', (error) => {
      const reason = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crashed';
      this.#retire(thread, new ThreadCrashed(`The thread failed: ${error.message}`, error), reason);
    });
    worker.on('exit', (code) =>
      this.#retire(thread, new ThreadCrashed(`The thread ended with code ${code}.`), 'crashed'),
    );
    this.#threads.add(thread);
    return thread;
  }

  /** The threads as their memory is watched. */
  #measured(megabytes: number): MeasuredThread[] {
    return [...this.#threads].map((thread) => ({
      isAtWork: thread.job !== undefined,
      measure: () => heapOf(thread),
      end: () => this.#replace(thread, new ThreadOutOfMemory(megabytes), 'memory'),
    }));
  }

  /** Starts the clock at whose end the thread is ended in the middle of the task. */
  #limit(thread: Thread, { options: { deadlineMs } }: Job): void {
    const ms = thread.isReady ? deadlineMs : START_LIMIT_MS + deadlineMs;
    setClock(thread, ms, (limit) => this.#replace(thread, new TaskTimeout(limit), 'deadline'));
  }

  /** Counts the deadline of the task at hand from now; one that was cancelled has its end already. */
  #begin(thread: Thread, { folder }: Begun): void {
    thread.folder = folder;
    if (!thread.isReady && this.#threads.has(thread)) {
      thread.isReady = true;
      this.#falseStarts = 0;
      this.#options.watch?.ready();
    }
    const isCancelled = Atomics.load(thread.stop, 0) === 1;
    if (thread.job !== undefined && !isCancelled) this.#limit(thread, thread.job);
  }

  #settle(thread: Thread, reply: ThreadReply): void {
    thread.processorMs = reply.processorMs;
    const { job } = thread;
    if (job === undefined || job.id !== reply.id) return;
    if ('error' in reply) job.reject(unpackError(reply.error));
    else job.resolve(reply.value);
    this.#release(thread);
  }

  #release(thread: Thread): void {
    thread.stopClock();
    thread.job = undefined;
    thread.lane = undefined;
    thread.worker.unref();
    this.#dispatch();
  }

  #replace(thread: Thread, error: unknown, reason: EndReason): void {
    this.#retire(thread, error, reason);
    // The end of a thread that is no longer ours is nothing to wait for.
    thread.worker.terminate().catch(() => undefined);
  }

  /** Replaces a thread that has ended. Does nothing the second time: an error is followed by an exit. */
  #retire(thread: Thread, error: unknown, reason: EndReason): void {
    if (!this.#threads.has(thread)) return;
    const job = this.#remove(thread);
    const { watch } = this.#options;
    watch?.ended(error, { reason, remaining: [...this.#threads].filter(({ isReady }) => isReady).length });
    if (job !== undefined && this.#mayRetry(job, error)) {
      job.isRetried = true;
      this.#queueOf(job).unshift(job);
    } else job?.reject(error);
    this.#falseStarts = thread.isReady ? 0 : this.#falseStarts + 1;
    this.#dispatch();
    this.#startAnother();
  }

  /** Removes a thread from the pool and returns the task that it had. */
  #remove(thread: Thread): Job | undefined {
    this.#threads.delete(thread);
    thread.stopClock();
    const { job } = thread;
    thread.job = undefined;
    return job;
  }

  #mayRetry({ options, isRetried }: Job, error: unknown): boolean {
    return options.retryCrash === true && !isRetried && error instanceof ThreadCrashed && !options.signal?.aborted;
  }

  /** Starts a thread in place of one that ended, later and later while they end before they can work. */
  #startAnother(): void {
    const waitMs = RESTART_MS[Math.min(this.#falseStarts, RESTART_MS.length - 1)];
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => {
      if (this.#closed || this.#threads.size >= this.#options.size) return;
      this.#start().worker.unref();
    }, waitMs).unref();
  }
}

/** Calls `end` when the thread has had this much of the processor from now on, unless its clock is set anew or stopped. */
function setClock(thread: Thread, deadlineMs: number, end: (limit: string) => void): void {
  const { folder, processorMs: beforeMs } = thread;
  const processorMs = (): number | undefined => (folder === undefined ? undefined : processorTimeOf(folder));
  const limit = { deadlineMs, longestMs: LONGEST_WAIT * deadlineMs, beforeMs, processorMs };
  thread.stopClock();
  thread.stopClock = limitProcessorTime(limit, end);
}

async function heapOf({ worker, isReady }: Thread): Promise<number> {
  if (!isReady) return 0;
  try {
    const { used_heap_size: used, external_memory: external } = await worker.getHeapStatistics();
    return used + external;
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
