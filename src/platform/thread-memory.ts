import { setTimeout } from 'node:timers/promises';

/** Interval at which the heaps of threads at work are measured. */
const LOOK_MS = 100;
/** Measurements in a row that exceed the limit: between two of them garbage may be collected. */
const LOOKS = 3;

/** A thread of a pool whose memory is measured. */
export interface MeasuredThread {
  isAtWork: boolean;
  /** Bytes of its heap and of what its objects hold beside it; 0 when it is starting or gone. */
  measure: () => Promise<number>;
  /** Ends it and rejects its task. */
  end: () => void;
}

/**
 * Keeps the heaps of some threads together below a limit: while one works they are measured, and the one at work that holds
 * most is ended when all stay above the limit. The engine's own limit of a heap is no such thing: a map, a set or an array
 * that reaches it ends the process, not the thread.
 */
export class ThreadMemory {
  readonly #mostBytes: number;
  readonly #threads: () => readonly MeasuredThread[];
  #isWatching = false;

  constructor(mostBytes: number, threads: () => readonly MeasuredThread[]) {
    this.#mostBytes = mostBytes;
    this.#threads = threads;
  }

  /** Measures from now on, until no thread works. */
  watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    // A thread that ended cannot be measured; the next task begins anew.
    this.#look().catch(() => undefined);
  }

  async #look(): Promise<void> {
    let exceeded = 0;
    try {
      for (;;) {
        await setTimeout(LOOK_MS, undefined, { ref: false });
        const threads = this.#threads();
        if (!threads.some(({ isAtWork }) => isAtWork)) return;
        exceeded = (await endLargest(threads, this.#mostBytes, exceeded + 1 >= LOOKS)) ? exceeded + 1 : 0;
        if (exceeded >= LOOKS) exceeded = 0;
      }
    } finally {
      this.#isWatching = false;
    }
  }
}

/** True if threads hold more than they may together; with `ends`, the largest one at work is ended then. */
export async function endLargest(
  threads: readonly MeasuredThread[],
  mostBytes: number,
  ends: boolean,
): Promise<boolean> {
  const measured = await Promise.all(threads.map(async (thread) => ({ thread, bytes: await thread.measure() })));
  const total = measured.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= mostBytes) return false;
  const [largest] = measured.filter(({ thread }) => thread.isAtWork).toSorted((a, b) => b.bytes - a.bytes);
  if (ends) largest?.thread.end();
  return true;
}
