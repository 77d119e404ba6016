import { join } from 'node:path';
import { openIndexes, type ProductIndexes, RefIndexes } from './indexes/indexes.ts';
import { Catalogs } from './code/catalog/catalog.ts';
import { HISTORY_FORMAT } from './commits/commits.ts';
import type { ShardReaders } from './indexes/shards/shards.ts';
import type { BlobStore } from './platform/blobs.ts';
import type { Config } from './platform/config.ts';
import type { Queue } from './platform/jobs.ts';
import { faultLog } from './platform/failures.ts';
import type { Log } from './platform/log.ts';
import type { Supervisor } from './platform/supervision.ts';
import type { Repositories } from './repositories/repositories.ts';
import type { Encoder } from './text/encoder/encoder.ts';
import { QuestionVectors } from './text/encoder/question-vectors.ts';
import { canReadRef, refIndexer } from './worker/index-ref.ts';
import { WarmProcess } from './worker/warm-process.ts';
import { askAbout } from './worker/run-jobs.ts';
import { RunTurns } from './worker/run-turns.ts';

interface IndexParts {
  readers: ShardReaders;
  repositories: Repositories;
  refs: RefIndexes;
  queue: Queue;
  embeddings: Encoder | undefined;
  config: Pick<Config, 'dataDir'>;
  blobs: BlobStore;
  log: Log;
  now: () => Date;
}

/** The indexes of all products, with what reads questions in words, and what they hold in front of them. */
export interface ServiceIndexes extends ProductIndexes {
  questionVectors?: QuestionVectors;
  catalogs: Catalogs;
}

/** The way to the indexes; a damaged one is built again by a job. */
export function serviceIndexes({ readers, repositories, refs, queue, ...parts }: IndexParts): ServiceIndexes {
  const { config, blobs, embeddings, log, now } = parts;
  const folder = join(config.dataDir, 'catalogs');
  const onFault = faultLog(log, 'catalogs');
  return {
    ...openIndexes({ readers, repositories, refs, rebuild: askAbout(queue, 'repository.index') }),
    catalogs: new Catalogs({ readers, blobs, folder, historyFormat: HISTORY_FORMAT, onFault }),
    ...(embeddings !== undefined && { questionVectors: new QuestionVectors(embeddings, { now }) }),
  };
}

/** The indexes of refs that calls ask for. Somebody waits for each, so none waits for the turn of a background run. */
export function serviceRefs({
  config,
  repositories,
  blobs,
  log,
  supervisor,
}: {
  config: Config;
  repositories: Repositories;
  blobs: BlobStore;
  log: Log;
  supervisor: Supervisor;
}): RefIndexes {
  const { dataDir, extractProcesses, memoryBytes, shardCacheBytes: limitBytes } = config;
  const workDir = join(dataDir, 'unfinished');
  const indexer = new WarmProcess({ supervisor });
  const build = refIndexer(
    { repositories, blobs, workDir, turns: new RunTurns(), extractProcesses, memoryBytes, log },
    indexer,
  );
  return new RefIndexes({ repositories, build, canRead: canReadRef, limitBytes, onClose: () => indexer.close() });
}
