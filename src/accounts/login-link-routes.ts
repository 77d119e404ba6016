import { issueSignInLink } from './sign-in.ts';
import type { Db } from '../platform/db.ts';
import type { Right } from '../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { SignInLink } from './account-bodies.ts';
import { signInUrl } from './member-routes.ts';

const route = describeRoutes('People');

const linkRoute = route(
  'post',
  '/login-link',
  'Create a one-time link that signs the owner in to the web application (owner only)',
  { answers: { 201: json(SignInLink, 'The link, shown only once: one use, 15 minutes') } },
);

const OWNER: Right = { scope: 'owner', role: 'owner' };

/** Route that signs the holder of the owner's token in: who owns the machine owns the installation. */
export function loginLinkRoutes({ db, baseUrl, now }: { db: Db; baseUrl: () => string; now: () => Date }): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(linkRoute, async (c) => {
    const { accountId } = authorize(c, OWNER);
    const { keyId: personId } = c.var.requester;
    const { token, expiresAt } = await issueSignInLink(db, { accountId, personId, actor: 'system' }, now());
    c.header('Cache-Control', 'no-store');
    return c.json({ url: signInUrl(baseUrl(), token), expires_at: expiresAt.toISOString() }, 201);
  });
  return { routes, v1: '/' };
}
