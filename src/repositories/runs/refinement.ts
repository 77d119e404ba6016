import type { Tenant } from '../../kernel/tenant.ts';
import type { Gap } from '../../kernel/gap.ts';
import type { Repositories } from '../context.ts';
import { holdBlobs, releaseBlobs, type RepositoryRow, type ShardPointer } from '../store.ts';
import {
  lockSnapshot,
  selectGeneration,
  selectServed,
  updateExact,
  updateHistory,
  updateShard,
} from '../store-refinement.ts';

/** A better shard for the commit that is served. */
interface Refinement {
  shard: ShardPointer;
  /** Gaps of the index; those of the snapshot come from the shard before. */
  gaps: readonly (Gap | string)[];
  /** State of the compiler pass in this shard. */
  exact: RepositoryRow['exact'];
}

/** Repositories of all accounts that have a snapshot. For the start of the service. */
export function servedRepositories(context: Repositories): Promise<(Tenant & { id: string })[]> {
  return selectServed(context.db);
}

/** True if a snapshot is still the one that is served. */
export async function isServed(context: Repositories, repository: RepositoryRow): Promise<boolean> {
  return (await selectGeneration(context.db, repository, repository.id)) === repository.generation;
}

/** Records how far the compiler pass of a snapshot is, if that is still served. */
export async function setExact(
  context: Repositories,
  repository: RepositoryRow,
  exact: RepositoryRow['exact'],
): Promise<void> {
  if (repository.exact !== exact) await updateExact(context.db, repository, exact);
}

/**
 * Puts another code shard in the place of the one that a snapshot has, in one transaction; commit, history and the state
 * of runs stay. False when another snapshot has been published meanwhile: the shard is then swept as unused.
 */
export async function publishRefinement(
  context: Repositories,
  repository: RepositoryRow & Tenant,
  { shard, gaps, exact }: Refinement,
): Promise<boolean> {
  const { accountId } = repository;
  return context.db.transaction().execute(async (tx) => {
    const before = await lockSnapshot(tx, repository, repository);
    await holdBlobs(tx, accountId, [shard]);
    if (before !== undefined) await updateShard(tx, repository, { id: repository.id, shard, gaps, exact });
    await releaseBlobs(tx, accountId, [shard.hash, ...(before === undefined ? [] : [before])], context.now());
    return before !== undefined;
  });
}

/**
 * Puts a history with more in it in the place of the one that is served, in one transaction; everything else stays, so what
 * else refines the snapshot goes on. False when another history has been published meanwhile: this one is then swept.
 */
export async function publishHistory(
  context: Repositories,
  { accountId, productId, id }: Tenant & { id: string },
  { before, history }: { before: string; history: ShardPointer },
): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    await holdBlobs(tx, accountId, [history]);
    const isPublished = await updateHistory(tx, { accountId, productId }, { id, before, history });
    await releaseBlobs(tx, accountId, [history.hash, before], context.now());
    return isPublished;
  });
}
