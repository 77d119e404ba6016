import { existsSync } from 'node:fs';
import type { Tenant } from '../../kernel/tenant.ts';
import { expectedFailure } from '../../platform/failures.ts';
import { isHostFailure } from '../../platform/git/git-failure.ts';
import { endpointOf } from '../../platform/git/git-route.ts';
import { syncMirror, type TransferProgress } from '../../platform/git/git-transfer.ts';
import { mirrorFolder, type Repositories } from '../context.ts';
import { inMirror } from '../mirror.ts';
import { selectDueFetches, selectFetch, updateFetchDue, updateFetched, updateFetchFailed } from '../store-fetches.ts';
import { selectPause } from '../store-pause.ts';
import { type RepositoryRow, selectRepository } from '../store.ts';
import { tipOf } from '../tip.ts';
import { nextFetchMs } from './fetch-schedule.ts';

/** The reason that lists show for an error that no code expected; the log has it whole. */
const FAULT = {
  message: 'Fetching failed because of a fault in the service.',
  fix: 'It is tried again; if it fails again, report what the log says about it.',
};

interface FetchOptions {
  signal: AbortSignal;
  onProgress?: (progress: TransferProgress) => void;
}

/** Repositories of all accounts that are to be fetched now. */
export function dueFetches(context: Repositories): Promise<(Tenant & { id: string })[]> {
  return selectDueFetches(context.db, context.now());
}

/**
 * Fetches a repository by address, if that is due. A failure is recorded, for answers and lists to show; while its host cannot
 * be reached, it is only put off.
 *
 * @returns whether an index run has something to do: another commit, or a run that failed with the fetch before.
 */
export async function fetchDue(
  context: Repositories,
  tenant: Tenant,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<boolean> {
  const repository = await selectRepository(context.db, tenant, id);
  const isIdle = repository?.status === 'ready' || repository?.status === 'failed';
  if (repository?.source !== 'remote' || !isIdle || !(await isFetchDue(context, repository))) return false;
  if ((await selectPause(context.db, tenant)) !== undefined) return false;
  const host = endpointOf(repository.url)?.host ?? '';
  const retryAt = context.failingHosts.get(host)?.retryAt ?? 0;
  if (retryAt > context.now().getTime()) {
    await updateFetchDue(context.db, repository, new Date(retryAt));
    return false;
  }
  // The first index shows how far its fetch is.
  if (repository.commit === null) return true;
  const before = await selectFetch(context.db, repository);
  try {
    await fetchMirror(context, repository, { signal });
  } catch (error) {
    if (signal.aborted || expectedFailure(error) === undefined) throw error;
    return false;
  }
  const tip = await tipOf(context, repository).catch(() => undefined);
  const isOther = tip !== undefined && tip.tip.commit !== repository.commit;
  const hasMoved = tip?.tip.commit !== before?.tip;
  const isRecovered = repository.status === 'failed' && repository.fetchError !== null;
  // A commit that no run could index is not tried again with each fetch.
  return isRecovered || (isOther && (hasMoved || repository.status === 'ready'));
}

/** True if a repository by address must be fetched before it is read: by its schedule, or because it has no mirror. */
export async function isFetchDue(context: Repositories, repository: RepositoryRow): Promise<boolean> {
  const state = await selectFetch(context.db, repository);
  const dueAt = state?.dueAt ?? null;
  return dueAt === null || dueAt <= context.now() || !existsSync(mirrorFolder(context, repository.id));
}

/**
 * Fetches the mirror of a repository by address, and records when and with what result.
 *
 * @throws ServiceError as `syncMirror`.
 */
export async function fetchMirror(
  context: Repositories,
  repository: RepositoryRow,
  { signal, onProgress }: FetchOptions,
): Promise<void> {
  const { id, url } = repository;
  const { allowsFiles: allowFile, privateHosts } = context.policy;
  const credential = await context.credentialFor(repository, url);
  const policy = { allowFile, privateHosts, credential };
  const options = { ...policy, subject: url, signal, ...(onProgress !== undefined && { onProgress }) };
  const beganAt = context.now();
  try {
    await inMirror(context, repository, signal, () => syncMirror(mirrorFolder(context, id), url, options));
  } catch (error) {
    if (!signal.aborted) await recordFailure(context, repository, error);
    throw error;
  }
  context.failingHosts.delete(endpointOf(url)?.host ?? '');
  await recordSuccess(context, repository, beganAt);
}

async function recordSuccess(context: Repositories, repository: RepositoryRow, beganAt: Date): Promise<void> {
  const before = await selectFetch(context.db, repository);
  if (before === undefined) return;
  const sighting = await tipOf(context, repository).catch(() => undefined);
  const tip = sighting?.tip.commit ?? null;
  // What came before the first fetch is not known: it counts as a move.
  const movedAt = tip === before.tip ? (before.movedAt ?? beganAt) : beganAt;
  const dueAt = dueIn(context, { sinceMoveMs: beganAt.getTime() - movedAt.getTime(), failures: 0 });
  await context.db
    .transaction()
    .execute((tx) => updateFetched(tx, repository, { at: beganAt, dueAt, failures: 0, tip, movedAt }));
}

async function recordFailure(context: Repositories, repository: RepositoryRow, error: unknown): Promise<void> {
  const before = await selectFetch(context.db, repository);
  if (before === undefined) return;
  const host = endpointOf(repository.url)?.host ?? '';
  if (host !== '' && isHostFailure(error)) {
    const failures = (context.failingHosts.get(host)?.failures ?? 0) + 1;
    const pauseMs = nextFetchMs({ intervalMs: context.fetchIntervalMs, sinceMoveMs: 0, failures }, 0);
    context.failingHosts.set(host, { failures, retryAt: context.now().getTime() + pauseMs });
  }
  const dueAt = dueIn(context, { sinceMoveMs: 0, failures: before.failures + 1 });
  const { message, fix } = expectedFailure(error) ?? FAULT;
  const failed = { dueAt, error: { message, fix, at: context.now().toISOString() } };
  await context.db.transaction().execute((tx) => updateFetchFailed(tx, repository, failed));
}

function dueIn(context: Repositories, history: { sinceMoveMs: number; failures: number }): Date | null {
  const { fetchIntervalMs: intervalMs, now } = context;
  if (intervalMs === 0) return null;
  return new Date(now().getTime() + nextFetchMs({ intervalMs, ...history }, Math.random()));
}
