import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SMALL_FUNCTIONS } from '../../platform/allocator.ts';
import { workerUrl } from '../../platform/threads.ts';
import type { Parser } from '../../languages/languages.ts';
import { limitProcessorTime, processorTimeOf } from '../../platform/processor-limit.ts';
import { relayedWatch } from '../../platform/relayed-watches.ts';
import type { EndReason, Watch } from '../../platform/supervision.ts';
import { PLAIN_GRAMMARS } from '../../platform/wasm-tiers.ts';

/**
 * A batch is full at either; a process holds some, so that it never waits for the next. Small ones, so that all
 * processes end at about the same time.
 */
const BATCH_FILES = 8;
const BATCH_CHARACTERS = 64_000;
const BATCHES_AHEAD = 3;
/** Text that may wait for a free process, in characters, before `add` makes its caller wait. */
const MOST_WAITING = 32_000_000;
/** A process is replaced after either: parsers keep what they once needed. */
const RECYCLE_FILES = 5_000;
const RECYCLE_BYTES = 500_000_000;
/** A process that is given no processor is waited for this long. */
const LONGEST_WAIT_MS = 300_000;
/** Longest time that a process may take to start. */
const START_DEADLINE_MS = 30_000;
/** Processes that may die before they have started, one after the other, before the pool gives up. */
const MOST_FALSE_STARTS = 3;

/** A file to read, by the caller's id. */
export interface ExtractorRequest {
  id: number;
  parser: Parser;
  text: string;
}

/** Answer of a process: encoded facts and the same compressed, or the reason why there are none. */
export type ExtractorAnswer = { id: number; rssBytes: number } & (
  | { facts: Uint8Array; packed: Uint8Array }
  | { reason: string }
);

/** Message of a process that has started. */
export interface ExtractorReady {
  ready: true;
}

/** Outcome of a file. */
export type Extracted = { id: number; facts: Uint8Array; packed: Uint8Array } | { id: number; reason: string };

export interface ExtractorPoolOptions {
  /** Most processes at a time. */
  size: number;
  /** Most processor time that one file may take before its process is killed, in ms: a busy machine costs no file. */
  deadlineMs: number;
  /** The time on the processor that a process has had, in ms; undefined where the system does not report it. */
  processorMs?: (pid: number) => number | undefined;
  /** Called once for each file, in any order. */
  onResult?: (result: Extracted) => void;
  /** Receives the unexpected ends of processes; the parent of this process when absent. */
  watch?: Watch | undefined;
}

interface Worker {
  child: ChildProcess;
  /** Files that it has not answered, in the order in which it reads them. */
  files: ExtractorRequest[];
  isReady: boolean;
  answered: number;
  /** Stops the clock that would end it. */
  stopClock: () => void;
  /** True if it was ended because a file, or its start, took too long. */
  isLate: boolean;
}

/**
 * Processes that read files. Hostile text can crash a parser or keep it busy for ever: then its process is killed, the
 * file is tried once more alone, and given up with a reason. No other file is lost.
 */
export class ExtractorPool {
  readonly #options: ExtractorPoolOptions;
  #onResult: (result: Extracted) => void;
  readonly #workers = new Set<Worker>();
  readonly #batches: ExtractorRequest[][] = [];
  #filling: ExtractorRequest[] = [];
  #fillingCharacters = 0;
  #waitingCharacters = 0;
  #open = 0;
  #falseStarts = 0;
  /** Files whose process died while it read them. */
  readonly #suspects = new Set<number>();
  #failure: Error | undefined;
  readonly #watch: Watch | undefined;
  /** True if a process has ended and no other has started since. */
  #isMissing = false;
  /** Called whenever something may have changed for waiting callers. */
  #wake: (() => void)[] = [];

  constructor(options: ExtractorPoolOptions) {
    this.#options = options;
    this.#onResult = options.onResult ?? ((): void => undefined);
    this.#watch = options.watch ?? relayedWatch('extractor');
  }

  /** Gives what comes from now on to another run, for a pool that outlives one; no file of the last may be open. */
  serve(onResult: (result: Extracted) => void): void {
    this.#onResult = onResult;
    this.#suspects.clear();
  }

  /** Starts all processes at once, for when much work is certain. Otherwise they start as it comes. */
  start(): void {
    while (this.#workers.size < this.#options.size) this.#fork();
  }

  /** Takes a file. Waits while too much text is ahead of it. */
  async add(file: ExtractorRequest): Promise<void> {
    this.#open += 1;
    this.#waitingCharacters += file.text.length;
    this.#filling.push(file);
    this.#fillingCharacters += file.text.length;
    if (this.#filling.length >= BATCH_FILES || this.#fillingCharacters >= BATCH_CHARACTERS) this.#flush();
    while (this.#waitingCharacters > MOST_WAITING && this.#failure === undefined) await this.#change();
    this.#throwFailure();
  }

  /** Waits until every file that was added has its result. */
  async finish(): Promise<void> {
    this.#flush();
    while (this.#open > 0 && this.#failure === undefined) await this.#change();
    this.#throwFailure();
  }

  /** Ends all processes. Files without a result get none. */
  close(): void {
    this.#batches.length = 0;
    for (const worker of this.#workers) this.#stop(worker);
    this.#restore();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => void this.#wake.push(resolve));
  }

  #wakeWaiters(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #flush(): void {
    if (this.#filling.length === 0) return;
    this.#batches.push(this.#filling);
    this.#filling = [];
    this.#fillingCharacters = 0;
    this.#dispatch();
  }

  #dispatch(): void {
    while (this.#batches.length > 0) {
      const worker = this.#selectWorker();
      const batch = worker === undefined ? undefined : this.#batches.shift();
      if (worker === undefined || batch === undefined) return;
      if (worker.files.length === 0) this.#limit(worker);
      worker.files.push(...batch);
      for (const file of batch) this.#waitingCharacters -= file.text.length;
      // A process that has just died answers nothing: its exit puts the batch back.
      worker.child.send(batch, () => undefined);
    }
  }

  /** The process with the least to do, a new one rather than a busy one, or nothing when all have enough. */
  #selectWorker(): Worker | undefined {
    const [first] = [...this.#workers].toSorted((a, b) => a.files.length - b.files.length);
    if (first !== undefined && first.files.length === 0) return first;
    if (this.#workers.size < this.#options.size) return this.#fork();
    return first !== undefined && first.files.length <= BATCH_FILES * (BATCHES_AHEAD - 1) ? first : undefined;
  }

  #fork(): Worker {
    const child = fork(fileURLToPath(workerUrl(import.meta, './extractor-process')), {
      serialization: 'advanced',
      // A larger young generation: the tree of a file dies with it, and need not be copied before.
      execArgv: [
        '--max-old-space-size=1024',
        '--min-semi-space-size=16',
        '--max-semi-space-size=32',
        // There is a process for each core: more threads in each only wait for one another.
        '--no-parallel-scavenge',
        SMALL_FUNCTIONS,
        '--disable-warning=ExperimentalWarning',
        ...PLAIN_GRAMMARS,
      ],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const worker: Worker = {
      child,
      files: [],
      isReady: false,
      answered: 0,
      stopClock: () => undefined,
      isLate: false,
    };
    child.on('message', (message: ExtractorAnswer | ExtractorReady) => {
      if ('ready' in message) this.#ready(worker);
      else this.#receive(worker, message);
    });
    child.on('exit', (code, signal) => {
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      this.#handleExit(
        worker,
        `A process that parses files ended ${how}.`,
        signal === 'SIGKILL' ? 'memory' : 'crashed',
      );
    });
    child.on('error', (error) => this.#handleExit(worker, error.message, 'crashed'));
    this.#workers.add(worker);
    return worker;
  }

  #ready(worker: Worker): void {
    worker.isReady = true;
    this.#falseStarts = 0;
    this.#restore();
    this.#limit(worker);
  }

  #receive(worker: Worker, { rssBytes, ...result }: ExtractorAnswer): void {
    worker.files.shift();
    worker.answered += 1;
    this.#limit(worker);
    this.#settle(result);
    const isWorn = worker.answered >= RECYCLE_FILES || rssBytes >= RECYCLE_BYTES;
    if (isWorn && worker.files.length === 0) this.#stop(worker);
    this.#dispatch();
  }

  #settle(result: Extracted): void {
    this.#open -= 1;
    this.#onResult(result);
    if (this.#open === 0) this.#restore();
    this.#wakeWaiters();
  }

  /** Starts the clock for the file that a process reads now, or for its start. */
  #limit(worker: Worker): void {
    worker.stopClock();
    const { deadlineMs, processorMs = mainThreadTime } = this.#options;
    if (!worker.isReady) {
      const timer = setTimeout(() => this.#kill(worker), START_DEADLINE_MS);
      worker.stopClock = (): void => clearTimeout(timer);
      return;
    }
    const { pid = 0 } = worker.child;
    const limit = { deadlineMs, longestMs: LONGEST_WAIT_MS, processorMs: (): number | undefined => processorMs(pid) };
    worker.stopClock = limitProcessorTime(limit, () => this.#kill(worker));
  }

  #kill(worker: Worker): void {
    if (worker.files.length === 0) return;
    worker.isLate = true;
    worker.child.kill('SIGKILL');
  }

  #stop(worker: Worker): void {
    this.#workers.delete(worker);
    worker.stopClock();
    worker.child.kill('SIGKILL');
  }

  /** Handles the death of a process: the file it read is tried once more, and the others are read by another. */
  #handleExit(worker: Worker, how: string, reason: EndReason): void {
    if (!this.#workers.delete(worker)) return;
    worker.stopClock();
    const remaining = [...this.#workers].filter(({ isReady }) => isReady).length;
    this.#watch?.ended(new Error(how), { reason: worker.isLate ? 'deadline' : reason, remaining });
    this.#isMissing = true;
    if (!worker.isReady) {
      this.#falseStarts += 1;
      if (this.#falseStarts > MOST_FALSE_STARTS)
        this.#failure = new Error('The extractor processes could not be started.');
    }
    const suspect = worker.isReady ? worker.files[0] : undefined;
    const others = suspect === undefined ? worker.files : worker.files.slice(1);
    if (others.length > 0) this.#requeue(others);
    if (suspect !== undefined && this.#suspects.has(suspect.id))
      this.#settle({ id: suspect.id, reason: 'the parser crashed or took too long' });
    else if (suspect !== undefined) {
      this.#suspects.add(suspect.id);
      this.#requeue([suspect]);
    }
    this.#dispatch();
    // Without files the next one starts with them.
    if (this.#open === 0) this.#restore();
    this.#wakeWaiters();
  }

  /** Reports that none is missing: another one works, or there is nothing to do. */
  #restore(): void {
    if (this.#isMissing) this.#watch?.ready();
    this.#isMissing = false;
  }

  #requeue(files: ExtractorRequest[]): void {
    for (const file of files) this.#waitingCharacters += file.text.length;
    this.#batches.unshift(files);
  }
}

/** Returns the processor time of a process that parses in its main thread. */
function mainThreadTime(pid: number): number | undefined {
  return processorTimeOf(String(pid));
}
