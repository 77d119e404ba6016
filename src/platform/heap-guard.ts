import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Between two looks that find too much, the heap may grow by this share before it is looked at again. */
const GROWTH = 0.25;

/** Returns the size of the heap of this thread and of what its objects hold beside it (buffers), garbage included. */
function heapBytes(): number {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}

/**
 * Keeps what caches of this thread hold below a limit that is measured, not estimated. `check` costs microseconds while the
 * heap is below; above, garbage is collected, and `release` is called until it returns false or the heap is below.
 */
export class HeapGuard {
  readonly #limitBytes: number;
  readonly #release: () => boolean;
  readonly #collect: () => void;
  /** No look before the heap is larger than this. */
  #threshold: number;

  constructor(limitBytes: number, release: () => boolean, collect: () => void = garbageCollector()) {
    this.#limitBytes = this.#threshold = limitBytes;
    this.#release = release;
    this.#collect = collect;
  }

  check(measure: () => number = heapBytes): void {
    if (measure() <= this.#threshold) return;
    this.#collect();
    while (measure() > this.#limitBytes && this.#release()) this.#collect();
    // What remains is in use: looking again at once would find the same.
    this.#threshold = Math.max(this.#limitBytes, measure() * (1 + GROWTH));
  }
}

/** Returns the garbage collector. The engine does not collect for objects beside the heap, so collections are requested. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  // The function appears in contexts that are made after the flag is set.
  return runInNewContext('gc') as () => void;
}
