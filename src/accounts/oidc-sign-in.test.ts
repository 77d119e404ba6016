import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { type TestIssuer, testIssuer, type TestProfile } from '../testing/issuer.ts';
import { testPerson } from '../testing/person.ts';
import { invite, listInvitations, listMembers } from './members.ts';
import { beginOidc, finishOidc } from './oidc-sign-in.ts';
import { createGroup, listGroups } from './product-access.ts';
import { configuredProviders, type ProviderSettings } from './oidc/oidc.ts';
import { findSession, type NewSession, type SignedIn } from './sessions.ts';
import { selectIdentities } from './store-sign-in.ts';

const NOW = new Date('2026-11-21T10:00:00Z');

const NO_KEYS = { settle: async (): Promise<void> => {}, apply: async (): Promise<void> => {} };

interface Setup {
  account: TestAccount;
  issuer: TestIssuer;
  provider: ProviderSettings;
}

async function setUp(kind: 'oidc' | 'github' = 'oidc'): Promise<Setup> {
  const issuer = await testIssuer();
  onTestFinished(() => issuer.close());
  const account = await testAccount();
  const { url } = issuer;
  const settings = { id: kind, name: 'Example', clientId: 'client', clientSecret: 'secret' };
  const provider: ProviderSettings =
    kind === 'oidc'
      ? { ...settings, kind: { type: 'oidc', issuer: url } }
      : { ...settings, kind: { type: 'github', site: url, api: url } };
  return { account, issuer, provider };
}

/** Goes to the provider and comes back as this person. */
async function round(
  { account, issuer, provider }: Setup,
  profile: TestProfile,
  { who, invitation }: { who?: SignedIn; invitation?: string } = {},
): Promise<NewSession | undefined> {
  const redirectUri = 'http://localhost/back';
  const { db, accountId } = account;
  const { url, secret } = await beginOidc(db, { accountId, provider, redirectUri, who, invitation }, NOW);
  const back = {
    provider,
    redirectUri,
    secret,
    state: stateOf(url),
    code: issuer.agree(url, profile),
    userAgent: '',
    keys: NO_KEYS,
  };
  return finishOidc(db, back, NOW);
}

function stateOf(url: string): string {
  return new URL(url).searchParams.get('state') ?? '';
}

/** An address that nobody else in the shared database has. */
function addressIn({ account }: Setup): string {
  return `ada-${account.accountId}@example.com`;
}

test.each(['oidc', 'github'] as const)(
  '%s: an invited person with a verified address joins, and comes back',
  async (kind) => {
    const setup = await setUp(kind);
    const { db, accountId } = setup.account;
    const { who } = await testPerson(setup.account, 'owner', NOW);
    await invite(db, who, { role: 'viewer', email: addressIn(setup) }, NOW);
    const profile = { sub: '42', email: addressIn(setup).toUpperCase(), email_verified: true, name: 'New Name' };

    const first = await round(setup, profile);
    const second = await round(setup, { sub: '42', email: 'renamed@example.com', email_verified: true });

    const [joined, returned] = await Promise.all(
      [first, second].map((session) => findSession(db, session?.token ?? '', NOW)),
    );
    expect(joined).toMatchObject({ name: 'New Name', email: addressIn(setup), role: 'viewer', hasPassword: false });
    expect(returned?.personId).toBe(joined?.personId);
    expect(await listInvitations(db, accountId, NOW)).toEqual([]);
  },
);

test('the profile may come from the userinfo endpoint, but only about the same person', async () => {
  const setup = await setUp();
  const { who } = await testPerson(setup.account, 'owner', NOW);
  await invite(setup.account.db, who, { role: 'viewer', email: addressIn(setup) }, NOW);
  setup.issuer.claims['sub'] = 'somebody else';
  const profile = { sub: '42', email: addressIn(setup), email_verified: true };

  await expect(round(setup, profile)).rejects.toMatchObject({ code: 'upstream_failed' });
});

test.each([
  ['without an invitation', {}],
  ['with an address that is not verified', { email_verified: false }],
  ['without a word about the address', { email: undefined }],
])('nobody gets in %s', async (reason, change) => {
  const setup = await setUp();
  const { db, accountId } = setup.account;
  const { who } = await testPerson(setup.account, 'owner', NOW);
  if (reason !== 'without an invitation') await invite(db, who, { role: 'viewer', email: addressIn(setup) }, NOW);
  const { email, ...rest } = { sub: '42', email: addressIn(setup), email_verified: true, ...change };
  const before = await listMembers(db, accountId);

  const profile = { ...rest, ...(email === undefined ? {} : { email }) };

  await expect(round(setup, profile)).rejects.toMatchObject({ code: 'scope_denied' });
  expect(await listMembers(db, accountId)).toEqual(before);
});

test('an address that a member has does not sign in as that member', async () => {
  const setup = await setUp();
  const { db } = setup.account;
  const victim = await testPerson(setup.account, 'owner', NOW);
  const profile = { sub: '42', email: victim.email, email_verified: true };

  await expect(round(setup, profile)).rejects.toMatchObject({ code: 'scope_denied' });
  await invite(db, victim.who, { role: 'viewer', email: victim.email }, NOW);
  await expect(round(setup, profile)).rejects.toMatchObject({ code: 'conflict' });
  expect(await selectIdentities(db, victim.who.accountId, victim.who.personId)).toEqual([]);
});

test('an invitation without an address is accepted by whoever holds it, one for another address is not', async () => {
  const setup = await setUp();
  const { db } = setup.account;
  const { who } = await testPerson(setup.account, 'owner', NOW);
  const open = await invite(db, who, { role: 'member' }, NOW);
  const other = await invite(db, who, { role: 'member', email: 'other@example.com' }, NOW);
  const profile = { sub: '42', email: addressIn(setup), email_verified: true };

  await expect(round(setup, profile, { invitation: other.token })).rejects.toMatchObject({ code: 'scope_denied' });
  const session = await round(setup, profile, { invitation: open.token });

  expect(await findSession(db, session?.token ?? '', NOW)).toMatchObject({ role: 'member', name: addressIn(setup) });
});

test('an identity is linked while signed in, once, and then signs in', async () => {
  const setup = await setUp();
  const { db } = setup.account;
  const { who } = await testPerson(setup.account, 'admin', NOW);
  const other = await testPerson(setup.account, 'member', NOW);

  expect(await round(setup, { sub: '42' }, { who })).toBeUndefined();
  expect(await round(setup, { sub: '42' }, { who })).toBeUndefined();
  await expect(round(setup, { sub: '42' }, { who: other.who })).rejects.toMatchObject({ code: 'conflict' });
  await expect(round(setup, { sub: '43' }, { who })).rejects.toMatchObject({ code: 'conflict' });
  const session = await round(setup, { sub: '42' });

  expect(await findSession(db, session?.token ?? '', NOW)).toMatchObject({ personId: who.personId });
  expect(await selectIdentities(db, who.accountId, who.personId)).toEqual(['oidc']);
});

test('a way back counts once, within ten minutes, in the browser that began it', async () => {
  const setup = await setUp();
  const { account, issuer, provider } = setup;
  const { db, accountId } = account;
  const { who } = await testPerson(account, 'member', NOW);
  await round(setup, { sub: '42' }, { who });
  const redirectUri = 'http://localhost/back';
  const begin = () => beginOidc(db, { accountId, provider, redirectUri }, NOW);
  const finish = async (begun: { url: string; secret: string }, change: object, at = NOW) => {
    const code = issuer.agree(begun.url, { sub: '42' });
    const back = {
      provider,
      redirectUri,
      secret: begun.secret,
      state: stateOf(begun.url),
      code,
      userAgent: '',
      keys: NO_KEYS,
    };
    return finishOidc(db, { ...back, ...change }, at);
  };
  const dead = { code: 'invalid_key' };
  const [mine, theirs] = await Promise.all([begin(), begin()]);

  await expect(finish(mine, { state: stateOf(theirs.url) })).rejects.toMatchObject(dead);
  await expect(finish(mine, { secret: '' })).rejects.toMatchObject(dead);
  await expect(finish(mine, {}, new Date(NOW.getTime() + 10 * 60_000))).rejects.toMatchObject(dead);
  await expect(finish(theirs, { provider: { ...provider, id: 'google' } })).rejects.toMatchObject(dead);
  expect(await finish(mine, {})).toBeDefined();
  await expect(finish(mine, {})).rejects.toMatchObject(dead);
});

test.each([
  ['of another issuer', { iss: 'https://evil.example' }],
  ['for another client', { aud: 'another' }],
  ['for several clients', { aud: ['client', 'another'] }],
  ['that has expired', { exp: NOW.getTime() / 1000 - 61 }],
  ['of another sign-in', { nonce: 'another' }],
  ['without a subject', { sub: '' }],
  ['for several clients, of which another asked', { aud: ['client', 'another'], azp: 'another' }],
  ['without an audience', { aud: undefined }],
  ['that never expires', { exp: undefined }],
  ['of no sign-in', { nonce: undefined }],
  ['that is not valid yet', { nbf: NOW.getTime() / 1000 + 62 }],
])('an identity token %s is refused', async (_, claims) => {
  const setup = await setUp();
  const { who } = await testPerson(setup.account, 'member', NOW);
  Object.assign(setup.issuer.claims, claims);

  await expect(round(setup, { sub: '42' }, { who })).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(await selectIdentities(setup.account.db, who.accountId, who.personId)).toEqual([]);
});

test.each([
  ['that has just expired', { exp: NOW.getTime() / 1000 - 58 }],
  ['of a clock that runs ahead', { nbf: NOW.getTime() / 1000 + 58 }],
  ['for several clients, of which we asked', { aud: ['client', 'another'], azp: 'client' }],
])('an identity token %s is taken', async (_, claims) => {
  const setup = await setUp();
  const { who } = await testPerson(setup.account, 'member', NOW);
  Object.assign(setup.issuer.claims, claims);

  await round(setup, { sub: '42' }, { who });

  expect(await selectIdentities(setup.account.db, who.accountId, who.personId)).toEqual(['oidc']);
});

test('a token without a signature is refused', async () => {
  const setup = await setUp();
  const { who } = await testPerson(setup.account, 'member', NOW);
  setup.issuer.head['alg'] = 'none';

  await expect(round(setup, { sub: '42' }, { who })).rejects.toMatchObject({ code: 'upstream_failed' });
});

test('an issuer that tells its name at the way back is held to it', async () => {
  const { account, issuer, provider } = await setUp();
  const { db, accountId } = account;
  const { who } = await testPerson(account, 'member', NOW);
  issuer.metadata['authorization_response_iss_parameter_supported'] = true;
  const redirectUri = 'http://localhost/back';
  const comeBack = async (iss: string | undefined): Promise<unknown> => {
    const { url, secret } = await beginOidc(db, { accountId, provider, redirectUri, who }, NOW);
    const code = issuer.agree(url, { sub: '42' });
    return finishOidc(
      db,
      { provider, redirectUri, secret, state: stateOf(url), code, iss, userAgent: '', keys: NO_KEYS },
      NOW,
    );
  };

  await expect(comeBack(undefined)).rejects.toMatchObject({ code: 'upstream_failed' });
  await expect(comeBack('https://evil.example')).rejects.toMatchObject({ code: 'upstream_failed' });
  expect(await comeBack(issuer.url)).toBeUndefined();
});

test.each([
  ['calls itself something else', { issuer: 'https://evil.example' }, 'it identifies itself as https://evil.example'],
  ['answers without an address to go to', { authorization_endpoint: undefined }, 'authorization_endpoint'],
])('an issuer that %s is refused', async (_, metadata, why) => {
  const { account, issuer, provider } = await setUp();
  const { db, accountId } = account;
  Object.assign(issuer.metadata, metadata);

  const begun = beginOidc(db, { accountId, provider, redirectUri: 'http://localhost/back' }, NOW);

  await expect(begun).rejects.toMatchObject({ code: 'upstream_failed', message: expect.stringContaining(why) });
});

test('an issuer cannot send the service into its private network, unless the settings open it', async () => {
  const setup = await setUp();
  const { who } = await testPerson(setup.account, 'member', NOW);
  // The same server by another name: only what the settings name is trusted.
  const { port } = new URL(setup.issuer.url);
  setup.issuer.metadata['token_endpoint'] = `http://localhost:${port}/token`;

  await expect(round(setup, { sub: '42' }, { who })).rejects.toMatchObject({
    code: 'upstream_failed',
    fix: expect.stringContaining('SVC_PRIVATE_HOSTS'),
  });
  const provider = { ...setup.provider, privateHosts: ['localhost'] };
  expect(await round({ ...setup, provider }, { sub: '42' }, { who })).toBeUndefined();
});

test('a redirect is no answer of an issuer', async () => {
  const setup = await setUp();
  const moved = createServer((_, response) => {
    response.writeHead(302, { location: `${setup.issuer.url}/.well-known/openid-configuration` }).end();
  });
  await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => moved.close(() => resolve())));
  // An address of a TCP listener, because a port was given.
  const issuer = `http://127.0.0.1:${(moved.address() as AddressInfo).port}`;
  const provider: ProviderSettings = { ...setup.provider, kind: { type: 'oidc', issuer } };
  const { db, accountId } = setup.account;

  await expect(beginOidc(db, { accountId, provider, redirectUri: '' }, NOW)).rejects.toMatchObject({
    message: expect.stringContaining('unexpected HTTP response status code'),
  });
});

test('a code of another sign-in is refused by the issuer, because the verifier does not fit', async () => {
  const { account, issuer, provider } = await setUp();
  const { db, accountId } = account;
  const redirectUri = 'http://localhost/back';
  const [mine, theirs] = await Promise.all([1, 2].map(() => beginOidc(db, { accountId, provider, redirectUri }, NOW)));
  if (!mine || !theirs) throw new Error('Two were begun.');
  const code = issuer.agree(theirs.url, { sub: '42' });
  const back = {
    provider,
    redirectUri,
    secret: mine.secret,
    state: stateOf(mine.url),
    code,
    userAgent: '',
    keys: NO_KEYS,
  };

  await expect(finishOidc(db, back, NOW)).rejects.toMatchObject({ code: 'upstream_failed' });
});

test('an issuer that does not answer, or is reached without TLS, is a failure that can be told', async () => {
  const { account, provider } = await setUp();
  const { db, accountId } = account;
  const at = (issuer: string): Promise<unknown> =>
    beginOidc(db, { accountId, provider: { ...provider, kind: { type: 'oidc', issuer } }, redirectUri: '' }, NOW);

  for (const issuer of ['http://127.0.0.1:1', 'http://issuer.example'])
    await expect(at(issuer)).rejects.toMatchObject({ code: 'upstream_failed', fix: expect.any(String) });
});

test('providers come from the settings, and half of one is refused', () => {
  const none = {
    oidcIssuer: undefined,
    oidcName: 'single sign-on',
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    googleClientId: undefined,
    googleClientSecret: undefined,
    githubClientId: undefined,
    githubClientSecret: undefined,
  };
  const own = { oidcIssuer: 'https://id.example.com', oidcClientId: 'a', oidcClientSecret: 'b' };
  const all = {
    ...none,
    ...own,
    googleClientId: 'a',
    googleClientSecret: 'b',
    githubClientId: 'a',
    githubClientSecret: 'b',
  };

  expect(configuredProviders(none)).toEqual([]);
  expect(configuredProviders(all).map(({ id }) => id)).toEqual(['oidc', 'google', 'github']);
  for (const half of [
    { googleClientId: 'a' },
    { githubClientSecret: 'b' },
    { oidcIssuer: 'https://id.example.com' },
    { oidcClientId: 'a', oidcClientSecret: 'b' },
  ])
    expect(() => configuredProviders({ ...none, ...half })).toThrow('is incomplete');
});

test('groups of the provider are those of the account with their names, from each sign-in on', async () => {
  const setup = await setUp();
  const { db, accountId } = setup.account;
  const { who } = await testPerson(setup.account, 'owner', NOW);
  await invite(db, who, { role: 'viewer', email: addressIn(setup) }, NOW);
  const parts = { db, who, keys: NO_KEYS, now: NOW };
  for (const name of ['Payments', 'Search', 'Elsewhere']) await createGroup(parts, name);
  const profile = { sub: '42', email: addressIn(setup), email_verified: true };
  const withClaim = { ...setup, provider: { ...setup.provider, groupsClaim: 'groups' } };
  const groupsWith = async (groups?: unknown): Promise<string[]> => {
    setup.issuer.claims['groups'] = groups;
    await round(withClaim, profile);
    return (await listGroups(db, accountId)).flatMap(({ name, people }) => (people.length > 0 ? [name] : []));
  };

  expect(await groupsWith(['Payments', 'Search', 'Unknown'])).toEqual(['Payments', 'Search']);
  expect(await groupsWith('Elsewhere')).toEqual(['Elsewhere']);
  // Without the setting nobody's groups change.
  setup.issuer.claims['groups'] = [];
  await round(setup, profile);
  expect((await listGroups(db, accountId)).filter(({ people }) => people.length > 0)).toHaveLength(1);
  expect(await groupsWith()).toEqual([]);
});
