import type { Provenance } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Caller } from '../platform/operation/operation.ts';
import { ownCommand } from '../platform/own-command.ts';
import {
  indexState,
  type ProductScope,
  type Repositories,
  repositoriesAsked,
  type Repository,
  tipOf,
} from '../repositories/repositories.ts';
import type { ShardReaders, ShardRef } from './shards/shards.ts';

export { IndexSources } from './index-sources.ts';

/** A repository with an index, as a call sees it. */
export interface IndexedRepository {
  id: string;
  /** Which commit is indexed, and how far that is from what the repository holds now. */
  provenance: Provenance;
  /** The shard of its code. */
  shard: ShardRef;
  /** Its history shard. Absent where there is only an index of the code. */
  history?: ShardRef;
  /** Where its git objects are; undefined when it cannot be read now. Absent where there is only an index. */
  gitDir?: () => Promise<string | undefined>;
}

/** What those who ask indexes need of the service they run in. */
export interface Indexes {
  readers: ShardReaders;
  /**
   * The repositories of the caller's product that `repo` names (id, name, `owner/name`, `*`; the only one when absent),
   * at the commit that is served.
   * @throws ServiceError `unknown_repo`, `not_indexed`, `bad_argument` when several may be meant.
   */
  repositories: (caller: Caller, repo: string | undefined) => Promise<IndexedRepository[]>;
  /** Asks for a new index of a repository whose shard cannot be used. */
  rebuild: (scope: ProductScope, repositoryId: string) => Promise<void>;
}

/** The indexes of all products. */
export interface ProductIndexes extends Indexes {
  /**
   * A repository with its index.
   * @throws ServiceError `not_indexed` for one without.
   */
  indexed: (repository: Repository) => Promise<IndexedRepository>;
  /** The repositories of a product that have an index, by name. */
  ofProduct: (scope: ProductScope) => Promise<IndexedRepository[]>;
}

/** The way to the indexes of repositories. Holds no resource: nothing to close. */
export function openIndexes({
  repositories,
  ...parts
}: Pick<Indexes, 'readers' | 'rebuild'> & { repositories: Repositories }): ProductIndexes {
  const indexed = (row: Repository): Promise<IndexedRepository> => withIndex(repositories, row);
  return {
    ...parts,
    repositories: async (caller, repo) => Promise.all((await meant(repositories, caller, repo)).map(indexed)),
    indexed,
    ofProduct: async (scope) => {
      const rows = await repositoriesAsked(repositories, scope);
      return Promise.all(rows.filter(({ shardHash }) => shardHash !== null).map(indexed));
    },
  };
}

/** The repositories that a call means. Of `*` those without an index are left out, unless it is the only one. */
async function meant(repositories: Repositories, scope: ProductScope, repo: string | undefined): Promise<Repository[]> {
  if (repo !== undefined && repo !== '*' && repo !== '') return repositoriesAsked(repositories, scope, repo);
  const all = await repositoriesAsked(repositories, scope);
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

/**
 * A repository with its index as it is now.
 *
 * @throws ServiceError `not_indexed` for one without, with the reason when the last run failed.
 */
async function withIndex(repositories: Repositories, row: Repository): Promise<IndexedRepository> {
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
