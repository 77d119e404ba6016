import { createRoute } from '@hono/zod-openapi';
import { issueSignInLink } from '../accounts/sign-in.ts';
import type { Db } from '../platform/db.ts';
import { failures, newRoutes, requireOwner, type Routes } from '../platform/web.ts';
import { SignInLink } from './app-api.ts';
import { json } from './app-env.ts';
import { signInUrl } from './app-member-routes.ts';

const linkRoute = createRoute({
  method: 'post',
  path: '/v1/login-link',
  tags: ['People'],
  summary: 'Create a one-time link that signs the owner in to the web application (owner only)',
  responses: { 201: json(SignInLink, 'The link, shown only once: one use, 15 minutes'), ...failures },
});

/** The way in for whoever has the owner's token: who owns the machine owns the installation. */
export function loginLinkRoutes({ db, baseUrl, now }: { db: Db; baseUrl: () => string; now: () => Date }): Routes {
  const routes = newRoutes();
  routes.openapi(linkRoute, async (c) => {
    requireOwner(c.var);
    const { accountId, keyId: personId } = c.var.caller;
    const { token, expiresAt } = await issueSignInLink(db, { accountId, personId, actor: 'system' }, now());
    c.header('Cache-Control', 'no-store');
    return c.json({ url: signInUrl(baseUrl(), token), expires_at: expiresAt.toISOString() }, 201);
  });
  return routes;
}
