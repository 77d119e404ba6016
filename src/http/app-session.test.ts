import { expect, onTestFinished, test } from 'vitest';
import { confirmTotp, enrolTotp } from '../accounts/own-account.ts';
import { invite } from '../accounts/members.ts';
import { codeAt } from '../accounts/totp.ts';
import { testIssuer } from '../testing/issuer.ts';
import { PASSWORD, testPerson } from '../testing/person.ts';
import {
  openTestApplication,
  OWNER_TOKEN,
  type TestApplication,
  type TestApplicationOptions,
} from '../testing/web-application.ts';

async function open(options: TestApplicationOptions = {}): Promise<TestApplication> {
  const application = await openTestApplication(options);
  onTestFinished(() => application.close());
  return application;
}

/** The token in the cookie that an answer sets. */
function sessionIn(response: Response): string | undefined {
  return /^(?:__Host-)?svc_session(?:_\d+)?=([\w-]{65});/.exec(response.headers.get('set-cookie') ?? '')?.[1];
}

async function newLinkToken({ send }: TestApplication): Promise<string> {
  const headers = { authorization: `Bearer ${OWNER_TOKEN}` };
  const { url } = (await (await send('POST', '/v1/login-link', { headers })).json()) as { url: string };
  return new URL(url).hash.replace('#token=', '');
}

async function isSignedIn({ send }: TestApplication, session: string | undefined): Promise<boolean> {
  const body = (await (await send('GET', '/app/api/session', { session })).json()) as { signed_in: boolean };
  return body.signed_in;
}

test('the link that the owner’s token makes signs the owner in, once, and shows the whole session', async () => {
  const application = await open();
  const token = await newLinkToken(application);
  const before = await (await application.send('GET', '/app/api/session')).json();

  const first = await application.send('POST', '/app/api/sign-in/link', { body: { token } });
  const second = await application.send('POST', '/app/api/sign-in/link', { body: { token } });

  const session = sessionIn(first);
  expect(before).toEqual({
    signed_in: false,
    version: '0.0.0',
    base_url: 'http://localhost:4000',
    sign_in: { password: false, oidc: [] },
  });
  expect([first.status, await first.json()]).toEqual([200, { status: 'signed_in' }]);
  expect([second.status, sessionIn(second)]).toEqual([401, undefined]);
  expect(await (await application.send('GET', '/app/api/session', { session })).json()).toMatchObject({
    signed_in: true,
    person: { name: 'owner', email: null, role: 'owner', has_password: false, totp: false, fresh_link: true },
    account: { id: application.account.accountId, name: 'default' },
    product: { id: application.account.productId, name: 'default' },
  });
});

test('only the owner’s token makes a link for the owner', async () => {
  const { send, keys, account } = await open();
  const { accountId, productId: product, actor } = account;
  const scopes = ['read', 'keys:write'];
  const { secret } = await keys.createKey({ accountId, product, actor, name: 'strong', scopes });
  const { token: session } = await testPerson(account, 'owner', new Date());

  const byKey = await send('POST', '/v1/login-link', { headers: { 'x-api-key': secret } });
  const bySession = await send('POST', '/v1/login-link', { session });

  expect([byKey.status, bySession.status]).toEqual([403, 401]);
});

test.each([
  ['http://localhost:4000', /^svc_session_4000=[\w-]{65}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/],
  ['https://svc.example.com', /^__Host-svc_session=[\w-]{65}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/],
])(
  'at %s the cookie is out of reach of scripts, other sites and, over https, of plain connections',
  async (baseUrl, form) => {
    const application = await open({ baseUrl });
    const token = await newLinkToken(application);

    const signedIn = await application.send('POST', '/app/api/sign-in/link', { body: { token } });
    const session = sessionIn(signedIn);
    const signedOut = await application.send('POST', '/app/api/sign-out', { session });

    expect(signedIn.headers.get('set-cookie')).toMatch(form);
    expect(signedOut.headers.get('set-cookie')).toMatch(/svc_session(?:_4000)?=; Max-Age=0; Path=\//);
    expect(await isSignedIn(application, session)).toBe(false);
  },
);

const ORIGINS: [name: string, headers: Record<string, string>, status: number][] = [
  ['our own page', { 'sec-fetch-site': 'same-origin' }, 201],
  ['our own page, where the browser tells its origin alone', { origin: 'http://localhost:4000' }, 201],
  ['nothing that says so', {}, 403],
  ['another port of this machine', { origin: 'http://localhost:5173' }, 403],
  ['another port, by what the browser tells', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4000' }, 403],
  ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ['another site by its origin', { origin: 'https://evil.example' }, 403],
  ['no page', { 'sec-fetch-site': 'none' }, 403],
  ['a sandboxed page', { origin: 'null' }, 403],
];

test.each(ORIGINS)('a change that comes from %s', async (_, headers, status) => {
  const { account, send } = await open();
  const { token: session } = await testPerson(account, 'owner', new Date());
  const cookie = `svc_session_4000=${session}`;

  const key = await send('POST', '/app/api/keys', { body: { name: 'a' }, headers: { ...headers, cookie } });
  const rest = await send('POST', '/v1/api-keys', { body: { name: 'a' }, headers: { ...headers, cookie } });
  const signIn = await send('POST', '/app/api/sign-in/link', { body: { token: 'wrong' }, headers });

  expect([key.status, rest.status]).toEqual([status, status]);
  expect(signIn.status).toBe(status === 201 ? 401 : 403);
});

test('a form of another site cannot send JSON as something else', async () => {
  const { account, send } = await open();
  const { token: session } = await testPerson(account, 'owner', new Date());
  const headers = {
    'sec-fetch-site': 'same-origin',
    'content-type': 'text/plain',
    cookie: `svc_session_4000=${session}`,
  };

  const response = await send('POST', '/app/api/products', { body: { name: 'a' }, headers });

  expect(response.status).toBe(400);
});

test('password, code and lock over HTTP', async () => {
  const { account, send } = await open();
  const { who, email } = await testPerson(account, 'member', new Date(), { password: PASSWORD });
  const { secret } = await enrolTotp(account.db, who, { currentPassword: PASSWORD, issuer: 'svc' });
  const step = Math.floor(Date.now() / 30_000);
  await confirmTotp(account.db, who, codeAt(secret, step - 1), new Date());
  const signIn = (body: object): Promise<Response> =>
    send('POST', '/app/api/sign-in/password', { body: { email, password: PASSWORD, ...body } });

  const asked = await signIn({});
  const signedIn = await signIn({ code: codeAt(secret, step) });
  const replayed = await signIn({ code: codeAt(secret, step) });
  for (let index = 0; index < 4; index += 1) expect((await signIn({ password: 'wrong' })).status).toBe(401);
  const locked = await signIn({ code: codeAt(secret, step + 1) });

  expect([asked.status, sessionIn(asked), await asked.json()]).toEqual([200, undefined, { status: 'code_required' }]);
  expect([signedIn.status, await signedIn.json()]).toEqual([200, { status: 'signed_in' }]);
  expect(sessionIn(signedIn)).toBeDefined();
  expect([replayed.status, locked.status]).toEqual([401, 429]);
});

test('an address tries 60 times a minute, in whatever way', async () => {
  const { account, send } = await open();
  const { token: session } = await testPerson(account, 'viewer', new Date());
  const ways: [string, object][] = [
    ['sign-in/link', { token: 'wrong' }],
    ['invitations/inspect', { token: 'wrong' }],
    ['totp/confirm', { code: '000000' }],
    ['account', {}],
  ];

  const statuses: number[] = [];
  for (let index = 0; index < 64; index += 1) {
    const [path, body] = ways[index % ways.length] ?? ['', {}];
    statuses.push((await send('POST', `/app/api/${path}`, { session, body })).status);
  }

  // Some come back while the test runs.
  expect(statuses.indexOf(429)).toBeGreaterThanOrEqual(60);
  const refused = await send('POST', '/app/api/sign-in/password', { body: { email: 'a', password: 'b' } });
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
});

test('signing out everywhere ends every session over HTTP at once', async () => {
  const application = await open();
  const { account, send } = application;
  const { who, token } = await testPerson(account, 'member', new Date(), { password: PASSWORD });
  const other = await send('POST', '/app/api/sign-in/password', { body: { email: who.email, password: PASSWORD } });
  const second = sessionIn(other);
  const both = [await isSignedIn(application, token), await isSignedIn(application, second)];

  const response = await send('POST', '/app/api/sign-out-everywhere', { session: token });

  expect([both, response.status]).toEqual([[true, true], 204]);
  expect([await isSignedIn(application, token), await isSignedIn(application, second)]).toEqual([false, false]);
});

test('a session manages keys over /v1/api-keys by its role, and opens nothing else of /v1', async () => {
  const { account, send } = await open();
  const at = async (role: 'admin' | 'member', path: string): Promise<number> => {
    const { token: session } = await testPerson(account, role, new Date());
    return (await send('GET', path, { session })).status;
  };

  expect(await at('admin', '/v1/api-keys')).toBe(200);
  expect(await at('member', '/v1/api-keys')).toBe(403);
  expect(await at('admin', '/v1/repositories')).toBe(401);
  expect(await at('admin', '/v1/mcp/sse')).toBe(401);
  expect(await at('admin', '/v1/api-keys-and-more')).toBe(401);
});

test('an invitation is shown, accepted and used up over HTTP', async () => {
  const application = await open();
  const { account, send } = application;
  const { token: session } = await testPerson(account, 'owner', new Date());
  const made = await send('POST', '/app/api/invitations', { session, body: { role: 'member' } });
  const { url } = (await made.json()) as { url: string };
  const token = url.replace('http://localhost:4000/invitation#token=', '');
  const acceptance = { token, name: 'Ada', email: `ada-${account.accountId}@example.com`, password: PASSWORD };

  const view = await send('POST', '/app/api/invitations/inspect', { body: { token } });
  const accepted = await send('POST', '/app/api/invitations/accept', { body: acceptance });
  const again = await send('POST', '/app/api/invitations/inspect', { body: { token } });

  expect(await view.json()).toMatchObject({ account: 'default', role: 'member', email: null });
  expect(accepted.status).toBe(201);
  expect(await isSignedIn(application, sessionIn(accepted))).toBe(true);
  expect(again.status).toBe(401);
});

test('an identity provider signs an invited person in, in the browser that began it, and nobody without an invitation', async () => {
  const issuer = await testIssuer();
  onTestFinished(() => issuer.close());
  const kind = { type: 'oidc', issuer: issuer.url } as const;
  const provider = { id: 'oidc', name: 'Example', clientId: 'client', clientSecret: 'secret', kind };
  const application = await open({ providers: [provider] });
  const { account, send } = application;
  const email = `ada-${account.accountId}@example.com`;
  const { who } = await testPerson(account, 'owner', new Date());
  await invite(account.db, who, { role: 'viewer', email }, new Date());
  const round = async (profile: { sub: string; email: string; email_verified: boolean }, hasCookie = true) => {
    const begun = await send('POST', '/app/api/sign-in/oidc/oidc', { body: {} });
    const { url } = (await begun.json()) as { url: string };
    const state = new URL(url).searchParams.get('state') ?? '';
    const path = `/app/api/sign-in/oidc/oidc/callback?code=${issuer.agree(url, profile)}&state=${state}`;
    const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return send('GET', path, { headers: hasCookie ? { cookie } : {} });
  };
  const ada = { sub: '1', email, email_verified: true };

  const elsewhere = await round(ada, false);
  const uninvited = await round({ sub: '2', email: 'bob@example.com', email_verified: true });
  const back = await round(ada);

  expect([elsewhere.status, uninvited.status]).toEqual([401, 403]);
  expect([elsewhere, uninvited].map(sessionIn)).toEqual([undefined, undefined]);
  expect([back.status, back.headers.get('location')]).toEqual([303, '/']);
  const session = /svc_session_4000=([\w-]{65})/.exec(back.headers.getSetCookie().join('\n'))?.[1];
  expect(await (await send('GET', '/app/api/session', { session })).json()).toMatchObject({
    person: { email, role: 'viewer', has_password: false, identities: ['oidc'] },
    sign_in: { oidc: [{ id: 'oidc', name: 'Example' }] },
  });
});
