import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ROUTES, UNKNOWN } from '../testing/app-route-table.ts';
import { testPerson, type TestPerson } from '../testing/person.ts';
import { openTestApplication, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;
let admin: TestPerson;
let member: TestPerson;
let viewer: TestPerson;
/** A product that only those see who were given a role in it. */
let secret: { id: string; name: string };

beforeAll(async () => {
  application = await openTestApplication();
  [admin, member, viewer] = [await person('admin'), await person('member'), await person('viewer')];
});
afterAll(() => application.close());
let products = 0;
beforeEach(async () => {
  products += 1;
  secret = await ask(admin, 'POST', '/products', { name: `Secret ${products}`, is_restricted: true });
});

const person = (role: 'admin' | 'member' | 'viewer') => testPerson(application.account, role, new Date());

function send(who: TestPerson, method: string, path: string, body?: unknown): Promise<Response> {
  return application.send(method, `/app/api${path}`, { session: who.token, body });
}

async function ask<Body>(who: TestPerson, method: string, path: string, body?: unknown): Promise<Body> {
  const response = await send(who, method, path, body);
  expect(response.ok).toBe(true);
  // The test says what the route promises, and looks at it.
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

const rolesOf = async (who: TestPerson): Promise<Record<string, string>> => {
  const list = await ask<{ products: { name: string; role: string }[] }>(who, 'GET', '/products');
  return Object.fromEntries(list.products.map(({ name, role }) => [name, role]));
};
const give = (holder: string, role: 'member' | 'viewer') =>
  ask(admin, 'PUT', `/products/${secret.id}/roles/${holder}`, { role });
const withKey = (key: string) =>
  application.send('POST', '/v1/tools/echo-tool', { body: { action: 'say' }, headers: { 'x-api-key': key } });

test('a restricted product is unknown to members without a role in it, on every page and for their keys', async () => {
  expect(Object.keys(await rolesOf(member))).not.toContain(secret.name);
  expect((await rolesOf(admin))[secret.name]).toBe('admin');
  const ofProduct = ROUTES.filter(
    ([, path, least]) =>
      least !== 'anybody' && !/^\/(?:account|session|sign-|totp|members|invitations|products|groups|audit)/.test(path),
  );
  expect(ofProduct.length).toBeGreaterThan(50);
  const answers = new Map<string, number>();
  for (const [method, path, , body] of ofProduct) {
    const address = path.replaceAll(/\{\w+\}/g, UNKNOWN);
    const separator = address.includes('?') ? '&' : '?';
    const response = await send(member, method, `${address}${separator}product=${secret.id}`, body);
    const { error } = (await response.json()) as { error: { message: string } };
    answers.set(`${error.message} ${response.status}`, 0);
  }
  expect([...answers.keys()]).toEqual([`There is no product "${secret.id}". 404`]);

  const refusals = await Promise.all(
    [secret.id, secret.name, 'None at all'].map(async (product) => {
      const response = await send(member, 'POST', '/keys', { name: 'ci', product });
      const { error } = (await response.json()) as { error: { code: string; message: string; fix: string } };
      return [response.status, error.message.replace(product, '…'), error.fix.includes('Secret')];
    }),
  );
  expect(new Set(refusals.map(String))).toEqual(new Set(['404,There is no product "…".,false']));
});

test('a person has the strongest of what they and their groups were given, beside the role in the account', async () => {
  const group = await ask<{ id: string }>(admin, 'POST', '/groups', { name: `Readers ${products}` });
  await ask(admin, 'PUT', `/groups/${group.id}/people/${member.who.personId}`);
  await give(`group/${group.id}`, 'viewer');
  expect((await rolesOf(member))[secret.name]).toBe('viewer');
  const decide = () =>
    send(member, 'POST', `/decisions?product=${secret.id}`, { title: 'Walk', decision: 'We walk to the office.' });
  expect((await decide()).status).toBe(403);

  await give(`person/${member.who.personId}`, 'member');
  expect((await rolesOf(member))[secret.name]).toBe('member');
  expect((await decide()).status).toBe(200);
  await give(`person/${viewer.who.personId}`, 'member');
  expect(await rolesOf(viewer)).toMatchObject({ default: 'viewer', [secret.name]: 'member' });
  const { roles } = await ask<{ roles: object[] }>(admin, 'GET', `/products/${secret.id}/roles`);
  expect(roles).toHaveLength(3);

  await ask(admin, 'DELETE', `/products/${secret.id}/roles/person/${member.who.personId}`);
  await ask(admin, 'DELETE', `/groups/${group.id}/people/${member.who.personId}`);
  expect((await decide()).status).toBe(404);
  await ask(admin, 'DELETE', `/groups/${group.id}`);
  await ask(admin, 'PATCH', `/products/${secret.id}`, { is_restricted: false });
  expect((await rolesOf(member))[secret.name]).toBe('member');
});

test('a key does in its product what its person may there now, and nothing once they do not see it', async () => {
  await give(`person/${viewer.who.personId}`, 'member');
  const { key, scopes } = await ask<{ key: string; scopes: string[] }>(viewer, 'POST', `/keys?product=${secret.id}`, {
    name: 'ci',
    product: secret.name,
  });
  expect(scopes).toContain('plans:write');
  expect((await withKey(key)).status).toBe(200);
  await give(`person/${viewer.who.personId}`, 'viewer');
  const decision = { title: 'Run', decision: 'We run to the office.' };
  const decided = () => application.send('POST', '/v1/decisions', { body: decision, headers: { 'x-api-key': key } });
  expect([(await withKey(key)).status, (await decided()).status]).toEqual([200, 403]);

  await ask(admin, 'DELETE', `/products/${secret.id}/roles/person/${viewer.who.personId}`);
  expect((await withKey(key)).status).toBe(401);
});

test('only admins say who sees a product, and what they say of strangers is refused', async () => {
  await give(`person/${member.who.personId}`, 'member');
  expect((await send(member, 'PATCH', `/products/${secret.id}`, { is_restricted: false })).status).toBe(403);
  expect((await send(member, 'GET', `/products/${secret.id}/roles`)).status).toBe(403);
  for (const path of [
    `/products/${secret.id}/roles/person/${UNKNOWN}`,
    `/products/${secret.id}/roles/group/nobody`,
    `/products/${UNKNOWN}/roles/person/${member.who.personId}`,
    `/groups/${UNKNOWN}/people/${member.who.personId}`,
  ])
    expect((await send(admin, 'PUT', path, { role: 'viewer' })).status).toBe(404);
  expect((await send(admin, 'PATCH', `/products/${secret.id}`, { name: 'default' })).status).toBe(409);
  const { entries } = await ask<{ entries: { action: string; target_name: string }[] }>(admin, 'GET', '/audit');
  expect(entries).toContainEqual(expect.objectContaining({ action: 'product.give_role', target_name: secret.name }));
});
