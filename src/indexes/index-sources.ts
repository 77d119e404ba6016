import type { Provenance } from '../kernel/answer.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import { Tally } from '../platform/operation/tally.ts';
import { TaskTimeout, ThreadCrashed, ThreadOutOfMemory } from '../platform/threads.ts';
import type { Indexes, IndexedRepository } from './indexes.ts';
import {
  type ArgumentsOf,
  batchesOf,
  type QueryModule,
  type QueryName,
  type ResultOf,
  ShardDamaged,
  type ShardRef,
  HISTORY_KIND,
} from './shards/shards.ts';

/** Caller and repositories of a call. */
interface IndexCall {
  caller: Tenant;
  signal: AbortSignal;
  repositories: readonly IndexedRepository[];
  /** Counts the indexes that have answered; no progress is reported when absent. */
  tally?: Tally;
}

interface Request<Queries, Name extends keyof Queries> {
  repository: IndexedRepository;
  args: ArgumentsOf<Queries[Name]>;
}

type Result<Queries, Name extends keyof Queries> = Awaited<ResultOf<Queries[Name]>>;

const QUERY_LIMIT_MS = 10_000;

/** Repositories that one error names. */
const MOST_NAMED = 3;

/** The repositories of one call, with queries on one kind of their shards. */
export class IndexSources<Queries> {
  readonly #indexes: Pick<Indexes, 'readers' | 'rebuild'>;
  readonly #module: QueryModule<Queries>;
  readonly #call: IndexCall;
  readonly #tally: Tally;
  readonly #isHistory: boolean;

  constructor(indexes: Pick<Indexes, 'readers' | 'rebuild'>, module: QueryModule<Queries>, call: IndexCall) {
    this.#indexes = indexes;
    this.#module = module;
    this.#call = call;
    this.#isHistory = module.format.kind === HISTORY_KIND;
    this.#tally = call.tally ?? new Tally(() => {}, '');
  }

  /** The same repositories with other queries: on the code of those whose history this is. */
  with<Others>(module: QueryModule<Others>): IndexSources<Others> {
    return new IndexSources(this.#indexes, module, this.#call);
  }

  get repositories(): readonly IndexedRepository[] {
    return this.#call.repositories;
  }

  get provenances(): Provenance[] {
    return this.repositories.map(({ provenance }) => provenance);
  }

  /** Changes whenever one of the queried shards does. Queries on histories read code too. */
  get generation(): string {
    return this.repositories
      .map(({ shard, history }) => (this.#isHistory ? `${shard.hash} ${history?.hash ?? ''}` : shard.hash))
      .join(' ');
  }

  /** Queries several repositories at once; the client gets the number that have answered. */
  fromEach<One, Answer>(all: readonly One[], work: (item: One) => Promise<Answer>): Promise<Answer[]> {
    return this.#tally.fromEach(all, work);
  }

  /** Runs a query on all of them, or some, at once; answers come in the order of the repositories. */
  askAll<Name extends QueryName<Queries>>(
    [name, args]: readonly [Name, ArgumentsOf<Queries[Name]>],
    repositories: readonly IndexedRepository[] = this.repositories,
  ): Promise<{ repository: IndexedRepository; result: Result<Queries, Name> }[]> {
    return this.askEach(
      name,
      repositories.map((repository) => ({ repository, args })),
    );
  }

  /** The same with arguments for each. Small shards that one thread has open are queried in one task. */
  async askEach<Name extends QueryName<Queries>>(
    name: Name,
    requests: readonly Request<Queries, Name>[],
  ): Promise<{ repository: IndexedRepository; result: Result<Queries, Name> }[]> {
    this.#tally.expect(requests.length);
    const answers: { repository: IndexedRepository; result: Result<Queries, Name> }[] = [];
    const batches = batchesOf(requests.map(({ repository }) => this.#shardOf(repository)));
    await Promise.all(
      batches.map(async (places) => {
        const batch = places.flatMap((at) => requests[at] ?? []);
        const results = await this.#askBatch(name, batch).finally(() => this.#tally.count(places.length));
        for (const [at, { repository }] of batch.entries())
          // There is a result for each request.
          answers[places[at] as number] = { repository, result: results[at] as Result<Queries, Name> };
      }),
    );
    return answers;
  }

  /**
   * Runs a query on the shard of one repository.
   *
   * @throws ServiceError `not_indexed` when it has none, or its shard is damaged; a rebuild is under way then.
   * `timed_out` when it takes more than 10 s of processor time, `internal` when its thread ended.
   */
  async ask<Name extends QueryName<Queries>>(
    repository: IndexedRepository,
    [name, args]: readonly [Name, ArgumentsOf<Queries[Name]>],
  ): Promise<Result<Queries, Name>> {
    const [result] = await this.#askBatch(name, [{ repository, args }]);
    // There is a result for each request.
    return result as Result<Queries, Name>;
  }

  async #askBatch<Name extends QueryName<Queries>>(
    name: Name,
    batch: readonly Request<Queries, Name>[],
  ): Promise<Result<Queries, Name>[]> {
    const requests = batch.map(({ repository, args }) => ({ ref: this.#shardOf(repository), args }));
    const options = { signal: this.#call.signal, deadlineMs: QUERY_LIMIT_MS };
    try {
      return await this.#indexes.readers.queryEach(this.#module, [name, requests], options);
    } catch (error) {
      const isDamaged = error instanceof ShardDamaged;
      const concerned = batch
        .filter((_, at) => !isDamaged || requests[at]?.ref.hash === error.hash)
        .map(({ repository }) => repository);
      if (isDamaged)
        for (const repository of concerned)
          await (repository.forget?.() ?? this.#indexes.rebuild(this.#call.caller, repository.id));
      throw this.#explainFailure(error, concerned);
    }
  }

  #shardOf({ shard, history, provenance: { repo } }: IndexedRepository): ShardRef {
    if (!this.#isHistory) return shard;
    if (history !== undefined) return history;
    throw new ServiceError('not_indexed', `The history of ${repo} is not indexed.`, {
      fix: `Index it: svc repo index ${repo}`,
    });
  }

  /** Turns the failure of a query into an error for the caller; anything else is a bug and stays as it is. */
  #explainFailure(cause: unknown, repositories: readonly IndexedRepository[]): unknown {
    const names = repositories.map(({ provenance }) => provenance.repo);
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    const what = `${this.#isHistory ? 'history' : 'index'} of ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
    if (cause instanceof ShardDamaged) {
      const why = cause.fault === 'version' ? 'was made by another version of svc' : 'is damaged';
      return new ServiceError('not_indexed', `The ${what} ${why} and is being rebuilt.`, {
        fix: 'Repeat the call in a minute.',
        cause,
      });
    }
    if (cause instanceof ThreadOutOfMemory)
      return new ServiceError('bad_argument', `Answering from the ${what} takes more memory than one answer may.`, {
        fix: 'ask for less: name a path; or let the operator raise SVC_MEMORY',
        cause,
      });
    const fix = 'repeat the call; if it happens again, ask for less: name a path';
    if (cause instanceof ThreadCrashed)
      return new ServiceError('internal', `The thread that read the ${what} ended, and was started again.`, {
        fix,
        cause,
      });
    if (!(cause instanceof TaskTimeout)) return cause;
    const message = `The ${what} gave no answer within ${cause.limit}, so the query was stopped.`;
    return new ServiceError('timed_out', message, { fix, cause });
  }
}
