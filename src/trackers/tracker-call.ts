import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { type NetAnswer, type NetPolicy, netRequest } from '../platform/net.ts';

const MOST_ATTEMPTS = 3;
const FIRST_WAIT_MS = 1000;
/** A person waits for the answer: a tracker that asks for more patience is told about instead. */
const LONGEST_WAIT_MS = 20_000;
const LONGEST_EXCERPT = 300;

/** The connection to one tracker. */
export interface TrackerLine {
  /** As people call it: `GitHub`. */
  name: string;
  baseUrl: string;
  project: string;
  headers: Readonly<Record<string, string>>;
  /** Not sent to another origin, and never shown. */
  secretHeaders: Readonly<Record<string, string>>;
  net: NetPolicy;
  wait: (ms: number) => Promise<void>;
  now: () => Date;
}

export interface TrackerRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the base URL. */
  path: string;
  body?: object;
  /** It may be sent again when nobody knows whether it arrived. */
  isSafe: boolean;
}

export interface TrackerAnswer {
  status: number;
  /** Undefined when it was no JSON. */
  json: unknown;
}

/**
 * Sends a request. What the tracker puts off is sent again when it says so and that is within 20 s; a safe request also
 * after faults of the tracker or of the way to it; three times at most. Gives answers below 300, and 404 and 410.
 *
 * @throws ServiceError `upstream_failed` when nobody knows whether it arrived; otherwise nothing was done there:
 * `rate_limited`, `conflict` when the token or the project is not accepted, `bad_argument` for content that is not.
 */
export async function callTracker(line: TrackerLine, request: TrackerRequest): Promise<TrackerAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptCall(line, request);
    if ('answer' in outcome) return outcome.answer;
    const { error, waitMs = FIRST_WAIT_MS * 2 ** (attempt - 1) } = outcome;
    const mayRepeat = error.code === 'rate_limited' || (request.isSafe && error.code === 'upstream_failed');
    if (!mayRepeat || attempt === MOST_ATTEMPTS || waitMs > LONGEST_WAIT_MS) throw error;
    await line.wait(waitMs);
  }
}

type Outcome = { answer: TrackerAnswer } | { error: ServiceError; waitMs?: number | undefined };

async function attemptCall(line: TrackerLine, request: TrackerRequest): Promise<Outcome> {
  const { net, baseUrl, headers, secretHeaders, now } = line;
  const { method, path, body } = request;
  let sent: NetAnswer;
  try {
    sent = await netRequest(net, {
      method,
      url: `${baseUrl}${path}`,
      headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'svc', ...headers },
      secretHeaders,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (error instanceof ServiceError) return { error };
    throw error;
  }
  const json = parseJson(sent.text);
  const waitMs = readWaitMs(sent.headers, now());
  if (isPutOff(sent, json)) return { error: putOff(line, waitMs), waitMs };
  if (sent.status < 300 || sent.status === 404 || sent.status === 410) return { answer: { status: sent.status, json } };
  const status = hasCode(json, 'AUTHENTICATION_ERROR') ? 401 : sent.status;
  return { error: refusal(line, status, excerptOf(line, json)), waitMs };
}

/** GitHub says 403 for its limits, Linear 400 with a code of its own; both have done nothing then. */
function isPutOff({ status, headers }: NetAnswer, json: unknown): boolean {
  if (status === 429) return true;
  if (status === 403) return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
  return status < 500 && hasCode(json, 'RATELIMITED');
}

/** True if an error of a GraphQL answer has this code. Within texts the quotes would be escaped. */
function hasCode(json: unknown, code: string): boolean {
  return JSON.stringify(json ?? null).includes(`"code":"${code}"`);
}

/** Limits that answers tell of, each with what remains and when it is lifted. Linear has one for each of three things. */
const LIMITS = [
  'x-ratelimit',
  'ratelimit',
  'x-ratelimit-requests',
  'x-ratelimit-complexity',
  'x-ratelimit-endpoint-requests',
];

/**
 * Returns how long the tracker requests to wait: `Retry-After` in seconds or as a date (RFC 9110), or until its limit is
 * lifted.
 */
export function readWaitMs(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const after = headers['retry-after'];
  if (after !== undefined) {
    const ms = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now.getTime();
    return Number.isNaN(ms) ? undefined : Math.max(0, ms);
  }
  const waits = LIMITS.flatMap((limit) => {
    const at = Number(headers[`${limit}-reset`] ?? NaN);
    if (Number.isNaN(at) || headers[`${limit}-remaining`] !== '0') return [];
    // Seconds since 1970, or milliseconds where the number is too large for them.
    return [Math.max(0, (at > 1e11 ? at : at * 1000) - now.getTime())];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function putOff({ name }: TrackerLine, waitMs: number | undefined): ServiceError {
  const when = waitMs === undefined ? 'in a few minutes' : `in ${Math.ceil(waitMs / 1000)} s`;
  return new ServiceError('rate_limited', `${name} accepts no more requests with this token for now.`, {
    fix: `Try again ${when}. Nothing was sent.`,
  });
}

function refusal({ name, project }: TrackerLine, status: number, detail: string): ServiceError {
  if (status === 401) {
    return new ServiceError('conflict', `${name} does not accept the token (401)${detail}.`, {
      fix: 'Make a new token there and connect the tracker again with it.',
    });
  }
  if (status === 403) {
    return new ServiceError('conflict', `The token is not allowed to do this at ${name} (403)${detail}.`, {
      fix: `Give it read and write access to the issues of ${project}, or connect again with another token.`,
    });
  }
  if (status >= 400 && status < 500 && status !== 408) {
    return new ServiceError('bad_argument', `${name} refused the request (${status})${detail}.`, {
      fix: 'Change what it complains about, then try again.',
    });
  }
  return new ServiceError('upstream_failed', `${name} answered ${status}${detail}.`, {
    fix: 'Try again in a few minutes: if the issue was made after all, the service then finds it.',
  });
}

/** Returns the tracker's own message, on one line; '' when there is none that can be shown. */
function excerptOf({ secretHeaders }: TrackerLine, json: unknown): string {
  if (typeof json !== 'object' || json === null) return '';
  const { message, error, errors, errorMessages } = json as Record<string, unknown>;
  const parts = [message, error, errorMessages, errors].filter((part) => part !== undefined && part !== null);
  const words = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
  const safe = Object.values(secretHeaders).reduce((text, secret) => text.replaceAll(secret, '****'), words);
  const line = safe.replaceAll(/\s+/g, ' ').slice(0, LONGEST_EXCERPT);
  return line === '' ? '' : `: ${line}`;
}

/**
 * Parses the tracker's answer.
 *
 * @throws ServiceError `upstream_failed` when it does not have the expected form: something else answers at that address, or
 * its API changed.
 */
export function readAnswer<Value>(
  line: Pick<TrackerLine, 'name' | 'baseUrl'>,
  schema: { safeParse: (json: unknown) => { success: true; data: Value } | { success: false } },
  json: unknown,
): Value {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  throw new ServiceError('upstream_failed', `${line.baseUrl} did not answer like ${line.name}.`, {
    fix: 'Check the address of the tracker.',
  });
}

/** Reads a list of the project. @throws ServiceError `conflict` where the project is not there, and what `callTracker` throws. */
export async function listOf<Value>(
  line: TrackerLine,
  path: string,
  schema: { safeParse: (json: unknown) => { success: true; data: Value } | { success: false } },
): Promise<Value> {
  const { status, json } = await callTracker(line, { method: 'GET', path, isSafe: true });
  if (status >= 300) throw unknownProject(line);
  return readAnswer(line, schema, json);
}

/** The project is not there for this token. */
export function unknownProject({ name, project }: Pick<TrackerLine, 'name' | 'project'>): ServiceError {
  return new ServiceError('conflict', `${name} has no "${project}", or the token has no access to it.`, {
    fix: 'Check the name, that issues are enabled there, and the permissions of the token.',
  });
}

/** The tracker answers as if it had no such thing as links between issues. */
export function withoutLinks({ name }: Pick<TrackerLine, 'name'>): ServiceError {
  return new ServiceError('conflict', `${name} has no sub-issues or links between issues here.`, {
    fix: 'Link the issues there, or update the tracker.',
  });
}
