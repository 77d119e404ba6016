import { constants, cpSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { PGlite, type Results } from '@electric-sql/pglite';
import { SyncedFolder, SYNCING } from './files.ts';
import { Statements } from './statements.ts';
import { WalSync } from './wal.ts';
import type { ErrorFields, OpenOptions, Reply, Request, StatementResult } from './protocol.ts';
import { VALUE_PARSERS } from '../db-types.ts';

/** Measured: 224 MB of resident memory instead of 365 MB with the default of 128 MB, at the same time per query. */
const SHARED_BUFFERS = '16MB';

/** A plan is made for the values of a run and what the tables hold then: one that was made for empty tables would stay. */
const PLANNING = 'plan_cache_mode=force_custom_plan';

/**
 * The engine's code is compiled once and quickly, and not optimised later: its parser of SQL is one function that takes
 * 1 s and 600 MB to optimise, and short queries take the same time without.
 */
const PLAIN_CODE = ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'];

/** Statements after which there is nothing to make durable. Writes hidden in a function wait for the next flush. */
const READS_ONLY = /^\s*(select|show|explain|values|set|listen|unlisten|fetch|declare|table)\b/i;

/** Commands that may change the columns that a statement returns: the engine refuses it under its name then. */
const CHANGES_SCHEMA = new Set(['ALTER', 'CREATE', 'DO', 'DROP']);

const ERROR_FIELDS = ['message', 'code', 'severity', 'detail', 'hint', 'schema', 'table', 'column', 'constraint'];

/**
 * Serves one database to the thread that started this one. Requests are done one at a time in the order they came,
 * except that those of a session in a transaction go before everybody else's.
 */
class EmbeddedServer {
  readonly #lite: PGlite;
  readonly #statements: Statements;
  readonly #port: MessagePort;
  readonly #options: OpenOptions;
  readonly #wal: WalSync | undefined;
  #waiting: Request[] = [];
  #working = false;
  #transaction: { session: number; wrote: boolean; changesSchema: boolean; failed: boolean } | undefined;
  /** Sessions whose transaction was rolled back because it was idle. */
  #expired = new Set<number>();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(lite: PGlite, port: MessagePort, options: OpenOptions) {
    this.#lite = lite;
    this.#statements = new Statements(lite);
    this.#port = port;
    this.#options = options;
    this.#wal = options.folder === undefined ? undefined : new WalSync(options.folder);
  }

  serve(): void {
    this.#lite.onNotification((channel, payload) => this.#post({ kind: 'notification', channel, payload }));
    this.#port.on('message', (request: Request) => {
      this.#waiting.push(request);
      this.#work().catch(endThread);
    });
    this.#post({ kind: 'ready' });
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let request = this.#next(); request !== undefined; request = this.#next()) {
      clearTimeout(this.#idleTimer);
      await this.#answer(request);
      if (this.#transaction !== undefined) this.#expireWhenIdle(this.#transaction.session);
    }
    this.#working = false;
  }

  #next(): Request | undefined {
    const owner = this.#transaction?.session;
    const index = owner === undefined ? 0 : this.#waiting.findIndex((request) => request.session === owner);
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  async #answer(request: Request): Promise<void> {
    try {
      const { results, wrote } = await this.#run(request);
      const reply = (): void => this.#post({ kind: 'result', id: request.id, results });
      if (wrote && this.#wal !== undefined) this.#wal.flush(reply, endThread);
      else reply();
    } catch (error) {
      // The engine itself broke, not the statement: nothing after this would be right.
      if (error instanceof Error && error.name === 'RuntimeError') return endThread(error);
      if (this.#transaction !== undefined) this.#transaction.failed = true;
      else await this.#lite.exec('rollback').catch(endThread);
      this.#post({ kind: 'error', id: request.id, error: fieldsOf(error) });
    }
  }

  /** Does one request. `wrote` says that something was committed that must reach the disk before the answer. */
  async #run(request: Request): Promise<{ results: StatementResult[]; wrote: boolean }> {
    if (this.#expired.has(request.session)) return this.#runExpired(request);
    switch (request.kind) {
      case 'begin':
        await this.#lite.exec(request.sql);
        this.#transaction = { session: request.session, wrote: false, changesSchema: false, failed: false };
        return { results: [], wrote: false };
      case 'commit':
      case 'rollback':
        return this.#endTransaction(request.kind);
      case 'query':
        return this.#query(request);
      case 'checkpoint':
        await this.#checkpoint();
        return { results: [], wrote: false };
      case 'vacuum':
        await this.#lite.exec('vacuum (analyze)');
        return { results: [], wrote: true };
      case 'copy':
        await this.#copy(request.sql);
        return { results: [], wrote: false };
      case 'dump':
        return { results: [await this.#dump()], wrote: false };
      case 'close':
        await this.#checkpoint();
        await this.#lite.close();
        this.#port.unref();
        return { results: [], wrote: false };
    }
  }

  async #query({ sql, values }: Request): Promise<{ results: StatementResult[]; wrote: boolean }> {
    const results =
      values.length > 0
        ? [await this.#statements.run(sql, values)]
        : // The simple protocol, as `pg` uses it without values: it takes several statements at once.
          ((await this.#lite.exec(sql, { rowMode: 'array' })) as Results<unknown[]>[]);
    const changesSchema = results.some(({ command = '' }) => CHANGES_SCHEMA.has(command));
    if (changesSchema) await this.#statements.forget();
    const wrote =
      values.length === 0 ? results.some((result) => !READS_ONLY.test(result.command ?? sql)) : !READS_ONLY.test(sql);
    if (this.#transaction === undefined) return { results: results.map(toStatementResult), wrote };
    this.#transaction.wrote ||= wrote;
    this.#transaction.changesSchema ||= changesSchema;
    if (/^\s*rollback to\b/i.test(sql)) this.#transaction.failed = false;
    return { results: results.map(toStatementResult), wrote: false };
  }

  async #endTransaction(kind: 'commit' | 'rollback'): Promise<{ results: StatementResult[]; wrote: boolean }> {
    const { wrote = false, changesSchema = false, failed = false } = this.#transaction ?? {};
    this.#transaction = undefined;
    await this.#lite.exec(failed ? 'rollback' : kind);
    if (changesSchema) await this.#statements.forget();
    if (failed && kind === 'commit') throw new Error('The transaction was rolled back: a query in it had failed.');
    return { results: [], wrote: wrote && kind === 'commit' };
  }

  async #runExpired(request: Request): Promise<{ results: StatementResult[]; wrote: boolean }> {
    if (request.kind === 'commit' || request.kind === 'rollback') this.#expired.delete(request.session);
    if (request.kind === 'rollback') return { results: [], wrote: false };
    throw new Error(
      `The transaction was rolled back because it sent nothing for ${this.#options.idleTransactionMs} ms. ` +
        'Was a query inside it sent to the outer `db`? That one waits for the transaction.',
    );
  }

  #expireWhenIdle(session: number): void {
    this.#idleTimer = setTimeout(() => {
      this.#expire(session).catch(endThread);
    }, this.#options.idleTransactionMs);
  }

  async #expire(session: number): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    this.#expired.add(session);
    await this.#endTransaction('rollback').finally(() => (this.#working = false));
    await this.#work();
  }

  /** Makes a checkpoint, after the writes that are being made durable: it renames and removes segments of the log. */
  async #checkpoint(): Promise<void> {
    await this.#wal?.idle();
    await this.#lite.exec('checkpoint');
  }

  /** Copies the files of the database, which nobody writes meanwhile. Where the file system shares blocks, nothing is copied. */
  async #copy(target: string): Promise<void> {
    if (this.#options.folder === undefined) throw new Error('A database in memory has no files.');
    await this.#checkpoint();
    cpSync(this.#options.folder, target, { recursive: true, mode: constants.COPYFILE_FICLONE });
  }

  async #dump(): Promise<StatementResult> {
    const dump = await this.#lite.dumpDataDir('none');
    return { command: '', rowCount: 1, columns: ['bytes'], rows: [[new Uint8Array(await dump.arrayBuffer())]] };
  }

  #post(reply: Reply): void {
    this.#port.postMessage(reply, []);
  }
}

function toStatementResult({ command = '', rowCount = 0, fields, rows }: Results<unknown[]>): StatementResult {
  return { command, rowCount, columns: fields.map((field) => field.name), rows };
}

function fieldsOf(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { message: String(error) };
  const fields = Object.entries(Object.getOwnPropertyDescriptors(error)).flatMap(([name, { value }]) =>
    ERROR_FIELDS.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(fields), message: error.message };
}

/**
 * Ends the thread. After a failed write to the disk it is unknown what is on it: the database must be opened again from what
 * is.
 */
function endThread(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** PostgreSQL gave up (a PANIC): the thread ends here, in the middle of whatever called the engine. */
function die(port: MessagePort, words: string): void {
  const reply: Reply = { kind: 'dying', words };
  port.postMessage(reply, []);
  process.exit(1);
}

async function start(port: MessagePort, options: OpenOptions): Promise<void> {
  for (const flag of PLAIN_CODE) setFlagsFromString(flag);
  const lite = await PGlite.create({
    ...(options.folder !== undefined && { fs: new SyncedFolder(options.folder, (words) => die(port, words)) }),
    ...(options.template !== undefined && { loadDataDir: new Blob([new Uint8Array(options.template)]) }),
    parsers: { ...VALUE_PARSERS },
    startParams: [...SYNCING, '-c', `shared_buffers=${SHARED_BUFFERS}`, '-c', PLANNING],
  });
  new EmbeddedServer(lite, port, options).serve();
}

if (parentPort !== null) await start(parentPort, workerData as OpenOptions);
