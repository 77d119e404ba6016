import { ServiceError } from '../../kernel/errors.ts';
import { TaskTimeout, ThreadCrashed, ThreadPool, workerUrl } from '../../platform/threads.ts';
import type { PageText, Selection } from './page-text.ts';
import type { PageTask } from './page-thread.ts';
import type { SiteLink } from './site-links.ts';

/** A page of 5 MB takes some two seconds. */
const LIMIT_MS = 20_000;
const HEAP_MEGABYTES = 768;

/** Reads pages in a thread of its own, because a page is whatever its author wants it to be. */
export class PageReader {
  readonly #pool: ThreadPool;
  readonly #limitMs: number;

  constructor(limitMs: number = LIMIT_MS) {
    this.#pool = new ThreadPool({
      url: workerUrl(import.meta, './page-thread'),
      size: 1,
      heapMegabytes: HEAP_MEGABYTES,
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
      return await this.#pool.run<Result>(task, { deadlineMs: this.#limitMs, signal, lane: 'slow' });
    } catch (cause) {
      if (!(cause instanceof TaskTimeout || cause instanceof ThreadCrashed)) throw cause;
      throw new ServiceError('upstream_failed', 'Reading the page takes more time or memory than a page should need.', {
        fix: 'Watch another page.',
        cause,
      });
    }
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}
