import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../kernel/errors.ts';
import type { ErrorFields, OpenOptions, Reply, Request, StatementResult } from './protocol.ts';
import { storageFull } from '../failures.ts';
import { workerUrl } from '../threads.ts';

/** Length of the engine's last output that is reported when it dies. */
const LAST_WORDS_BYTES = 2_000;

interface Waiting {
  resolve: (results: StatementResult[]) => void;
  reject: (error: Error) => void;
}

interface ThreadEvents {
  onNotification: (channel: string, payload: string) => void;
  /** Called once when the thread is gone and its files are released; not when it was closed or never opened the database. */
  onEnd: (why: Error) => void;
}

/** One run of the embedded database in a thread of its own. Several requests may be under way; the thread orders them. */
export class EmbeddedThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  readonly #ready = Promise.withResolvers<void>();
  #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | undefined;
  #state: 'opening' | 'open' | 'closed' = 'opening';
  #lastWords = '';

  /** Starts the thread and opens the database in it. Rejects when the engine cannot, with the thread gone. */
  static async open(options: OpenOptions, events: ThreadEvents): Promise<EmbeddedThread> {
    const thread = new EmbeddedThread(options, events);
    await thread.#ready.promise;
    thread.#worker.unref();
    return thread;
  }

  private constructor(options: OpenOptions, events: ThreadEvents) {
    this.#events = events;
    this.#worker = new Worker(workerUrl(import.meta, './worker'), {
      workerData: options,
      stdout: true,
      stderr: true,
      execArgv: [],
    });
    // The engine prints to these when it dies; nothing else reads them.
    this.#worker.stdout.on('data', (chunk: Buffer) => this.#keepWords(chunk));
    this.#worker.stderr.on('data', (chunk: Buffer) => this.#keepWords(chunk));
    this.#worker.on('message', (reply: Reply) => this.#receive(reply));
    // An exit follows. Until then the thread has the files.
    this.#worker.on('error', (error: Error) => (this.#failure ??= error));
    this.#worker.on('exit', () => this.#end());
  }

  /** Sends one request. A pending request keeps the process alive, an idle database does not. */
  request(session: number, kind: Request['kind'], sql: string, values: readonly unknown[]): Promise<StatementResult[]> {
    if (this.#state === 'closed') return Promise.reject(stoppedInCall(this.#failure));
    this.#lastId += 1;
    const request: Request = { id: this.#lastId, session, kind, sql, values };
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>();
    this.#waiting.set(request.id, { resolve, reject });
    this.#worker.ref();
    this.#worker.postMessage(request, []);
    return promise;
  }

  /** Waits for what is under way, then closes the database and ends the thread. */
  async close(): Promise<void> {
    await this.request(0, 'close', '', []);
    this.#state = 'closed';
    await this.#worker.terminate();
  }

  #receive(reply: Reply): void {
    switch (reply.kind) {
      case 'ready':
        this.#state = 'open';
        this.#ready.resolve();
        return;
      case 'dying':
        this.#failure ??= new Error(reply.words);
        return;
      case 'notification':
        this.#events.onNotification(reply.channel, reply.payload);
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

  #end(): void {
    const wasOpen = this.#state === 'open';
    this.#state = 'closed';
    const reason = `${this.#failure?.message ?? 'its thread ended'} ${this.#lastWords}`.trim();
    const why = new Error(`The embedded database stopped: ${reason}`, { cause: this.#failure });
    this.#failure = why;
    this.#ready.reject(why);
    // One error each: a receiver may write into it.
    for (const { reject } of this.#waiting.values()) reject(stoppedInCall(why));
    this.#waiting.clear();
    if (wasOpen) this.#events.onEnd(why);
  }

  #keepWords(chunk: Buffer): void {
    this.#lastWords = (this.#lastWords + chunk.toString('utf8')).slice(-LAST_WORDS_BYTES);
  }
}

function stoppedInCall(cause: Error | undefined): ServiceError {
  if (/no space left on device|disk quota exceeded/i.test(cause?.message ?? '')) return storageFull(cause);
  return new ServiceError('database_unavailable', 'The embedded database stopped during the call.', {
    fix: 'It is being opened again: check whether the change was made, and try again in a few seconds.',
    cause,
  });
}

/** The same fields that `pg` puts on its errors: `code`, `constraint`, `detail` and so on. */
function databaseError({ message, ...fields }: ErrorFields): Error {
  return Object.assign(new Error(message), fields);
}
