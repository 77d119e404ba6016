import { join } from 'node:path';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { addRepository, getRepository, type Repositories, type Repository } from '../repositories/repositories.ts';
import { indexRepository, type IndexParts } from '../worker/index-repository.ts';
import { RunTurns } from '../worker/run-turns.ts';
import { WarmProcess } from '../worker/warm-process.ts';
import type { TestRepository } from './git.ts';
import { NEVER_MS } from './limits.ts';
import { type RepositoryBench, repositoryBench, sourceRepository } from './repositories.ts';

/** The process that indexes for all test files: to start one takes longer than to index a few files. It ends with this one. */
export const testIndexer = new WarmProcess({ idleMs: NEVER_MS });

/** What index runs need for the repositories of a bench. */
export async function indexParts(repositories: Repositories): Promise<IndexParts> {
  return {
    repositories,
    blobs: await openBlobStore(join(repositories.dataDir, 'blobs')),
    workDir: join(repositories.dataDir, 'unfinished'),
    turns: new RunTurns(),
    indexer: testIndexer,
    extractProcesses: 1,
    exactPass: true,
    log: createLog('silent'),
    metrics: createMetrics(),
  };
}

/** A worker with one repository. */
export interface IndexWorker extends RepositoryBench {
  work: IndexParts;
  source: TestRepository;
  added: Repository;
}

/** Opens a worker whose repository has these commits; nothing is indexed yet. */
export async function indexWorker(commits: Parameters<typeof sourceRepository>[0]): Promise<IndexWorker> {
  const bench = await repositoryBench(() => new Date());
  const source = sourceRepository(commits);
  const work = await indexParts(bench.context);
  const added = await addRepository(bench.context, bench.account, { source: source.path, actor: 'system' });
  return { ...bench, work, source, added };
}

export async function indexNewest({ work, account, added }: IndexWorker): Promise<void> {
  await indexRepository(work, { tenant: account, id: added.id, attempt: 3, signal: new AbortController().signal });
}

/** The repository as it is served. */
export async function servedRepository({ context, account, added }: IndexWorker): Promise<Repository> {
  return getRepository(context, account, added.id);
}

/** A store into which nothing is put before a commit of these files was made and indexed by another replica, once. */
export function overtakenStore(worker: IndexWorker, files: Record<string, string>): BlobStore {
  const { blobs } = worker.work;
  let isNext = true;
  return {
    ...blobs,
    put: async (file) => {
      if (isNext) {
        isNext = false;
        worker.source.commit({ files });
        await indexNewest({ ...worker, work: { ...worker.work, turns: new RunTurns() } });
      }
      return blobs.put(file);
    },
  };
}
