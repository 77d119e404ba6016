import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { fsyncSync } from 'node:fs';

/** `EIO` as the engine's system calls number it. */
const WASI_EIO = 29;

/** Length of the engine's last output that is reported when it dies. */
const LAST_WORDS_LENGTH = 2_000;

/** The engine's start parameters without the one that keeps PostgreSQL from syncing files to the disk. */
export const SYNCING: readonly string[] = PGlite.defaultStartParams.filter((option) => option !== '-F');

interface OpenFile {
  /** The descriptor of this process. */
  nfd?: number;
}

/**
 * The folder of a database, whose files PostgreSQL can sync to the disk: the engine's own `fsync` does nothing. So a checkpoint
 * reaches the disk in PostgreSQL's order, data before the control file that counts on them, and renamed segments of the log
 * with their folder. Commits do not wait here (they call `fdatasync`, which the engine omits): `WalSync` syncs them, many at a
 * time.
 */
export class SyncedFolder extends NodeFS {
  readonly #onAbort: (words: string) => void;
  readonly #sync: (descriptor: number) => void;
  #words = '';

  /** `onAbort` receives the last output of an engine that ends itself. It must end the thread: the engine would spin. */
  constructor(folder: string, onAbort: (words: string) => void, sync: (descriptor: number) => void = fsyncSync) {
    super(folder);
    this.#onAbort = onAbort;
    this.#sync = sync;
  }

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [...(emscriptenOpts.preRun ?? []), syncWith(this.#sync)];
    const printErr = (line: string): void => void (this.#words = `${this.#words}${line}\n`.slice(-LAST_WORDS_LENGTH));
    const onAbort = (): void => this.#onAbort(this.#words.trim());
    return { emscriptenOpts: { ...emscriptenOpts, preRun, printErr, onAbort } };
  }
}

/**
 * Gives the engine a `fsync` that works: 0, or the error on which PostgreSQL ends itself, as it is unknown what the disk holds.
 */
function syncWith(sync: (descriptor: number) => void): (engine: { NODEFS: object }) => void {
  return ({ NODEFS }) => {
    // The types do not describe the engine's file system.
    const { stream_ops: operations } = NODEFS as { stream_ops: { fsync?: (file: OpenFile) => number } };
    operations.fsync = ({ nfd }) => {
      try {
        if (nfd !== undefined) sync(nfd);
        return 0;
      } catch {
        return WASI_EIO;
      }
    };
  };
}
