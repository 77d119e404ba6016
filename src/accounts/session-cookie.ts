import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Db } from '../platform/db.ts';
import { findSession, type NewSession, type SignedIn } from './sessions.ts';

/** Dependencies of reading the session of a cookie. */
export interface SessionParts {
  db: Db;
  /** Address of the service for people: decides the name of the cookie. */
  baseUrl: () => string;
  now: () => Date;
}

/** Returns the person who is signed in with this request's cookie; undefined when nobody is. */
export async function findSignedIn(c: Context, { db, baseUrl, now }: SessionParts): Promise<SignedIn | undefined> {
  const token = readSecret(c, 'session', baseUrl());
  return token === undefined ? undefined : findSession(db, token, now());
}

/** Gives the browser its session. */
export function keepSession(c: Context, { token, expiresAt }: NewSession, baseUrl: string): void {
  keepSecret(c, { purpose: 'session', value: token, expires: expiresAt }, baseUrl);
}

/**
 * Purpose of one of our cookies: the session, a round to an identity provider, or recognising the browser at the next sign-in.
 */
type Purpose = 'session' | 'oidc' | 'device';

/** Stores a secret in the browser until a moment, out of reach of scripts and of requests that other sites begin. */
export function keepSecret(
  c: Context,
  { purpose, value, expires }: { purpose: Purpose; value: string; expires: Date },
  baseUrl: string,
): void {
  setCookie(c, cookieName(purpose, baseUrl), value, { ...cookieOptions(baseUrl), expires });
}

export function readSecret(c: Context, purpose: Purpose, baseUrl: string): string | undefined {
  return getCookie(c, cookieName(purpose, baseUrl));
}

export function forgetSecret(c: Context, purpose: Purpose, baseUrl: string): void {
  deleteCookie(c, cookieName(purpose, baseUrl), cookieOptions(baseUrl));
}

/**
 * Returns the name of a cookie. Over https browsers send a `__Host-` cookie only to the host that set it. On plain http not
 * every browser stores one, not even for localhost: there the session is as safe as the network is, and the name has the port,
 * because services beside each other on one machine share their cookies.
 */
function cookieName(purpose: Purpose, baseUrl: string): string {
  if (isSecure(baseUrl)) return `__Host-svc_${purpose}`;
  const { port } = new URL(baseUrl);
  return port === '' ? `svc_${purpose}` : `svc_${purpose}_${port}`;
}

/** Options of a cookie: Lax, so that links from elsewhere and the return from an identity provider arrive signed in. */
function cookieOptions(baseUrl: string) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(baseUrl) } as const;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
