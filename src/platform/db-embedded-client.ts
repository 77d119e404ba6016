import { Worker } from 'node:worker_threads';
import type { ErrorFields, OpenOptions, Reply, Request, StatementResult } from './db-embedded-protocol.ts';
import { workerUrl } from './threads.ts';

/** How much of what the engine printed is told when it dies. */
const LAST_WORDS_BYTES = 2_000;

interface Waiting {
  resolve: (results: StatementResult[]) => void;
  reject: (error: Error) => void;
}

/** The main thread's end of the embedded database. Several requests may be under way; the thread orders them. */
export class EmbeddedClient {
  readonly #worker: Worker;
  #waiting = new Map<number, Waiting>();
  #listeners = new Map<string, Set<(payload: string) => void>>();
  #lastId = 0;
  #lastSession = 0;
  #ended: Error | undefined;
  #lastWords = '';
  readonly #ready = Promise.withResolvers<void>();

  /** Starts the thread and opens the database in it. Rejects when the engine cannot. */
  static async open(options: OpenOptions): Promise<EmbeddedClient> {
    const client = new EmbeddedClient(options);
    await client.#ready.promise;
    client.#worker.unref();
    return client;
  }

  private constructor(options: OpenOptions) {
    this.#worker = new Worker(workerUrl(import.meta, './db-embedded-worker'), {
      workerData: options,
      stdout: true,
      stderr: true,
      execArgv: [],
    });
    // The engine prints to these when it dies; nobody reads them otherwise.
    this.#worker.stdout.on('data', (chunk: Buffer) => this.#keepWords(chunk));
    this.#worker.stderr.on('data', (chunk: Buffer) => this.#keepWords(chunk));
    this.#worker.on('message', (reply: Reply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('its thread ended')));
  }

  newSession(): number {
    this.#lastSession += 1;
    return this.#lastSession;
  }

  query(session: number, sql: string, values: readonly unknown[] = []): Promise<StatementResult[]> {
    return this.request(session, 'query', sql, values);
  }

  /** Sends one request. A pending request keeps the process alive, an idle database does not. */
  request(
    session: number,
    kind: Request['kind'],
    sql = '',
    values: readonly unknown[] = [],
  ): Promise<StatementResult[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#lastId += 1;
    const request: Request = { id: this.#lastId, session, kind, sql, values };
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>();
    this.#waiting.set(request.id, { resolve, reject });
    this.#worker.ref();
    this.#worker.postMessage(request, []);
    return promise;
  }

  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onConnection?: (live: boolean) => void,
  ): Promise<() => Promise<void>> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    // A function of our own, so that the same `onMessage` can listen twice.
    const listener = (payload: string): void => onMessage(payload);
    listeners.add(listener);
    const session = this.newSession();
    await this.query(session, `listen ${quoteName(channel)}`);
    onConnection?.(true);
    return async () => {
      listeners.delete(listener);
      if (listeners.size === 0) await this.query(session, `unlisten ${quoteName(channel)}`);
    };
  }

  async dump(): Promise<Uint8Array> {
    const bytes = (await this.request(this.newSession(), 'dump'))[0]?.rows[0]?.[0];
    if (!(bytes instanceof Uint8Array)) throw new Error('The embedded database gave no dump.');
    return bytes;
  }

  /** Waits for what is under way, then closes the database and ends the thread. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    await this.request(this.newSession(), 'close');
    this.#ended = new Error('The database has been closed.');
    await this.#worker.terminate();
  }

  #receive(reply: Reply): void {
    switch (reply.kind) {
      case 'ready':
        this.#ready.resolve();
        return;
      case 'notification':
        for (const listener of this.#listeners.get(reply.channel) ?? []) listener(reply.payload);
        return;
      case 'result':
        this.#settle(reply.id)?.resolve(reply.results);
        return;
      case 'error':
        this.#settle(reply.id)?.reject(databaseError(reply.error));
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref();
    return waiting;
  }

  #end(error: Error): void {
    this.#ended ??= new Error(`The embedded database stopped: ${error.message} ${this.#lastWords}`.trim(), {
      cause: error,
    });
    this.#ready.reject(this.#ended);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  #keepWords(chunk: Buffer): void {
    this.#lastWords = (this.#lastWords + chunk.toString('utf8')).slice(-LAST_WORDS_BYTES);
  }
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

/** The same fields that `pg` puts on its errors: `code`, `constraint`, `detail` and so on. */
function databaseError({ message, ...fields }: ErrorFields): Error {
  return Object.assign(new Error(message), fields);
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
