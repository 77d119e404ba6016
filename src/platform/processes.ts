import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { yieldProcessor } from './background.ts';
import type { Watch } from './supervision.ts';
import { answer, packError, type Reply, unpackError } from './task-reply.ts';
import { TaskTimeout, type TaskOptions, workerUrl } from './threads.ts';

/** Time that an idle process keeps its memory, where the pool does not set one. */
const IDLE_MS = 5_000;

/** A process that holds more of its limit than this when a task is done makes way for a new one. */
const RECYCLE_SHARE = 0.5;

/** Interval at which a process measures its memory: what it can fill meanwhile is a small part of any limit. */
const WATCH_MS = 10;

/** The process took more memory than it may, and was ended. */
export class OutOfMemory extends Error {
  constructor(megabytes: number) {
    super(`The task was stopped at its limit of ${megabytes} MB of memory.`);
    this.name = 'OutOfMemory';
  }
}

/** The pool was closed before the task ended: nothing is wrong with the task. */
export class PoolClosed extends Error {
  constructor() {
    super('The process pool is closed.');
    this.name = 'PoolClosed';
  }
}

/** The process ended in the middle of the task. */
export class ProcessCrashed extends Error {
  constructor(how: string) {
    super(`The process ended ${how} its task.`);
    this.name = 'ProcessCrashed';
  }
}

interface ProcessPoolOptions {
  /** Module that calls `serveProcessTasks`. */
  url: URL;
  /** Most processes at a time. They start when there is work for them. */
  size: number;
  /** Most memory of one process, everything counted that it holds of the machine (resident set). */
  memoryMegabytes: number;
  /** True if tasks continue from the state that earlier ones put in the process: it then stays until the pool is closed. */
  isStateful?: boolean;
  /** Time that an idle process keeps its memory; 5 s when absent. */
  idleMs?: number;
  /** Receives the ends of processes that the pool did not end. The next task starts another one. */
  watch?: Watch | undefined;
}

interface Job {
  id: number;
  task: unknown;
  options: TaskOptions;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Child {
  process: ChildProcess;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Processes that take tasks one at a time, oldest first, for work that a hostile file can make take all the memory there
 * is: no limit of a thread counts what lies outside of its heap. One that passes a limit is ended, and only its own task
 * is rejected. Without work they end, so that memory is given back. A start takes 0.2 s and more.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #children = new Set<Child>();
  readonly #idle: Child[] = [];
  readonly #queue: Job[] = [];
  #lastId = 0;
  #closed = false;
  /** Set once the state that tasks put in a process went with it. */
  #lost: Error | undefined;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs one task, which is cloned into the process; `T` is what the handler of the pool's module gives for it. A
   * `ServiceError` thrown there arrives as one.
   *
   * @throws TaskTimeout, OutOfMemory, ProcessCrashed, PoolClosed, the signal's reason, or what the handler threw.
   */
  run<T>(task: unknown, options: TaskOptions): Promise<T> {
    const { signal } = options;
    if (this.#closed) return Promise.reject(new PoolClosed());
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job: Job = { id: ++this.#lastId, task, options, resolve, reject };
    const onAbort = (): void => this.#cancel(job, signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#queue.push(job);
    this.#dispatch();
    // The handler of the pool's module decides what comes back; `T` is that promise.
    return promise.finally(() => signal?.removeEventListener('abort', onAbort)) as Promise<T>;
  }

  /** Ends all processes. Tasks at work or waiting are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const error = new PoolClosed();
    for (const job of this.#queue.splice(0)) job.reject(error);
    const ended = [...this.#children].map(
      (child) => new Promise<void>((resolve) => child.process.once('exit', () => resolve())),
    );
    for (const child of this.#children) this.#end(child, error);
    await Promise.all(ended);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #cancel(job: Job, reason: unknown): void {
    const waiting = this.#queue.indexOf(job);
    if (waiting !== -1) this.#queue.splice(waiting, 1);
    const child = [...this.#children].find((candidate) => candidate.job === job);
    if (child === undefined) job.reject(reason);
    else this.#end(child, reason);
  }

  #dispatch(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const child = this.#idle.pop() ?? (this.#children.size < this.#options.size ? this.#start() : undefined);
      if (child === undefined) return;
      const job = this.#queue.shift();
      if (job === undefined) return;
      this.#give(child, job);
    }
  }

  #give(child: Child, job: Job): void {
    const { deadlineMs } = job.options;
    clearTimeout(child.timer);
    child.job = job;
    child.timer = setTimeout(() => this.#end(child, new TaskTimeout(`${deadlineMs / 1000} s`)), deadlineMs);
    // One that has just died answers nothing: its exit rejects the task.
    child.process.send({ id: job.id, task: job.task }, () => undefined);
  }

  #start(): Child {
    const { url, memoryMegabytes } = this.#options;
    const started = fork(fileURLToPath(url), [String(memoryMegabytes)], {
      serialization: 'advanced',
      // The limit of the heap must not be met first: it aborts with a dump of the stack, and says nothing of the rest.
      execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${2 * memoryMegabytes}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Ctrl+C in a terminal is for the service, which ends it.
      detached: process.platform !== 'win32',
    });
    yieldProcessor(started);
    const child: Child = { process: started, job: undefined, timer: undefined };
    started.on('message', (reply: ProcessReply) => this.#settle(child, reply));
    started.on('error', (error) => this.#retire(child, error));
    started.on('exit', (code, signal) => this.#retire(child, this.#reasonOf(code, signal)));
    this.#children.add(child);
    return child;
  }

  /** Reason of an end. A process that the pool did not kill was killed because of its memory, by itself or by the system. */
  #reasonOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (signal === 'SIGKILL') return new OutOfMemory(this.#options.memoryMegabytes);
    return new ProcessCrashed(signal === null ? `with code ${code} during` : `by ${signal} during`);
  }

  #settle(child: Child, { reply, residentBytes }: ProcessReply): void {
    const { job } = child;
    if (job === undefined || job.id !== reply.id) return;
    clearTimeout(child.timer);
    child.job = undefined;
    if ('error' in reply) job.reject(unpackError(reply.error));
    else job.resolve(reply.value);
    const { isStateful, memoryMegabytes, idleMs = IDLE_MS } = this.#options;
    if (isStateful !== true) {
      if (residentBytes > RECYCLE_SHARE * memoryMegabytes * 1024 * 1024) {
        this.#end(child, undefined);
        return;
      }
      child.timer = setTimeout(() => this.#end(child, undefined), idleMs).unref();
    }
    this.#idle.push(child);
    this.#dispatch();
  }

  #end(child: Child, reason: unknown): void {
    this.#retire(child, reason);
    child.process.kill('SIGKILL');
  }

  /** Removes a process from the pool. Does nothing the second time: its end is followed by an exit. */
  #retire(child: Child, reason: unknown): void {
    if (!this.#children.delete(child)) return;
    if (this.#options.isStateful === true)
      this.#lost ??= new ProcessCrashed('with what earlier tasks left in it, before');
    const idle = this.#idle.indexOf(child);
    if (idle !== -1) this.#idle.splice(idle, 1);
    clearTimeout(child.timer);
    const { job } = child;
    child.job = undefined;
    if (reason !== undefined && job?.options.signal?.aborted !== true) this.#report(reason);
    job?.reject(reason);
    this.#dispatch();
  }

  /** Reports an unexpected end of a process. */
  #report(error: unknown): void {
    if (this.#closed) return;
    const reason = error instanceof OutOfMemory ? 'memory' : error instanceof TaskTimeout ? 'deadline' : 'crashed';
    this.#options.watch?.ended(error, { reason });
  }
}

interface ProcessReply {
  reply: Reply;
  residentBytes: number;
}

/**
 * Called once in the module of a process: answers each task with what `handle` returns, and ends with the parent. A
 * thread of its own ends the process at its limit of memory, whatever `handle` does.
 */
export function serveProcessTasks<Task>(handle: (task: Task) => unknown): void {
  const limitBytes = Number(process.argv[2]) * 1024 * 1024;
  offerToSystem();
  new Worker(workerUrl(import.meta, './memory-watch-thread'), {
    workerData: { limitBytes, everyMs: WATCH_MS },
    execArgv: [],
  }).unref();
  process.on('disconnect', () => process.exit(1));
  process.on('message', ({ id, task }: { id: number; task: Task }) => {
    answer(id, async () => handle(task))
      .then(sendReply)
      // A value that cannot be cloned.
      .catch((error: unknown) => sendReply({ id, error: packError(error) }));
  });
}

/** Makes Linux end this process rather than the service when the machine or the container has no memory left. */
function offerToSystem(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system has no such file.
  }
}

function sendReply(reply: Reply): void {
  process.send?.({ reply, residentBytes: process.memoryUsage.rss() } satisfies ProcessReply);
}
