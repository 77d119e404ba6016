import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../kernel/errors.ts';
import type { OpenOptions, Request, StatementResult } from './protocol.ts';
import { EmbeddedThread } from './thread.ts';
import type { DatabaseOutage } from '../db.ts';
import { isFull } from '../disk.ts';
import { storageFull } from '../failures.ts';
import type { Log } from '../log.ts';
import type { Watch } from '../supervision.ts';

/** Waits before attempts to open the database again. The count starts over when it then ran for longer than the last. */
const REOPEN_MS = [0, 1_000, 2_000, 5_000, 10_000, 30_000];
const LONGEST_REOPEN_MS = 30_000;

/**
 * The main thread's end of the embedded database. A thread that ends (the disk failed or is full, the engine crashed) is
 * replaced by one that opens the same files: PostgreSQL recovers what was committed from its log, as after a power loss.
 * Calls under way and those until it is open again fail with `database_unavailable`.
 */
export class EmbeddedClient {
  readonly #options: OpenOptions;
  readonly #log: Log | undefined;
  readonly #watch: Watch | undefined;
  readonly #closing = new AbortController();
  #thread: EmbeddedThread | undefined;
  #reopening: Promise<void> | undefined;
  #outage: DatabaseOutage | undefined;
  #attempts = 0;
  #writes = 0;
  #openedAtMs = 0;
  #listeners = new Map<string, Set<Listener>>();
  #lastSession = 0;
  /** Sessions in a transaction, and those whose transaction went with its thread. */
  #inTransaction = new Set<number>();
  #cutOff = new Set<number>();

  /** Starts the thread and opens the database in it. Rejects when the engine cannot. */
  static async open(options: OpenOptions, events: ClientEvents = {}): Promise<EmbeddedClient> {
    const client = new EmbeddedClient(options, events);
    await client.#start();
    return client;
  }

  private constructor(options: OpenOptions, { log, watch }: ClientEvents) {
    this.#options = options;
    this.#log = log;
    this.#watch = watch;
  }

  /** The reason why the database cannot work at this moment; undefined while it can. */
  get outage(): DatabaseOutage | undefined {
    return this.#outage;
  }

  /** Requests that changed rows so far. Those in a transaction count when they are made, whatever becomes of it. */
  get writes(): number {
    return this.#writes;
  }

  newSession(): number {
    this.#lastSession += 1;
    return this.#lastSession;
  }

  query(session: number, sql: string, values: readonly unknown[] = []): Promise<StatementResult[]> {
    return this.request(session, 'query', sql, values);
  }

  /** Sends one request. @throws ServiceError `database_unavailable` when there is no thread, or it ends before the answer. */
  async request(
    session: number,
    kind: Request['kind'],
    sql = '',
    values: readonly unknown[] = [],
  ): Promise<StatementResult[]> {
    if (this.#closing.signal.aborted) throw new Error('The database has been closed.');
    const ends = kind === 'commit' || kind === 'rollback';
    if (this.#cutOff.has(session)) {
      if (ends) this.#cutOff.delete(session);
      if (kind === 'rollback') return [];
      throw unavailable('The embedded database stopped during this transaction, and none of it was saved.');
    }
    if (this.#thread === undefined) throw this.#refusal();
    if (kind === 'begin') this.#inTransaction.add(session);
    if (ends) this.#inTransaction.delete(session);
    try {
      const results = await this.#thread.request(session, kind, sql, values);
      if (results.some(changedRows) || kind === 'commit') this.#writes += 1;
      return results;
    } catch (error) {
      if (kind === 'begin') this.#inTransaction.delete(session);
      throw error;
    }
  }

  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onConnection?: (live: boolean) => void,
  ): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    const listener: Listener = { onMessage, onConnection };
    listeners.add(listener);
    const session = this.newSession();
    try {
      await this.query(session, `listen ${quoteName(channel)}`);
    } catch (error) {
      listeners.delete(listener);
      throw error;
    }
    onConnection?.(true);
    return async () => {
      listeners.delete(listener);
      // A thread that is gone has no LISTEN left to take back.
      if (listeners.size === 0 && this.#thread !== undefined)
        await this.query(session, `unlisten ${quoteName(channel)}`);
    };
  }

  async dump(): Promise<Uint8Array> {
    const bytes = (await this.request(this.newSession(), 'dump'))[0]?.rows[0]?.[0];
    if (!(bytes instanceof Uint8Array)) throw new Error('The embedded database gave no dump.');
    return bytes;
  }

  /** Waits for what is under way, then closes the database and ends the thread. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#reopening;
    const thread = this.#thread;
    this.#thread = undefined;
    // One that ends while it closes leaves the files as a power loss would: sound.
    await thread?.close().catch((error: unknown) => this.#log?.error({ err: error }, 'closing the embedded database'));
  }

  async #start(): Promise<void> {
    const thread = await EmbeddedThread.open(this.#options, {
      onNotification: (channel, payload) => {
        for (const { onMessage } of this.#listeners.get(channel) ?? []) onMessage(payload);
      },
      onEnd: (why) => this.#lost(why),
    });
    this.#thread = thread;
    this.#openedAtMs = performance.now();
  }

  #lost(why: Error): void {
    this.#thread = undefined;
    for (const session of this.#inTransaction) this.#cutOff.add(session);
    this.#inTransaction.clear();
    if (this.#closing.signal.aborted) return;
    this.#watch?.ended(why, { reason: 'crashed', remaining: 0 });
    this.#outage ??= { since: new Date(), reason: 'The embedded database stopped and is being opened again.' };
    this.#tell(false);
    if (performance.now() - this.#openedAtMs > LONGEST_REOPEN_MS) this.#attempts = 0;
    // One in memory is gone with its thread.
    if (this.#options.folder !== undefined)
      this.#reopening ??= this.#reopen().finally(() => (this.#reopening = undefined));
  }

  async #reopen(): Promise<void> {
    while (this.#thread === undefined && !this.#closing.signal.aborted) {
      const waitMs = REOPEN_MS[Math.min(this.#attempts, REOPEN_MS.length - 1)];
      this.#attempts += 1;
      const { signal } = this.#closing;
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#start();
        await this.#listenAgain();
        this.#outage = undefined;
        this.#watch?.ready();
        this.#log?.warn('the embedded database was opened again');
        this.#tell(true);
      } catch (error) {
        this.#log?.error({ err: error }, 'the embedded database could not be opened again');
      }
    }
  }

  #refusal(): ServiceError {
    const { folder } = this.#options;
    if (folder !== undefined && isFull(folder)) return storageFull(undefined);
    return unavailable(this.#outage?.reason ?? 'The embedded database is not open.');
  }

  async #listenAgain(): Promise<void> {
    for (const [channel, { size }] of this.#listeners)
      if (size > 0) await this.query(this.newSession(), `listen ${quoteName(channel)}`);
  }

  #tell(isLive: boolean): void {
    for (const listeners of this.#listeners.values()) for (const { onConnection } of listeners) onConnection?.(isLive);
  }
}

/** Receives what becomes of the database. */
interface ClientEvents {
  log?: Log | undefined;
  watch?: Watch | undefined;
}

interface Listener {
  onMessage: (payload: string) => void;
  onConnection: ((live: boolean) => void) | undefined;
}

/** Data that a `with` changes counts if the whole is no `select`. */
function changedRows({ command, rowCount }: StatementResult): boolean {
  return command !== 'SELECT' && command !== 'SHOW' && rowCount > 0;
}

/** The rows of all statements as objects, in order. */
export function rowsOf(results: readonly StatementResult[]): Record<string, unknown>[] {
  return results.flatMap(({ columns, rows }) =>
    rows.map((values) => {
      const row: Record<string, unknown> = {};
      for (const [index, column] of columns.entries()) row[column] = values[index];
      return row;
    }),
  );
}

function unavailable(reason: string): ServiceError {
  return new ServiceError('database_unavailable', reason, {
    fix: 'Try again in a few seconds; if it happens again, the log of the service says why.',
  });
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
