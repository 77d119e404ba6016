import type { Tenant } from '../kernel/tenant.ts';
import type { Provenance } from '../kernel/answer.ts';
import { NotYet, ServiceError } from '../kernel/errors.ts';
import { assessIndex, type IndexFacts } from '../kernel/freshness.ts';
import type { Caller, CallContext } from '../platform/operation/operation.ts';
import {
  checkedOut,
  gapsOf,
  hastenOverdueFetch,
  indexState,
  type Repositories,
  repositoriesInScope,
  type Repository,
  tipOf,
} from '../repositories/repositories.ts';
import type { RefShard } from './ref-shard-cache.ts';
import type { RefIndexes, RefWait } from './ref-indexes.ts';
import type { ShardReaders, ShardRef } from './shards/shards.ts';

export { IndexSources } from './index-sources.ts';
export type { CanRead } from './ref-shard-cache.ts';
export { type BuildRef, RefIndexes, type RefRequest } from './ref-indexes.ts';

/** Time that a call waits for the index of what is checked out; one of a few files takes less than a second. */
const CHECKOUT_PATIENCE_MS = 5_000;

/** A repository with an index, as a call sees it. */
export interface IndexedRepository {
  id: string;
  /** `owner/name` where it comes from, when that is known. */
  fullName?: string | undefined;
  /** The indexed commit, and how far it is from what the repository holds now. */
  provenance: Provenance;
  /** The shard of its code. */
  shard: ShardRef;
  /** Its history shard. Absent where there is only an index of the code. */
  history?: ShardRef;
  /** Directory of its git objects; undefined when it cannot be read now. Absent where there is only an index. */
  gitDir?: () => Promise<string | undefined>;
  /**
   * The commit that a name means in it, fetched when it has to be; undefined when there is none. Absent where there is only an
   * index.
   * @throws ServiceError `not_indexed` when the fetch takes longer than a call may, and goes on.
   */
  named?: (name: string, call: RefWait) => Promise<string | undefined>;
  /**
   * The same with the history of a commit that is no part of the indexed one, as a tag of a maintenance branch. It is read from git
   * when it is asked for, and kept. Absent where there is only an index.
   * @throws ServiceError `not_indexed` when that takes longer than a call may, and goes on.
   */
  historyAt?: (commit: string, call: RefWait) => Promise<IndexedRepository>;
  /** The indexed commit, where the history is that of another: nothing is looked for in that one after it was read. */
  apartFrom?: string;
  /** The commit that holds what is not committed, in `gitDir`; absent where the index is of the commit of its provenance. */
  snapshot?: string;
  /** Deletes a shard that cannot be used, where that was made for a call; absent for what the repository serves. */
  forget?: () => Promise<void>;
}

/** A call about one commit, which it waits for. */
interface RefCall extends Pick<CallContext, 'signal' | 'progress'> {
  /** A branch, tag, commit or pull request; absent for what is checked out, or else what the repository serves. */
  ref: string | undefined;
}

/** Parts of the service that readers of indexes need. */
export interface Indexes {
  readers: ShardReaders;
  /**
   * The repositories of the caller's product that `repo` names (id, name, `owner/name`, `*`; the only one when absent),
   * at the commit that is served.
   * With `call.ref` it is one of them at that commit, whose code is indexed when it is not yet.
   * @throws ServiceError `unknown_repo`, `not_indexed`, `bad_argument` when several may be meant, `unknown_id` for a ref that
   * there is not.
   */
  repositories: (caller: Caller, repo: string | undefined, call?: RefCall) => Promise<IndexedRepository[]>;
  /** Requests a new index of a repository whose shard cannot be used. */
  rebuild: (tenant: Tenant, repositoryId: string) => Promise<void>;
}

/** The indexes of all products. */
export interface ProductIndexes extends Indexes {
  /**
   * A repository with its index.
   * @throws ServiceError `not_indexed` for one without.
   */
  indexed: (repository: Repository) => Promise<IndexedRepository>;
  /** The repositories of a product that have an index, by name, or the one with this id. */
  ofProduct: (tenant: Tenant, repositoryId?: string) => Promise<IndexedRepository[]>;
}

/** Opens the indexes of repositories. Holds no resource: nothing to close. */
export function openIndexes({
  repositories,
  refs,
  ...parts
}: Pick<Indexes, 'readers' | 'rebuild'> & { repositories: Repositories; refs: RefIndexes }): ProductIndexes {
  const indexed = (row: Repository): Promise<IndexedRepository> =>
    withIndex({ repositories, refs }, row, performance.now());
  return {
    ...parts,
    repositories: async (caller, repo, call) => {
      const sinceMs = performance.now();
      const rows = await findMeant(repositories, caller, repo);
      const ref = call?.ref?.trim() ?? '';
      if (call === undefined) return Promise.all(rows.map(indexed));
      if (ref === '')
        return Promise.all(rows.map((row) => asCheckedOut({ repositories, refs }, row, { ...call, sinceMs })));
      return [await atRef(refs, onlyOne(rows, ref), { ...call, ref })];
    },
    indexed,
    ofProduct: async (tenant, repositoryId) => {
      const rows = await repositoriesInScope(repositories, tenant);
      const chosen = rows.filter(({ id }) => repositoryId === undefined || id === repositoryId);
      return Promise.all(chosen.filter(({ shardHash }) => shardHash !== null).map(indexed));
    },
  };
}

/** Returns the repositories that a call means. `*` omits those without an index, unless there is only one. */
async function findMeant(repositories: Repositories, tenant: Tenant, repo: string | undefined): Promise<Repository[]> {
  if (repo !== undefined && repo !== '*' && repo !== '') return repositoriesInScope(repositories, tenant, repo);
  const all = await repositoriesInScope(repositories, tenant);
  if (all.length === 0) {
    throw new ServiceError('not_indexed', 'The product of this API key has no repositories yet.', {
      fix: 'Add one: svc repo add <path-or-url>',
    });
  }
  if (repo === '*') return all.filter((row) => row.shardHash !== null || all.length === 1);
  if (all.length > 1) {
    throw new ServiceError('bad_argument', `The product has ${all.length} repositories; say which one you mean.`, {
      fix: `Add repo="${all[0]?.name}" or repo="*" (${all.map((row) => row.name).join(', ')})`,
    });
  }
  return all;
}

/**
 * A repository with its index as it is now.
 *
 * @throws ServiceError `not_indexed` for one without, with the reason when the last run failed.
 */
async function withIndex({ repositories, refs }: Places, row: Repository, sinceMs: number): Promise<IndexedRepository> {
  const { id, name, ref, branch } = row;
  const fullName = row.fullName ?? undefined;
  const { commit, shard, history } = snapshotOf(row);
  const index = await indexState(repositories, row, sinceMs);
  hastenOverdueFetch(repositories, row, index);
  const provenance = { repo: name, ref: branch ?? (ref === '' ? 'HEAD' : ref), commit, index };
  const gitDir = (): Promise<string | undefined> =>
    tipOf(repositories, row).then(
      (tip) => tip.gitDir,
      () => undefined,
    );
  const named = (text: string, call: RefWait): Promise<string | undefined> =>
    refs.named(row, text, call).then(
      (namedCommit) => namedCommit.commit,
      (error: unknown) => {
        call.signal.throwIfAborted();
        if (error instanceof ServiceError && error.code !== 'not_indexed') return undefined;
        throw error;
      },
    );
  const historyAt = async (at: string, call: RefWait): Promise<IndexedRepository> => {
    const { gitDir: tipGitDir } = await tipOf(repositories, row);
    const historyShard = await refs.of(row, { gitDir: tipGitDir, commit: at, kind: 'history' }, call);
    const forget = async (): Promise<void> => refs.forget(historyShard);
    return {
      id,
      fullName,
      provenance: { ...provenance, commit: at },
      shard,
      history: historyShard.shard,
      gitDir,
      named,
      apartFrom: commit,
      forget,
    };
  };
  return { id, fullName, provenance, shard, history, gitDir, named, historyAt };
}

/** Sources of an index of a repository. */
interface Places {
  repositories: Repositories;
  refs: RefIndexes;
}

/** @throws ServiceError `not_indexed`. */
function snapshotOf(row: Repository): { commit: string; shard: ShardRef; history: ShardRef } {
  const { name, status, error, progress, commit, shardHash, shardBytes, historyHash, historyBytes } = row;
  if (commit !== null && shardHash !== null && historyHash !== null) {
    const shard = { hash: shardHash, sizeBytes: shardBytes ?? 0 };
    return { commit, shard, history: { hash: historyHash, sizeBytes: historyBytes ?? 0 } };
  }
  const message = `${name} has no index yet (${status}).`;
  const fix = 'Repeat the call in a minute.';
  if (status === 'pending' || status === 'indexing') {
    const { percent = 0, stage = status } = progress ?? {};
    throw new NotYet('not_indexed', message, {
      fix,
      progress: { done: percent, total: 100, message: `${name} is being indexed: ${stage}, ${percent} %` },
    });
  }
  const failed = status === 'failed' && error !== null;
  const why = failed ? ` The last index run failed: ${error.message}` : '';
  throw new ServiceError('not_indexed', `${message}${why}`, {
    fix: failed ? `${error.fix} Then: svc repo index ${name}` : fix,
  });
}

/** @throws ServiceError `bad_argument`: a ref is one repository's. */
function onlyOne(rows: readonly Repository[], ref: string): Repository {
  const [row, other] = rows;
  if (row !== undefined && other === undefined) return row;
  throw new ServiceError('bad_argument', `A ref needs one repository, and this call matches ${rows.length}.`, {
    fix: `Add repo="${row?.name ?? ''}" to ref=${JSON.stringify(ref)} (${rows.map((repository) => repository.name).join(', ')})`,
  });
}

/** A repository with the index of the commit that a ref names: what it serves when that is the one, else a shard of its own. */
async function atRef(refs: RefIndexes, row: Repository, call: RefCall & { ref: string }): Promise<IndexedRepository> {
  const served = snapshotOf(row);
  const { gitDir, commit, unsure } = await refs.named(row, call.ref, call);
  const refShard = commit === served.commit ? undefined : await refs.of(row, { gitDir, commit }, call);
  const indexed = refShard ?? { ...row, gaps: gapsOf(row), shard: served.shard };
  // Without `behind` it is unknown: what the host has by now could not be compared.
  const index = assessIndex({
    ...factsOf(indexed),
    ...exactOf(row, refShard),
    ...(unsure === undefined && { behind: 0 }),
  });
  return {
    id: row.id,
    fullName: row.fullName ?? undefined,
    provenance: { repo: row.name, ref: call.ref, isRequested: true, commit, index },
    shard: indexed.shard,
    gitDir: async () => gitDir,
    ...(refShard !== undefined && { forget: async () => refs.forget(refShard) }),
  };
}

/**
 * A repository as it is checked out, with what is not committed. What is served where there is no checkout, or where that is
 * the same; also when the index takes longer than a call that did not ask for it waits: it goes on, and the header says how far
 * the answer is from the checkout.
 */
async function asCheckedOut(
  { repositories, refs }: Places,
  row: Repository,
  { sinceMs, ...call }: RefCall & { sinceMs: number },
): Promise<IndexedRepository> {
  const served = snapshotOf(row);
  const state = await checkedOut(repositories, row, sinceMs);
  if (state === undefined || state.commit === served.commit) return withIndex({ repositories, refs }, row, sinceMs);
  const { gitDir, commit, head, branch = 'HEAD', uncommitted } = state;
  const wait = { ...call, patienceMs: CHECKOUT_PATIENCE_MS };
  const refShard = await refs.of(row, { gitDir, commit, isPassing: uncommitted > 0 }, wait).catch(() => undefined);
  call.signal.throwIfAborted();
  // The reason is in the log; the next index run, which has the same work to do, reports it.
  if (refShard === undefined) return withIndex({ repositories, refs }, row, sinceMs);
  const dirty = uncommitted > 0 && ({ uncommitted, hasUncommitted: true } as const);
  const index = assessIndex({ behind: 0, ...factsOf(refShard), ...exactOf(row, refShard), ...dirty });
  return {
    id: row.id,
    fullName: row.fullName ?? undefined,
    provenance: { repo: row.name, ref: branch, commit: head, index },
    shard: refShard.shard,
    gitDir: async () => gitDir,
    snapshot: commit,
    forget: async () => refs.forget(refShard),
  };
}

/** Facts about an index that was made of one commit. */
function factsOf({
  indexedAt,
  unparsed,
  gaps,
}: Pick<RefShard, 'unparsed' | 'gaps'> & { indexedAt: Date | null }): IndexFacts {
  return {
    ...(indexedAt !== null && { indexedAt }),
    ...(unparsed > 0 && { unparsed }),
    ...(gaps.length > 0 && { gaps }),
  };
}

/** State of resolving the names of an index by compilers: of one that was made for a call, those in unchanged files. */
function exactOf({ exact }: Repository, refShard: RefShard | undefined): Pick<IndexFacts, 'exact'> {
  if (exact === null) return {};
  if (refShard === undefined || exact !== 'done') return { exact };
  // One that was made before they had is made again.
  return refShard.exact === undefined ? { exact: 'pending' } : refShard.exact === 'carried' ? { exact } : {};
}
