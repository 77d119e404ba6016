import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAudit } from '../accounts/accounts.ts';
import type { Role } from '../platform/rights.ts';
import { testPerson, type TestPerson } from '../testing/person.ts';
import { openTestApplication, OWNER_TOKEN, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;
let owner: TestPerson;

beforeAll(async () => {
  application = await openTestApplication();
  owner = await testPerson(application.account, 'owner', new Date());
});
afterAll(() => application.close());

interface MadeKey {
  id: string;
  key: string;
  scopes: string[];
  acts_for: string | null;
}

/** Somebody with a key that they made in the web application. */
async function personWithKey(role: Role, scopes?: string[]): Promise<{ person: TestPerson; made: MadeKey }> {
  const person = await testPerson(application.account, role, new Date());
  const body = { name: 'ci', ...(scopes === undefined ? {} : { scopes }) };
  const response = await application.send('POST', '/app/api/keys', { session: person.token, body });
  expect(response.status).toBe(201);
  return { person, made: (await response.json()) as MadeKey };
}

/** As a program with a key asks; `sec-fetch-site` is left out, as programs do. */
async function withKey(key: string, method: string, path: string, body?: unknown): Promise<Response> {
  return application.send(method, path, { body, headers: { 'x-api-key': key } });
}

async function members(): Promise<{ id: string; keys?: number }[]> {
  const response = await application.send('GET', '/app/api/members', { session: owner.token });
  return ((await response.json()) as { members: { id: string; keys?: number }[] }).members;
}

test('what is refused in a body is named by field, what is refused elsewhere is not', async () => {
  const { token: session } = await testPerson(application.account, 'member', new Date());
  const send = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const response = await application.send('POST', path, { session, body });
    return ((await response.json()) as { error: Record<string, unknown> }).error;
  };

  const refused = await send('/app/api/keys', { name: 5, scopes: ['read', 1] });
  const empty = await send('/app/api/keys', { name: ' ' });

  expect(refused).toMatchObject({
    code: 'bad_argument',
    fields: { name: expect.any(String), scopes: expect.any(String) },
  });
  expect(refused['message']).toContain('scopes.1: ');
  expect([empty['code'], empty['fields']]).toEqual(['bad_argument', undefined]);
});

test('the key of an admin who is demoted or removed makes no keys any more', async () => {
  const { person, made } = await personWithKey('admin', ['read', 'keys:write']);
  const makeKey = (): Promise<Response> => withKey(made.key, 'POST', '/v1/api-keys', { name: 'next' });
  const path = `/app/api/members/${person.who.personId}`;
  const next = await makeKey();
  const child = (await next.json()) as { key: string; person_id: string };
  expect([next.status, child.person_id]).toEqual([201, person.who.personId]);

  const change = await application.send('PATCH', path, { session: owner.token, body: { role: 'member' } });

  expect([change.status, (await makeKey()).status]).toEqual([204, 403]);
  expect((await members()).find(({ id }) => id === person.who.personId)?.keys).toBe(2);
  await application.send('DELETE', path, { session: owner.token });
  expect((await makeKey()).status).toBe(401);
  // Nor does the key that it made before.
  expect((await withKey(child.key, 'POST', '/v1/tools/echo-tool', { action: 'say' })).status).toBe(401);
});

test('the key of somebody who became a viewer reads, and cannot do what members do', async () => {
  const { person, made } = await personWithKey('member');
  expect(made).toMatchObject({ scopes: ['read', 'decisions:write', 'plans:write', 'scrape'], acts_for: 'the member' });

  await application.send('PATCH', `/app/api/members/${person.who.personId}`, {
    session: owner.token,
    body: { role: 'viewer' },
  });

  expect((await withKey(made.key, 'POST', '/v1/tools/echo-tool', { action: 'say' })).status).toBe(200);
  const detail = await application.send('GET', `/app/api/keys/${made.id}`, { session: owner.token });
  expect(await detail.json()).toMatchObject({ scopes: ['read'] });
});

test('a removal hands the keys over when it says to whom', async () => {
  const { person, made } = await personWithKey('member');
  const path = `/app/api/members/${person.who.personId}`;

  const wrong = await application.send('DELETE', `${path}?keys_to=nobody`, { session: owner.token });
  const right = await application.send('DELETE', `${path}?keys_to=${owner.who.personId}`, { session: owner.token });

  expect([wrong.status, right.status]).toEqual([400, 204]);
  expect((await withKey(made.key, 'POST', '/v1/tools/echo-tool', { action: 'say' })).status).toBe(200);
  const detail = await application.send('GET', `/app/api/keys/${made.id}`, { session: owner.token });
  expect(await detail.json()).toMatchObject({
    acts_for: 'the owner',
    scopes: ['read', 'decisions:write', 'plans:write', 'scrape'],
  });
  const { db, accountId } = application.account;
  const actions = (await listAudit(db, accountId, { limit: 2 })).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['member.remove', 'api_key.hand_over']));
});

test("members give no key more than their role has, and a key made with the owner's token acts for nobody", async () => {
  const member = await testPerson(application.account, 'member', new Date());
  const body = { name: 'ci', scopes: ['read', 'keys:write'] };
  const refused = await application.send('POST', '/app/api/keys', { session: member.token, body });
  const made = await application.send('POST', '/v1/api-keys', {
    body,
    headers: { authorization: `Bearer ${OWNER_TOKEN}` },
  });

  expect(refused.status).toBe(403);
  const key = (await made.json()) as { id: string; person_id: string | null };
  expect([made.status, key.person_id]).toEqual([201, null]);
  const detail = await application.send('GET', `/app/api/keys/${key.id}`, { session: owner.token });
  expect(await detail.json()).toMatchObject({ acts_for: null });
});
