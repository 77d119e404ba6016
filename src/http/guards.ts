import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MOST_UPLOAD_BYTES, UPLOAD_PATH } from '../documents/routes.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { WebEnv } from '../platform/web.ts';
import { MOST_SCIP_BYTES, SCIP_PATH } from '../repositories/scip-routes.ts';

/** The largest body that routes take which say nothing else. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;

/** Names a browser on this machine may use for us. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Status for a host that is not ours: another name points here (DNS rebinding), or a proxy is not known yet. */
const MISDIRECTED = 421;

/**
 * Host names that requests may carry: this machine's, the address listened on, the one of the base URL, and what the operator
 * added. Ports do not matter.
 */
export function allowedHosts(config: {
  host: string;
  baseUrl?: string | undefined;
  more: readonly string[];
}): Set<string> {
  const base = config.baseUrl === undefined ? [] : [new URL(config.baseUrl).hostname];
  // Also in the form of an address bar: `app.example.com:8080`, `https://app.example.com`.
  const more = config.more.map((host) => hostnameOf(host.includes('://') ? host : `http://${host}`) ?? host);
  return new Set([...LOCAL_HOSTS, config.host, ...base, ...more].map((host) => host.toLowerCase()));
}

/**
 * Turns away requests that a web page could have made a browser send: a foreign `Host` gets 421, a foreign `Origin` 403. A
 * request without an Origin is no browser's cross-site request and passes.
 */
export function hostGuard(hosts: ReadonlySet<string>): MiddlewareHandler<WebEnv> {
  // Clients send one name again and again, and reading an address costs more than any other check.
  let lastHost: string | undefined;
  return async (c, next) => {
    const sentHost = c.req.header('host') ?? '';
    const host = sentHost === lastHost ? undefined : hostnameOf(`http://${sentHost}`);
    if (sentHost !== lastHost && (host === undefined || !hosts.has(host))) {
      return refuse(c, MISDIRECTED, {
        message: `This service does not serve the host "${host ?? ''}".`,
        fix: 'Use an address that it serves, or add the host to SVC_ALLOWED_HOSTS and start the service again.',
      });
    }
    lastHost = sentHost;
    const origin = c.req.header('origin');
    if (origin !== undefined && !hosts.has(hostnameOf(origin) ?? '')) return refuse(c, 403, foreignPage(origin));
    return next();
  };
}

/**
 * @throws ServiceError `too_large` for a body of more than 4 MiB (an upload: 64), before it is read whole. An upload of
 * unknown length goes on to its route, where reading it throws that error.
 */
export function bodyGuard(): MiddlewareHandler<WebEnv> {
  const usual = limitedBody(MOST_BODY_BYTES);
  const uploads = [
    { path: SCIP_PATH, guard: limitedBody(MOST_SCIP_BYTES) },
    { path: UPLOAD_PATH, guard: limitedBody(MOST_UPLOAD_BYTES, limitStream) },
  ];
  return (c, next) => (uploads.find(({ path }) => path.test(c.req.path))?.guard ?? usual)(c, next);
}

/** Makes the guard that limits a body whose length was not announced. */
type StreamLimit = (maxSize: number) => MiddlewareHandler<WebEnv>;

function limitedBody(maxSize: number, ofStream: StreamLimit = limitBuffered): MiddlewareHandler<WebEnv> {
  const streamed = ofStream(maxSize);
  return async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) return streamed(c, next);
    // Node reads no more than the announced length, so looking at that is enough, and cheap.
    if (Number(c.req.header('content-length') ?? 0) > maxSize) throw tooLarge(maxSize);
    return next();
  };
}

/** Collects the body first, so that a route never begins with one that is too large. */
function limitBuffered(maxSize: number): MiddlewareHandler<WebEnv> {
  const onError = (): never => {
    throw tooLarge(maxSize);
  };
  return bodyLimit({ maxSize, onError });
}

function limitStream(maxSize: number): MiddlewareHandler<WebEnv> {
  return (c, next) => {
    let bytes = 0;
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxSize) controller.error(tooLarge(maxSize));
        else controller.enqueue(chunk);
      },
    });
    const body = c.req.raw.body?.pipeThrough(count);
    if (body !== undefined) c.req.raw = new Request(c.req.raw, { method: c.req.method, body, duplex: 'half' });
    return next();
  };
}

function tooLarge(maxSize: number): ServiceError {
  return new ServiceError('too_large', `The body is larger than ${maxSize / 1024 / 1024} MiB.`, {
    fix: 'Send less in one request.',
  });
}

function foreignPage(origin: string): { message: string; fix: string } {
  const host = hostnameOf(origin);
  if (host === undefined || host === '') {
    return {
      message: 'Requests from pages without an address of their own (a file, a sandboxed frame) are not accepted.',
      fix: 'Serve the page over HTTP from this machine, for example from http://localhost:8080.',
    };
  }
  return {
    message: `Requests from web pages of ${origin.slice(0, 200)} are not accepted.`,
    fix: `Serve the page from the machine of the service; or the operator of the service adds ${host.slice(0, 200)} to SVC_ALLOWED_HOSTS and starts it again. Its pages can then call /v1 with an API key.`,
  };
}

function hostnameOf(url: string): string | undefined {
  return URL.parse(url)?.hostname.toLowerCase();
}

/** These two are about the connection, not the request, so they have no code of their own in the table. */
function refuse(c: Context<WebEnv>, status: 403 | 421, { message, fix }: { message: string; fix: string }): Response {
  return c.json({ error: { code: 'bad_argument', message, fix, request_id: c.get('requestId') } }, status);
}
