import { Hono, type MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { ServiceError } from '../kernel/errors.ts';
import { SLOW_SECONDS } from '../mcp/call.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { MissingPart } from '../platform/supervision.ts';
import { APP_API, newRoutes, type Routes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import { authentication, type AuthParts } from './auth.ts';
import type { AppApiParts } from './app-env.ts';
import { appRoutes } from './app-routes.ts';
import { clientAddress } from './client-address.ts';
import { cors } from './cors.ts';
import { bodyGuard, hostGuard } from './guards.ts';
import { addressTextGuard, bodyTextGuard } from './text-guard.ts';
import { MCP_METHODS, mcpRoutes, type McpParts } from './mcp-routes.ts';
import { respondWithError } from './respond.ts';
import { webApplication } from './static.ts';
import { toolRoutes } from './tool-routes.ts';

const NO_OAUTH =
  'This server does not use OAuth; send the header "Authorization: Bearer <API key>". Create a key with: svc key create --name <name>.';

interface AppParts extends McpParts {
  auth: AuthParts;
  /** Host names that requests may carry: see `allowedHosts`. */
  hosts: ReadonlySet<string>;
  /** Addresses and networks whose word counts about where a request comes from. */
  trustedProxies?: readonly string[];
  /** Routes of the slices. */
  routes: readonly SliceRoutes[];
  /** Routes below `/v1` that check a credential of their own. */
  selfChecked?: readonly Hono<WebEnv>[];
  /** Reports what keeps the service from answering, and which of its threads and processes are missing. */
  readiness: () => Promise<{ waiting: string[]; missing: MissingPart[] }>;
  /** Reports why a new start is the only hope, to the supervisor of the process; undefined while there is another. */
  failing: () => string | undefined;
  /** The web application: what its own API needs, and the folder of its files. */
  web?: { api: Omit<AppApiParts, 'routes' | 'version'>; folder: string };
  version: string;
  log: Logger;
  /** Receives every answered request. */
  countRequest?: Metrics['countRequest'];
  countError?: Metrics['countError'];
}

/** Everything the service answers over HTTP, on one page, in the order it is tried. */
export function httpApp(parts: AppParts): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.onError((error, c) => respondWithError(c, error, parts.log));
  app.notFound((c) => respondWithError(c, noSuchRoute(c.req.method, c.req.path), parts.log));

  app.use(identifyRequest(parts));
  app.use(clientAddress(parts.trustedProxies ?? []));
  // Balancers call these by address, so they come before the host guard.
  app.get('/healthz', (c) => {
    const reason = parts.failing();
    if (reason === undefined) return c.json({ status: 'ok', version: parts.version });
    return c.json({ status: 'failing', reason, version: parts.version }, 503);
  });
  app.get('/readyz', async (c) => {
    const { waiting, missing } = await parts.readiness();
    const restarting = missing.map(({ part, message, since }) => ({ part, message, since: since.toISOString() }));
    return c.json({ ready: waiting.length === 0, waiting, restarting }, waiting.length === 0 ? 200 : 503);
  });
  app.use(hostGuard(parts.hosts));
  for (const path of ['/v1/*', '/.well-known/*', '/register']) app.use(path, cors());
  app.use(bodyGuard());
  app.use(addressTextGuard());

  // Clients that speak OAuth look here first. Anything but a plain 404 makes them ask for a login instead of using the key.
  app.all('/.well-known/*', (c) => respondWithError(c, noSuchRoute(c.req.method, c.req.path), parts.log));
  app.post('/register', (c) => c.json({ error: 'invalid_request', error_description: NO_OAUTH }, 400));

  const rest = restRoutes(parts);
  app.get('/v1/openapi.json', (c) => c.json(rest.getOpenAPI31Document(describeApi(parts.version))));
  for (const path of ['/v1/signals/webhook/*', '/v1/trackers/webhook/*']) app.use(path, bodyTextGuard());
  for (const routes of parts.selfChecked ?? []) app.route('/', routes);
  for (const [path, methods] of MCP_METHODS)
    app.options(path, (c) => c.body(null, 204, { Allow: `${methods}, OPTIONS` }));
  app.use('/v1/*', authentication(parts.auth));
  app.use('/v1/*', bodyTextGuard());
  app.route('/', mcpRoutes(parts));
  app.route('/', rest);
  if (parts.web !== undefined) {
    const { api, folder } = parts.web;
    app.use(`${APP_API}/*`, bodyTextGuard());
    app.route(APP_API, appRoutes({ ...parts, ...api }));
    app.use(webApplication({ folder, isSecure: api.baseUrl().startsWith('https:') }));
  }
  return app;
}

/** The REST routes of all slices and the mirror of the operations, in one document. */
function restRoutes(parts: AppParts): Routes {
  const rest = newRoutes();
  rest.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'apiKey', in: 'header', name: 'X-API-Key' });
  rest.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  rest.route('/v1', toolRoutes(parts.table));
  for (const { routes, v1 } of parts.routes) if (v1 !== undefined) rest.route(`/v1${v1}`, routes);
  return rest;
}

function describeApi(version: string) {
  return {
    openapi: '3.1.0',
    info: { title: 'Product intelligence', version },
    security: [{ key: [] }, { bearer: [] }],
  };
}

/** Gives each request an id, which is in its answer, in error bodies and in the log. */
function identifyRequest({ countRequest, countError, log }: AppParts): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    const requestId = randomUUID();
    const startedMs = performance.now();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    c.header('X-Content-Type-Options', 'nosniff');
    await next();
    const [route, code] = [routePath(c, -1), c.get('refusal')];
    const seconds = (performance.now() - startedMs) / 1000;
    countRequest?.({ method: c.req.method, route, status: c.res.status, seconds });
    if (code !== undefined) countError?.({ route, code });
    // Calls of operations are logged where they are counted.
    if (seconds < SLOW_SECONDS || c.get('operation') !== undefined) return;
    log.warn(
      { request_id: requestId, method: c.req.method, route, status: c.res.status, seconds },
      'a request was slow',
    );
  };
}

function noSuchRoute(method: string, path: string): ServiceError {
  return new ServiceError('not_found', `Nothing is served at ${method} ${path.slice(0, 200)}.`, {
    fix: 'The routes are listed in /v1/openapi.json; MCP is at /v1/mcp/sse.',
  });
}
