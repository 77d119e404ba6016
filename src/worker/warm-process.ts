import type { ChildProcess } from 'node:child_process';
import { yieldProcessor } from '../platform/background.ts';
import type { Supervisor } from '../platform/supervision.ts';
import { answerOf, endProcess, ProcessEnded, type ProcessOptions, startProcess } from './index-process.ts';
import type { IndexResults, IndexTask } from './index-task.ts';

/** Time that a process waits for another task: after one change and a call about it, more tend to follow. */
const IDLE_MS = 60_000;
/** A process for which no call waits ends after a task that left it with more. */
const MOST_BYTES = 256_000_000;

interface WarmOptions {
  /** A minute when absent. */
  idleMs?: number;
  supervisor?: Pick<Supervisor, 'watch'> | undefined;
  /** True if no call waits for its tasks: then it steps back behind everything else. */
  isBackground?: boolean;
  /** Memory with which a process ends after a task; in the background 256 MB when absent. */
  mostBytes?: number;
}

/**
 * Runs short tasks in a process that stays for a minute: to start it and to compile what it runs is most of the work of a small
 * repository, and half of that of a small update. Tasks that come at the same time have a process each, of which one stays.
 */
export class WarmProcess {
  readonly #idleMs: number;
  readonly #supervisor: Pick<Supervisor, 'watch'> | undefined;
  readonly #isBackground: boolean;
  readonly #mostBytes: number;
  #idle: ChildProcess | undefined;
  #end: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ idleMs = IDLE_MS, supervisor, isBackground = false, mostBytes }: WarmOptions = {}) {
    this.#idleMs = idleMs;
    this.#supervisor = supervisor;
    this.#isBackground = isBackground;
    this.#mostBytes = mostBytes ?? (isBackground ? MOST_BYTES : Infinity);
  }

  /** @throws as `runIndexProcess`: a process that fails does not stay. */
  async run<Kind extends IndexTask['kind']>(
    task: IndexTask & { kind: Kind },
    options: ProcessOptions,
  ): Promise<IndexResults[Kind]> {
    options.signal.throwIfAborted();
    // A process answers a task of a kind with the result of that kind.
    return (await this.#answer(task, options)) as IndexResults[Kind];
  }

  async #answer(task: IndexTask, options: ProcessOptions): Promise<unknown> {
    const warm = this.#take();
    if (warm === undefined) return this.#runIn(this.#start(), task, options);
    try {
      return await this.#runIn(warm, task, options);
    } catch (error) {
      // It may have been ended while it waited, as by a system that is short of memory.
      if (options.signal.aborted || !(error instanceof ProcessEnded)) throw error;
      return this.#runIn(this.#start(), task, options);
    }
  }

  async #runIn(child: ChildProcess, task: IndexTask, options: ProcessOptions): Promise<unknown> {
    try {
      const result = await answerOf(
        child,
        { task, stays: true, mostBytes: this.#mostBytes },
        { supervisor: this.#supervisor, ...options },
      );
      this.#keep(child);
      return result;
    } catch (error) {
      endProcess(child);
      throw error;
    }
  }

  #start(): ChildProcess {
    const child = startProcess();
    if (this.#isBackground) yieldProcessor(child);
    return child;
  }

  close(): void {
    this.#isClosed = true;
    this.#endIdle();
  }

  #take(): ChildProcess | undefined {
    clearTimeout(this.#end);
    const child = this.#idle;
    this.#idle = undefined;
    return child?.connected === true ? child : undefined;
  }

  #keep(child: ChildProcess): void {
    if (this.#isClosed || this.#idle !== undefined || !child.connected) return endProcess(child);
    this.#idle = child;
    this.#end = setTimeout(() => this.#endIdle(), this.#idleMs).unref();
  }

  #endIdle(): void {
    const child = this.#take();
    if (child !== undefined) endProcess(child);
  }
}
