import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { yieldProcessor } from '../../platform/background.ts';
import { relayedWatch } from '../../platform/relayed-watches.ts';
import type { EndReason } from '../../platform/supervision.ts';
import { workerUrl } from '../../platform/threads.ts';
import type { ExactFile, ExactNames, ExactPair } from '../program/exact-names.ts';
import type { ExactMessage, ExactTask } from './exact-process.ts';
import { memoryOfProcesses } from './memory-of-processes.ts';

/** Most memory that the compiler and its client may take together, before both are killed. */
const MEMORY_BYTES = 3_000_000_000;
/** Share of it that the client's own heap may take. */
const HEAP_MB = 1_200;
/** The compiler collects garbage harder from here on; not a limit. */
const SOFT_MEMORY_MIB = 1_600;
/** Longest time that the whole may take. */
const TIME_MS = 10 * 60_000;
const WATCH_MS = 500;
const MOST_ATTEMPTS = 2;

export interface ExactLimits {
  memoryBytes: number;
  timeMs: number;
}

interface ExactRun {
  signal: AbortSignal;
  onProgress: (done: number) => void;
  limits?: ExactLimits;
}

/** Names that the compiler knows, and the paths of files at which it stumbled. */
interface ExactAnswer {
  names: ExactNames;
  unread: string[];
}

/** The compiler gave no answer; the message says why, for people. */
export class ExactPassFailed extends Error {
  readonly end: EndReason;

  constructor(reason: string, end: EndReason) {
    super(reason);
    this.name = 'ExactPassFailed';
    this.end = end;
  }
}

/**
 * Asks TypeScript what each name of the files leads to, in processes of its own. Ids in the answer are places in the
 * list of files of the task. About 4 s and 0.6 GB for 80,000 lines, 10 s and 1.2 GB for 290,000. A process that crashes
 * is replaced once; the service is notified of each that ends before its answer.
 *
 * @throws ExactPassFailed when it took too much memory or time, or died; the signal's reason when cancelled.
 */
export async function runExact(task: ExactTask, run: ExactRun): Promise<ExactAnswer> {
  const watch = relayedWatch('compiler');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(task, run);
    } catch (error) {
      if (!(error instanceof ExactPassFailed)) throw error;
      watch?.ended(error, { reason: error.end });
      if (error.end !== 'crashed' || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function runOnce(task: ExactTask, { signal, onProgress, limits }: ExactRun): Promise<ExactAnswer> {
  signal.throwIfAborted();
  const { memoryBytes, timeMs } = limits ?? { memoryBytes: MEMORY_BYTES, timeMs: TIME_MS };
  const child = fork(fileURLToPath(workerUrl(import.meta, './exact-process')), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
    // Its own group, so that the compiler's process is ended with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, GOMEMLIMIT: `${SOFT_MEMORY_MIB}MiB` },
  });
  yieldProcessor(child);
  const over = new AbortController();
  const stop = (): void => over.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const clock = setTimeout(() => {
    over.abort(new ExactPassFailed(`it took more than ${Math.round(timeMs / 1000)} seconds`, 'deadline'));
  }, timeMs);
  const look = (): Promise<void> => endAbove(memoryBytes, child, over);
  const watch = setInterval(() => {
    look().catch((error: unknown) => over.abort(error));
  }, WATCH_MS);
  try {
    // Before it has work, so that a limit holds however soon it answers.
    await look();
    return await answersOf(child, task, { onProgress, over: over.signal });
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(clock);
    clearInterval(watch);
    kill(child);
  }
}

async function endAbove(memoryBytes: number, child: ChildProcess, over: AbortController): Promise<void> {
  const bytes = await memoryOfProcesses(child.pid ?? 0);
  if (bytes > memoryBytes)
    over.abort(new ExactPassFailed(`it took more than ${Math.round(memoryBytes / 1e6)} MB of memory`, 'memory'));
}

function answersOf(
  child: ChildProcess,
  task: ExactTask,
  { onProgress, over }: { onProgress: (done: number) => void; over: AbortSignal },
): Promise<ExactAnswer> {
  return new Promise((resolve, reject) => {
    over.throwIfAborted();
    const files = new Map<number, ExactFile>();
    const overrides: ExactPair[] = [];
    over.addEventListener('abort', () => reject(over.reason as Error), { once: true });
    child.on('message', (message: ExactMessage) => {
      if (message.type === 'progress') onProgress(message.done);
      else if (message.type === 'failed') reject(new ExactPassFailed(message.reason, 'crashed'));
      else if (message.type === 'done') resolve({ names: { files, overrides }, unread: message.unread });
      else {
        files.set(message.id, message.names);
        overrides.push(...message.overrides);
      }
    });
    child.on('error', (error) => reject(new ExactPassFailed(error.message, 'crashed')));
    child.on('exit', (code, killed) => {
      reject(
        new ExactPassFailed(`its process ended ${killed === null ? `with code ${code}` : `by ${killed}`}`, 'crashed'),
      );
    });
    child.send(task, (error) => (error === null ? undefined : reject(new ExactPassFailed(error.message, 'crashed'))));
  });
}

/** Ends the process and the compiler that it started. Does nothing when both are gone. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}
