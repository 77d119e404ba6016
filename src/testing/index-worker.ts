import { join } from 'node:path';
import { type BlobStore, openBlobStore } from '../platform/blobs.ts';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { addRepository, getRepository, type Repository } from '../repositories/repositories.ts';
import { indexRepository, type IndexParts } from '../worker/index-repository.ts';
import { RunTurns } from '../worker/run-turns.ts';
import type { TestRepository } from './git.ts';
import { type RepositoryBench, repositoryBench, sourceRepository } from './repositories.ts';

/** A worker with one repository, which it indexes in processes of their own. */
export interface IndexWorker extends RepositoryBench {
  work: IndexParts;
  source: TestRepository;
  added: Repository;
}

/** Opens a worker whose repository has these commits; nothing is indexed yet. */
export async function indexWorker(commits: Parameters<typeof sourceRepository>[0]): Promise<IndexWorker> {
  const bench = await repositoryBench(() => new Date());
  const source = sourceRepository(commits);
  const work = {
    repositories: bench.context,
    blobs: await openBlobStore(join(bench.context.dataDir, 'blobs')),
    workDir: join(bench.context.dataDir, 'unfinished'),
    turns: new RunTurns(),
    extractProcesses: 1,
    exactPass: true,
    log: createLog('silent'),
    metrics: createMetrics(),
  };
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

/** A store into which nothing is put before a commit of these files was made and indexed, once. */
export function overtakenStore(worker: IndexWorker, files: Record<string, string>): BlobStore {
  const { blobs } = worker.work;
  let isNext = true;
  return {
    ...blobs,
    put: async (file) => {
      if (isNext) {
        isNext = false;
        worker.source.commit({ files });
        await indexNewest(worker);
      }
      return blobs.put(file);
    },
  };
}
