import { expect, onTestFinished, test } from 'vitest';
import { confirmTotp, enrolTotp } from '../accounts/own-account.ts';
import { invite } from '../accounts/members.ts';
import { codeAt } from '../accounts/totp.ts';
import { testIssuer } from '../testing/issuer.ts';
import { PASSWORD, testPerson } from '../testing/person.ts';
import { openTestApplication, type TestApplication, type TestApplicationOptions } from '../testing/web-application.ts';
import { TEST_SECRET_KEYS } from '../testing/secrets.ts';

async function open(options: TestApplicationOptions = {}): Promise<TestApplication> {
  const application = await openTestApplication(options);
  onTestFinished(() => application.close());
  return application;
}

/** The token in the cookie that an answer sets. */
function sessionIn(response: Response): string | undefined {
  const cookies = response.headers.getSetCookie().join('\n');
  return /^(?:__Host-)?svc_session(?:_\d+)?=([\w-]{65});/m.exec(cookies)?.[1];
}

test('a form of another site cannot send JSON as something else', async () => {
  const { account, send } = await open();
  const { token: session } = await testPerson(account, 'owner', new Date());
  const headers = {
    'sec-fetch-site': 'same-origin',
    'content-type': 'text/plain',
    cookie: `svc_session_4000=${session}`,
  };

  const response = await send('POST', '/app/api/products', { body: { name: 'a' }, headers });

  expect(response.status).toBe(415);
});

test('password, code and lock over HTTP', async () => {
  const { account, send } = await open();
  const { who, email } = await testPerson(account, 'member', new Date(), { password: PASSWORD });
  const { secret } = await enrolTotp(account.db, who, {
    currentPassword: PASSWORD,
    issuer: 'svc',
    keys: TEST_SECRET_KEYS,
  });
  const step = Math.floor(Date.now() / 30_000);
  await confirmTotp(account.db, who, { code: codeAt(secret, step - 1), keys: TEST_SECRET_KEYS }, new Date());
  const signIn = (body: object): Promise<Response> =>
    send('POST', '/app/api/sign-in/password', { body: { email, password: PASSWORD, ...body } });

  const withoutCode = await signIn({});
  const signedIn = await signIn({ code: codeAt(secret, step) });
  const replayed = await signIn({ code: codeAt(secret, step) });
  for (let index = 0; index < 4; index += 1) expect((await signIn({ password: 'wrong' })).status).toBe(401);
  const locked = await signIn({ code: codeAt(secret, step + 1) });

  expect([withoutCode.status, sessionIn(withoutCode), await withoutCode.json()]).toEqual([
    200,
    undefined,
    { status: 'code_required' },
  ]);
  expect([signedIn.status, await signedIn.json()]).toEqual([200, { status: 'signed_in' }]);
  expect(sessionIn(signedIn)).toBeDefined();
  expect([replayed.status, locked.status]).toEqual([401, 429]);
});

test('who began at an identity provider in another browser is not signed in', async () => {
  const issuer = await testIssuer();
  onTestFinished(() => issuer.close());
  const kind = { type: 'oidc', issuer: issuer.url } as const;
  const provider = { id: 'oidc', name: 'Example', clientId: 'client', clientSecret: 'secret', kind };
  const { account, send } = await open({ providers: [provider] });
  const email = `ada-${account.accountId}@example.com`;
  const { who } = await testPerson(account, 'owner', new Date());
  await invite(account.db, who, { role: 'viewer', email }, new Date());
  const begin = async (): Promise<{ url: string; cookie: string }> => {
    const response = await send('POST', '/app/api/sign-in/oidc/oidc', { body: {} });
    const { url } = (await response.json()) as { url: string };
    return { url, cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  const [mine, theirs] = [await begin(), await begin()];
  const code = issuer.agree(mine.url, { sub: '1', email, email_verified: true });
  const path = `/app/api/sign-in/oidc/oidc/callback?code=${code}&state=${new URL(mine.url).searchParams.get('state')}`;

  const bare = await send('GET', path, { headers: {} });
  const lured = await send('GET', path, { headers: { cookie: theirs.cookie } });
  const own = await send('GET', path, { headers: { cookie: mine.cookie } });

  expect([bare.status, lured.status, own.status]).toEqual([401, 401, 303]);
  expect([bare, lured].map(sessionIn)).toEqual([undefined, undefined]);
});
