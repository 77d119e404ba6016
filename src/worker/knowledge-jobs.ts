import { z } from 'zod';
import {
  type Documents,
  readWaiting,
  removeStrayDocs,
  sweepDocuments,
  takeProductDocs,
  waitingProducts,
} from '../documents/documents.ts';
import { defineJob, type Queue } from '../platform/jobs.ts';
import type { Log } from '../platform/log.ts';
import {
  findRepository,
  listRepositories,
  type ProductScope,
  type Repositories,
  tipOf,
} from '../repositories/repositories.ts';
import { gatherThemes, type Signals } from '../signals/signals.ts';

/** What the jobs work with that read what people wrote. */
export interface KnowledgeScope {
  documents: Documents;
  signals: Signals;
  repositories: Repositories;
  log: Log;
}

const ofProduct = z.object({ accountId: z.string(), productId: z.string() });

/** Reads uploads that wait. */
export const readDocumentsJob = defineJob({
  name: 'documents.read',
  payload: ofProduct,
  key: ({ productId }) => productId,
  run: ({ documents, signal }: KnowledgeScope & { signal: AbortSignal }, scope) =>
    readWaiting(documents, scope, signal),
});

/** Takes over the documentation of a repository that was indexed. */
export const takeDocumentsJob = defineJob({
  name: 'documents.take',
  payload: ofProduct.extend({ repositoryId: z.string() }),
  key: ({ repositoryId }) => repositoryId,
  run: async (work: KnowledgeScope & { signal: AbortSignal }, { repositoryId, ...scope }) => {
    const all = await listRepositories(work.repositories, scope);
    await removeStrayDocs(
      work.documents,
      scope,
      all.map(({ id }) => id),
    );
    if (!all.some(({ id }) => id === repositoryId)) return;
    const repository = await findRepository(work.repositories, scope, repositoryId);
    if (repository.commit === null) return;
    const { gitDir } = await tipOf(work.repositories, repository);
    const from = { repositoryId, repository: repository.name, gitDir, commit: repository.commit };
    const taken = await takeProductDocs(work.documents, scope, from, work.signal);
    if (taken.saved + taken.removed + taken.failed > 0)
      work.log.info({ repository: repository.name, ...taken }, 'docs');
  },
});

/** Gives signals their themes. */
export const gatherThemesJob = defineJob({
  name: 'signals.gather',
  payload: ofProduct,
  key: ({ productId }) => productId,
  run: ({ signals, signal }: KnowledgeScope & { signal: AbortSignal }, scope) => gatherThemes(signals, scope, signal),
});

/** Asks for the signals of a product to be given themes; while one waits, nothing is added. */
export async function startGathering(queue: Queue, { accountId, productId }: ProductScope): Promise<void> {
  await queue.send(gatherThemesJob, { accountId, productId });
}

/** Asks for uploads of a product to be read; while one waits, nothing is added. */
export async function startReading(queue: Queue, { accountId, productId }: ProductScope): Promise<void> {
  await queue.send(readDocumentsJob, { accountId, productId });
}

/** Asks for the documentation of a repository to be taken over; while one of the same waits, nothing is added. */
export async function startTakingDocs(
  queue: Queue,
  { accountId, productId }: ProductScope,
  repositoryId: string,
): Promise<void> {
  await queue.send(takeDocumentsJob, { accountId, productId, repositoryId });
}

/** Asks for what a stop or a crash left waiting. */
export async function resumeReading(queue: Queue, documents: Documents): Promise<void> {
  for (const scope of await waitingProducts(documents)) await startReading(queue, scope);
}

/** Deletes what nothing uses any more. */
export async function sweepKnowledge({ documents }: KnowledgeScope): Promise<void> {
  await sweepDocuments(documents);
}
