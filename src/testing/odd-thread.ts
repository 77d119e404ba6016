import { threadId, workerData } from 'node:worker_threads';
import { ServiceError } from '../kernel/errors.ts';
import { serveTasks } from '../platform/thread-tasks.ts';

/** Tasks of the thread in the tests of the pool. */
export type OddTask =
  | 'answer'
  | 'refuse'
  | 'fail'
  | 'die'
  | 'hang'
  | 'obey'
  | 'grow'
  | 'unsendable'
  | 'which'
  /** Dies the first time, by a flag that all threads share. */
  | { dieOnce: Int32Array };

serveTasks(
  workerData as { data: { greeting: string; startMs?: number }; stop: Int32Array },
  ({ greeting, startMs = 0 }) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, startMs);
    return (task: OddTask, { cancelled }) => {
      if (task === 'answer') return greeting;
      if (task === 'which') return String(threadId);
      if (task === 'unsendable') return () => greeting;
      if (typeof task === 'object') return Atomics.exchange(task.dieOnce, 0, 1) === 0 ? process.exit(3) : greeting;
      if (task === 'refuse') throw new ServiceError('bad_argument', 'No.', { fix: 'Ask otherwise.' });
      if (task === 'fail') throw new TypeError('A bug.');
      if (task === 'die') process.exit(3);
      if (task === 'grow') return grow();
      // Blocks like a long database query: `obey` looks at the flag, `hang` never does.
      for (;;) if (task === 'obey' && cancelled()) return 'stopped';
    };
  },
);

/** Holds more and more in one map, which the engine's own limit of a heap does not survive. */
function grow(): never {
  const held = new Map<number, number[]>();
  for (;;) {
    held.set(
      held.size,
      Array.from({ length: 100_000 }, () => held.size),
    );
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}
