import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { type EmbeddedClient, rowsOf } from './client.ts';

/** Statements whose row count Kysely reports as affected rows. */
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Kysely on the embedded database: its PostgreSQL dialect over our thread. */
export function embeddedDialect(client: EmbeddedClient): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new EmbeddedDriver(client),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class EmbeddedConnection implements DatabaseConnection {
  readonly client: EmbeddedClient;
  readonly session: number;

  constructor(client: EmbeddedClient) {
    this.client = client;
    this.session = client.newSession();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const results = await this.client.query(this.session, query.sql, query.parameters);
    const last = results.at(-1);
    // The caller states the type of its rows, as with every dialect of Kysely.
    const rows = rowsOf(results) as Row[];
    if (last === undefined || !CHANGES.has(last.command)) return { rows };
    return { rows, numAffectedRows: BigInt(last.rowCount) };
  }

  streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('Rows cannot be streamed from the embedded database: page by key instead.');
  }
}

class EmbeddedDriver implements Driver {
  readonly #client: EmbeddedClient;

  constructor(client: EmbeddedClient) {
    this.#client = client;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EmbeddedConnection> {
    return new EmbeddedConnection(this.#client);
  }

  async beginTransaction(connection: EmbeddedConnection, settings: TransactionSettings): Promise<void> {
    const isolation = settings.isolationLevel === undefined ? '' : ` isolation level ${settings.isolationLevel}`;
    const access = settings.accessMode === undefined ? '' : ` ${settings.accessMode}`;
    await this.#client.request(connection.session, 'begin', `start transaction${isolation}${access}`);
  }

  async commitTransaction(connection: EmbeddedConnection): Promise<void> {
    await this.#client.request(connection.session, 'commit');
  }

  async rollbackTransaction(connection: EmbeddedConnection): Promise<void> {
    await this.#client.request(connection.session, 'rollback');
  }

  async savepoint(connection: EmbeddedConnection, name: string): Promise<void> {
    await this.#client.query(connection.session, `savepoint "${name}"`);
  }

  async rollbackToSavepoint(connection: EmbeddedConnection, name: string): Promise<void> {
    await this.#client.query(connection.session, `rollback to "${name}"`);
  }

  async releaseSavepoint(connection: EmbeddedConnection, name: string): Promise<void> {
    await this.#client.query(connection.session, `release "${name}"`);
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
