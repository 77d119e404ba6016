import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { chosenProduct, listProducts } from './accounts.ts';
import { acceptInvitation, readInvitation } from './members.ts';
import type { SignedIn } from './sessions.ts';
import { signInByLink, signInByPassword, type Visitor } from './sign-in.ts';
import { findAccount } from './store.ts';
import { hasPasswords } from './store-people.ts';
import { selectIdentities } from './store-sign-in.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import {
  InvitationAcceptance,
  InvitationToken,
  InvitationView,
  LinkSignIn,
  PasswordSignIn,
  productBody,
  SessionBody,
  SignInResult,
} from './account-bodies.ts';
import { type AccountRoutesParts, type AppRoutes, newAppRoutes } from './account-env.ts';
import { keepSession, whoIs } from './session-cookie.ts';

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

/** What works without a session. */
export function signInRoutes(parts: AccountRoutesParts): AppRoutes {
  const { db, now } = parts;
  const routes = newAppRoutes();
  routes.openapi(sessionRoute, async (c) => {
    const who = await whoIs(c, parts);
    const ways = { version: parts.version, base_url: parts.baseUrl(), sign_in: await signInWays(parts) };
    if (who === undefined) return c.json({ signed_in: false as const, ...ways }, 200);
    return c.json(
      { signed_in: true as const, ...ways, ...(await describe(parts, who, c.req.valid('query').product)) },
      200,
    );
  });
  routes.openapi(linkRoute, async (c) => {
    parts.takeAttempt(c);
    const session = await signInByLink(db, c.req.valid('json').token, visitorOf(c), now());
    keepSession(c, session, parts.baseUrl());
    return c.json({ status: 'signed_in' as const }, 200);
  });
  routes.openapi(passwordRoute, async (c) => {
    parts.takeAttempt(c);
    const { accountId } = parts.account;
    const keys = parts.secretKeys;
    const session = await signInByPassword(db, { accountId, ...c.req.valid('json'), ...visitorOf(c), keys }, now());
    if (session === 'code_required') return c.json({ status: session }, 200);
    keepSession(c, session, parts.baseUrl());
    return c.json({ status: 'signed_in' as const }, 200);
  });
  routes.openapi(inspectRoute, async (c) => {
    parts.takeAttempt(c);
    const { account, role, email, expiresAt } = await readInvitation(db, c.req.valid('json').token, now());
    return c.json({ account, role, email, expires_at: expiresAt.toISOString() }, 200);
  });
  routes.openapi(acceptRoute, async (c) => {
    parts.takeAttempt(c);
    keepSession(c, await acceptInvitation(db, c.req.valid('json'), visitorOf(c), now()), parts.baseUrl());
    return c.json({ status: 'signed_in' as const }, 201);
  });
  return routes;
}

export function visitorOf(c: Context): Visitor {
  return { userAgent: c.req.header('user-agent') ?? '' };
}

async function signInWays({ db, account, providers }: AccountRoutesParts) {
  const oidc = providers.map(({ id, name }) => ({ id, name }));
  return { password: await hasPasswords(db, account.accountId), oidc };
}

async function describe({ db }: AccountRoutesParts, who: SignedIn, wanted: string | undefined) {
  const { accountId, personId, name, email, role } = who;
  const [account, product, products, identities] = await Promise.all([
    findAccount(db, accountId),
    chosenProduct(db, accountId, wanted),
    listProducts(db, accountId),
    selectIdentities(db, accountId, personId),
  ]);
  return {
    person: {
      id: personId,
      name,
      email,
      role,
      has_password: who.hasPassword,
      totp: who.totp,
      identities,
      fresh_link: who.hasFreshLink,
    },
    account: { id: accountId, name: account?.name ?? '' },
    product: productBody(product),
    products: products.map(productBody),
  };
}
