import { Kysely, PostgresDialect } from 'kysely';
import { types, type ClientConfig } from 'pg';
import { ServiceError } from '../kernel/errors.ts';
import { ServerListener } from './db-listener.ts';
import { ServerPool } from './db-pool.ts';
import { reasonOf } from './failures.ts';
import { VALUE_PARSERS } from './db-types.ts';
import type { Database, NoTables } from './db.ts';

/** Most connections of one process to the server. */
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** Nothing here is slow: a query that runs longer is a fault, and must not hold its connection. */
const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_TRANSACTION_MS = 30_000;

interface ServerOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=…` where needed. */
  url: string;
  /** Interval between tests of the listening connection, and limit of its answer. */
  heartbeatMs?: number;
}

/**
 * PostgreSQL on a server, by a pool of at most 10 connections; a further one is opened at the first `listen`. Nothing is
 * connected before it is needed: `checkServer` tests whether the server can be reached.
 */
export function openServer(options: ServerOptions): Database {
  const config: ClientConfig = {
    connectionString: options.url,
    application_name: 'svc',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser: parserFor },
    // A server that vanished without a word is noticed.
    keepAlive: true,
  };
  const pool = new ServerPool({
    ...config,
    max: POOL_SIZE,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
  });
  const listener = new ServerListener(config, options.heartbeatMs);
  return {
    db: new Kysely<NoTables>({ dialect: new PostgresDialect({ pool }) }),
    kind: 'server',
    execute: (text, values = []) => pool.execute(text, values),
    listen: (channel, onMessage, onConnection) => listener.listen(channel, onMessage, onConnection),
    notify: async (channel, payload) => {
      await pool.execute('select pg_notify($1, $2)', [channel, payload]);
    },
    copy: undefined,
    outage: () => undefined,
    writes: () => undefined,
    connections: () => pool.connections(),
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

/** @throws ServiceError `database_unavailable` when the server cannot be reached or refuses the credentials. */
export async function checkServer(database: Database): Promise<void> {
  try {
    await database.execute('select 1');
  } catch (cause) {
    throw new ServiceError(
      'database_unavailable',
      `The PostgreSQL server of DATABASE_URL does not answer: ${reasonOf(cause)}`,
      {
        fix: 'Check host, port, user, password and database in DATABASE_URL, or leave it out to use the embedded database.',
        cause,
      },
    );
  }
}

function parserFor(type: number, format?: string): (value: string) => unknown {
  return VALUE_PARSERS[type] ?? types.getTypeParser(type, format === 'binary' ? 'binary' : 'text');
}
