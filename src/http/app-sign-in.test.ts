import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { invite } from '../accounts/members.ts';
import { issueSignInLink } from '../accounts/sign-in.ts';
import { codeAt } from '../accounts/totp.ts';
import { testIssuer } from '../testing/issuer.ts';
import { PASSWORD, testPerson } from '../testing/person.ts';
import { openTestApplication, OWNER_TOKEN, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;

beforeAll(async () => {
  application = await openTestApplication();
});
afterAll(() => application.close());

async function linkToken({ account }: TestApplication): Promise<string> {
  const { db, accountId, actor } = account;
  const personId = actor.replace('person:', '');
  return (await issueSignInLink(db, { accountId, personId, actor }, new Date())).token;
}

function post(path: string, body: unknown, session?: string, headers?: Record<string, string>): Promise<Response> {
  return application.send('POST', `/app/api/${path}`, { body, session, ...(headers === undefined ? {} : { headers }) });
}

/** The token that an answer put into the browser. */
function sessionIn(response: Response, name = 'svc_session_4000'): string {
  const [cookie = ''] = response.headers.getSetCookie().filter((text) => text.startsWith(`${name}=`));
  return cookie.slice(name.length + 1, cookie.indexOf(';'));
}

async function stateOf(session: string): Promise<Record<string, unknown>> {
  return (await (await application.send('GET', '/app/api/session', { session })).json()) as Record<string, unknown>;
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { code: string } }).error.code;
}

test('a link signs in once; the session is out of reach of scripts and of other sites', async () => {
  const token = await linkToken(application);

  const first = await post('sign-in/link', { token });
  const second = await post('sign-in/link', { token });

  const [cookie = ''] = first.headers.getSetCookie();
  expect([first.status, await first.json()]).toEqual([200, { status: 'signed_in' }]);
  expect(cookie).toMatch(/^svc_session_4000=[\w-]{65}; .*HttpOnly/);
  expect(cookie).toContain('SameSite=Lax');
  expect(cookie).toContain('Path=/');
  expect(await stateOf(sessionIn(first))).toMatchObject({
    signed_in: true,
    base_url: 'http://localhost:4000',
    person: { name: 'owner', role: 'owner', has_password: false, totp: false, fresh_link: true, identities: [] },
    product: { name: 'default' },
  });
  expect([second.status, await codeOf(second)]).toEqual([401, 'invalid_key']);
  expect(second.headers.getSetCookie()).toEqual([]);
});

test('over https the cookie is bound to this host', async () => {
  const secure = await openTestApplication({ baseUrl: 'https://svc.example.com' });
  onTestFinished(() => secure.close());

  const response = await secure.send('POST', '/app/api/sign-in/link', { body: { token: await linkToken(secure) } });
  const [cookie = ''] = response.headers.getSetCookie();
  const state = await secure.send('GET', '/app/api/session', { session: sessionIn(response, '__Host-svc_session') });

  expect(cookie).toMatch(/^__Host-svc_session=/);
  expect(cookie).toMatch(/Secure/);
  expect(cookie).not.toMatch(/Domain/i);
  expect(await state.json()).toMatchObject({ signed_in: true });
});

const origins: [string, Record<string, string>, boolean][] = [
  ['one of our pages', { 'sec-fetch-site': 'same-origin' }, true],
  ['one of our pages over plain http', { origin: 'http://localhost:4000' }, true],
  ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:4000' }, false],
  ['a page of another port', { origin: 'http://localhost:5173' }, false],
  ['a page of the same site', { 'sec-fetch-site': 'same-site' }, false],
  ['the address bar', { 'sec-fetch-site': 'none' }, false],
  ['a page without an origin', { origin: 'null' }, false],
  ['no browser at all', {}, false],
];

test.each(origins)('a change from %s: %j', async (_from, headers, isAllowed) => {
  const { token: session } = await testPerson(application.account, 'owner', new Date());

  const change = await post('account', { name: 'New Name' }, session, headers);
  // A sign-in as somebody else is a change too.
  const signIn = await post('sign-in/link', { token: 'wrong' }, undefined, headers);
  const key = await application.send('POST', '/v1/api-keys', { session, headers, body: { name: 'by session' } });

  expect(change.status).toBe(isAllowed ? 204 : 403);
  expect(signIn.status).toBe(isAllowed ? 401 : 403);
  expect(key.status).toBe(isAllowed ? 201 : 403);
});

test('a password is set after a link, signs in with the code of an authenticator, and signing out ends what it should', async () => {
  const { token: session, email } = await testPerson(application.account, 'member', new Date(), { method: 'link' });
  expect((await post('account', { password: PASSWORD }, session)).status).toBe(204);
  const enrolled = await post('totp/enrol', {}, session);
  const { secret, uri } = (await enrolled.json()) as { secret: string; uri: string };
  const step = Math.floor(Date.now() / 30_000);
  expect(uri).toContain('otpauth://totp/svc:');
  expect((await post('totp/confirm', { code: codeAt(secret, step - 1) }, session)).status).toBe(204);

  const withoutCode = await post('sign-in/password', { email, password: PASSWORD });
  const signedIn = await post('sign-in/password', { email, password: PASSWORD, code: codeAt(secret, step) });
  const replayed = await post('sign-in/password', { email, password: PASSWORD, code: codeAt(secret, step) });
  const other = sessionIn(signedIn);
  const list = await application.send('GET', '/app/api/sessions', { session: other });
  const signedOut = await post('sign-out', {}, other);

  expect(await withoutCode.json()).toEqual({ status: 'code_required' });
  expect(withoutCode.headers.getSetCookie()).toEqual([]);
  expect([signedIn.status, replayed.status]).toEqual([200, 401]);
  const { sessions } = (await list.json()) as { sessions: { way: string; current: boolean }[] };
  expect(Object.fromEntries(sessions.map(({ way, current }) => [way, current]))).toEqual({
    link: false,
    password: true,
  });
  expect(signedOut.status).toBe(204);
  expect(signedOut.headers.getSetCookie()[0]).toMatch(/^svc_session_4000=;.*Max-Age=0/);
  expect(await stateOf(other)).toMatchObject({ signed_in: false, sign_in: { password: true } });
  expect(await stateOf(session)).toMatchObject({ signed_in: true, person: { has_password: true, totp: true } });
  expect((await post('sign-out-everywhere', {}, session)).status).toBe(204);
  expect(await stateOf(session)).toMatchObject({ signed_in: false });
});

test('an invitation shows what it is for, makes a member and signs them in', async () => {
  const { token: session } = await testPerson(application.account, 'admin', new Date());
  const made = await post('invitations', { role: 'member' }, session);
  const { url } = (await made.json()) as { url: string };
  const [, token = ''] = url.split('/invitation#token=');

  const view = await post('invitations/inspect', { token });
  const email = `${token.slice(-12).toLowerCase()}@example.com`;
  const accepted = await post('invitations/accept', { token, name: 'Guest', email, password: PASSWORD });
  const again = await post('invitations/inspect', { token });

  expect(made.status).toBe(201);
  expect(await view.json()).toMatchObject({ account: 'default', role: 'member', email: null });
  expect(accepted.status).toBe(201);
  expect(await stateOf(sessionIn(accepted))).toMatchObject({ person: { name: 'Guest', role: 'member' } });
  expect(again.status).toBe(401);
});

test('70 wrong attempts from an address lock out neither a link, nor a password, nor an invitation', async () => {
  const crowded = await openTestApplication();
  onTestFinished(() => crowded.close());
  const send = (path: string, body: object): Promise<Response> => crowded.send('POST', `/app/api/${path}`, { body });
  const { email, who } = await testPerson(crowded.account, 'owner', new Date(), { password: PASSWORD });
  const { token: invitation } = await invite(crowded.account.db, who, { role: 'member' }, new Date());
  const wrong = { email: 'nobody@example.com', password: 'a wrong password' };

  const passwords = await Promise.all(Array.from({ length: 70 }, () => send('sign-in/password', wrong)));
  const links = await Promise.all(Array.from({ length: 70 }, () => send('sign-in/link', { token: 'wrong' })));

  expect(passwords.filter(({ status }) => status === 401)).toHaveLength(5);
  const refused = links.filter(({ status }) => status === 429);
  // Some come back while the test runs.
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(10);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send('sign-in/link', { token: await linkToken(crowded) })).status).toBe(200);
  expect((await send('invitations/inspect', { token: invitation })).status).toBe(200);
  expect((await send('sign-in/password', { email, password: PASSWORD })).status).toBe(200);
});

/** Signs in by password, with what the browser has. */
function signInFrom(email: string, password: string, cookie = ''): Promise<Response> {
  return post('sign-in/password', { email, password }, undefined, { cookie, 'sec-fetch-site': 'same-origin' });
}

test('a browser that signed in before is not locked out by guesses from its network, and its cookie is worth nothing else', async () => {
  const { email } = await testPerson(application.account, 'member', new Date(), { password: PASSWORD });
  const other = await testPerson(application.account, 'member', new Date(), { password: PASSWORD });
  const device = `svc_device_4000=${sessionIn(await signInFrom(email, PASSWORD), 'svc_device_4000')}`;
  for (let round = 0; round < 6; round += 1)
    for (const who of [email, other.email]) await signInFrom(who, 'a wrong password');

  expect((await signInFrom(email, PASSWORD)).status).toBe(429);
  expect((await signInFrom(email, PASSWORD, device)).status).toBe(200);
  expect((await signInFrom(other.email, PASSWORD, device)).status).toBe(429);
  expect((await signInFrom(email, 'a wrong password', device)).status).toBe(401);
  expect((await signInFrom(other.email, PASSWORD, 'svc_device_4000=forged.forged')).status).toBe(429);
});

test('somebody who is invited comes back from an identity provider signed in; others are told why not', async () => {
  const issuer = await testIssuer();
  onTestFinished(() => issuer.close());
  const kind = { type: 'oidc', issuer: issuer.url } as const;
  const provider = { id: 'oidc', name: 'Example', clientId: 'client', clientSecret: 'secret', kind };
  const federated = await openTestApplication({ providers: [provider] });
  onTestFinished(() => federated.close());
  const { who } = await testPerson(federated.account, 'owner', new Date());
  const email = `ada-${who.accountId}@example.com`;
  await invite(federated.account.db, who, { role: 'member', email }, new Date());
  const goAndReturn = async (profile: Parameters<typeof issuer.agree>[1]): Promise<Response> => {
    const started = await federated.send('POST', '/app/api/sign-in/oidc/oidc', { body: {} });
    const { url } = (await started.json()) as { url: string };
    const cookie = `svc_oidc_4000=${sessionIn(started, 'svc_oidc_4000')}`;
    const query = new URLSearchParams({
      code: issuer.agree(url, profile),
      state: new URL(url).searchParams.get('state') ?? '',
    });
    // The browser comes from another site.
    const headers = { cookie, 'sec-fetch-site': 'cross-site' };
    return federated.send('GET', `/app/api/sign-in/oidc/oidc/callback?${query.toString()}`, { headers });
  };

  const stranger = await goAndReturn({ sub: 'stranger', email: 'mallory@example.com', email_verified: true });
  const invited = await goAndReturn({ sub: 'subject', email, email_verified: true, name: 'New Name' });
  const without = await federated.send('GET', '/app/api/sign-in/oidc/oidc/callback?code=a&state=b');
  const state = await federated.send('GET', '/app/api/session', { session: sessionIn(invited) });

  expect([stranger.status, await stranger.text()]).toEqual([403, expect.stringContaining('is not invited')]);
  expect(stranger.headers.get('content-type')).toMatch(/^text\/plain/);
  expect([invited.status, invited.headers.get('location')]).toEqual([303, '/']);
  expect(await state.json()).toMatchObject({ person: { name: 'New Name', role: 'member', identities: ['oidc'] } });
  expect(without.status).toBe(401);
});

test('the owner of the machine gets a link, an API key does not', async () => {
  const { account, keys } = application;
  const { accountId, productId, actor } = account;
  const scopes = ['read', 'keys:write'];
  const { secret } = await keys.createKey({ accountId, product: productId, name: 'strong', scopes, actor });
  const ask = (credential: string): Promise<Response> =>
    application.send('POST', '/v1/login-link', { headers: { authorization: `Bearer ${credential}` } });

  const [byOwner, byKey] = [await ask(OWNER_TOKEN), await ask(secret)];

  const { url, expires_at: expiresAt } = (await byOwner.json()) as { url: string; expires_at: string };
  const [page, token = ''] = url.split('#token=');
  expect([byOwner.status, byKey.status]).toEqual([201, 403]);
  expect(page).toBe('http://localhost:4000/welcome');
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  expect((await post('sign-in/link', { token })).status).toBe(200);
});

test('owners and admins manage keys over /v1/api-keys with their session, others and other paths do not', async () => {
  const statuses = await Promise.all(
    (['owner', 'admin', 'member', 'viewer'] as const).map(async (role) => {
      const { token: session } = await testPerson(application.account, role, new Date());
      return (await application.send('GET', '/v1/api-keys', { session })).status;
    }),
  );
  const { token: session } = await testPerson(application.account, 'owner', new Date());

  const mcp = await application.send('POST', '/v1/mcp', { session, body: {} });
  const tools = await application.send('POST', '/v1/tools/echo-tool', { session, body: {} });

  expect(statuses).toEqual([200, 200, 403, 403]);
  expect([mcp.status, tools.status]).toEqual([401, 401]);
});
