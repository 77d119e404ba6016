import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import { ERROR_CODES, ServiceError } from '../kernel/errors.ts';
import { describeUnread } from '../mcp/content-negotiation.ts';
import { expectedFailure, reasonOf } from '../platform/failures.ts';
import { QuotaReached } from '../platform/quotas.ts';
import type { WebEnv } from '../platform/web.ts';

const APP_PATH = '/app/';

/** Status that is counted for requests whose client left; no client gets it. */
const CLIENT_GONE = 499;

/**
 * The one place where a failure becomes an HTTP answer. A bug is logged whole, what the disk or the database did in a
 * line; the client gets the request id of both.
 */
export function respondWithError(c: Context<WebEnv>, error: unknown, log: Logger): Response {
  const requestId = c.get('requestId');
  const request = { request_id: requestId, method: c.req.method, path: c.req.path };
  if (isClientGone(c, error)) {
    log.debug(request, 'the client left before its answer');
    return new Response(null, { status: CLIENT_GONE });
  }
  const serviceError = expectedError(error, c.req.header('content-type'));
  if (serviceError === undefined) log.error({ err: error, ...request }, 'a request failed');
  else if (serviceError.status >= 500)
    log.warn({ code: serviceError.code, reason: reasonOf(serviceError), ...request }, 'a request failed');
  const failure = serviceError ?? fault();
  c.set('refusal', failure.code);
  if (failure.status === 401) {
    // Pages need a session; a challenge is about keys.
    if (!c.req.path.startsWith(APP_PATH)) c.header('WWW-Authenticate', challenge(failure));
    c.header('Cache-Control', 'no-store');
  }
  if (failure instanceof QuotaReached) addLimitHeaders(c, failure);
  const code = restCode(failure);
  const { message, fix, fields } = failure;
  return c.json(
    { error: { code, message, fix, request_id: requestId, ...(fields !== undefined && { fields }) } },
    // The table holds failures only; none of them has a status without a body.
    failure.status as ContentfulStatusCode,
  );
}

/** True if nobody waits any more, and the failure is only that: a call that was cancelled, a body that never came whole. */
function isClientGone(c: Context<WebEnv>, error: unknown): boolean {
  const { signal } = c.req.raw;
  const incoming = c.env?.incoming;
  // A request that came whole is destroyed too, once it was read.
  const isCutOff = incoming?.destroyed === true && !incoming.complete;
  if (!isCutOff && !signal.aborted) return false;
  return error === signal.reason || !(error instanceof ServiceError);
}

/** Adds what a product or a key used up to the limits of its requests. */
function addLimitHeaders(c: Context<WebEnv>, { policy, limit, resetSeconds }: QuotaReached): void {
  c.header('RateLimit-Policy', `"${policy}";q=${limit}`, { append: true });
  c.header('RateLimit', `"${policy}";r=0${resetSeconds === undefined ? '' : `;t=${resetSeconds}`}`, { append: true });
  if (resetSeconds !== undefined) c.header('Retry-After', String(resetSeconds));
}

function restCode(error: ServiceError): string {
  const entry = ERROR_CODES[error.code];
  return 'rest' in entry ? entry.rest : error.code;
}

function challenge(error: ServiceError): string {
  return error.code === 'missing_credential' ? 'Bearer realm="svc"' : 'Bearer realm="svc", error="invalid_token"';
}

function expectedError(error: unknown, contentType: string | undefined): ServiceError | undefined {
  if (!(error instanceof HTTPException) || error.status >= 500) return expectedFailure(error);
  if (error.status === 415) {
    const message = describeUnread(contentType);
    return new ServiceError('unsupported_media_type', message, {
      fix: 'Send the header "Content-Type: application/json".',
      cause: error,
    });
  }
  return new ServiceError(error.status === 413 ? 'too_large' : 'bad_argument', error.message || 'Bad request.', {
    fix: 'See /v1/openapi.json for what this route accepts.',
    cause: error,
  });
}

function fault(): ServiceError {
  return new ServiceError('internal', 'The service could not answer because of a fault.', {
    fix: 'Try again; if it fails again, look for the request_id in the log of the service.',
  });
}
