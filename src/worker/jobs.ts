import { z } from 'zod';
import { defineJob, type Job, type Queue } from '../platform/jobs.ts';
import { type ProductScope, servedRepositories, sweep, unfinishedRepositories } from '../repositories/repositories.ts';
import { refreshTrackers, type Trackers } from '../trackers/trackers.ts';
import { embedRepository, type EmbedScope } from './embed-repository.ts';
import { type IndexScope, indexRepository } from './index-repository.ts';
import {
  gatherThemesJob,
  type KnowledgeScope,
  readDocumentsJob,
  resumeReading,
  startGathering,
  startTakingDocs,
  sweepKnowledge,
  takeDocumentsJob,
} from './knowledge-jobs.ts';
import { refineRepository } from './refine-repository.ts';
import { findRemovedExports } from './removed-exports.ts';
import { type PlanScope, takeRepositoryPlans } from './take-plans.ts';

/** What all jobs work with. */
export type JobScope = IndexScope & PlanScope & KnowledgeScope & EmbedScope & { queue: Queue; trackers: Trackers };

/** Index runs that are taken up at a time. Few of them work: the others wait for their turn, where short ones overtake. */
const OPEN_RUNS = 8;
/** Refinements and the like that run at a time. */
const CONCURRENT_RUNS = 1;

const indexJob = defineJob({
  name: 'repository.index',
  payload: z.object({ accountId: z.string(), productId: z.string(), repositoryId: z.string() }),
  key: ({ repositoryId }) => repositoryId,
  concurrency: OPEN_RUNS,
  run: async (scope: JobScope & { attempt: number; signal: AbortSignal }, { accountId, productId, repositoryId }) => {
    await indexRepository(scope, {
      scope: { accountId, productId },
      id: repositoryId,
      attempt: scope.attempt,
      signal: scope.signal,
    });
    await scope.queue.send(removedExportsJob, { accountId, productId, repositoryId });
    await scope.startTakingPlans({ accountId, productId }, repositoryId);
    await startTakingDocs(scope.queue, { accountId, productId }, repositoryId);
    await startGathering(scope.queue, { accountId, productId });
  },
});

const refineJob = defineJob({
  name: 'repository.refine',
  payload: z.object({ accountId: z.string(), productId: z.string(), repositoryId: z.string() }),
  key: ({ repositoryId }) => repositoryId,
  concurrency: CONCURRENT_RUNS,
  run: async (scope: JobScope & { signal: AbortSignal }, { accountId, productId, repositoryId }) => {
    await refineRepository(scope, { scope: { accountId, productId }, id: repositoryId, signal: scope.signal });
    // After it, because it writes a shard without vectors.
    if (scope.embeddings !== undefined) await scope.queue.send(embedJob, { accountId, productId, repositoryId });
  },
});

const removedExportsJob = defineJob({
  name: 'repository.removed_exports',
  payload: z.object({ accountId: z.string(), productId: z.string(), repositoryId: z.string() }),
  key: ({ repositoryId }) => repositoryId,
  concurrency: CONCURRENT_RUNS,
  run: (scope: JobScope & { signal: AbortSignal }, { accountId, productId, repositoryId }) =>
    findRemovedExports(scope, { scope: { accountId, productId }, id: repositoryId, signal: scope.signal }),
});

const embedJob = defineJob({
  name: 'repository.embed',
  payload: z.object({ accountId: z.string(), productId: z.string(), repositoryId: z.string() }),
  key: ({ repositoryId }) => repositoryId,
  concurrency: CONCURRENT_RUNS,
  run: (scope: EmbedScope & { signal: AbortSignal }, { accountId, productId, repositoryId }) =>
    embedRepository(scope, { scope: { accountId, productId }, id: repositoryId, signal: scope.signal }),
});

const plansJob = defineJob({
  name: 'plans.take',
  payload: z.object({ accountId: z.string(), productId: z.string(), repositoryId: z.string() }),
  key: ({ repositoryId }) => repositoryId,
  run: (scope: PlanScope & { signal: AbortSignal }, { accountId, productId, repositoryId }) =>
    takeRepositoryPlans(scope, { scope: { accountId, productId }, repositoryId, signal: scope.signal }),
});

const sweepJob = defineJob({
  name: 'repository.sweep',
  payload: z.object({}),
  key: () => 'all',
  run: async (scope: IndexScope & KnowledgeScope) => {
    await sweep(scope.repositories);
    await sweepKnowledge(scope);
  },
});

const trackersJob = defineJob({
  name: 'trackers.refresh',
  payload: z.object({}),
  key: () => 'all',
  run: (scope: { trackers: Trackers; signal: AbortSignal }) => refreshTrackers(scope.trackers, scope.signal),
});

/** All jobs of the service. */
export const JOBS = [
  indexJob,
  refineJob,
  embedJob,
  removedExportsJob,
  plansJob,
  readDocumentsJob,
  takeDocumentsJob,
  gatherThemesJob,
  trackersJob,
  sweepJob,
] as unknown as readonly Job<z.ZodObject, JobScope>[];

/** Puts an index run into the queue; while one of the same repository waits, nothing is added. */
export async function startIndexing(queue: Queue, { accountId, productId }: ProductScope, id: string): Promise<void> {
  await queue.send(indexJob, { accountId, productId, repositoryId: id });
}

/** Asks for what compilers know of a repository; while one waits, nothing is added. */
export async function startRefining(queue: Queue, { accountId, productId }: ProductScope, id: string): Promise<void> {
  await queue.send(refineJob, { accountId, productId, repositoryId: id });
}

/** Asks for the plans that a repository keeps to be taken over; while one of the same repository waits, nothing is added. */
export async function startTakingPlans(
  queue: Queue,
  { accountId, productId }: ProductScope,
  id: string,
): Promise<void> {
  await queue.send(plansJob, { accountId, productId, repositoryId: id });
}

/** Asks for what a start owes: runs that were cut off, what follows them and was lost, and a sweep. */
export async function resumeWork(
  queue: Queue,
  { repositories, documents }: Pick<JobScope, 'repositories' | 'documents'>,
): Promise<void> {
  for (const { id, ...scope } of await unfinishedRepositories(repositories)) await startIndexing(queue, scope, id);
  for (const { id, accountId, productId } of await servedRepositories(repositories)) {
    await queue.send(removedExportsJob, { accountId, productId, repositoryId: id });
    await startRefining(queue, { accountId, productId }, id);
  }
  await resumeReading(queue, documents);
  await startSweep(queue);
}

/** Asks for what is done each hour: what nothing uses any more is deleted, and issue trackers are asked how things stand. */
export async function startSweep(queue: Queue): Promise<void> {
  await queue.send(trackersJob, {});
  await queue.send(sweepJob, {});
}
