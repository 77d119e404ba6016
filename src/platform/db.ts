import { type Kysely, sql } from 'kysely';

/** No table is known here: each slice adds its own with `db.withTables<KeyTables>()` in its `store.ts`. */
export type NoTables = object;

/** Queries on PostgreSQL, embedded or server: one dialect, one interface. Transactions by `db.transaction().execute(...)`. */
export type Db = Kysely<NoTables>;

/** A time without the database. `reason` is a sentence for people. */
export interface DatabaseOutage {
  since: Date;
  reason: string;
}

/** An open database. Made by `openEmbedded` or `openServer`; the caller that opened it closes it. */
export interface Database {
  /**
   * Values come back the same on both engines: bigint as number (as bigint beyond 2^53), numeric, date, timestamp
   * without zone and interval as string, timestamptz as Date, bytea as Uint8Array, json parsed. A JSON parameter is
   * passed as text (`JSON.stringify`). Inside a transaction every query goes to the transaction, not to `db`: the
   * embedded database has one connection, and a query on `db` would wait for its own transaction.
   */
  db: Db;
  kind: 'embedded' | 'server';
  /**
   * Runs SQL outside every transaction of `db`: one statement with `$1` values, or several without values, whose rows
   * come back in one list. When one fails, a transaction that they opened is rolled back. For the queue and for
   * transfers; slices use `db`.
   */
  execute(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /**
   * Calls `onMessage` with the payload of each notification on `channel`. `onConnection(false)` reports that messages may have
   * been missed (the connection is down), `onConnection(true)` that listening works (again). Returns the function that stops
   * it.
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onConnection?: (live: boolean) => void,
  ): Promise<() => Promise<void>>;
  /** Sends a notification now, on a connection of its own. Payload at most 7,900 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Opens a copy of the embedded database as it is now, in a folder that does not exist yet, for reads that take long: others wait
   * only while its files are copied. Undefined for a server, which has snapshots for that.
   */
  copy: ((folder: string) => Promise<Database>) | undefined;
  /** The reason why the engine in this process cannot work at this moment; undefined while it can, and for a server. */
  outage(): DatabaseOutage | undefined;
  /** Requests that changed rows so far; undefined for a server, where others write as well. */
  writes(): number | undefined;
  /** Connections to a server, and queries that wait for one; undefined for the embedded database, which has one. */
  connections(): { open: number; idle: number; waiting: number } | undefined;
  close(): Promise<void>;
}

/** Notifies all replicas when, and only when, the transaction commits. */
export async function notifyInTransaction(tx: Db, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(tx);
}
