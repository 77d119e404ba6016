/** Runs of about this much work take seconds. */
const SHORT_FILES = 1_000;
/** A file that has not changed costs a run about so much of one that has to be read. */
const UNCHANGED_COST = 0.1;
/** A run that was overtaken this often is next. */
const MOST_OVERTAKEN = 3;

/** Short and long runs have a turn each: a short one never waits for a long one to end. */
export type RunLane = 'short' | 'long';

/** A run that waits, the oldest first. `work` counts files to be read. */
export interface WaitingRun {
  work: number;
  /** Number of later runs of its lane that went before it. */
  overtaken: number;
}

/** Estimates the work of a run, in files to be read: `files` of the commit, of which `changed` are not in the last index. */
export function workOf({ files, changed }: { files: number; changed: number }): number {
  return changed + UNCHANGED_COST * (files - changed);
}

export function laneOf(work: number): RunLane {
  return work <= SHORT_FILES ? 'short' : 'long';
}

/**
 * Returns the index of the waiting run that begins next; undefined when none may. One runs in each lane at a time, the one with
 * the least work first, unless one of the lane has been overtaken three times.
 */
export function nextRun(waiting: readonly WaitingRun[], running: ReadonlySet<RunLane>): number | undefined {
  const free = waiting
    .map((run, index) => ({ ...run, index }))
    .filter(({ work }) => !running.has(laneOf(work)))
    .toSorted((a, b) => a.work - b.work || a.index - b.index);
  const starved = free.toSorted((a, b) => a.index - b.index).find(({ overtaken }) => overtaken >= MOST_OVERTAKEN);
  return (starved ?? free[0])?.index;
}

interface Entry extends WaitingRun {
  begin: () => void;
}

/** The turns of the index runs of one process. */
export class RunTurns {
  readonly #waiting: Entry[] = [];
  readonly #running = new Set<RunLane>();

  /** Waits for a turn, which ends when the result is disposed. Rejects with the signal's reason. */
  async take(work: number, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const entry: Entry = { work, overtaken: 0, begin: () => resolve(undefined) };
    const leave = (): void => {
      const index = this.#waiting.indexOf(entry);
      if (index === -1) return;
      this.#waiting.splice(index, 1);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.push(entry);
    this.#beginNext();
    await promise.finally(() => signal.removeEventListener('abort', leave));
    return { [Symbol.dispose]: () => this.#end(laneOf(work)) };
  }

  #end(lane: RunLane): void {
    this.#running.delete(lane);
    this.#beginNext();
  }

  #beginNext(): void {
    for (;;) {
      const index = nextRun(this.#waiting, this.#running);
      const [next] = index === undefined ? [] : this.#waiting.splice(index, 1);
      if (index === undefined || next === undefined) return;
      const lane = laneOf(next.work);
      for (const before of this.#waiting.slice(0, index)) if (laneOf(before.work) === lane) before.overtaken += 1;
      this.#running.add(lane);
      next.begin();
    }
  }
}
