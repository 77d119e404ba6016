import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types, type ClientConfig, type QueryResult } from 'pg';
import { ServiceError } from '../kernel/errors.ts';
import { ServerListener } from './db-listener.ts';
import { VALUE_PARSERS } from './db-types.ts';
import type { Database, NoTables } from './db.ts';

/** Most connections of one process to the server. */
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** Nothing here is slow: a query that runs longer is a fault, and must not hold its connection. */
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_TRANSACTION_MS = 30_000;

export interface ServerOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=…` where needed. */
  url: string;
  poolSize?: number;
  /** How often the listening connection is tested, and how long it may take to answer. */
  heartbeatMs?: number;
}

/**
 * PostgreSQL on a server, by a pool of at most 10 connections; a further one is opened at the first `listen`. Nothing is
 * connected before it is needed: `checkServer` tells whether the server can be reached.
 */
export function openServer(options: ServerOptions): Database {
  const config: ClientConfig = {
    connectionString: options.url,
    application_name: 'svc',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser: parserFor },
  };
  const pool = new Pool({
    ...config,
    max: options.poolSize ?? POOL_SIZE,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  // A connection that breaks while idle is replaced by the pool; without a handler the process would end.
  pool.on('error', () => undefined);
  const listener = new ServerListener(config, options.heartbeatMs);
  return {
    db: new Kysely<NoTables>({ dialect: new PostgresDialect({ pool }) }),
    kind: 'server',
    execute: (text, values = []) => execute(pool, text, values),
    listen: (channel, onMessage, onConnection) => listener.listen(channel, onMessage, onConnection),
    notify: async (channel, payload) => {
      await pool.query('select pg_notify($1, $2)', [channel, payload]);
    },
    outage: () => undefined,
    close: async () => {
      await listener.close();
      if (!pool.ending) await pool.end();
    },
  };
}

/** @throws ServiceError `upstream_failed` when the server cannot be reached or refuses the credentials. */
export async function checkServer(database: Database): Promise<void> {
  try {
    await database.execute('select 1');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ServiceError('upstream_failed', `The PostgreSQL server of DATABASE_URL does not answer: ${reason}`, {
      fix: 'Check host, port, user, password and database in DATABASE_URL, or leave it out to use the embedded database.',
      cause,
    });
  }
}

async function execute(pool: Pool, text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const client = await pool.connect();
  try {
    // Several statements give a list of results, which the types of `pg` do not know.
    const result = (await client.query(text, [...values])) as QueryResult | QueryResult[];
    client.release();
    return Array.isArray(result) ? result.flatMap((one) => one.rows) : result.rows;
  } catch (error) {
    const broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    client.release(broken);
    throw error;
  }
}

function parserFor(type: number, format?: string): (value: string) => unknown {
  return VALUE_PARSERS[type] ?? types.getTypeParser(type, format === 'binary' ? 'binary' : 'text');
}
