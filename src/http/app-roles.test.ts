import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createProduct } from '../accounts/accounts.ts';
import { invite } from '../accounts/members.ts';
import { type Role, roleCovers, ROLES } from '../platform/rights.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { testRepository } from '../testing/git.ts';
import { ELSEWHERE, ROUTES, UNKNOWN } from '../testing/app-route-table.ts';
import { testPerson, type TestPerson } from '../testing/person.ts';
import { openTestApplication, OWNER_TOKEN, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;
let stranger: TestPerson;
let strange: TestAccount;
/** An API key, which opens nothing here. */
let uselessKey: string;

beforeAll(async () => {
  application = await openTestApplication();
  const { accountId, productId, actor } = application.account;
  const key = { accountId, product: productId, name: 'of no use here', scopes: ['read', 'keys:write'], actor } as const;
  uselessKey = (await application.keys.createKey({ ...key, scopes: [...key.scopes] })).secret;
  strange = await testAccount();
  stranger = await testPerson(strange, 'owner', new Date());
});
afterAll(() => application.close());

function at(path: string, id = UNKNOWN): string {
  return `/app/api${path
    .replace('{channel}', 'webhook')
    .replace('{kind}', 'person')
    .replace(/\{\w+\}/, id)}`;
}

async function sessionOf(role: Role): Promise<string> {
  return (await testPerson(application.account, role, new Date())).token;
}

/** Sessions of requests that change nothing. */
const readers = new Map<Role, Promise<string>>();
function readerOf(role: Role): Promise<string> {
  const session = readers.get(role) ?? sessionOf(role);
  readers.set(role, session);
  return session;
}

test('the table of this test has every route of the OpenAPI document', async () => {
  const response = await application.send('GET', '/app/api/openapi.json', { session: await sessionOf('viewer') });
  const { paths } = (await response.json()) as { paths: Record<string, object> };

  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

  const listedRoutes = [...ROUTES.map(([method, path]) => `${method} ${path.replace(/\?.*/, '')}`), ...ELSEWHERE];
  expect(described.toSorted()).toEqual(listedRoutes.toSorted());
});

test.each(ROUTES)('%s %s takes the role %s, and nothing that it answers is kept', async (method, path, least, body) => {
  for (const role of ROLES) {
    const session = await (method === 'GET' ? readerOf(role) : sessionOf(role));
    const response = await application.send(method, at(path), { session, body });
    const isAllowed = least === 'anybody' || roleCovers(role, least);

    expect([role, response.status === 403]).toEqual([role, !isAllowed]);
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test.each(ROUTES)('%s %s without a session: %s', async (method, path, least, body) => {
  const pages = { 'sec-fetch-site': 'same-origin' };
  const credentials = [
    {},
    { authorization: `Bearer ${uselessKey}` },
    { 'x-api-key': uselessKey },
    { authorization: `Bearer ${OWNER_TOKEN}` },
    { cookie: 'svc_session_4000=wrong' },
  ];

  for (const credential of credentials) {
    const response = await application.send(method, at(path), { body, headers: { ...pages, ...credential } });
    const error = response.ok ? undefined : ((await response.json()) as { error: { code: string } }).error.code;

    expect([error === 'missing_credential', response.status === 401 && error === 'missing_credential']).toEqual(
      least === 'anybody' ? [false, false] : [true, true],
    );
    expect(response.status).toBeLessThan(500);
    // A challenge of the browser's own would ask for a key.
    expect(response.headers.get('www-authenticate')).toBeNull();
  }
});

test('nothing of another account is found, whatever the role', async () => {
  const { account, keys, send } = application;
  const { accountId, actor } = account;
  const { key } = await keys.createKey({ accountId, product: account.productId, name: 'ours', actor });
  const { who } = await testPerson(account, 'owner', new Date());
  const member = await testPerson(account, 'member', new Date());
  const invitation = await invite(account.db, who, { role: 'member' }, new Date());
  const product = await createProduct(account.db, { accountId, name: 'ours', actor }, new Date());
  const session = stranger.token;

  const answers = await Promise.all([
    send('GET', at('/keys/{id}', key.id), { session }),
    send('GET', at('/keys/{id}/usage', key.id), { session }),
    send('POST', at('/keys/{id}/regenerate', key.id), { session }),
    send('DELETE', at('/keys/{id}', key.id), { session }),
    send('PATCH', at('/members/{id}', member.who.personId), { session, body: { role: 'viewer' } }),
    send('DELETE', at('/members/{id}', member.who.personId), { session }),
    send('POST', at('/members/{id}/link', member.who.personId), { session }),
    send('DELETE', at('/invitations/{id}', invitation.id), { session }),
    send('DELETE', at('/sessions/{id}', member.who.sessionId), { session }),
    send('GET', `/app/api/session?product=${product.id}`, { session }),
    send('GET', `/app/api/overview?product=${product.id}`, { session }),
    send('GET', `/app/api/repositories?product=${product.id}`, { session }),
    send('GET', `/app/api/search?q=a&product=${product.id}`, { session }),
    send('POST', '/app/api/keys', { session, body: { name: 'theirs', product: product.id } }),
  ]);
  const lists = await Promise.all(
    ['keys', 'members', 'products', 'integrations', 'audit', 'audit/choices', 'sessions', 'overview'].map(
      async (list) => (await send('GET', `/app/api/${list}`, { session })).text(),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  const ours = [key.id, member.who.personId, invitation.id, product.id, who.personId];
  expect(lists.filter((list) => ours.some((id) => list.includes(id)))).toEqual([]);
  expect((await keys.listKeys(accountId)).map(({ id }) => id)).toContain(key.id);
});

test('members manage the keys that they made, admins all of the account; only admins make a key that manages keys', async () => {
  const { account, send } = application;
  const [maker, member, admin] = await Promise.all([
    testPerson(account, 'member', new Date()),
    testPerson(account, 'member', new Date()),
    testPerson(account, 'admin', new Date()),
  ]);
  const made = await send('POST', '/app/api/keys', { session: maker.token, body: { name: 'mine', expires: '7d' } });
  const { id, key: secret } = (await made.json()) as { id: string; key: string };
  const managing = { name: 'strong', scopes: ['read', 'keys:write'] };

  const [own, foreign, all] = await Promise.all(
    [maker, member, admin].map(async ({ token }) => {
      const list = (await (await send('GET', '/app/api/keys', { session: token })).json()) as {
        keys: { id: string }[];
      };
      const { status } = await send('GET', `/app/api/keys/${id}`, { session: token });
      return { isListed: list.keys.some((key) => key.id === id), status };
    }),
  );
  const stolen = await send('POST', `/app/api/keys/${id}/regenerate`, { session: member.token });
  const refused = await send('POST', '/app/api/keys', { session: maker.token, body: managing });
  const allowed = await send('POST', '/app/api/keys', { session: admin.token, body: managing });
  const shown = await (await send('GET', `/app/api/keys/${id}`, { session: maker.token })).text();

  expect(made.status).toBe(201);
  expect(secret).toMatch(/^svc_live_\w{49}$/);
  expect([own, foreign, all]).toEqual([
    { isListed: true, status: 200 },
    { isListed: false, status: 404 },
    { isListed: true, status: 200 },
  ]);
  expect([stolen.status, refused.status, allowed.status]).toEqual([404, 403, 201]);
  expect(shown).not.toContain(secret);
  expect(JSON.parse(shown)).toMatchObject({ created_by_name: 'the member', status: 'expiring', prefix: 'svc_****' });
});

test('what a role may not see of the overview is empty', async () => {
  const overviews = await Promise.all(
    ROLES.map(async (role) => {
      const response = await application.send('GET', '/app/api/overview', { session: await sessionOf(role) });
      const { keys, recent } = (await response.json()) as { keys: { count: number }; recent: unknown[] };
      return { role, keys: keys.count > 0, recent: recent.length > 0 };
    }),
  );

  expect(overviews).toEqual([
    { role: 'owner', keys: true, recent: true },
    { role: 'admin', keys: true, recent: true },
    { role: 'member', keys: false, recent: false },
    { role: 'viewer', keys: false, recent: false },
  ]);
});

test('the audit log names by what it can be filtered, and takes days with their last hour', async () => {
  const { account, send } = application;
  const { token: session, who } = await testPerson(account, 'admin', new Date());
  await send('POST', '/app/api/products', { session, body: { name: 'audited' } });
  const ask = async <Body>(path: string): Promise<Body> =>
    (await (await send('GET', `/app/api/audit${path}`, { session })).json()) as Body;
  const choices = await ask<{ actors: { name: string; ids: string[] }[]; actions: string[] }>('/choices');
  const ids = choices.actors.find(({ name }) => name === 'the admin')?.ids ?? [];
  const today = new Date().toISOString().slice(0, 10);
  interface Page {
    entries: { id: string; actor: string; action: string }[];
    next: string | null;
  }

  expect(choices.actions).toContain('product.create');
  expect(ids).toContain(`person:${who.personId}`);
  const own = `actor=${ids.join(',')}&action=product.create&query=AUDITED`;
  const { entries } = await ask<Page>(`?${own}&until=${today}`);
  expect(entries.map(({ actor, action }) => [actor, action])).toEqual([['the admin', 'product.create']]);
  expect(await ask<Page>(`?${own}&since=2099-01-01`)).toEqual({ entries: [], next: null });
  const first = await ask<Page>('?limit=1');
  expect((await ask<Page>(`?limit=1&before=${first.next ?? ''}`)).entries[0]?.id).not.toBe(first.entries[0]?.id);
});

test('everybody sees who belongs to the account; open invitations are for those who can invite', async () => {
  const { account, send } = application;
  const { who } = await testPerson(account, 'owner', new Date());
  const { id } = await invite(account.db, who, { role: 'viewer' }, new Date());

  const views = await Promise.all(
    ROLES.map(async (role) => {
      const { token: session, who: viewer } = await testPerson(account, role, new Date());
      const { members, invitations } = (await (await send('GET', '/app/api/members', { session })).json()) as {
        members: { id: string; you: boolean }[];
        invitations: { id: string; invited_by: string }[];
      };
      const you = members.filter((member) => member.you).map((member) => member.id === viewer.personId);
      return [role, you, invitations.find((invitation) => invitation.id === id)?.invited_by];
    }),
  );

  expect(views).toEqual([
    ['owner', [true], 'the owner'],
    ['admin', [true], 'the owner'],
    ['member', [true], undefined],
    ['viewer', [true], undefined],
  ]);
});

test('an admin adds a repository to the product that is named, indexes and removes it; a viewer sees it', async () => {
  const { account, send } = application;
  const [admin, viewer] = [await sessionOf('admin'), await sessionOf('viewer')];
  const source = testRepository([{ files: { 'a.ts': 'export const a = 1;\n' } }]);
  onTestFinished(() => source.remove());
  const { accountId, actor } = account;
  await createProduct(account.db, { accountId, name: 'shop', actor }, new Date());
  const body = { url: source.path, name: 'web/shop' };

  const added = await send('POST', '/app/api/repositories?product=shop', { session: admin, body });
  const { id } = (await added.json()) as { id: string };
  const there = await send('GET', '/app/api/repositories?product=shop', { session: viewer });
  const elsewhere = await send('GET', '/app/api/repositories', { session: viewer });
  const indexed = await send('POST', `/app/api/repositories/${id}/index?product=shop`, { session: admin });
  const removed = await send('DELETE', `/app/api/repositories/${id}?product=shop`, { session: admin });
  const after = await send('GET', `/app/api/repositories/${id}?product=shop`, { session: viewer });

  expect([added.status, indexed.status, removed.status, after.status]).toEqual([201, 202, 204, 404]);
  expect(await there.json()).toMatchObject({ repositories: [{ id, product: 'shop' }], accepts_folders: true });
  expect(await elsewhere.json()).toMatchObject({ repositories: [] });
});
