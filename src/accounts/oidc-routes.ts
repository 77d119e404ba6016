import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ProviderSettings, redirectUriOf } from './oidc/oidc.ts';
import { beginOidc, finishOidc } from './oidc-sign-in.ts';
import { ServiceError } from '../kernel/errors.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import { OidcRedirect, OidcStart } from './account-bodies.ts';
import { type AccountRoutesParts, type AppEnv, type AppRoutes, newAppRoutes } from './account-env.ts';
import { findSignedIn, forgetSecret, keepSecret, keepSession, readSecret } from './session-cookie.ts';
import { visitorOf } from './sign-in-routes.ts';

const route = describeRoutes('Sign-in');

/** Time limit of a round to a provider and back. */
const ROUND_MS = 10 * 60_000;

const startRoute = route(
  'post',
  '/sign-in/oidc/{provider}',
  'Begin to sign in with an identity provider; with a session, to link it',
  {
    params: z.object({ provider: z.string() }),
    body: body(OidcStart),
    answers: { 200: json(OidcRedirect, 'Where to send the browser') },
  },
);

/** Signing in with identity providers. Works without a session. */
export function oidcRoutes(parts: AccountRoutesParts): AppRoutes {
  const { db, now } = parts;
  const routes = newAppRoutes();
  routes.openapi(startRoute, async (c) => {
    parts.takeAttempt(c, 'provider');
    const provider = providerOf(parts, c.req.valid('param').provider);
    const { invitation } = c.req.valid('json');
    const redirectUri = redirectUriOf(parts, provider);
    const who = await findSignedIn(c, parts);
    const accountId = who?.accountId ?? parts.account.accountId;
    const { url, secret } = await beginOidc(db, { accountId, provider, redirectUri, who, invitation }, now());
    const expires = new Date(now().getTime() + ROUND_MS);
    keepSecret(c, { purpose: 'oidc', value: secret, expires }, parts.baseUrl());
    return c.json({ url }, 200);
  });
  routes.get('/sign-in/oidc/:provider/callback', (c) => comeBack(c, parts));
  return routes;
}

/** Handles the return of the browser from the provider: a person reads the answer, so failures are described in words. */
async function comeBack(c: Context<AppEnv>, parts: AccountRoutesParts): Promise<Response> {
  const { state = '', code = '', iss } = c.req.query();
  const secret = readSecret(c, 'oidc', parts.baseUrl()) ?? '';
  forgetSecret(c, 'oidc', parts.baseUrl());
  try {
    parts.takeAttempt(c, 'provider');
    const provider = providerOf(parts, c.req.param('provider') ?? '');
    const redirectUri = redirectUriOf(parts, provider);
    const keys = parts.keys.recheck();
    const back = { provider, redirectUri, secret, state, code, iss, keys, ...visitorOf(c) };
    const session = await finishOidc(parts.db, back, parts.now());
    if (session === undefined) return c.redirect('/settings/account', 303);
    keepSession(c, session, parts.baseUrl());
    return c.redirect('/', 303);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const words = `${error.message} ${error.fix}\n\n${parts.baseUrl()}/\n`;
    // The table of errors holds failures only; none of them has a status without a body.
    return c.text(words, error.status as ContentfulStatusCode);
  }
}

function providerOf({ providers }: AccountRoutesParts, id: string): ProviderSettings {
  const provider = providers.find((settings) => settings.id === id);
  if (provider !== undefined) return provider;
  throw new ServiceError('not_found', `No identity provider "${id.slice(0, 40)}" is configured.`, {
    fix: 'Set the SVC_OIDC_* variables of the service, or sign in another way.',
  });
}
