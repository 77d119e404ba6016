import { ServiceError } from '../../kernel/errors.ts';
import { OutOfMemory, ProcessCrashed, ProcessPool } from '../../platform/processes.ts';
import type { Watch } from '../../platform/supervision.ts';
import { TaskTimeout, workerUrl } from '../../platform/threads.ts';
import type { ImportTask, ReadSignalFile } from './import-process.ts';

/** A file of 3 MB takes a few seconds. */
const LIMIT_MS = 30_000;
/** Of one process, all of it. */
const MEMORY_MEGABYTES = 512;
/** So that one file that takes long does not hold the others up. */
const PROCESSES = 2;

/**
 * Reads files of signals in processes of their own: a small workbook or archive can unpack to any size, and would take the
 * service along. They end when there is nothing to read.
 */
export class SignalFiles {
  readonly #pool: ProcessPool;

  constructor(watch?: Watch) {
    this.#pool = new ProcessPool({
      url: workerUrl(import.meta, './import-process'),
      size: PROCESSES,
      memoryMegabytes: MEMORY_MEGABYTES,
      watch,
    });
  }

  /**
   * The signals of a file, and how it was read.
   *
   * @throws ServiceError `bad_argument` for a file that holds none, `too_large` for one that takes too much time or memory.
   */
  async read(task: ImportTask, signal: AbortSignal): Promise<ReadSignalFile> {
    try {
      return await this.#pool.run<ReadSignalFile>(task, { deadlineMs: LIMIT_MS, signal });
    } catch (cause) {
      const isTooMuch = [TaskTimeout, OutOfMemory, ProcessCrashed].some((kind) => cause instanceof kind);
      if (!isTooMuch) throw cause;
      const limits = `${LIMIT_MS / 1_000} s and ${MEMORY_MEGABYTES} MB`;
      throw new ServiceError('too_large', `Reading ${task.name} takes more than the allowed ${limits}.`, {
        fix: 'Import it in smaller parts, or with svc signal import.',
        cause,
      });
    }
  }

  /** Ends the processes. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
