/** Settings with which the thread of the embedded database opens it. */
export interface OpenOptions {
  /** Folder of the database files. Absent: in memory. */
  folder?: string;
  /** A dump to start from, as `dump` gave it. */
  template?: Uint8Array;
  /** A transaction that sends nothing for this long is rolled back, because everybody else waits for it. */
  idleTransactionMs: number;
}

/**
 * One request to the thread. `session` is a connection: while one session is in a transaction, the requests of the others wait.
 * Requests of one session are answered in their order.
 */
export interface Request {
  id: number;
  session: number;
  kind: 'query' | 'begin' | 'commit' | 'rollback' | 'checkpoint' | 'vacuum' | 'copy' | 'dump' | 'close';
  /** Statement of `query` and `begin`; folder of `copy`. */
  sql: string;
  values: readonly unknown[];
}

/** Rows of one statement as lists, in the order of `columns`: half the cost of copying objects between threads. */
export interface StatementResult {
  command: string;
  rowCount: number;
  columns: string[];
  rows: unknown[][];
}

/** An error of PostgreSQL as plain data: an Error that is copied between threads loses its own fields. */
export type ErrorFields = { message: string } & Record<string, string | undefined>;

export type Reply =
  | { kind: 'ready' }
  /** The engine ended itself, for this reason; its thread follows. */
  | { kind: 'dying'; words: string }
  | { kind: 'result'; id: number; results: StatementResult[] }
  | { kind: 'error'; id: number; error: ErrorFields }
  | { kind: 'notification'; channel: string; payload: string };
