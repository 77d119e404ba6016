import { randomUUID } from 'node:crypto';
import { isErrorCode, ServiceError } from '../../kernel/errors.ts';
import { isUuid, uuidv7 } from '../../kernel/ids.ts';
import { DAY_MS } from '../../kernel/time.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import { expectedFailure } from '../../platform/failures.ts';
import type { Log } from '../../platform/log.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { FairTurns } from '../../platform/fair-turns.ts';
import { type ListedRun, type RunFilter, selectRuns, selectStepTimes } from './store-run-list.ts';
import {
  cancelRun,
  countAttempt,
  countOpenRuns,
  deleteRuns,
  endRun,
  extendHold,
  insertRun,
  insertStep,
  releaseLostRuns,
  releaseRuns,
  type RunRow,
  selectRun,
  selectSteps,
  takeAbandoned,
  updateStage,
} from './store-runs.ts';

export type { RunState } from './store-runs.ts';

const RETENTION_MS = 30 * DAY_MS;
/** Time without a sign of life after which a holder counts as gone; the next look takes the run over. */
const HOLD_MS = 20_000;
const BEAT_MS = 5_000;
/** Nothing that ends takes as long. */
const LONGEST_MS = 10 * 60_000;
/** Runs at a time in one process, over all keys, and unfinished ones of one key. */
const MOST_RUNNING = 3;
const MOST_OPEN = 10;
/** A step during which the process was lost so often is not begun again: it would end each process that does. */
const MOST_ATTEMPTS = 3;
/** Interval at which a run of another process is checked, and that at which the client is informed that it goes on. */
const LOOK_MS = 1_000;
const TELL_MS = 5_000;

/** Does a step and stores what it gives; when it was done before, gives that. */
type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Input and tools of a running workflow. */
export interface RunContext {
  input: Record<string, unknown>;
  caller: Caller;
  /** Aborts when the run is cancelled, lost to another process or takes longer than 10 minutes. */
  signal: AbortSignal;
  step: Step;
}

/** A list of steps. Between them nothing may be done that costs much or must not be done twice. */
export interface Workflow {
  kind: string;
  /** Names of the steps in their order, as people read them: what is being done. */
  steps: readonly string[];
  /**
   * Gives what is stored as the result: JSON. Steps give JSON too.
   * @throws ServiceError for what cannot get better; the run has failed with it.
   */
  run(context: RunContext): Promise<unknown>;
}

/** A run as callers see it, with what its finished steps gave. */
export interface RunView extends RunRow {
  steps: ReadonlyMap<string, unknown>;
}

/** A run that a process works on. */
type OpenRun = Pick<RunRow, 'accountId' | 'id' | 'productId' | 'keyId' | 'kind' | 'input' | 'stage'>;

/** A run with how it went. */
export interface RunTrace extends ListedRun {
  /** Steps of its workflow, in order; empty for a workflow that this process does not know. */
  planned: readonly string[];
  steps: { name: string; endedAt: Date; calls: string[] }[];
}

interface Waiter {
  caller: Tenant;
  /** Cancels the run when it aborts. */
  signal: AbortSignal;
  /** Longest time to wait. */
  waitMs: number;
  progress: (done: number, total: number, message: string) => void;
}

/** Runs of workflows that survive the process: every step is stored, and abandoned runs are taken over. */
export class Runs {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #log: Log;
  readonly #requireRun: (caller: Caller) => Promise<void>;
  readonly #holder = randomUUID();
  readonly #turns = new FairTurns(MOST_RUNNING);
  readonly #workflows = new Map<string, Workflow>();
  /** Runs of this process, by id. */
  readonly #here = new Map<string, { stop: AbortController; ended: Promise<void> }>();
  #isClosed = false;

  /** `requireRun` throws where the product may begin no further run. */
  constructor(parts: { db: Db; now: () => Date; log: Log; requireRun?: (caller: Caller) => Promise<void> }) {
    const { db, now, log, requireRun = async () => {} } = parts;
    this.#requireRun = requireRun;
    this.#db = db;
    this.#now = now;
    this.#log = log;
  }

  /** Makes a workflow known: before its first run, and in every process that is to continue its runs. */
  define(workflow: Workflow): void {
    this.#workflows.set(workflow.kind, workflow);
  }

  /**
   * Begins a run in this process and gives its id.
   *
   * @throws ServiceError `rate_limited` for a key with ten unfinished runs, `quota_reached`.
   */
  async start(caller: Caller, kind: string, input: Record<string, unknown>): Promise<string> {
    const { accountId, productId, keyId } = caller;
    await deleteRuns(this.#db, accountId, new Date(this.#now().getTime() - RETENTION_MS));
    if ((await countOpenRuns(this.#db, accountId, keyId)) >= MOST_OPEN) {
      throw new ServiceError('rate_limited', `This API key has ${MOST_OPEN} unfinished runs.`, {
        fix: 'Wait until one of them has ended, or cancel one.',
      });
    }
    await this.#requireRun(caller);
    const run = { accountId, id: uuidv7(this.#now()), productId, keyId, kind, input };
    await insertRun(this.#db, run, { holder: this.#holder, now: this.#now(), until: this.#later() });
    this.#begin({ ...run, stage: '' });
    return run.id;
  }

  /**
   * Waits for a run wherever it runs, takes it over when nobody works on it, and gives it as it is then. A run of this
   * call that the client cancels is cancelled.
   *
   * @throws ServiceError `run_not_found`; the reason of the signal when it aborts.
   */
  async wait(given: string, waiter: Waiter): Promise<RunView> {
    const { caller, signal, waitMs, progress } = waiter;
    const { id } = await this.view(caller, given);
    const until = performance.now() + waitMs;
    let reportedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const view = await this.view(caller, id);
      const left = until - performance.now();
      if (view.state !== 'running' || left <= 0) return view;
      if (performance.now() - reportedAt > TELL_MS) {
        progress(view.pct, 100, view.stage === '' ? 'waiting for a turn' : view.stage);
        reportedAt = performance.now();
      }
      if (!this.#here.has(id)) await this.#takeOver(id);
      await this.#pause(id, Math.min(left, LOOK_MS), signal);
      if (!signal.aborted) continue;
      await this.cancel(caller, id);
      throw signal.reason;
    }
  }

  /** @throws ServiceError `run_not_found` for one that is not of the product or is older than 30 days. */
  async view(caller: Tenant, given: string): Promise<RunView> {
    const row = await this.#find(caller, given);
    return { ...row, steps: await selectSteps(this.#db, row.accountId, row.id) };
  }

  /** Runs of a product, newest first, whoever began them. One query. */
  list(tenant: Tenant, filter: RunFilter): Promise<ListedRun[]> {
    return selectRuns(this.#db, tenant, filter);
  }

  /** Returns the trace of a run. @throws ServiceError as for `view`. */
  async trace(tenant: Tenant, given: string): Promise<RunTrace> {
    const row = await this.#find(tenant, given);
    const planned = this.#workflows.get(row.kind)?.steps ?? [];
    return { ...row, planned, steps: await selectStepTimes(this.#db, row.accountId, row.id) };
  }

  async #find(tenant: Tenant, given: string): Promise<RunRow> {
    const id = given.trim().replace(/^run:/, '').toLowerCase();
    const row = isUuid(id) ? await selectRun(this.#db, tenant, id) : undefined;
    if (row !== undefined) return row;
    throw new ServiceError('run_not_found', `There is no run "${given.slice(0, 80)}".`, {
      fix: 'Runs are kept for 30 days. Leave run_id out to start a new one.',
    });
  }

  /** Cancels a run that has not ended: at once when it runs here, else when its process looks next, within 5 s. */
  async cancel(caller: Tenant, id: string): Promise<void> {
    await cancelRun(this.#db, caller, id, this.#now());
    this.#here.get(id)?.stop.abort(new Error('The run was cancelled.'));
  }

  /** Continues runs that no process works on any more, as many as there are turns. */
  async resumeAbandoned(): Promise<void> {
    const most = MOST_RUNNING - this.#here.size;
    if (most > 0) await this.#take({ most });
  }

  /**
   * Looks for abandoned runs, now and then, until it is disposed of. Where no other process has the database (`isAlone`), all
   * that one before this held are abandoned: they go on at once.
   */
  resumeRegularly({ isAlone }: { isAlone: boolean }): Disposable {
    const warn = (err: unknown): void => this.#log.warn({ err }, 'abandoned runs were not looked for');
    const look = (): void => {
      this.resumeAbandoned().catch(warn);
    };
    if (isAlone) releaseLostRuns(this.#db, this.#holder, this.#now()).then(look, warn);
    else look();
    const timer = setInterval(look, HOLD_MS).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Stops what runs here and lets go of it: another process, or the next start, continues it at its next step. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { stop } of this.#here.values()) stop.abort(new Error('The service stops.'));
    await Promise.all(Array.from(this.#here.values(), ({ ended }) => ended));
    await releaseRuns(this.#db, this.#holder, this.#now());
  }

  #later(): Date {
    return new Date(this.#now().getTime() + HOLD_MS);
  }

  #takeOver(id: string): Promise<void> {
    return this.#take({ most: 1, id });
  }

  async #take(which: { most: number; id?: string }): Promise<void> {
    // Who still waits here would take back what was let go of.
    if (this.#isClosed) return;
    const holding = { holder: this.#holder, now: this.#now(), until: this.#later() };
    for (const run of await takeAbandoned(this.#db, { ...holding, ...which })) this.#begin(run);
  }

  #begin(run: OpenRun): void {
    const stop = new AbortController();
    const ended = this.#execute(run, stop)
      .catch((error: unknown) => this.#log.error({ err: error, run: run.id }, 'a run could not be ended'))
      .finally(() => this.#here.delete(run.id));
    this.#here.set(run.id, { stop, ended });
  }

  async #execute(run: OpenRun, stop: AbortController): Promise<void> {
    const holding = { accountId: run.accountId, id: run.id, holder: this.#holder };
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LONGEST_MS)]);
    const beat = setInterval(() => {
      extendHold(this.#db, holding, this.#later()).then(
        (isHeld) => isHeld || stop.abort(new Error('The run was cancelled, or another process works on it.')),
        (error: unknown) => this.#log.warn({ err: error, run: run.id }, 'a run could not be held'),
      );
    }, BEAT_MS).unref();
    try {
      const outcome = await this.#outcome(run, signal);
      // What was stopped is continued by another process, or was cancelled; both have written it already.
      if (!stop.signal.aborted) await endRun(this.#db, holding, { ...outcome, now: this.#now() });
    } finally {
      clearInterval(beat);
    }
  }

  async #outcome(
    run: OpenRun,
    signal: AbortSignal,
  ): Promise<{ state: 'done'; result: unknown } | { state: 'failed'; error: NonNullable<RunRow['error']> }> {
    try {
      return { state: 'done', result: await this.#turns.run(run.keyId, signal, () => this.#work(run, signal)) };
    } catch (error) {
      const failure = expectedFailure(error);
      if (failure === undefined && !signal.aborted) this.#log.error({ err: error, run: run.id }, 'a run failed');
      const { code = 'internal', message = 'The run failed by a fault of the service.' } = failure ?? {};
      return {
        state: 'failed',
        error: { code, message, fix: failure?.fix ?? 'Begin it again; the log of the service has the fault.' },
      };
    }
  }

  async #work(run: OpenRun, signal: AbortSignal): Promise<unknown> {
    const { accountId, productId, keyId, id, input } = run;
    const workflow = this.#workflows.get(run.kind);
    if (workflow === undefined) throw new Error(`There is no workflow ${run.kind}.`);
    const holding = { accountId, id, holder: this.#holder };
    const attempt = await countAttempt(this.#db, holding);
    if (attempt !== undefined && attempt > MOST_ATTEMPTS) throw lostTooOften(run);
    const done = await selectSteps(this.#db, accountId, id);
    const step: Step = async (name, work) => {
      // Under one name there is always what the same step gave.
      if (done.has(name)) return done.get(name) as Awaited<ReturnType<typeof work>>;
      signal.throwIfAborted();
      const pct = Math.round((100 * Math.max(0, workflow.steps.indexOf(name))) / workflow.steps.length);
      if (!(await updateStage(this.#db, holding, { stage: name, pct })))
        throw new Error('The run is not held any more.');
      const result = await work();
      signal.throwIfAborted();
      await insertStep(this.#db, holding, { name, result, now: this.#now() });
      done.set(name, result);
      return result;
    };
    // Workflows only read.
    const caller: Caller = { accountId, productId, keyId, scopes: ['read'] };
    return workflow.run({ input, caller, signal, step });
  }

  /** Until the run ends here, the time is over, or the signal aborts. */
  async #pause(id: string, ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const go = (): void => resolve(undefined);
    const timer = setTimeout(go, ms);
    signal.addEventListener('abort', go, { once: true });
    this.#here.get(id)?.ended.then(go, go);
    if (signal.aborted) go();
    await promise;
    clearTimeout(timer);
    signal.removeEventListener('abort', go);
  }
}

/** @throws ServiceError what a run failed with, and `run_not_found` for one of another workflow; `what` names its own. */
export function checkRun({ kind, id, error }: RunView, own: { kind: string; what: string }): void {
  if (kind !== own.kind)
    throw new ServiceError('run_not_found', `run:${id} is not ${own.what}.`, {
      fix: 'Ask the workflow that started it.',
    });
  if (error !== null)
    throw new ServiceError(isErrorCode(error.code) ? error.code : 'internal', error.message, { fix: error.fix });
}

function lostTooOften({ stage }: OpenRun): ServiceError {
  const when = stage === '' ? 'before the first step of this run' : `during the step “${stage}” of this run`;
  return new ServiceError('internal', `The service was killed or crashed ${MOST_ATTEMPTS} times ${when}.`, {
    fix: 'Most often it has too little memory: its log, or that of the system, says why it ended. Mend that, or ask for less, for example one repository; then start the workflow again.',
  });
}
