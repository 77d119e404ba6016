import type { MiddlewareHandler } from 'hono';
import {
  type AccountRoutesParts,
  accountRoutes,
  type AppEnv,
  type AppRoutes,
  newAppRoutes,
  openRoutes,
} from '../accounts/routes.ts';
import { nameActors } from '../keys/keys.ts';
import { APP_API } from '../platform/web.ts';
import type { AppApiParts } from './app-env.ts';
import { asRequester, originGuard, signedInOnly, takeSignInAttempt } from './app-session.ts';

/**
 * The web application's own API, to be mounted at `APP_API`. The one credential is the session in the browser's cookie; API
 * keys count for nothing. What is below `signedInOnly` needs a session.
 */
export function appRoutes(parts: AppApiParts): AppRoutes {
  const routes = newAppRoutes();
  const accounts: AccountRoutesParts = {
    ...parts,
    nameActors: (accountId, actors) => nameActors(parts, accountId, actors),
    takeAttempt: (c, kind) => takeSignInAttempt(c, kind, parts),
  };
  routes.use(forbidCaching);
  routes.use(originGuard(parts));
  for (const open of openRoutes(accounts)) routes.route('/', open);
  routes.use(signedInOnly(parts));
  for (const own of accountRoutes(accounts)) routes.route('/', own);
  routes.use(asRequester(parts));
  for (const { routes: slice, app } of parts.routes) if (app !== undefined) routes.route(app, slice);
  routes.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-svc_session',
    description: 'Over plain http: svc_session_<port>',
  });
  routes.get('/openapi.json', (c) =>
    c.json(
      routes.getOpenAPI31Document({
        openapi: '3.1.0',
        info: { title: 'Product intelligence: the web application', version: parts.version },
        servers: [{ url: APP_API }],
        security: [{ session: [] }],
      }),
    ),
  );
  return routes;
}

/** Forbids storing answers of this API, on the path and in the browser after signing out. */
const forbidCaching: MiddlewareHandler<AppEnv> = async (c, next) => {
  c.header('Cache-Control', 'no-store');
  await next();
};
