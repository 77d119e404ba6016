import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES, type ErrorCode, ServiceError } from '../kernel/errors.ts';
import { REUSED_MEMORY, SMALL_FUNCTIONS } from '../platform/allocator.ts';
import { yieldProcessor } from '../platform/background.ts';
import { ReportReceiver } from '../platform/relayed-watches.ts';
import type { Supervisor } from '../platform/supervision.ts';
import { workerUrl } from '../platform/threads.ts';
import { StallTimer } from './stall-timer.ts';
import type { IndexFailure, IndexMessage, IndexOrder, IndexProgress, IndexResults, IndexTask } from './index-task.ts';

/** Time that a process may take to stop by itself before it is killed. */
const STOP_GRACE_MS = 2_000;

/**
 * Time without any message, even that it is alive, after which a process counts as caught in a loop. Time in which it waits for a
 * processor does not count.
 */
const STALL_MS = 5 * 60_000;

/** Old-space limit of an indexing process: 50 MB of source need about 1.5 GB. */
const HEAP_MB = 4_096;

/**
 * Options of a process that ends with its task: most of what it holds it needs to the end, so that collecting before there are 256 MB
 * finds little, and threads that collect together wait for one another. One that stays would hold the garbage of its last task.
 */
const ENDS_WITH_TASK = ['--initial-old-space-size=256', '--no-parallel-scavenge'];

export interface ProcessOptions {
  signal: AbortSignal;
  onProgress: (progress: IndexProgress) => void;
  /** Five minutes when absent. */
  stallMs?: number;
  /** Watches the process and those that it starts. The job of one that ends is tried again. */
  supervisor?: Pick<Supervisor, 'watch'> | undefined;
  /** True if a caller waits for it: then it runs at usual priority. */
  isAwaited?: boolean;
}

/**
 * Runs one half of an index in a process of its own and gives its result.
 *
 * @throws ServiceError as the half threw it; a plain Error when the process died, with the signal or code it died by, or
 * said nothing for five minutes and was killed; the signal's reason when cancelled.
 */
export async function runIndexProcess<Kind extends IndexTask['kind']>(
  task: IndexTask & { kind: Kind },
  options: ProcessOptions,
): Promise<IndexResults[Kind]> {
  const result = await runInProcess(task, options);
  // The child answers a task of a kind with the result of that kind.
  if (task.kind !== 'code') return result as IndexResults[Kind];
  const { views, ...code } = result as IndexResults['code'];
  if (views === undefined) return code as IndexResults[Kind];
  // The first process has ended: two at a time would hold as much as both.
  const faults = await runInProcess({ kind: 'views', ...views }, options);
  return { ...code, faults } as IndexResults[Kind];
}

async function runInProcess(task: IndexTask, options: ProcessOptions): Promise<unknown> {
  options.signal.throwIfAborted();
  const child = startProcess(ENDS_WITH_TASK);
  if (options.isAwaited !== true) yieldProcessor(child);
  try {
    return await answerOf(child, { task, stays: false }, options);
  } finally {
    endProcess(child);
  }
}

/** A process that ended before it answered. */
export class ProcessEnded extends Error {}

/** An indexing process that waits for a task, with more options of Node.js. */
export function startProcess(options: readonly string[] = []): ChildProcess {
  const child = fork(fileURLToPath(workerUrl(import.meta, './index-child')), {
    serialization: 'advanced',
    env: { ...process.env, ...REUSED_MEMORY },
    execArgv: [`--max-old-space-size=${HEAP_MB}`, SMALL_FUNCTIONS, '--disable-warning=ExperimentalWarning', ...options],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl+C in a terminal is for the service, which stops it and puts the run back into the queue.
    detached: process.platform !== 'win32',
  });
  // `answerOf` reports the error, where a task runs.
  child.on('error', () => undefined);
  return child;
}

/** Ends a process that does nothing any more. */
export function endProcess(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}

/**
 * Gives a task to a process and returns its result. One that fails or is cancelled must not be given another.
 *
 * @throws as `runIndexProcess`.
 */
export async function answerOf(child: ChildProcess, order: IndexOrder, options: ProcessOptions): Promise<unknown> {
  const { signal, onProgress, supervisor, stallMs = STALL_MS } = options;
  const watch = supervisor?.watch('indexer');
  const reports = new ReportReceiver(supervisor);
  const { kind } = order.task;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  let last = '';
  let isFinished = false;
  const stop = (): void => stopProcess(child);
  const stalled = new StallTimer(child.pid, stallMs, () => {
    child.kill('SIGKILL');
    const stall = new Error(
      `The ${kind} indexer made no progress for ${stallMs / 1000} s and was stopped. ${last}`.trim(),
    );
    watch?.ended(stall, { reason: 'deadline' });
    reject(stall);
  });
  const read = (part: Buffer): string => (last = (last + part.toString()).slice(-2_000));
  const receive = (message: IndexMessage): void => {
    stalled.refresh();
    isFinished ||= message.type === 'done' || message.type === 'failed';
    if (message.type === 'progress') onProgress(message.progress);
    else if (message.type === 'part') reports.receive(message.report);
    else if (message.type === 'done') {
      // Its owner then sees that it is gone.
      if (message.ends === true && child.connected) child.once('disconnect', () => resolve(message.result));
      else resolve(message.result);
    }
    // A process that was asked to stop may report that before it ends.
    else if (message.type === 'failed') reject(signal.aborted ? reasonOf(signal) : errorOf(message.failure));
  };
  const end = (code: number | null, killed: string | null): void => {
    // What it sent last may still be on its way: the channel closes behind it.
    if (child.connected) child.once('disconnect', () => fail(code, killed));
    else fail(code, killed);
  };
  const fail = (code: number | null, killed: string | null): void => {
    if (isFinished) return undefined;
    const how = killed === null ? `with code ${code}` : `by ${killed}`;
    if (signal.aborted) return reject(reasonOf(signal));
    const ended = new ProcessEnded(`The ${kind} indexer ended ${how}. ${last}`.trim());
    watch?.ended(ended, { reason: killed === 'SIGKILL' ? 'memory' : 'crashed' });
    reject(ended);
  };
  signal.addEventListener('abort', stop, { once: true });
  child.stderr?.on('data', read);
  child.on('message', receive).on('error', reject).on('exit', end);
  child.send(order, (error) => (error === null ? undefined : reject(new ProcessEnded(error.message))));
  try {
    return await promise;
  } finally {
    isFinished = true;
    stalled.clear();
    reports.close();
    signal.removeEventListener('abort', stop);
    child.stderr?.off('data', read).resume();
    child.off('message', receive).off('error', reject).off('exit', end);
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The indexing was cancelled.');
}

function stopProcess(child: ChildProcess): void {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  child.once('exit', () => clearTimeout(timer));
}

function errorOf({ message, code, fix, stack }: IndexFailure): Error {
  if (code !== undefined && code in ERROR_CODES && fix !== undefined) {
    // `in` has just checked it.
    return new ServiceError(code as ErrorCode, message, { fix });
  }
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
