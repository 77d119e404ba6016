import { CodeSources, type CodeToolParts, type IndexedRepository } from '../../code/code.ts';
import type { Provenance } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { Tally } from '../../platform/operation/tally.ts';
import { type ArgumentsOf, type ResultOf, ShardDamaged } from '../../indexes/shards/shards.ts';
import { HISTORY_QUERIES } from '../queries/history-queries.ts';
import type * as store from '../queries/store.ts';
import { ownCommand } from '../../platform/own-command.ts';

type Queries = typeof store;
type Query<Name extends keyof Queries> = readonly [Name, ArgumentsOf<Queries[Name]>];

/** The repositories of one call and the way to ask their histories. */
export class HistorySources {
  readonly repositories: readonly IndexedRepository[];
  /** The code of the same repositories. */
  readonly code: CodeSources;
  readonly #parts: CodeToolParts;
  readonly #caller: Caller;
  readonly #signal: AbortSignal;
  readonly #tally: Tally;

  constructor(
    parts: CodeToolParts,
    call: {
      caller: Caller;
      signal: AbortSignal;
      repositories: readonly IndexedRepository[];
      /** Counts the repositories that have answered; nobody is told when absent. */
      tally?: Tally;
    },
  ) {
    this.repositories = call.repositories;
    const { caller, signal, repositories } = call;
    this.code = new CodeSources(parts, { caller, signal, repositories });
    this.#tally = call.tally ?? new Tally(() => {}, '');
    this.#parts = parts;
    this.#caller = call.caller;
    this.#signal = call.signal;
  }

  /** Changes whenever one of the histories or of the indexes of code does. */
  get generation(): string {
    return this.repositories.map(({ shard, history }) => `${shard.hash} ${history?.hash ?? ''}`).join(' ');
  }

  get provenances(): Provenance[] {
    return this.repositories.map(({ provenance }) => provenance);
  }

  /** Asks all repositories of a question at once; the client is told how many have answered. */
  fromEach<One, Result>(all: readonly One[], work: (one: One) => Promise<Result>): Promise<Result[]> {
    return this.#tally.fromEach(all, work);
  }

  /**
   * Runs a query on the history of one repository.
   *
   * @throws ServiceError `not_indexed` when there is none or its shard is damaged; a rebuild is under way then.
   */
  async ask<Name extends keyof Queries>(
    repository: IndexedRepository,
    query: Query<Name>,
  ): Promise<Awaited<ResultOf<Queries[Name]>>> {
    const { history, provenance } = repository;
    if (history === undefined) {
      throw new ServiceError('not_indexed', `The history of ${provenance.repo} is not indexed.`, {
        fix: `Index it: ${ownCommand(`repo index ${provenance.repo}`)}`,
      });
    }
    try {
      return await this.#parts.readers.query(history, HISTORY_QUERIES, query, { signal: this.#signal });
    } catch (error) {
      if (!(error instanceof ShardDamaged)) throw error;
      await this.#parts.rebuild(this.#caller, repository.id);
      throw new ServiceError('not_indexed', `The history of ${provenance.repo} is damaged and is being rebuilt.`, {
        fix: 'Repeat the call in a minute.',
        cause: error,
      });
    }
  }
}
