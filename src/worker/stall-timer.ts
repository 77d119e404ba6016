import { readFileSync } from 'node:fs';

/**
 * Calls back when a process has not been heard of for a time. Time that the process waits for a processor does not count: on a
 * machine with other work that may be most of it.
 */
export class StallTimer {
  readonly #pid: number | undefined;
  readonly #limitMs: number;
  readonly #onStall: () => void;
  readonly #waitedMs: (pid: number) => number;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #waitedBefore = 0;

  /** `waitedMs` gives how long a process has waited for a processor since it began. */
  constructor(pid: number | undefined, limitMs: number, onStall: () => void, waitedMs = processorWaitMs) {
    this.#pid = pid;
    this.#limitMs = limitMs;
    this.#onStall = onStall;
    this.#waitedMs = waitedMs;
    this.refresh();
  }

  /** To be called when the process was heard of. */
  refresh(): void {
    this.#since = performance.now();
    this.#waitedBefore = this.#waited();
    if (this.#timer === undefined) this.#start(this.#limitMs);
    else this.#timer.refresh();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #start(ms: number): void {
    this.#timer = setTimeout(() => this.#check(), ms).unref();
  }

  #check(): void {
    const own = performance.now() - this.#since - (this.#waited() - this.#waitedBefore);
    // Timers may come a little early.
    if (own < this.#limitMs - 1) this.#start(this.#limitMs - own);
    else this.#onStall();
  }

  #waited(): number {
    return this.#pid === undefined ? 0 : this.#waitedMs(this.#pid);
  }
}

/** Linux counts it for the first thread, which is the one that works and sends messages. 0 elsewhere. */
function processorWaitMs(pid: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0;
  }
}
