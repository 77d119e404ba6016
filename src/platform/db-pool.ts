import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { ServiceError } from '../kernel/errors.ts';

/** Error codes of the system: no server, or the connection broke. */
const SYSTEM_CODES = /^(E(CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NOTFOUND)|EAI_AGAIN)$/;

/** Error codes of PostgreSQL: connection exceptions, shut down, crashed, cannot connect now, too many connections. */
const SERVER_CODES = /^(08...|57P0[1235]|53300)$/;

/** Messages of the driver, whose errors have no code. */
const DRIVER_WORDS = /^(Connection terminated|timeout (expired|exceeded)|Client (has encountered|was closed))/;

/**
 * The connections to a server, in the shape that Kysely takes. Every failure of a connection comes as `database_unavailable`,
 * to the caller that waits for it and to no other: none ends the process. A broken connection is thrown away when it is given
 * back.
 */
export class ServerPool implements PostgresPool {
  readonly options: object = {};
  readonly #pool: Pool;
  readonly #adapters = new WeakMap<PoolClient, PostgresPoolClient>();

  constructor(config: PoolConfig) {
    this.#pool = new Pool(config);
    // A connection that breaks while idle is replaced.
    this.#pool.on('error', () => undefined);
    // One that breaks in use rejects its query, and emits this event as well.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Numbers of connections that are open and idle now, and of queries that wait for one. */
  connections(): { open: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { open: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** @throws ServiceError `database_unavailable` when there is no connection within the limit of the pool. */
  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#connected();
    // One object for one connection: Kysely remembers what it knows of it.
    const adapter = this.#adapters.get(client) ?? new ClientAdapter(client);
    this.#adapters.set(client, adapter);
    return adapter;
  }

  /** Runs SQL on a connection of its own: one statement with values, or several without, whose rows come in one list. */
  async execute(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    const client = await this.#connected();
    try {
      // Several statements give a list of results, which the types of `pg` do not know.
      const result = (await client.query(text, [...values])) as QueryResult | QueryResult[];
      client.release();
      return Array.isArray(result) ? result.flatMap((part) => part.rows) : result.rows;
    } catch (error) {
      const broken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      client.release(broken);
      throw explainDatabaseError(error);
    }
  }

  async end(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #connected(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw explainDatabaseError(error);
    }
  }
}

class ClientAdapter implements PostgresPoolClient {
  readonly #client: PoolClient;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    text: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof text !== 'string') throw new Error('Rows cannot be streamed from a server: page by key instead.');
    return this.#run<Row>(text, values);
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }

  async #run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    try {
      // The caller states the type of its rows, as with every dialect of Kysely.
      return (await this.#client.query(text, [...values])) as unknown as PostgresQueryResult<Row>;
    } catch (error) {
      throw explainDatabaseError(error);
    }
  }
}

/** Returns `database_unavailable` for a failure of the connection; an error of the server about a statement as it is. */
export function explainDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (!SYSTEM_CODES.test(code) && !SERVER_CODES.test(code) && !DRIVER_WORDS.test(error.message)) return error;
  return new ServiceError(
    'database_unavailable',
    'The PostgreSQL server does not answer, or the connection was lost during the call.',
    {
      fix: 'Check whether the change was made (it was made completely or not at all), and try again in a few seconds.',
      cause: error,
    },
  );
}
