import { ServiceError } from '../kernel/errors.ts';
import type { CallContext } from '../platform/operation/operation.ts';
import { type BeginWork, SharedWork, type Wait, WorkGoesOn } from '../platform/shared-work.ts';
import { type NamedCommit, namedCommit, type Repositories, type Repository } from '../repositories/repositories.ts';
import { type CanRead, type RefShard, RefShardCache } from './ref-shard-cache.ts';

/** Time that a call waits: less than a call may take, so that the reply says what to do and the query itself has its time. */
const PATIENCE_MS = 35_000;

/** A commit to be indexed, and from where one may go on. */
export interface RefRequest {
  repository: Repository;
  /** Its code or its history. */
  kind: RefShard['kind'];
  gitDir: string;
  /** Full id of the commit. */
  commit: string;
  /** True if it is the state of a checkout, in a repository of our own. */
  isPassing: boolean;
  /** Shards of this kind of other commits of the repository, the last used first. */
  others: readonly RefShard[];
}

/** Progress of an index: files of a stage. */
interface RefProgress {
  stage: string;
  done: number;
  total: number;
}

/** A shard in a file that the caller moves away; `done` then cleans up the remainder. */
interface BuiltRef {
  file: string;
  unparsed: number;
  gaps: RefShard['gaps'];
  /** True if it has what compilers know of unchanged files. */
  carriesExact?: boolean | undefined;
  done: () => Promise<void>;
}

/** Writes the shard of a commit. Stops when the signal aborts. */
export type BuildRef = (
  request: RefRequest,
  run: { signal: AbortSignal; onProgress: (progress: RefProgress) => void },
) => Promise<BuiltRef>;

interface RefIndexesOptions {
  repositories: Repositories;
  build: BuildRef;
  canRead: CanRead;
  /** Disk space for shards. */
  limitBytes: number;
  /** Lets go of what `build` holds. */
  onClose?: () => void;
  /** Time that a call waits for an index; 35 s when absent. */
  patienceMs?: number;
}

/** Signal, progress and limit of a call that waits. */
export interface RefWait extends Pick<CallContext, 'signal' | 'progress'> {
  /** Time limit; that of the indexes when absent. */
  patienceMs?: number;
}

/** A shard that a call needs: of code, when it does not say otherwise. */
type ShardRequest = Pick<RefRequest, 'gitDir' | 'commit'> & Partial<Pick<RefRequest, 'kind' | 'isPassing'>>;

/** The indexes of single commits, made when a call asks for them: one run for all calls that ask for the same. */
export class RefIndexes {
  readonly #options: RefIndexesOptions;
  readonly #cache: RefShardCache;
  readonly #fetches = new SharedWork<NamedCommit, RefProgress>();
  readonly #runs = new SharedWork<RefShard, RefProgress>();

  constructor(options: RefIndexesOptions) {
    this.#options = options;
    this.#cache = new RefShardCache(options.repositories.dataDir, options.limitBytes, options.canRead);
  }

  /**
   * The commit that a name means in a repository, fetched when it has to be.
   *
   * @throws ServiceError as `namedCommit`; `not_indexed` when the fetch takes longer than a call may, and goes on.
   */
  named(repository: Repository, name: string, call: RefWait): Promise<NamedCommit> {
    const begin: BeginWork<NamedCommit, RefProgress> = (signal, onProgress) =>
      namedCommit(this.#options.repositories, repository, name, { signal, onProgress });
    const words = `${name} of ${repository.name} is being fetched`;
    return this.#wait((wait) => this.#fetches.of(`${repository.id} ${name}`, begin, wait), words, call);
  }

  /**
   * Returns the shard of a commit, indexed when there is none, and again once compilers have resolved the commit that is
   * served.
   *
   * @throws ServiceError `not_indexed` when that takes longer than a call may: it goes on, and its result is stored.
   */
  async of(
    repository: Repository,
    { gitDir, commit, kind = 'code', isPassing = false }: ShardRequest,
    call: RefWait,
  ): Promise<RefShard> {
    const cachedShard = await this.#cache.find(repository.id, commit, kind);
    const isOutdated = kind === 'code' && repository.exact === 'done' && cachedShard?.exact === undefined;
    if (cachedShard !== undefined && !isOutdated) return cachedShard;
    const begin: BeginWork<RefShard, RefProgress> = (signal, onProgress) =>
      this.#index({ repository, kind, gitDir, commit, isPassing }, { signal, onProgress });
    const words = `${kind === 'code' ? '' : 'the history of '}${repository.name}@${commit.slice(0, 7)} is being indexed`;
    const made = this.#wait((wait) => this.#runs.of(`${repository.id} ${commit} ${kind}`, begin, wait), words, call);
    if (cachedShard === undefined) return made;
    return made.catch(() => {
      call.signal.throwIfAborted();
      return cachedShard;
    });
  }

  /** Deletes a shard that cannot be used: the next call has it made again. */
  forget(refShard: RefShard): void {
    this.#cache.forget(refShard);
  }

  /** Stops what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.#fetches.close(), this.#runs.close()]);
    this.#options.onClose?.();
  }

  async #index(
    request: Omit<RefRequest, 'others'>,
    run: { signal: AbortSignal; onProgress: (progress: RefProgress) => void },
  ): Promise<RefShard> {
    const { repository, kind, commit, isPassing } = request;
    const others = await this.#cache.of(repository.id, kind);
    const { file, unparsed, gaps, carriesExact, done } = await this.#options.build({ ...request, others }, run);
    try {
      const indexedAt = this.#options.repositories.now();
      const none = kind === 'code' && repository.exact === 'done' ? 'none' : undefined;
      const exact = carriesExact === true ? 'carried' : none;
      return await this.#cache.keep(file, {
        repositoryId: repository.id,
        kind,
        commit,
        indexedAt,
        isPassing,
        exact,
        unparsed,
        gaps,
      });
    } finally {
      await done();
    }
  }

  /** Waits as long as a call can, telling it how far the work is. */
  async #wait<Result>(
    work: (wait: Wait<RefProgress>) => Promise<Result>,
    words: string,
    { signal, progress, patienceMs = this.#options.patienceMs ?? PATIENCE_MS }: RefWait,
  ): Promise<Result> {
    const onProgress = (refProgress: RefProgress): void =>
      progress(refProgress.done, refProgress.total, `${words} (${stageOf(refProgress)})`);
    try {
      return await work({ signal, patienceMs, onProgress });
    } catch (error) {
      if (!(error instanceof WorkGoesOn)) throw error;
      // This work reports no other progress.
      const last = error.progress as RefProgress | undefined;
      const far = last === undefined ? '' : ` (${stageOf(last)})`;
      throw new ServiceError('not_indexed', `${words}${far}, which continues in the background.`, {
        fix: 'repeat the same call in a minute: results so far are kept',
        cause: error,
      });
    }
  }
}

/** `extract 120 of 300`. */
function stageOf({ stage, done, total }: RefProgress): string {
  return total === 0 ? stage : `${stage} ${done} of ${total}`;
}
