import { type CodeToolParts, type IndexedRepository, QuestionVectors } from '../code/code.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { EmbeddingProvider } from '../platform/embeddings.ts';
import type { Queue } from '../platform/jobs.ts';
import type { Caller } from '../platform/operation/operation.ts';
import { tipOf } from '../repositories/freshness.ts';
import {
  indexState,
  type ProductScope,
  type Repositories,
  type Repository,
  repositoriesAsked,
} from '../repositories/repositories.ts';
import type { ShardReaders } from './shards/shards.ts';
import { startIndexing } from '../worker/jobs.ts';
import { ownCommand } from '../platform/own-command.ts';

interface IndexParts {
  readers: ShardReaders;
  repositories: Repositories;
  queue: Queue;
  embeddings: EmbeddingProvider | undefined;
  now: () => Date;
}

/** What the tools need to look into indexes. */
export interface ProductIndexes extends CodeToolParts {
  /**
   * A repository with its index.
   * @throws ServiceError `not_indexed` for one without.
   */
  indexed: (repository: Repository) => Promise<IndexedRepository>;
  /** The repositories of a product that have an index, by name. */
  ofProduct: (scope: ProductScope) => Promise<IndexedRepository[]>;
}

/** The way to the indexes of the repositories of the caller's product. */
export function productIndexes({ readers, repositories, queue, embeddings, now }: IndexParts): ProductIndexes {
  return {
    readers,
    ...(embeddings !== undefined && { questionVectors: new QuestionVectors(embeddings, { now }) }),
    repositories: async (caller, repo) => {
      const rows = await chosen(repositories, caller, repo);
      return Promise.all(rows.map((row) => indexed(repositories, row)));
    },
    rebuild: ({ accountId, productId }, id) => startIndexing(queue, { accountId, productId }, id),
    indexed: (row) => indexed(repositories, row),
    ofProduct: async (scope) => {
      const rows = await repositoriesAsked(repositories, scope);
      return Promise.all(rows.filter(({ shardHash }) => shardHash !== null).map((row) => indexed(repositories, row)));
    },
  };
}

async function chosen(repositories: Repositories, caller: Caller, repo: string | undefined): Promise<Repository[]> {
  if (repo !== undefined && repo !== '*' && repo !== '') return repositoriesAsked(repositories, caller, repo);
  const all = await repositoriesAsked(repositories, caller);
  if (all.length === 0) {
    throw new ServiceError('not_indexed', 'The product of this API key has no repositories yet.', {
      fix: `Add one: ${ownCommand('repo add <path-or-url>')}`,
    });
  }
  if (repo === '*') return all.filter((one) => one.shardHash !== null || all.length === 1);
  if (all.length > 1) {
    throw new ServiceError('bad_argument', `The product has ${all.length} repositories; say which one you mean.`, {
      fix: `Add repo="${all[0]?.name}" or repo="*" (${all.map((one) => one.name).join(', ')})`,
    });
  }
  return all;
}

async function indexed(repositories: Repositories, row: Repository): Promise<IndexedRepository> {
  const { id, name, ref, branch, commit, shardHash, shardBytes, historyHash, historyBytes } = row;
  if (commit === null || shardHash === null || historyHash === null) {
    const failed = row.status === 'failed' && row.error !== null;
    const why = failed ? ` The last index run failed: ${row.error?.message}` : '';
    throw new ServiceError('not_indexed', `${name} has no index yet (${row.status}).${why}`, {
      fix: failed ? `${row.error?.fix} Then: ${ownCommand(`repo index ${name}`)}` : 'Repeat the call in a minute.',
    });
  }
  const index = await indexState(repositories, row);
  const provenance = { repo: name, ref: branch ?? (ref === '' ? 'HEAD' : ref), commit, index };
  const gitDir = (): Promise<string | undefined> =>
    tipOf(repositories, row).then(
      (tip) => tip.gitDir,
      () => undefined,
    );
  return {
    id,
    provenance,
    shard: { hash: shardHash, sizeBytes: shardBytes ?? 0 },
    history: { hash: historyHash, sizeBytes: historyBytes ?? 0 },
    gitDir,
  };
}
