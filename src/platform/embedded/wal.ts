import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Two writes this close may leave the same time of change: kernels count in ticks of up to 10 ms. */
const CLOCK_TICK_MS = 20;

/** Name of a segment of the write-ahead log. */
const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * Makes commits survive a power loss. The engine writes its log but does not wait for the disk; that is done here, from
 * beside it, so that commits that arrive while the disk is busy share the next call.
 */
export class WalSync {
  readonly #folder: string;
  #waiting: (() => void)[] = [];
  #running: Promise<void> | undefined;
  /** Segments that are on the disk as they were when they had this time of change. */
  #syncedMtimes = new Map<string, number>();

  constructor(databaseFolder: string) {
    this.#folder = join(databaseFolder, 'pg_wal');
  }

  /** Calls `onDurable` when all that is committed by now is on the disk. A failing disk rejects in `onFailure`, once. */
  flush(onDurable: () => void, onFailure: (error: unknown) => void): void {
    this.#waiting.push(onDurable);
    this.#running ??= this.#run()
      .catch(onFailure)
      .finally(() => (this.#running = undefined));
  }

  /** Resolves when no flush is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      while (!(await this.#syncChanged()));
      for (const onDurable of batch) onDurable();
    }
  }

  /**
   * Syncs the segments that changed to the disk. False when one was gone before it was reached: its content may have another
   * name now, because the engine renames segments to use them again, so the list must be read anew.
   */
  async #syncChanged(): Promise<boolean> {
    const names = (await readdir(this.#folder)).filter((name) => SEGMENT.test(name));
    const done = await Promise.all(names.map((name) => this.#syncSegment(name).catch(ignoreMissing)));
    for (const name of this.#syncedMtimes.keys()) if (!names.includes(name)) this.#syncedMtimes.delete(name);
    return done.every((file) => file !== undefined);
  }

  async #syncSegment(name: string): Promise<true> {
    const path = join(this.#folder, name);
    const { mtimeMs } = await stat(path);
    if (this.#syncedMtimes.get(name) === mtimeMs) return true;
    const lookedAtMs = Date.now();
    const file = await open(path, 'r+');
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
    // A later write in the same tick would not show, nor one below a clock that is ahead: then it is synced once more.
    if (lookedAtMs - mtimeMs > CLOCK_TICK_MS) this.#syncedMtimes.set(name, mtimeMs);
    else this.#syncedMtimes.delete(name);
    return true;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
