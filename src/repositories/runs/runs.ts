import type { Tenant } from '../../kernel/tenant.ts';
import { defaultBranch } from '../../platform/git/git-refs.ts';
import type { Db } from '../../platform/db.ts';
import type { TransferProgress } from '../../platform/git/git-transfer.ts';
import { expectedFailure } from '../../platform/failures.ts';
import type { Repositories } from '../context.ts';
import { hastenFetches } from '../store-fetches.ts';
import { tipOf } from '../tip.ts';
import { fetchMirror, isFetchDue } from '../fetches/fetches.ts';
import {
  beginRun,
  holdBlobs,
  lockHashes,
  releaseBlobs,
  resetWithoutIndex,
  type RepositoryRow,
  type RunKey,
  type RunProgress,
  type Snapshot,
  updateDefaultBranch,
  updateFailed,
  updateProgress,
  updateSnapshot,
} from '../store.ts';

export type { ScipUpload } from '../store-scip.ts';
export type { RunProgress, Snapshot } from '../store.ts';
export { isServed, publishHistory, publishRefinement, servedRepositories, setExact } from './refinement.ts';
export { saveScipUpload, scipUploads } from './scip-uploads.ts';
export { sweep, sweepLeftovers } from './sweep.ts';

/** Commit and git directory that an index run reads. */
export interface Checkout {
  gitDir: string;
  commit: string;
  /** Absent when HEAD is detached, or the pin is a tag or a commit. */
  branch?: string;
}

interface SyncOptions {
  signal: AbortSignal;
  onProgress?: (progress: TransferProgress) => void;
}

/**
 * Begins an index run and returns the repository as it is now; undefined when it was removed. The returned `run` number is
 * what the other functions here take: a run that began earlier and still lives can write nothing any more.
 */
export function beginIndexing(context: Repositories, tenant: Tenant, id: string): Promise<RepositoryRow | undefined> {
  return beginRun(context.db, tenant, id);
}

/**
 * Brings the repository to what it is followed from: fetches the mirror of a remote one if that is due, looks at a local one.
 *
 * @throws ServiceError in one sentence: the folder or address is gone, access is refused, there are no commits, the
 * pinned branch, tag or commit is not there.
 */
export async function syncRepository(
  context: Repositories,
  repository: RepositoryRow,
  { signal, onProgress }: SyncOptions,
): Promise<Checkout> {
  const { id, source } = repository;
  // The fetch that found a new commit has just been made.
  if (source === 'remote' && (await isFetchDue(context, repository)))
    await fetchMirror(context, repository, { signal, ...(onProgress !== undefined && { onProgress }) });
  const { gitDir, tip } = await tipOf(context, repository);
  await updateDefaultBranch(context.db, repository, id, (await defaultBranch(gitDir)) ?? null);
  return { gitDir, ...tip };
}

/** Tells how far a run is. False when the run is over: stop it. */
export function reportProgress(
  context: Repositories,
  tenant: Tenant,
  run: RunKey,
  progress: RunProgress,
): Promise<boolean> {
  return updateProgress(context.db, tenant, run, progress);
}

/**
 * Makes the snapshot the one that is served, in one transaction, and ends the run. Its blobs must be in the store. The
 * blobs of the snapshot before it are released. False when the run is over: its blobs are then swept as unused.
 */
export async function publishSnapshot(
  context: Repositories,
  tenant: Tenant,
  run: RunKey,
  snapshot: Snapshot,
): Promise<boolean> {
  const { accountId } = tenant;
  const blobs = [snapshot.shard, snapshot.history];
  return context.db.transaction().execute(async (tx) => {
    const before = await lockHashes(tx, tenant, run);
    await holdBlobs(tx, accountId, blobs);
    if (before !== undefined) await updateSnapshot(tx, tenant, run, snapshot);
    await releaseBlobs(tx, accountId, [...(before ?? []), ...blobs.map((blob) => blob.hash)], context.now());
    return before !== undefined;
  });
}

/**
 * Ends a run that failed, with the reason that users see. The snapshot before it stays. A bug's message is not shown:
 * log it. False when the run is over.
 */
export function failIndexing(context: Repositories, tenant: Tenant, run: RunKey, error: unknown): Promise<boolean> {
  return updateFailed(context.db, tenant, run, reasonOf(error));
}

/**
 * Prepares the repositories of an installation that was restored: one without its index waits for a new one, and the mirrors of all
 * are fetched soon. Returns how many wait.
 */
export async function prepareRestored(tx: Db, stored: ReadonlySet<string>): Promise<number> {
  const waiting = await resetWithoutIndex(tx, stored);
  await hastenFetches(tx);
  return waiting;
}

function reasonOf(error: unknown): { message: string; fix: string } {
  const expected = expectedFailure(error);
  if (expected !== undefined) return { message: expected.message, fix: expected.fix };
  return {
    message: 'Indexing failed because of a fault in the service.',
    fix: 'Index it again; if it fails again, report what the log says about it.',
  };
}
