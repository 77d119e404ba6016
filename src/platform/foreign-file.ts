import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { ServiceError } from '../kernel/errors.ts';

/** Largest file that is read of a repository besides objects: it holds names and addresses; more is damage. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Opening a FIFO or a terminal waits for its other side, unless one says not to. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * The text of a small file that another user may have put there; undefined when there is none. Never waits: what is no file (a
 * FIFO, a device, a socket) would hold a thread for ever, and with it the process. 30 microseconds.
 *
 * @throws ServiceError `bad_argument` for what is no file or too large; the system's error when it cannot be read.
 */
export function readForeignFile(path: string): string | undefined {
  if (!isForeignFile(path)) return undefined;
  // What was a file a moment ago may have been replaced.
  const file = openSync(path, WITHOUT_WAITING);
  try {
    const state = fstatSync(file);
    if (!state.isFile()) throw noFile(path, 'is not a file');
    if (state.size > MOST_BYTES) throw noFile(path, `has more than ${MOST_BYTES / 1024 / 1024} MB`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * True if there is a file that can be opened without waiting.
 *
 * @throws ServiceError `bad_argument` when there is something else; folders count as nothing.
 */
export function isForeignFile(path: string): boolean {
  const state = statSync(path, { throwIfNoEntry: false });
  if (state === undefined || state.isDirectory()) return false;
  if (state.isFile()) return true;
  const kind = state.isFIFO() ? 'a FIFO' : state.isSocket() ? 'a socket' : 'a device';
  throw noFile(path, `is ${kind}, not a file`);
}

function noFile(path: string, what: string): ServiceError {
  return new ServiceError('bad_argument', `${path} ${what}, so this repository is not read.`, {
    fix: 'Put an ordinary file in its place (git clone makes a good copy), then add or index the repository again.',
  });
}
