import { ServiceError } from '../../kernel/errors.ts';
import { OutOfMemory, ProcessCrashed, ProcessPool } from '../../platform/processes.ts';
import type { Watch } from '../../platform/supervision.ts';
import { TaskTimeout, workerUrl } from '../../platform/threads.ts';
import type { PageTask } from './page-process.ts';
import type { PageText, Selection } from './page-text.ts';
import type { SiteLink } from './site-links.ts';

/** A page of 5 MB takes some two seconds. */
const LIMIT_MS = 20_000;
/** Of the process, all of it. */
const MEMORY_MEGABYTES = 1024;

/** Reads pages in a process of its own, because a page is whatever its author wants it to be. It ends when there is none. */
export class PageReader {
  readonly #pool: ProcessPool;
  readonly #limitMs: number;

  constructor(limitMs: number = LIMIT_MS, watch?: Watch) {
    this.#pool = new ProcessPool({
      url: workerUrl(import.meta, './page-process'),
      size: 1,
      memoryMegabytes: MEMORY_MEGABYTES,
      watch,
    });
    this.#limitMs = limitMs;
  }

  /** See `readPage`. @throws ServiceError `upstream_failed` too when reading takes more time or memory than any page needs. */
  page(text: string, selection: Selection, signal: AbortSignal): Promise<PageText> {
    return this.#run({ kind: 'page', text, selection }, signal);
  }

  /** See `readFeed`. @throws ServiceError like `page`. */
  feed(text: string, signal: AbortSignal): Promise<PageText> {
    return this.#run({ kind: 'feed', text }, signal);
  }

  /** See `siteLinks`. @throws ServiceError like `page`. */
  links(text: string, url: string, signal: AbortSignal): Promise<SiteLink[]> {
    return this.#run({ kind: 'links', text, url }, signal);
  }

  async #run<Result>(task: PageTask, signal: AbortSignal): Promise<Result> {
    try {
      return await this.#pool.run<Result>(task, { deadlineMs: this.#limitMs, signal });
    } catch (cause) {
      const isTooMuch = [TaskTimeout, OutOfMemory, ProcessCrashed].some((kind) => cause instanceof kind);
      if (!isTooMuch) throw cause;
      throw new ServiceError('upstream_failed', 'Reading the page takes more time or memory than a page should need.', {
        fix: 'Watch another page.',
        cause,
      });
    }
  }

  /** Ends the process. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
