import type { MiddlewareHandler } from 'hono';
import type { WebEnv } from '../platform/web.ts';

/** Time that a browser may keep the answer to a preflight. */
const MAX_AGE_SECONDS = 600;
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
/** Headers that clients of the MCP revisions and of REST send. */
const REQUEST_HEADERS = [
  'Authorization',
  'X-API-Key',
  'Content-Type',
  'Accept',
  'If-None-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
];
/** Headers of an answer that a page may read besides the few that are always readable. */
const ANSWER_HEADERS =
  'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';
/** Letters that may be in the name of a header (RFC 9110, 5.6.2): other requested names are not sent back. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,80}$/;
/** Most headers of a request; no client asks for more. */
const MOST_HEADERS = 40;

/**
 * Headers that allow a web page to read the answer; none without an origin. Behind the host guard, so every origin that arrives
 * here is one of an allowed host. Credentials of the browser are never allowed: pages send an API key.
 */
export function corsHeaders(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return { Vary: 'Origin' };
  return { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': ANSWER_HEADERS };
}

/** Lets pages of allowed hosts call the routes below (CORS), and answers their preflights without a key. */
export function cors(): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    for (const [name, value] of Object.entries(corsHeaders(origin))) c.header(name, value);
    if (c.req.method !== 'OPTIONS' || origin === undefined) return next();
    c.header('Access-Control-Allow-Methods', METHODS);
    c.header('Access-Control-Allow-Headers', allowedHeaders(c.req.header('access-control-request-headers')));
    c.header('Access-Control-Max-Age', String(MAX_AGE_SECONDS));
    c.header('Vary', 'Origin, Access-Control-Request-Headers');
    if (c.req.header('access-control-request-private-network') === 'true')
      c.header('Access-Control-Allow-Private-Network', 'true');
    return c.body(null, 204);
  };
}

/** The usual headers, and what else the page means to send: revisions of MCP add headers named after arguments. */
function allowedHeaders(requestedHeaders = ''): string {
  const usual = new Set(REQUEST_HEADERS.map((name) => name.toLowerCase()));
  const more = requestedHeaders
    .split(',')
    .map((name) => name.trim())
    .filter((name) => HEADER_NAME.test(name) && !usual.has(name.toLowerCase()));
  return [...REQUEST_HEADERS, ...more.slice(0, MOST_HEADERS)].join(', ');
}
