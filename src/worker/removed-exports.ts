import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CODE_QUERIES } from '../code/code.ts';
import { hasRemovedExports } from '../commits/commits.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type Repository, tipOf } from '../repositories/repositories.ts';
import { publishHistory } from '../repositories/runs/runs.ts';
import { ShardDamaged, type ShardReaders } from '../indexes/shards/shards.ts';
import type { IndexParts } from './index-repository.ts';
import { runIndexProcess } from './index-process.ts';
import { type RefineRequest, servedRepository } from './refine-repository.ts';

/** Commits of the first step: what most questions are about. Each further step takes twice as many, up to the limit. */
const FIRST_STEP = 2_000;
const LONGEST_STEP = 8_000;
/** What was added by so few commits is looked for in the process that indexes small repositories, when it is its turn. */
const FEW_COMMITS = 200;

type RemovedExportsParts = Pick<
  IndexParts,
  'repositories' | 'blobs' | 'workDir' | 'turns' | 'indexer' | 'log' | 'supervisor'
> & { readers: ShardReaders };

/** True if the history that is served has commits that were not examined. */
export async function lacksRemovedExports(
  work: Pick<RemovedExportsParts, 'repositories' | 'blobs'>,
  tenant: Tenant,
  id: string,
): Promise<boolean> {
  const { historyHash = null } = (await servedRepository(work, tenant, id)) ?? {};
  if (historyHash === null) return false;
  // What cannot be read is looked at again by the job.
  return work.blobs.path(historyHash).then(
    (file) => !hasRemovedExports(file),
    () => true,
  );
}

/**
 * Looks for the exported names that the commits of a history removed, in steps, the newest commits first, and serves what
 * each step found: a restart goes on from the last one. Does nothing when all is known, so it is safe twice.
 *
 * @throws Error when it should be tried again.
 */
export async function findRemovedExports(
  work: RemovedExportsParts,
  { tenant, id, signal }: RefineRequest,
): Promise<void> {
  try {
    for (let step = FIRST_STEP; ; step = Math.min(2 * step, LONGEST_STEP)) {
      const repository = await servedRepository(work, tenant, id);
      if (repository === undefined || !(await isStepDone(work, repository, { most: step, signal }))) return;
    }
  } catch (error) {
    // A damaged shard is rebuilt by its next reader; the next index run reports a folder or commit that is gone. What git
    // could not do in time is tried again.
    const isGone = error instanceof ServiceError && error.code !== 'upstream_failed';
    if (signal.aborted || !(isGone || error instanceof ShardDamaged)) throw error;
    work.log.warn({ err: error, repository: id }, 'removed exports could not be looked for');
  }
}

/** Takes a step. False when there is none left, or another history is served by now, which asks for its own. */
async function isStepDone(
  work: RemovedExportsParts,
  repository: Repository,
  { most, signal }: { most: number; signal: AbortSignal },
): Promise<boolean> {
  const { shardHash, historyHash } = repository;
  if (shardHash === null || historyHash === null) return false;
  const historyFile = await work.blobs.path(historyHash);
  // What was altered must not be passed on.
  if (hasRemovedExports(historyFile) || !(await work.blobs.verify(historyHash))) return false;
  const { gitDir } = await tipOf(work.repositories, repository);
  const shard = { hash: shardHash, sizeBytes: repository.shardBytes ?? 0 };
  const offered = await work.readers.query(shard, CODE_QUERIES, ['offeredFiles', {}], { signal, background: true });
  await mkdir(work.workDir, { recursive: true });
  const folder = await mkdtemp(join(work.workDir, 'exports-'));
  try {
    const targetFile = join(folder, 'history.db');
    const task = { kind: 'removed-exports', gitDir, historyFile, offered, targetFile, most } as const;
    const added = repository.lastRun?.history?.commits ?? Infinity;
    const indexer = added <= FEW_COMMITS ? work.indexer : undefined;
    using turn = new DisposableStack();
    if (indexer !== undefined) turn.use(await work.turns.take(added, signal));
    const start = indexer === undefined ? runIndexProcess : indexer.run.bind(indexer);
    const { looked, remaining } = await start<'removed-exports'>(task, {
      signal,
      supervisor: work.supervisor,
      onProgress: () => undefined,
    });
    signal.throwIfAborted();
    const history = await work.blobs.put(targetFile);
    const isPublished = await publishHistory(work.repositories, repository, { before: historyHash, history });
    work.log.info({ repository: repository.name, looked, remaining, isPublished }, 'removed exports found');
    return isPublished;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
