import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ServiceError } from '../kernel/errors.ts';
import { listVisibleProducts, resolveProduct } from './accounts.ts';
import { acceptInvitation, readInvitation } from './members.ts';
import type { SignedIn } from './sessions.ts';
import { signInByLink, signInByPassword, type Visitor } from './sign-in.ts';
import { findAccount } from './store.ts';
import { hasPasswords } from './store-people.ts';
import { selectIdentities } from './store-sign-in.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import { bodyOfRow } from '../platform/row-body.ts';
import {
  InvitationAcceptance,
  InvitationToken,
  InvitationView,
  LinkSignIn,
  PasswordSignIn,
  productBody,
  SessionBody,
  SignedInPerson,
  SignInResult,
} from './account-bodies.ts';
import { type AccountRoutesParts, type AppEnv, type AppRoutes, newAppRoutes } from './account-env.ts';
import { DEVICE_MS, issueDevice, readDevice } from './device.ts';
import { emailKey } from './email.ts';
import { PasswordTurns } from './password-turns.ts';
import { findSignedIn, keepSecret, keepSession, readSecret } from './session-cookie.ts';

const route = describeRoutes('Sign-in');

const sessionRoute = route('get', '/session', 'Who is signed in, and the ways to sign in', {
  query: z.object({ product: z.string().optional() }),
  answers: { 200: json(SessionBody, 'Open to everybody') },
});

const linkRoute = route('post', '/sign-in/link', 'Sign in with a one-time link, which uses it up', {
  body: body(LinkSignIn),
  answers: { 200: json(SignInResult, 'The cookie holds the session') },
});

const passwordRoute = route('post', '/sign-in/password', 'Sign in with a password and, where set up, a second factor', {
  body: body(PasswordSignIn),
  answers: { 200: json(SignInResult, 'The cookie holds the session, or the answer asks for the code') },
});

const inspectRoute = route('post', '/invitations/inspect', 'What an invitation offers; reading does not use it up', {
  body: body(InvitationToken),
  answers: { 200: json(InvitationView, 'The invitation') },
});

const acceptRoute = route('post', '/invitations/accept', 'Become a member', {
  body: body(InvitationAcceptance),
  answers: { 201: json(SignInResult, 'The cookie holds the session') },
});

/** Routes of sign-in that work without a session. */
export function signInRoutes(parts: AccountRoutesParts): AppRoutes {
  const { db, now } = parts;
  const routes = newAppRoutes();
  routes.openapi(sessionRoute, async (c) => {
    const who = await findSignedIn(c, parts);
    const ways = { version: parts.version, base_url: parts.baseUrl(), sign_in: await signInWays(parts) };
    if (who === undefined) return c.json({ signed_in: false as const, ...ways }, 200);
    return c.json(
      { signed_in: true as const, ...ways, ...(await describe(parts, who, c.req.valid('query').product)) },
      200,
    );
  });
  routes.openapi(linkRoute, async (c) => {
    const session = await withToken(c, parts, () => signInByLink(db, c.req.valid('json').token, visitorOf(c), now()));
    keepSession(c, session, parts.baseUrl());
    return c.json({ status: 'signed_in' as const }, 200);
  });
  const turns = new PasswordTurns();
  routes.openapi(passwordRoute, async (c) => {
    const { accountId } = parts.account;
    const { secretKeys: keys, baseUrl } = parts;
    const given = c.req.valid('json');
    const owner = { accountId, email: emailKey(given.email) };
    const address = c.var.address();
    const device = readDevice(keys, owner, readSecret(c, 'device', baseUrl()));
    const session = await turns.run(address, () =>
      signInByPassword(db, { accountId, ...given, ...visitorOf(c), keys, source: { address, device } }, now()),
    );
    if (session === 'code_required') return c.json({ status: session }, 200);
    const expires = new Date(now().getTime() + DEVICE_MS);
    keepSecret(c, { purpose: 'device', value: issueDevice(keys, owner, device), expires }, baseUrl());
    keepSession(c, session, baseUrl());
    return c.json({ status: 'signed_in' as const }, 200);
  });
  routes.openapi(inspectRoute, async (c) => {
    const { token } = c.req.valid('json');
    const { account, role, email, expiresAt } = await withToken(c, parts, () => readInvitation(db, token, now()));
    return c.json({ account, role, email, expires_at: expiresAt.toISOString() }, 200);
  });
  routes.openapi(acceptRoute, async (c) => {
    const session = await withToken(c, parts, () =>
      turns.run(c.var.address(), () => acceptInvitation(db, c.req.valid('json'), visitorOf(c), now())),
    );
    keepSession(c, session, parts.baseUrl());
    return c.json({ status: 'signed_in' as const }, 201);
  });
  return routes;
}

/**
 * Runs the work of a random token. One that works is never refused, whatever else comes from its network address: only those
 * that do not are counted, so that no client searches the database without end.
 */
async function withToken<Result>(
  c: Context<AppEnv>,
  { takeAttempt }: Pick<AccountRoutesParts, 'takeAttempt'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_key') takeAttempt(c, 'token');
    throw error;
  }
}

export function visitorOf(c: Context): Visitor {
  return { userAgent: c.req.header('user-agent') ?? '' };
}

async function signInWays({ db, account, providers }: AccountRoutesParts) {
  const oidc = providers.map(({ id, name }) => ({ id, name }));
  return { password: await hasPasswords(db, account.accountId), oidc };
}

async function describe({ db }: AccountRoutesParts, who: SignedIn, requestedProduct: string | undefined) {
  const { accountId, personId } = who;
  const [account, product, products, identities] = await Promise.all([
    findAccount(db, accountId),
    resolveProduct(db, who, requestedProduct),
    listVisibleProducts(db, accountId, personId),
    selectIdentities(db, accountId, personId),
  ]);
  return {
    person: bodyOfRow(SignedInPerson, who, { id: personId, identities, fresh_link: who.hasFreshLink }),
    account: { id: accountId, name: account?.name ?? '' },
    product: productBody(product),
    products: products.map(productBody),
  };
}
