import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { findSession, type NewSession, type SignedIn } from '../accounts/sessions.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type Requester, requireRole as requireRoleOf, type Role } from '../platform/rights.ts';
import type { WebEnv } from '../platform/web.ts';
import type { AppApiParts, AppEnv } from './app-env.ts';
import { pageProduct } from './app-product.ts';
import { addressOf } from './auth.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

type Parts = Pick<AppApiParts, 'db' | 'baseUrl' | 'now'>;

/**
 * Refuses what a page of another site made a browser send, sign-in included: methods that change something need a sign
 * that the request comes from our own pages. Browsers send `Sec-Fetch-Site`, and where the network is not trusted `Origin`.
 */
export function originGuard(parts: Pick<Parts, 'baseUrl'>): MiddlewareHandler<AppEnv> {
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
export async function sessionRequester(c: Context<WebEnv>, parts: Parts): Promise<Requester | undefined> {
  const who = await whoIs(c, parts);
  if (who === undefined) return undefined;
  requireSameOrigin(c, parts.baseUrl());
  requireRole(who, 'admin');
  return requesterOf(who, (await pageProduct(parts.db, who.accountId, undefined)).id);
}

/** Gives routes of slices who asks and about which product: the one that `?product=` names, or the first. */
export function asRequester({ db }: Pick<Parts, 'db'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { who } = c.var;
    const { id } = await pageProduct(db, who.accountId, c.req.query('product'));
    c.set('requester', requesterOf(who, id));
    return next();
  };
}

/** Operations are called as a reader; what a person may change is decided by the role. */
function requesterOf({ accountId, personId, role }: SignedIn, productId: string): Requester {
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

/** Lets through who is signed in. Nothing that this API answers may be kept on the way. */
export function signedInOnly(parts: Parts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const who = await whoIs(c, parts);
    if (who === undefined) {
      throw new ServiceError('missing_credential', 'You are not signed in, or your session has ended.', {
        fix: 'Sign in. An API key does not work here; programs use /v1.',
      });
    }
    c.set('who', who);
    return next();
  };
}

/** Who is signed in with this request's cookie; undefined when nobody is. */
export async function whoIs(c: Context, { db, baseUrl, now }: Parts): Promise<SignedIn | undefined> {
  const token = keptSecret(c, 'session', baseUrl());
  return token === undefined ? undefined : findSession(db, token, now());
}

/** Gives the browser its session. */
export function keepSession(c: Context, { token, expiresAt }: NewSession, baseUrl: string): void {
  keepSecret(c, { purpose: 'session', value: token, expires: expiresAt }, baseUrl);
}

/** What a cookie of ours is for: the session, or the way to an identity provider and back. */
type Purpose = 'session' | 'oidc';

/** Keeps a secret in the browser until a moment, out of reach of scripts and of requests that other sites begin. */
export function keepSecret(
  c: Context,
  { purpose, value, expires }: { purpose: Purpose; value: string; expires: Date },
  baseUrl: string,
): void {
  setCookie(c, cookieName(purpose, baseUrl), value, { ...cookieOptions(baseUrl), expires });
}

export function keptSecret(c: Context, purpose: Purpose, baseUrl: string): string | undefined {
  return getCookie(c, cookieName(purpose, baseUrl));
}

export function forgetSecret(c: Context, purpose: Purpose, baseUrl: string): void {
  deleteCookie(c, cookieName(purpose, baseUrl), cookieOptions(baseUrl));
}

/** @throws ServiceError `scope_denied` unless who is signed in has this role or a stronger one. */
export function requireRole(who: SignedIn, role: Role): void {
  requireRoleOf(who.role, role);
}

/**
 * Takes one attempt to sign in from the address's limit.
 *
 * @throws ServiceError `rate_limited`.
 */
export function takeSignInAttempt(c: Context<AppEnv>, { attempts, now }: Pick<AppApiParts, 'attempts' | 'now'>): void {
  const nowMs = now().getTime();
  attempts.sweep(nowMs);
  const { allowed, retryAfterSeconds } = attempts.take(addressOf(c), nowMs);
  if (allowed) return;
  c.header('Retry-After', String(retryAfterSeconds));
  throw new ServiceError('rate_limited', 'Too many sign-in attempts came from this address.', {
    fix: `Wait ${retryAfterSeconds} s, then try again.`,
  });
}

/**
 * Over https browsers give a `__Host-` cookie to nobody but the host that set it. On plain http not every browser keeps
 * one, not even for localhost: there the session is as safe as the network is, and the name has the port, because services
 * beside each other on one machine share their cookies.
 */
function cookieName(purpose: Purpose, baseUrl: string): string {
  if (isSecure(baseUrl)) return `__Host-svc_${purpose}`;
  const { port } = new URL(baseUrl);
  return port === '' ? `svc_${purpose}` : `svc_${purpose}_${port}`;
}

/** Lax, so that links from elsewhere and the way back from an identity provider arrive signed in. */
function cookieOptions(baseUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(baseUrl) } as const;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
