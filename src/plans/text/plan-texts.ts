import { ServiceError } from '../../kernel/errors.ts';
import { divideMemory, USUAL_MEMORY_BYTES } from '../../platform/memory.ts';
import type { Watch } from '../../platform/supervision.ts';
import { TaskTimeout, ThreadCrashed, ThreadOutOfMemory, ThreadPool, workerUrl } from '../../platform/threads.ts';
import type { Mention } from '../../anchors/mentions/mentions.ts';
import type { TextTask } from './plan-thread.ts';
import type { PlanText } from './plan-text.ts';

/** Reading takes at most a few seconds for the longest plan that somebody wrote. */
const LIMIT_MS = 30_000;
const USUAL_HEAP_BYTES = divideMemory(USUAL_MEMORY_BYTES, { isEmbedded: true }).texts;
const MIB = 1024 * 1024;
/** So that one text that takes long does not hold the others up. */
const THREADS = 2;

interface TextLimits {
  limitMs?: number;
  /** Memory limit of all threads together. */
  heapBytes?: number;
  /** Receives a report when a thread ends. */
  watch?: Watch | undefined;
}

/**
 * Reads plans and decisions, in threads of its own: Markdown can be written so that reading it takes time and memory that
 * grow with the square of its length, and the main thread answers questions meanwhile. Threads start with the first text,
 * in about 0.2 s.
 */
export class PlanTexts {
  readonly #pool: ThreadPool;
  readonly #limitMs: number;
  readonly #heapMegabytes: number;

  constructor({ limitMs = LIMIT_MS, heapBytes = USUAL_HEAP_BYTES, watch }: TextLimits = {}) {
    this.#heapMegabytes = Math.floor(heapBytes / THREADS / MIB);
    this.#pool = new ThreadPool({
      url: workerUrl(import.meta, './plan-thread'),
      size: THREADS,
      heapMegabytes: this.#heapMegabytes,
      watch,
    });
    this.#limitMs = limitMs;
  }

  /** See `readPlan`. @throws ServiceError `too_large` too when reading takes more time or memory than any plan needs. */
  plan(text: string): Promise<PlanText> {
    return this.#read({ kind: 'plan', text });
  }

  /** Returns the mentions of code in a Markdown text. @throws ServiceError `too_large` like `plan`. */
  mentions(text: string): Promise<Mention[]> {
    return this.#read({ kind: 'mentions', text });
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  async #read<T>(task: TextTask): Promise<T> {
    try {
      return await this.#pool.run<T>(task, { deadlineMs: this.#limitMs });
    } catch (cause) {
      if (isTooMuch(cause)) throw this.#unreadable(cause);
      throw cause;
    }
  }

  #unreadable(cause: unknown): ServiceError {
    const limits = `${this.#limitMs / 1000} s and ${this.#heapMegabytes} MB`;
    return new ServiceError('too_large', `The text cannot be read as Markdown within ${limits}.`, {
      fix: 'Shorten it, and remove deep nesting and long runs of Markdown marks.',
      cause,
    });
  }
}

/** True if a text was too much for the reader: by its time, its memory, or nesting that overflows the stack. */
function isTooMuch(error: unknown): boolean {
  if ([TaskTimeout, ThreadCrashed, ThreadOutOfMemory].some((kind) => error instanceof kind)) return true;
  return error instanceof Error && error.name === 'RangeError';
}
