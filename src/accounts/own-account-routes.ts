import { z } from '@hono/zod-openapi';
import { changeAccount, confirmTotp, disableTotp, enrolTotp } from './own-account.ts';
import { endAllSessions, endSession, listSessions } from './sessions.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import { AccountChange, SessionEntry, SessionList, TotpCode, TotpEnrolment, TotpProof } from './account-bodies.ts';
import { type AccountRoutesParts, type AppRoutes, newAppRoutes } from './account-env.ts';
import { forgetSecret } from './session-cookie.ts';
import { bodyOfRow } from '../platform/row-body.ts';

const route = describeRoutes('Own account');
/** Name that authenticators show beside the code. */
const ISSUER = 'svc';

const Id = z.object({ id: z.string() });

const signOutRoute = route('post', '/sign-out', 'End this session', {});

const signOutEverywhereRoute = route(
  'post',
  '/sign-out-everywhere',
  'End all sessions of the person, including this one',
  {},
);

const sessionsRoute = route('get', '/sessions', 'Where the person is signed in', {
  answers: { 200: json(SessionList, 'Most recently seen first') },
});

const endSessionRoute = route('delete', '/sessions/{id}', 'End one session', { params: Id });

const accountRoute = route('post', '/account', 'Change name, e-mail address or password', {
  body: body(AccountChange),
});

const enrolRoute = route('post', '/totp/enrol', 'Begin to set an authenticator up', {
  body: body(TotpProof),
  answers: { 201: json(TotpEnrolment, 'The secret, shown only once') },
});

const confirmRoute = route('post', '/totp/confirm', 'Turn the authenticator on with a code from it', {
  body: body(TotpCode),
});

const disableRoute = route('post', '/totp/disable', 'Turn the authenticator off', { body: body(TotpProof) });

/** Routes for the own account, open to every role. */
export function ownAccountRoutes(parts: AccountRoutesParts): AppRoutes {
  const { db, now } = parts;
  const routes = newAppRoutes();
  routes.openapi(signOutRoute, async (c) => {
    const { who } = c.var;
    await endSession(db, who, who.sessionId);
    forgetSecret(c, 'session', parts.baseUrl());
    return c.body(null, 204);
  });
  routes.openapi(signOutEverywhereRoute, async (c) => {
    await endAllSessions(db, c.var.who, now());
    forgetSecret(c, 'session', parts.baseUrl());
    return c.body(null, 204);
  });
  routes.openapi(sessionsRoute, async (c) => {
    const { who } = c.var;
    const rows = await listSessions(db, who, now());
    const sessions = rows.map((row) => bodyOfRow(SessionEntry, row, { current: row.id === who.sessionId }));
    return c.json({ sessions }, 200);
  });
  routes.openapi(endSessionRoute, async (c) => {
    await endSession(db, c.var.who, c.req.valid('param').id);
    return c.body(null, 204);
  });
  routes.openapi(accountRoute, async (c) => {
    parts.takeAttempt(c, 'account');
    const { name, email, password, current_password: currentPassword } = c.req.valid('json');
    await changeAccount(db, c.var.who, { name, email, password, currentPassword }, now());
    return c.body(null, 204);
  });
  routes.openapi(enrolRoute, async (c) => {
    parts.takeAttempt(c, 'account');
    const { current_password: currentPassword } = c.req.valid('json');
    return c.json(await enrolTotp(db, c.var.who, { currentPassword, issuer: ISSUER, keys: parts.secretKeys }), 201);
  });
  routes.openapi(confirmRoute, async (c) => {
    parts.takeAttempt(c, 'account');
    await confirmTotp(db, c.var.who, { code: c.req.valid('json').code, keys: parts.secretKeys }, now());
    return c.body(null, 204);
  });
  routes.openapi(disableRoute, async (c) => {
    parts.takeAttempt(c, 'account');
    const { current_password: currentPassword } = c.req.valid('json');
    await disableTotp(db, c.var.who, { currentPassword }, now());
    return c.body(null, 204);
  });
  return routes;
}
