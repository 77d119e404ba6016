import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { NotYet, ServiceError } from '../kernel/errors.ts';
import { expectedFailure } from '../platform/failures.ts';
import { runWork } from '../platform/last-resort.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Answer, AnyOperation, Caller, CallContext } from '../platform/operation/operation.ts';
import { visible } from '../kernel/visible.ts';
import { readArguments } from './arguments.ts';

/** A call that is not answered by then is stopped: clients give up at 60 s. */
const CALL_LIMIT_MS = 45_000;
/** Interval at which a call checks whether what it waits for is there. Repositories are in memory: it costs next to nothing. */
const AGAIN_MS = 250;
/** A call that takes longer is in the log. */
export const SLOW_SECONDS = 5;
/** Part of the limit that is reserved for the answer itself. */
const ANSWER_MS = 5_000;

/** Context and limits of one call, whatever the door it came through. */
export interface CallRequest extends CallContext {
  /** True if the client receives progress, and so waits for what is being made. */
  waits?: boolean;
  /** Overrides the 45 s limit. */
  limitMs?: number;
  /** All operations that the caller has: an action of another one is named. */
  operations?: readonly AnyOperation[];
}

export interface CallResult extends Answer {
  /** The form that the caller requested. */
  format: 'text' | 'json';
}

interface CountedRequest extends CallRequest {
  countCall?: Metrics['countToolCall'] | undefined;
  log?: Pick<Logger, 'warn'>;
  /** Stands in the log for the call. */
  requestId?: string;
  slowSeconds?: number;
}

/**
 * `callOperation`, counted: by operation, action and how it ended; one that took long is in the log. Every door calls operations
 * through this.
 */
export async function countedCall(
  operation: AnyOperation,
  given: unknown,
  context: CountedRequest,
): Promise<CallResult> {
  const startedMs = performance.now();
  const count = (outcome: string, freshness?: string): void => {
    const seconds = (performance.now() - startedMs) / 1000;
    const action = actionOf(operation, given);
    context.countCall?.({
      operation: operation.name,
      action,
      outcome,
      seconds,
      ...(freshness !== undefined && { freshness }),
    });
    if (seconds < (context.slowSeconds ?? SLOW_SECONDS)) return;
    const call = { request_id: context.requestId, operation: operation.name, action, outcome, seconds };
    context.log?.warn(call, 'a call was slow');
  };
  try {
    const result = await callOperation(operation, given, context);
    count('ok', indexState(result));
    return result;
  } catch (error) {
    count(expectedFailure(error)?.code ?? (context.signal.aborted ? 'cancelled' : 'internal'));
    throw error;
  }
}

/** The state of the index that an answer is from; undefined when it is about no repository. */
function indexState({ json }: Answer): string | undefined {
  const state = (json['index'] as { state?: unknown } | undefined)?.state;
  return typeof state === 'string' ? state : undefined;
}

/** The action, if it is one of the operation's: what clients make up must not become a label. */
function actionOf(operation: AnyOperation, given: unknown): string {
  const schema: unknown = operation.input.shape['action'];
  const action = (given as { action?: unknown } | undefined)?.action;
  return schema instanceof z.ZodEnum && schema.safeParse(action).success ? String(action) : '';
}

/**
 * Runs one operation for a caller: scope, arguments, time limit, and the note about ignored arguments.
 *
 * Returns when the operation does; when the signal aborts or the limit passes it returns at once, and the operation is
 * told by its own signal.
 *
 * @throws ServiceError `scope_denied`, `bad_argument`, `timed_out` for a call that takes too long, and what the operation throws; the signal's reason when the client cancelled.
 */
export async function callOperation(
  operation: AnyOperation,
  given: unknown,
  context: CallRequest,
): Promise<CallResult> {
  requireScope(operation, context.caller);
  const { args, notes } = readArguments(operation, given, context.operations);
  const answer = await runWithinLimit(operation, args, context);
  return {
    ...addNotes(answer, notes),
    format: args['format'] === 'json' ? 'json' : 'text',
  };
}

function requireScope(operation: AnyOperation, caller: Caller): void {
  if (caller.scopes.includes(operation.scope)) return;
  throw new ServiceError(
    'scope_denied',
    `${operation.name} needs the scope "${operation.scope}", which this API key does not have.`,
    {
      fix: `create an API key with the scope "${operation.scope}" and use it for this server`,
    },
  );
}

async function runWithinLimit(
  operation: AnyOperation,
  args: Record<string, unknown>,
  context: CallRequest,
): Promise<Answer> {
  const limitMs = context.limitMs ?? CALL_LIMIT_MS;
  context.signal.throwIfAborted();
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    stop.abort(reason);
    stopped.reject(reason);
  };
  const onAbort = (): void => end(context.signal.reason);
  context.signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => end(tooSlow(operation, limitMs)), limitMs);
  try {
    const { caller, now, progress } = context;
    const run = () => runWork(end, () => operation.run({ caller, now, progress, signal: stop.signal }, args));
    const untilMs = performance.now() + limitMs - ANSWER_MS;
    const running = context.waits === true ? retryUntilMade(run, { progress, untilMs, signal: stop.signal }) : run();
    return await Promise.race([running, stopped.promise]);
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Repeats work until the requested index is there: that of a repository that was just added. Where that takes longer than the
 * call may, it fails as it would have at once.
 */
async function retryUntilMade(
  run: () => Promise<Answer>,
  { progress, untilMs, signal }: Pick<CallContext, 'progress' | 'signal'> & { untilMs: number },
): Promise<Answer> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof NotYet) || signal.aborted || performance.now() + AGAIN_MS > untilMs) throw error;
      const { done, total, message } = error.progress;
      progress(done, total, message);
    }
    await delay(AGAIN_MS, undefined, { signal });
  }
}

function tooSlow(operation: AnyOperation, limitMs: number): ServiceError {
  return new ServiceError('timed_out', `${operation.name} gave no answer within ${limitMs / 1000} s and was stopped.`, {
    fix: 'repeat the call; if it happens again, ask for less: name a path or a repo, or pass a smaller limit',
  });
}

/** Notes go last in the text, so that the header line stays first, and into `notes`. */
function addNotes(answer: Answer, more: readonly string[]): Answer {
  if (more.length === 0) return answer;
  const notes = Array.isArray(answer.json['notes']) ? (answer.json['notes'] as unknown[]) : [];
  const text = [answer.text, ...more.map((note) => `note: ${visible(note)}`)].join('\n');
  return { text, json: { ...answer.json, notes: [...notes, ...more] } };
}
