import { ServiceError } from '../kernel/errors.ts';
import type { Log } from './log.ts';

const OUTAGE_LOG_MS = 60_000;

/** Error codes of a full disk: no space, or no more of it for this user. 53100 is PostgreSQL's `disk_full`. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** PostgreSQL's `data_corrupted` and `index_corrupted`. */
const DAMAGED_ROWS = new Set(['XX001', 'XX002']);

/** Result codes of SQLITE, without their upper bits: full, corrupt, not a database. */
const SQLITE_FULL = 13;
const SQLITE_DAMAGED = new Set([11, 26]);

/**
 * Returns the error to report to the caller: itself when it is a `ServiceError`; `storage_full` or `content_damaged` when the
 * disk, a file of the service or the database is the cause, however deep; `timed_out` when a part of the service had no time
 * for its answer; undefined when it is a bug.
 */
export function expectedFailure(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const failure = failureOfStorage(cause, error);
    if (failure !== undefined) return failure;
    // By its name: an error that came from another thread has lost its class.
    if (cause.name === 'TaskTimeout') return timedOut(error);
  }
  return undefined;
}

function timedOut(cause: unknown): ServiceError {
  return new ServiceError('timed_out', 'The service is too busy: a part of this took longer than it may.', {
    fix: 'Repeat the same request in a minute.',
    cause,
  });
}

function failureOfStorage(error: Error, cause: unknown): ServiceError | undefined {
  const code = 'code' in error ? String(error.code) : '';
  const sqlite = 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (FULL.has(code) || sqlite === SQLITE_FULL) return storageFull(cause);
  if (DAMAGED_ROWS.has(code)) {
    return new ServiceError('content_damaged', `The database is damaged: ${error.message}.`, {
      fix: `Restore a backup with \`svc restore\`, or move the data folder away to start with an empty one.`,
      cause,
    });
  }
  if (!SQLITE_DAMAGED.has(sqlite)) return undefined;
  return new ServiceError('content_damaged', 'An index file is damaged and cannot be read.', {
    fix: `Rebuild it with \`svc repo index <name>\`, and check the disk.`,
    cause,
  });
}

/** The disk took no more. */
export function storageFull(cause: unknown): ServiceError {
  return new ServiceError('storage_full', 'The disk of the service is full, so nothing more can be stored.', {
    fix: `Free space on the disk of the data folder (\`svc doctor\` prints where it is), then try again.`,
    cause,
  });
}

/** The words of whatever failed first. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}

/** True if the database or the storage of blobs is away: what failed is not at fault, and succeeds when it is back. */
export function isOutage(error: unknown): boolean {
  // The queue gives copies of errors, without their class.
  const code = error instanceof Object && 'code' in error ? error.code : undefined;
  return code === 'database_unavailable' || code === 'storage_unavailable';
}

/** Logs faults of work in the background. While the database is gone all of it fails all the time: logged once a minute. */
export function faultLog(log: Log, what: string): (error: unknown) => void {
  let loggedAtMs = -OUTAGE_LOG_MS;
  return (error) => {
    const isAway = isOutage(error);
    if (isAway && performance.now() - loggedAtMs < OUTAGE_LOG_MS) return;
    if (isAway) loggedAtMs = performance.now();
    log.error({ err: error }, what);
  };
}
