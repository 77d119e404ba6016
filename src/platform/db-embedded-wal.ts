import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How far the clock of the file system may run behind ours. */
const CLOCK_SLACK_MS = 20;

/** Name of a segment of the write-ahead log. */
const SEGMENT = /^[0-9A-F]{24}$/;

/**
 * Makes commits survive a power loss. PostgreSQL compiled to WASM writes its log but never asks the disk to keep it, so
 * that is done here, from beside it: commits that arrive while the disk is busy share the next call.
 */
export class WalSync {
  readonly #folder: string;
  #waiting: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #syncedUntilMs = 0;

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
      const startedAtMs = Date.now();
      await syncChangedFiles(this.#folder, this.#syncedUntilMs, SEGMENT);
      this.#syncedUntilMs = startedAtMs;
      for (const onDurable of batch) onDurable();
    }
  }
}

/** Asks the disk to keep the files directly in `folder` that changed since `sinceMs`. Returns how many there were. */
async function syncChangedFiles(folder: string, sinceMs: number, name: RegExp): Promise<number> {
  const names = (await readdir(folder)).filter((file) => name.test(file));
  const changed = await Promise.all(
    names.map(async (file) => (await stat(join(folder, file))).mtimeMs >= sinceMs - CLOCK_SLACK_MS),
  );
  const files = names.filter((_, index) => changed[index]);
  for (const file of files) await syncFile(join(folder, file));
  return files.length;
}

/** The data files that a checkpoint wrote since `sinceMs`. Called before the log that could repeat them is reused. */
export async function syncDataFiles(databaseFolder: string, sinceMs: number): Promise<number> {
  let count = 0;
  for (const folder of ['global', 'base', 'pg_xact', 'pg_multixact/offsets', 'pg_multixact/members']) {
    const path = join(databaseFolder, folder);
    const inner = folder === 'base' ? await readdir(path) : [''];
    for (const one of inner) count += await syncChangedFiles(join(path, one), sinceMs, /^[0-9A-F]+|^pg_/i);
  }
  return count;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+').catch(ignoreMissing);
  if (handle === undefined) return;
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** A segment may be recycled between the listing and the call. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
