import type { Context, MiddlewareHandler } from 'hono';
import { resolveProduct, type SignedIn } from '../accounts/accounts.ts';
import { type AppEnv, type AttemptKind, findSignedIn, type SessionParts } from '../accounts/routes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type Requester, requireRole, type Role } from '../platform/rights.ts';
import type { WebEnv } from '../platform/web.ts';
import type { AppApiParts } from './app-env.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses what a page of another site made a browser send, sign-in included: methods that change something need a sign
 * that the request comes from our own pages. Browsers send `Sec-Fetch-Site`, and where the network is not trusted `Origin`.
 */
export function originGuard(parts: Pick<SessionParts, 'baseUrl'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    requireSameOrigin(c, parts.baseUrl());
    return next();
  };
}

function requireSameOrigin(c: Context, baseUrl: string): void {
  if (SAFE_METHODS.includes(c.req.method) || isSameOrigin(c, baseUrl)) return;
  throw new ServiceError('scope_denied', 'This request did not come from a page of this service.', {
    fix: 'Use the web application. Programs use /v1 with an API key.',
  });
}

/**
 * The owner or admin whose session comes with a request to `/v1`, with what other sites make a browser send refused.
 *
 * @throws ServiceError `scope_denied` for a request of another site, and for other roles.
 */
export async function sessionRequester(c: Context<WebEnv>, parts: SessionParts): Promise<Requester | undefined> {
  const who = await findSignedIn(c, parts);
  if (who === undefined) return undefined;
  requireSameOrigin(c, parts.baseUrl());
  requireRole(who.role, 'admin');
  return requesterOf(who, await resolveProduct(parts.db, who, undefined));
}

/** Sets the requester and the product for routes of slices: the product that `?product=` names, or the first. */
export function asRequester({ db }: Pick<SessionParts, 'db'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { who } = c.var;
    c.set('requester', requesterOf(who, await resolveProduct(db, who, c.req.query('product'))));
    return next();
  };
}

/** Operations are called as a reader; what a person may change is decided by the role in the product. */
function requesterOf(
  { accountId, personId }: SignedIn,
  { id: productId, role }: { id: string; role: Role },
): Requester {
  return { by: 'person', accountId, productId, keyId: personId, scopes: ['read'], role };
}

function isSameOrigin(c: Context, baseUrl: string): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('origin');
  if (origin === undefined) return false;
  const host = URL.parse(origin)?.host;
  return origin === new URL(baseUrl).origin || (host !== undefined && host === c.req.header('host')?.toLowerCase());
}

/** Lets signed-in people through. Nothing on the path may store the answers. */
export function signedInOnly(parts: SessionParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const who = await findSignedIn(c, parts);
    if (who === undefined) {
      throw new ServiceError('missing_credential', 'You are not signed in, or your session has ended.', {
        fix: 'Sign in. An API key does not work here; programs use /v1.',
      });
    }
    c.set('who', who);
    return next();
  };
}

/**
 * Takes one attempt from its limit.
 *
 * @throws ServiceError `rate_limited`.
 */
export function takeSignInAttempt(
  c: Context<AppEnv>,
  kind: AttemptKind,
  { attempts, now }: Pick<AppApiParts, 'attempts' | 'now'>,
): void {
  const nowMs = now().getTime();
  attempts.sweep(nowMs);
  const by = kind === 'account' ? c.var.who.personId : c.var.address();
  const { allowed, retryAfterSeconds } = attempts.take(`${kind} ${by}`, nowMs);
  if (allowed) return;
  c.header('Retry-After', String(retryAfterSeconds));
  const whose = kind === 'account' ? 'for this account' : 'from this network address';
  throw new ServiceError('rate_limited', `Too many attempts were made ${whose}.`, {
    fix: `Wait ${retryAfterSeconds} s, then try again.`,
  });
}
