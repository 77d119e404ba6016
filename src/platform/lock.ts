import { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../kernel/errors.ts';

/** A lock held by this process. The system frees it when the process ends, however it ends. */
export interface Lock {
  /** A second call does nothing. */
  release(): void;
}

/**
 * Takes the lock whose file is `path`, at once or not at all. A killed process frees it: the lock is one of the operating
 * system's on a small SQLite file, not a note of a process id.
 *
 * @throws ServiceError `conflict` when another process, or another part of this one, holds it.
 */
export function takeLock(path: string, what: string): Lock {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (cause) {
    file.close();
    if (!String(cause).includes('locked')) throw cause;
    throw new ServiceError('conflict', `${what} is in use by another process.`, {
      fix: 'Stop the other process (svc up, svc serve), or call it over HTTP, or choose another folder with SVC_DATA_DIR.',
      cause,
    });
  }
  return { release: () => file.isOpen && file.close() };
}
