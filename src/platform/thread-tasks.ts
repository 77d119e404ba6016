import { readlinkSync } from 'node:fs';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { answer, packError, type Reply } from './task-reply.ts';

/** The message that the thread is ready, or that a task has loaded what it needs: its deadline begins. */
export interface Begun {
  begun: true;
  /** The folder of this thread below /proc, where there is one. */
  folder: string | undefined;
}

/** The answer to a task. `processorMs`: what the thread has used of a processor since it started. */
export type ThreadReply = Reply & { processorMs?: number };

/** Context of a task for a thread's handler. */
export interface ThreadTask {
  /** True when the answer is not needed any more. Long loops check now and then and return early. */
  cancelled: () => boolean;
  /** Says that what the task needs is loaded: its deadline is counted from now. */
  begin: () => void;
}

/**
 * Called once in the module of a thread: answers each task with what `handle` returns. `makeHandler` gets the pool's
 * `data`. A module whose `handle` blocks is ended at the task's deadline.
 */
export function serveTasks<Data, Task>(
  workerData: { data: Data; stop: Int32Array },
  makeHandler: (data: Data) => (task: Task, context: ThreadTask) => unknown,
): void {
  const port: MessagePort | null = parentPort;
  if (port === null) throw new Error('serveTasks runs in a worker thread only.');
  const handle = makeHandler(workerData.data);
  const begun: Begun = { begun: true, folder: folderOfThread() };
  const begin = (): void => port.postMessage(begun);
  const context: ThreadTask = { cancelled: () => Atomics.load(workerData.stop, 0) === 1, begin };
  port.on('message', ({ id, task }: { id: number; task: Task }) => {
    answer(id, async () => handle(task, context))
      .then((reply) => port.postMessage({ ...reply, processorMs: processorMs() } satisfies ThreadReply))
      // A value that cannot be cloned.
      .catch((error: unknown) => port.postMessage({ id, error: packError(error) } satisfies Reply));
  });
  begin();
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function folderOfThread(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return undefined;
  }
}
