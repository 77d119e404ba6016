/**
 * Lane of a task in the threads of a pool. `question`: milliseconds, and somebody waits. `slow`: may take seconds, and somebody
 * waits.
 */
export type Lane = 'question' | 'slow';

/** Lanes in the order in which they are taken up. */
const LANES = ['question', 'slow'] as const;

/** A thread: in which lane it works, undefined when it is idle. */
interface ThreadState {
  lane: Lane | undefined;
}

/** Assignment of a lane to a thread, by its index; undefined for a new thread. */
interface Start {
  lane: Lane;
  thread: number | undefined;
}

/**
 * Returns what a pool does next with the oldest task of a lane: nothing when everything that waits has to go on waiting.
 * Questions may take all threads, slow ones all but one (of a single thread that one).
 */
export function nextStart(
  waiting: Readonly<Record<Lane, number>>,
  threads: readonly ThreadState[],
  size: number,
): Start | undefined {
  const lane = LANES.find((candidate) => waiting[candidate] > 0 && hasRoom(candidate, threads, size));
  if (lane === undefined) return undefined;
  const idle = threads.findIndex((thread) => thread.lane === undefined);
  if (idle !== -1) return { lane, thread: idle };
  return threads.length < size ? { lane, thread: undefined } : undefined;
}

function hasRoom(lane: Lane, threads: readonly ThreadState[], size: number): boolean {
  if (lane === 'question') return true;
  return threads.filter((thread) => thread.lane === 'slow').length < Math.max(1, size - 1);
}

/**
 * Returns the oldest task whose home, which is a thread by the remainder of its number, is idle or which has none; where there is
 * none such, the oldest of all for the thread `idle`.
 */
export function pairUp(
  queue: readonly { options: { home?: number } }[],
  threads: readonly ThreadState[],
  idle: number,
): { task: number; thread: number } {
  for (const [task, { options }] of queue.entries()) {
    const { home } = options;
    if (home === undefined) return { task, thread: idle };
    const thread = home % threads.length;
    if (threads[thread]?.lane === undefined) return { task, thread };
  }
  return { task: 0, thread: idle };
}
