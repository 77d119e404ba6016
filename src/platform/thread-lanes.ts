/**
 * How tasks share the threads of a pool. `question`: milliseconds, and somebody waits. `slow`: may take seconds, and
 * somebody waits.
 */
export type Lane = 'question' | 'slow';

/** In this order they are taken up. */
const LANES = ['question', 'slow'] as const;

/** A task that waits. `home` names what it leaves behind in its thread, for the next one with that name. */
export interface WaitingTask {
  home?: string | undefined;
}

/** A thread: in which lane it works, undefined when it is idle, and the homes it has. */
export interface ThreadState {
  lane: Lane | undefined;
  homes: ReadonlySet<string>;
}

/** Which task goes where: its lane and place there, and the place of the thread; undefined for a new thread. */
interface Start {
  lane: Lane;
  task: number;
  thread: number | undefined;
}

/**
 * What a pool does next: nothing when everything that waits has to go on waiting. Oldest first within a lane. Questions
 * may take all threads, slow ones all but one (of a single thread that one). A task goes to the thread
 * that is its home, and waits for that as long as it only answers a question.
 */
export function nextStart(
  waiting: Readonly<Record<Lane, readonly WaitingTask[]>>,
  threads: readonly ThreadState[],
  size: number,
): Start | undefined {
  for (const lane of LANES) {
    if (!hasRoom(lane, threads, size)) continue;
    for (const [task, { home }] of waiting[lane].entries()) {
      const thread = threadFor(home, threads, size);
      if (thread !== 'none') return { lane, task, thread: thread === 'new' ? undefined : thread };
    }
  }
  return undefined;
}

function hasRoom(lane: Lane, threads: readonly ThreadState[], size: number): boolean {
  if (lane === 'question') return true;
  return threads.filter((thread) => thread.lane === 'slow').length < Math.max(1, size - 1);
}

function threadFor(home: string | undefined, threads: readonly ThreadState[], size: number): number | 'new' | 'none' {
  const known = home === undefined ? -1 : threads.findIndex(({ homes }) => homes.has(home));
  const at = threads[known]?.lane;
  if (known !== -1 && at === undefined) return known;
  if (at === 'question') return 'none';
  // One without homes first: whoever has one may come back soon.
  const idle = threads.flatMap(({ lane, homes }, index) => (lane === undefined ? [{ index, size: homes.size }] : []));
  const [best] = idle.toSorted((a, b) => a.size - b.size);
  if (best !== undefined) return best.index;
  return threads.length < size ? 'new' : 'none';
}
