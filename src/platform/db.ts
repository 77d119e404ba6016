import type { Kysely } from 'kysely';

/** No table is known here: each slice adds its own with `db.withTables<KeyTables>()` in its `store.ts`. */
export type NoTables = Record<never, never>;

/** Queries on PostgreSQL, embedded or server: one dialect, one interface. Transactions by `db.transaction().execute(...)`. */
export type Db = Kysely<NoTables>;

/** An open database. Made by `openEmbedded` or `openServer`, closed by whoever opened it. */
export interface Database {
  db: Db;
  kind: 'embedded' | 'server';
  /**
   * Calls `onMessage` with the payload of each notification on `channel`. `onConnection(false)` tells that messages may
   * have been missed (the connection is down), `onConnection(true)` that listening works (again). Returns the way to stop.
   */
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    onConnection?: (live: boolean) => void,
  ): Promise<() => Promise<void>>;
  /** Sends a notification now, on a connection of its own. Payload at most 7,900 bytes. */
  notify(channel: string, payload: string): Promise<void>;
  close(): Promise<void>;
}
