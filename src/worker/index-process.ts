import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ERROR_CODES, type ErrorCode, ServiceError } from '../kernel/errors.ts';
import { REUSED_MEMORY } from '../platform/allocator.ts';
import { yieldProcessor } from '../platform/background.ts';
import { workerUrl } from '../platform/threads.ts';
import type { IndexFailure, IndexMessage, IndexProgress, IndexResults, IndexTask } from './index-task.ts';

/** How long a process may take to stop by itself before it is killed. */
const STOP_GRACE_MS = 2_000;

/** How long a process may say nothing, not even that it lives, before it counts as caught in a loop. */
const STALL_MS = 5 * 60_000;

/** Old-space limit of an indexing process: 50 MB of source need about 1.5 GB. */
const HEAP_MB = 4_096;

interface ProcessOptions {
  signal: AbortSignal;
  onProgress: (progress: IndexProgress) => void;
  /** Five minutes when absent. */
  stallMs?: number;
  /** Whether somebody waits for it: then it does not step back behind other work. */
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
  options.signal.throwIfAborted();
  const child = fork(fileURLToPath(workerUrl(import.meta, './index-child')), {
    serialization: 'advanced',
    env: { ...process.env, ...REUSED_MEMORY },
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl+C in a terminal is for the service, which stops it and puts the run back into the queue.
    detached: process.platform !== 'win32',
  });
  if (options.isAwaited !== true) yieldProcessor(child);
  const stop = (): void => stopProcess(child);
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    // The child answers a task of a kind with the result of that kind.
    return (await answerOf(child, task, options)) as IndexResults[Kind];
  } finally {
    options.signal.removeEventListener('abort', stop);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
}

function answerOf(
  child: ChildProcess,
  task: IndexTask,
  { signal, onProgress, stallMs = STALL_MS }: ProcessOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last = '';
    const stalled = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new Error(`The ${task.kind} indexer made no progress for ${stallMs / 1000} s and was stopped. ${last}`.trim()),
      );
    }, stallMs).unref();
    child.stderr?.on('data', (part: Buffer) => (last = (last + part.toString()).slice(-2_000)));
    child.on('message', (message: IndexMessage) => {
      stalled.refresh();
      if (message.type === 'alive') return;
      if (message.type === 'progress') onProgress(message.progress);
      else if (message.type === 'done') resolve(message.result);
      // A process that was told to stop may say so before it ends.
      else reject(signal.aborted ? reasonOf(signal) : errorOf(message.failure));
    });
    child.on('error', reject);
    child.on('exit', (code, killed) => {
      clearTimeout(stalled);
      if (signal.aborted) return reject(reasonOf(signal));
      const how = killed === null ? `with code ${code}` : `by ${killed}`;
      return reject(new Error(`The ${task.kind} indexer ended ${how}. ${last}`.trim()));
    });
    child.send(task, (error) => (error === null ? undefined : reject(error)));
  });
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
