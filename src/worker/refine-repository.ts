import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tenant } from '../kernel/tenant.ts';
import { CODE_FORMAT } from '../code-index/format/shard-schema.ts';
import { EXACT_COMPILER, type ExactRequest, hasExactLanguage } from '../code-index/refine/refine.ts';
import { ServiceError } from '../kernel/errors.ts';
import { joinGaps } from '../kernel/gap.ts';
import { getRepository, type Repository, repositoryFolder, gapsOf, tipOf } from '../repositories/repositories.ts';
import { isServed, publishRefinement, scipUploads, type ScipUpload, setExact } from '../repositories/runs/runs.ts';
import { isOutage } from '../platform/failures.ts';
import { openShard, ShardDamaged } from '../indexes/shards/shards.ts';
import type { IndexParts } from './index-repository.ts';
import { runIndexProcess } from './index-process.ts';

/** Interval at which a refinement checks whether its snapshot is still served. */
const LOOK_MS = 2_000;

/** Dependencies of a refinement. */
export type RefineParts = Pick<
  IndexParts,
  'repositories' | 'blobs' | 'workDir' | 'exactPass' | 'memoryBytes' | 'log' | 'supervisor'
>;

export interface RefineRequest {
  tenant: Tenant;
  id: string;
  /** True if a failure is not tried again. */
  isLast?: boolean;
  signal: AbortSignal;
}

/**
 * Builds the code shard of the snapshot that is served once more, with what compilers know, and puts it in the place of
 * the first one. Does nothing when the shard knows it all already, so it is safe twice; a snapshot that is published
 * meanwhile ends it. The repository stays as ready as it was.
 *
 * @throws Error when it should be tried again.
 */
export async function refineRepository(
  work: RefineParts,
  { tenant, id, isLast, signal }: RefineRequest,
): Promise<void> {
  const repository = await servedRepository(work, tenant, id);
  if (repository === undefined) return;
  const exact = await buildExactRequest(work, repository);
  if (exact === undefined) return setExact(work.repositories, repository, null);
  if ((await knows(work, repository)) === exact.key) return setExact(work.repositories, repository, 'done');
  const over = new AbortController();
  const looking = setInterval(() => {
    isServed(work.repositories, repository)
      .then((is) => (is ? undefined : over.abort(new Error('Another snapshot is served.'))))
      // A lost database ends the run when it wants to publish.
      .catch(() => undefined);
  }, LOOK_MS);
  try {
    await buildAndPublish(work, repository, { exact, signal: AbortSignal.any([signal, over.signal]) });
  } catch (error) {
    if (over.signal.aborted) return;
    const isExplained = error instanceof ServiceError && !isOutage(error);
    if (isExplained || (isLast === true && !signal.aborted)) await setExact(work.repositories, repository, 'failed');
    if (signal.aborted || !isExplained) throw error;
    // The commit is gone, or the folder: the next index run says it, where users look.
    work.log.warn({ err: error, repository: id }, 'could not be refined');
  } finally {
    clearInterval(looking);
  }
}

/** The repository when it has a snapshot. */
export async function servedRepository(
  work: Pick<IndexParts, 'repositories'>,
  tenant: Tenant,
  id: string,
): Promise<Repository | undefined> {
  try {
    const repository = await getRepository(work.repositories, tenant, id);
    return repository.shardHash === null ? undefined : repository;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unknown_repo') return undefined;
    throw error;
  }
}

/** Builds the request for what the shard should include; undefined when every first shard includes it. */
async function buildExactRequest(work: RefineParts, repository: Repository): Promise<ExactRequest | undefined> {
  const compiler = work.exactPass && hasExactLanguage(Object.keys(repository.languages));
  const uploads: ScipUpload[] = [];
  // Data that was moved by an export comes without blobs.
  for (const upload of await scipUploads(work.repositories, repository))
    if (await work.blobs.verify(upload.hash)) uploads.push(upload);
  const key = [
    ...(compiler ? [EXACT_COMPILER] : []),
    ...uploads.map(({ hash, root }) => `scip ${hash}${root === '' ? '' : ` in ${root}`}`),
  ].join(', ');
  const indexes = await Promise.all(
    uploads.map(async ({ hash, root }) => ({ file: await work.blobs.path(hash), root })),
  );
  return key === '' ? undefined : { key, compiler, indexes };
}

/** Returns the key of the compiler pass that the shard that is served was built with. */
async function knows({ blobs }: RefineParts, { shardHash }: Repository): Promise<string | undefined> {
  try {
    const shard = openShard(await blobs.path(shardHash ?? ''), CODE_FORMAT);
    shard.close();
    return shard.meta.values['exact'];
  } catch (error) {
    // Damaged: it is rebuilt here as well as anywhere.
    if (error instanceof ShardDamaged) return undefined;
    throw error;
  }
}

async function buildAndPublish(
  work: RefineParts,
  repository: Repository,
  { exact, signal }: { exact: ExactRequest; signal: AbortSignal },
): Promise<void> {
  const { gitDir } = await tipOf(work.repositories, repository);
  await mkdir(work.workDir, { recursive: true });
  const folder = await mkdtemp(join(work.workDir, 'refine-'));
  const startedMs = performance.now();
  try {
    const code = await runIndexProcess(
      {
        kind: 'code',
        gitDir,
        commit: repository.commit ?? '',
        factsCache: join(repositoryFolder(work.repositories, repository.id), 'facts.db'),
        targetFile: join(folder, 'code.db'),
        repository: repository.id,
        processes: 1,
        memoryBytes: work.memoryBytes,
        exact,
        ...(repository.shardHash !== null && { graphBefore: await work.blobs.path(repository.shardHash) }),
      },
      { signal, supervisor: work.supervisor, onProgress: () => undefined },
    );
    signal.throwIfAborted();
    const shard = await work.blobs.put(join(folder, 'code.db'));
    const gaps = joinGaps(gapsOf(repository), code.gaps);
    const isPublished = await publishRefinement(work.repositories, repository, { shard, gaps, exact: 'done' });
    const seconds = Math.round(performance.now() - startedMs) / 1_000;
    const { name, commit } = repository;
    work.log.info({ repository: name, commit, isPublished, seconds, gaps: code.gaps }, 'refined');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
