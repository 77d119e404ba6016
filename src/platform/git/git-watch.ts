import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { refsSignature } from './git-refs.ts';

/** Interval of reading the refs without a notice of a change: watching does not work on every file system. */
const POLL_MS = 2_000;
/** Time that refs must stay as they are: a rebase moves them many times. */
const SETTLE_MS = 150;

/**
 * Gives a value each time HEAD or its branch has moved and come to rest, first when it differs from `since` already
 * (`refsSignature`). What moves while the caller works is one change. Ends when the signal aborts.
 */
export async function* refChanges(
  gitDir: string,
  { since, signal }: { since: string; signal: AbortSignal },
): AsyncGenerator<string> {
  using news = new RefNews(gitDir);
  let lastSignature = since;
  while (!signal.aborted) {
    let now = refsSignature(gitDir);
    for (let before = lastSignature; now !== before && !signal.aborted;) {
      before = now;
      await pause(SETTLE_MS, signal);
      now = refsSignature(gitDir);
    }
    if (now === lastSignature) {
      await news.wait(POLL_MS, signal);
      continue;
    }
    lastSignature = now;
    if (!signal.aborted) yield now;
  }
}

/** Watches a repository's folder and its refs for changes. */
class RefNews {
  readonly #watchers: FSWatcher[] = [];
  #touched = new AbortController();

  constructor(gitDir: string) {
    this.#watch(gitDir, false);
    this.#watch(join(gitDir, 'refs'), true);
  }

  /** Waits for the first change since the last call, at most for the given time. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await pause(milliseconds, AbortSignal.any([signal, this.#touched.signal]));
    if (this.#touched.signal.aborted) this.#touched = new AbortController();
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  /** Watches a folder. One that cannot be watched is read from time to time. */
  #watch(folder: string, recursive: boolean): void {
    try {
      const watcher = watch(folder, { recursive, persistent: false }, () => this.#touched.abort());
      watcher.on('error', () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // Not there (the refs of a worktree are elsewhere), or more watchers than the system allows.
    }
  }
}

/** Waits, at most until the signal aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}
