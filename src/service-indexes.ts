import { QuestionVectors } from './code/code.ts';
import { openIndexes, type ProductIndexes } from './indexes/indexes.ts';
import type { ShardReaders } from './indexes/shards/shards.ts';
import type { EmbeddingProvider } from './platform/embeddings.ts';
import type { Queue } from './platform/jobs.ts';
import type { Repositories } from './repositories/repositories.ts';
import { askAbout } from './worker/run-jobs.ts';

interface IndexParts {
  readers: ShardReaders;
  repositories: Repositories;
  queue: Queue;
  embeddings: EmbeddingProvider | undefined;
  now: () => Date;
}

/** The indexes of all products, with what reads questions in words. */
export interface ServiceIndexes extends ProductIndexes {
  questionVectors?: QuestionVectors;
}

/** The way to the indexes; a damaged one is built again by a job. */
export function serviceIndexes({ readers, repositories, queue, embeddings, now }: IndexParts): ServiceIndexes {
  return {
    ...openIndexes({ readers, repositories, rebuild: askAbout(queue, 'repository.index') }),
    ...(embeddings !== undefined && { questionVectors: new QuestionVectors(embeddings, { now }) }),
  };
}
