import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Repositories } from './context.ts';
import { releaseMirrorLease, takeMirrorLease } from './store-fetches.ts';
import type { RepositoryRow } from './store.ts';

/** A lease lasts 30 s without a sign of life. */
const RENEW_MS = 10_000;
/** Interval of checks while another process writes to a mirror. */
const POLL_MS = 500;

/**
 * Writes to the mirror of a repository while nothing else does, in this process or another one that shares the data folder.
 * Waits no longer than the signal.
 */
export async function inMirror<Result>(
  context: Repositories,
  repository: Pick<RepositoryRow, 'accountId' | 'id'>,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const { mirrorWork } = context;
  const { id } = repository;
  const before = mirrorWork.get(id) ?? Promise.resolve();
  const turn = before
    .catch(() => undefined)
    .then(() => {
      signal.throwIfAborted();
      return withLease(context, repository, signal, work);
    });
  mirrorWork.set(id, turn);
  try {
    return await turn;
  } finally {
    if (mirrorWork.get(id) === turn) mirrorWork.delete(id);
  }
}

async function withLease<Result>(
  { db }: Repositories,
  repository: Pick<RepositoryRow, 'accountId' | 'id'>,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const owner = randomUUID();
  while (!(await takeMirrorLease(db, repository, owner))) await setTimeout(POLL_MS, undefined, { signal });
  // A renewal that fails is tried again; two of them may, before another process takes over.
  const renewing = setInterval(
    () => void takeMirrorLease(db, repository, owner).catch(() => undefined),
    RENEW_MS,
  ).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    // It ends by itself, too.
    await releaseMirrorLease(db, repository, owner).catch(() => undefined);
  }
}
