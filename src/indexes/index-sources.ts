import { ServiceError } from '../kernel/errors.ts';
import type { Provenance } from '../kernel/answer.ts';
import type { Caller, CallScope } from '../platform/operation/operation.ts';
import { Tally } from '../platform/operation/tally.ts';
import { TaskTimeout } from '../platform/threads.ts';
import {
  type ArgumentsOf,
  QueryGoesOn,
  type ResultOf,
  ShardDamaged,
  type ShardReaders,
  type ShardRef,
} from './shards/shards.ts';
import type { EmbeddedQuestion, QuestionVectors } from '../code/ranking/question-vectors.ts';
import { CODE_QUERIES } from '../code/queries/code-queries.ts';
import type { FindNamingWork } from '../code/naming/naming.ts';
import type { SmellThresholds } from '../code/smells/smell-thresholds.ts';
import type * as store from '../code/queries/store.ts';

type Queries = typeof store;
type Query<Name extends keyof Queries> = readonly [Name, ArgumentsOf<Queries[Name]>];

/** A repository with an index, as a call sees it. */
export interface IndexedRepository {
  id: string;
  provenance: Provenance;
  shard: ShardRef;
  /** Its history shard. Absent where there is only an index of the code. */
  history?: ShardRef;
  /** Where its git objects are; undefined when it cannot be read now. Absent where there is only an index. */
  gitDir?: () => Promise<string | undefined>;
}

/** What the code tool needs of the service it runs in. */
export interface CodeToolParts {
  readers: ShardReaders;
  /**
   * The repositories of the caller's product that `repo` names (id, name, `owner/name`, `*`; the only one when absent).
   * @throws ServiceError `unknown_repo`, `not_indexed`.
   */
  repositories: (caller: Caller, repo: string | undefined) => Promise<IndexedRepository[]>;
  /** Vectors of questions by an embedding service; the encoder that is built in reads them when absent. */
  questionVectors?: QuestionVectors;
  /** Plans and decisions that name code; nobody is asked when absent. */
  naming?: FindNamingWork;
  /** From where on code smells; the usual thresholds when absent. */
  thresholds?: SmellThresholds;
  /** Asks for a new index of a repository whose shard cannot be used. */
  rebuild: (caller: Caller, repositoryId: string) => Promise<void>;
}

/**
 * Queries that look at the whole index the first time, whatever the path, and keep what they find with the open index: they
 * go on when nobody can wait any longer, and the next call gets the answer.
 */
const WHOLE_INDEX: ReadonlySet<keyof Queries> = new Set(['deadCode', 'smells']);
const QUERY_LIMIT_MS = 10_000;
/** Less than a call may take, so that what to do is told. */
const WHOLE_INDEX_PATIENCE_MS = 25_000;
/** Nothing that ends takes as long. */
const WHOLE_INDEX_LIMIT_MS = 15 * 60_000;

/** The repositories of one call and the way to ask their indexes. */
export class CodeSources {
  readonly repositories: readonly IndexedRepository[];
  readonly #parts: CodeToolParts;
  readonly #caller: Caller;
  readonly #signal: AbortSignal;
  readonly #progress: CallScope['progress'];

  constructor(
    parts: CodeToolParts,
    call: {
      caller: Caller;
      signal: AbortSignal;
      repositories: readonly IndexedRepository[];
      progress?: CallScope['progress'];
    },
  ) {
    this.repositories = call.repositories;
    this.#parts = parts;
    this.#caller = call.caller;
    this.#signal = call.signal;
    this.#progress = call.progress ?? (() => {});
  }

  /** Changes whenever one of the indexes does. */
  get generation(): string {
    return this.repositories.map(({ shard }) => shard.hash).join(' ');
  }

  get provenances(): Provenance[] {
    return this.repositories.map(({ provenance }) => provenance);
  }

  /**
   * Runs a query on the index of one repository.
   *
   * @throws ServiceError `not_indexed` when its shard is damaged; a rebuild is under way then. `bad_argument` when it takes
   * longer than 10 s; `conflict` when what looks at the whole index has no answer after 25 s, and goes on.
   */
  async ask<Name extends keyof Queries>(
    repository: IndexedRepository,
    query: Query<Name>,
  ): Promise<Awaited<ResultOf<Queries[Name]>>> {
    const limits = WHOLE_INDEX.has(query[0])
      ? { deadlineMs: WHOLE_INDEX_LIMIT_MS, patienceMs: WHOLE_INDEX_PATIENCE_MS }
      : { deadlineMs: QUERY_LIMIT_MS };
    try {
      const options = { signal: this.#signal, ...limits };
      return await this.#parts.readers.query(repository.shard, CODE_QUERIES, query, options);
    } catch (error) {
      if (error instanceof QueryGoesOn) throw goesOn(repository, error);
      if (error instanceof TaskTimeout) throw tooSlow(repository, limits.deadlineMs, error);
      if (!(error instanceof ShardDamaged)) throw error;
      await this.#parts.rebuild(this.#caller, repository.id);
      const { repo } = repository.provenance;
      throw new ServiceError('not_indexed', `The index of ${repo} is damaged and is being rebuilt.`, {
        fix: 'Repeat the call in a minute.',
        cause: error,
      });
    }
  }

  /** The vector of a query in words, for `semanticSearch`; empty when no embedding service is configured. */
  async embed(query: string): Promise<EmbeddedQuestion> {
    return (await this.#parts.questionVectors?.of(query)) ?? {};
  }

  /** Runs a query on all of them at once. */
  askAll<Name extends keyof Queries>(
    query: Query<Name>,
  ): Promise<{ repository: IndexedRepository; result: Awaited<ResultOf<Queries[Name]>> }[]> {
    const tally = new Tally(this.#progress, 'indexes have answered');
    return tally.fromEach(this.repositories, async (repository) => ({
      repository,
      result: await this.ask(repository, query),
    }));
  }
}

function tooSlow({ provenance }: IndexedRepository, deadlineMs: number, cause: TaskTimeout): ServiceError {
  const message = `The index of ${provenance.repo} gave no answer within ${deadlineMs / 1000} s, so the query was stopped.`;
  return new ServiceError('bad_argument', message, { fix: 'ask for less: name a path', cause });
}

function goesOn({ provenance }: IndexedRepository, cause: QueryGoesOn): ServiceError {
  const message = `The whole index of ${provenance.repo} is being read for the first time, which continues in the background.`;
  return new ServiceError('conflict', message, {
    fix: 'repeat the same call in a minute: results so far are kept',
    cause,
  });
}
