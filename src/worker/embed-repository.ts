import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { embeddedRevision, embedShard, type EmbedProgress } from '../code/code.ts';
import { type Encoder, EncodingFailed } from '../text/encoder/encoder.ts';
import { type Repository, repositoryFolder } from '../repositories/repositories.ts';
import { isServed, publishRefinement } from '../repositories/runs/runs.ts';
import { ShardDamaged, type ShardReaders } from '../indexes/shards/shards.ts';
import type { IndexParts } from './index-repository.ts';
import { type RefineRequest, servedRepository } from './refine-repository.ts';

/** Dependencies of embedding a repository. Without an encoder nothing is embedded. */
type EmbedParts = Pick<IndexParts, 'repositories' | 'blobs' | 'workDir' | 'log' | 'metrics'> & {
  readers: ShardReaders;
  embeddings?: Encoder | undefined;
};

/**
 * Has the symbols and files of the snapshot that is served embedded by the configured service, and puts a copy of its
 * shard with the vectors in its place. Does nothing when it has them already, so it is safe twice; a snapshot that is
 * published meanwhile ends it, and what was embedded is kept for the next one.
 *
 * @throws Error when it should be tried again.
 */
export async function embedRepository(work: EmbedParts, { tenant, id, signal }: RefineRequest): Promise<void> {
  const { embeddings: encoder, log } = work;
  const repository = await servedRepository(work, tenant, id);
  if (encoder === undefined || repository === undefined || (await isEmbedded(work, repository, encoder))) return;
  const over = new AbortController();
  try {
    await embedAndPublish(work, repository, { encoder, over, signal: AbortSignal.any([signal, over.signal]) });
  } catch (error) {
    if (over.signal.aborted) return;
    if (error instanceof EncodingFailed)
      log.warn({ repository: repository.name, reason: error.message }, 'not embedded');
    throw error;
  }
}

/** True if the shard has the vectors of this encoder. A damaged one counts as embedded: it is rebuilt first. */
async function isEmbedded({ blobs }: EmbedParts, { shardHash }: Repository, { model }: Encoder): Promise<boolean> {
  try {
    return embeddedRevision(await blobs.path(shardHash ?? '')) === model;
  } catch (error) {
    if (error instanceof ShardDamaged) return true;
    throw error;
  }
}

interface Embedding {
  encoder: Encoder;
  /** Aborted when another snapshot is served. */
  over: AbortController;
  signal: AbortSignal;
}

async function embedAndPublish(
  work: EmbedParts,
  repository: Repository,
  { encoder, over, signal }: Embedding,
): Promise<void> {
  const { repositories, blobs, readers, log, metrics } = work;
  const { id, name, commit, shardHash, shardBytes, gaps } = repository;
  await mkdir(work.workDir, { recursive: true });
  const folder = await mkdtemp(join(work.workDir, 'embed-'));
  const startedMs = performance.now();
  let counted = 0;
  const onProgress = async ({ documents, embedded, sent }: EmbedProgress): Promise<void> => {
    metrics.countEmbedded(sent - counted);
    if (sent > counted) log.info({ repository: name, documents, embedded, sent }, 'embedding');
    counted = sent;
    if (!(await isServed(repositories, repository))) over.abort(new Error('Another snapshot is served.'));
    signal.throwIfAborted();
  };
  try {
    const target = join(folder, 'code.db');
    const hash = shardHash ?? '';
    const done = await embedShard({
      readers,
      encoder,
      shard: { hash, sizeBytes: shardBytes ?? 0 },
      file: await blobs.path(hash),
      cacheFile: join(repositoryFolder(repositories, id), 'embeddings.db'),
      target,
      signal,
      onProgress,
    });
    const shard = await blobs.put(target);
    const isPublished = await publishRefinement(repositories, repository, { shard, gaps, exact: repository.exact });
    const seconds = Math.round(performance.now() - startedMs) / 1_000;
    log.info({ repository: name, commit, model: encoder.name, isPublished, seconds, ...done }, 'embedded');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
