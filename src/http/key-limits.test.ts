import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
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

/** Sends a request as the owner of the installation, with its token. */
function asOwner(method: string, path: string, body?: unknown): Promise<Response> {
  return application.send(method, path, { body, headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
}

function makeKey({ token }: TestPerson): Promise<Response> {
  return application.send('POST', '/app/api/keys', { session: token, body: { name: 'ci' } });
}

function person(role: Role): Promise<TestPerson> {
  return testPerson(application.account, role, new Date());
}

test('limits have defaults, change one by one, and stand in the list of keys and the audit log', async () => {
  const first = await asOwner('GET', '/v1/api-keys/limits');
  const changed = await asOwner('PATCH', '/v1/api-keys/limits', { most_per_person: 2 });
  const listed = await asOwner('GET', '/v1/api-keys');

  expect(await first.json()).toEqual({ most: 50, most_per_person: 10, most_per_product: 50 });
  expect([changed.status, await changed.json()]).toEqual([200, { most: 50, most_per_person: 2, most_per_product: 50 }]);
  expect(await listed.json()).toMatchObject({ most: 50, most_per_person: 2 });
  const { db, accountId } = application.account;
  expect((await listAudit(db, accountId, { limit: 1 }))[0]).toMatchObject({
    action: 'account.key_limits',
    detail: { most_keys: 50, most_keys_per_person: 2 },
  });
});

test('a person who has as many keys as they may gets no further one, others do, and an owner always does', async () => {
  await asOwner('PATCH', '/v1/api-keys/limits', { most: 50, most_per_person: 1 });
  const [one, other] = [await person('member'), await person('admin')];

  const statuses = [await makeKey(one), await makeKey(one), await makeKey(other)].map(({ status }) => status);
  const refused = await makeKey(one);

  expect(statuses).toEqual([201, 409, 201]);
  expect(await refused.json()).toMatchObject({
    error: { code: 'conflict', message: expect.stringContaining('has 1 API keys, the most that are allowed') },
  });
  expect([(await makeKey(owner)).status, (await makeKey(owner)).status]).toEqual([201, 201]);
});

test('an owner makes a further key when others have all that any limit allows', async () => {
  await asOwner('PATCH', '/v1/api-keys/limits', { most: 1_000, most_per_person: 1_000, most_per_product: 1_000 });
  const { db, accountId, productId } = application.account;
  await sql`
    insert into api_key (account_id, id, product_id, name, key_hash, scopes, created_by, created_at)
    select ${accountId}, gen_random_uuid(), ${productId}, 'one of many', md5(n::text) || md5(n::text), '{read}', 'system', now()
      from generate_series(1, 1000) n`.execute(db);

  const statuses = [await makeKey(await person('admin')), await makeKey(owner)].map(({ status }) => status);
  const byToken = await asOwner('POST', '/v1/api-keys', { name: 'ci' });
  await sql`delete from api_key where account_id = ${accountId} and name = 'one of many'`.execute(db);

  expect([...statuses, byToken.status]).toEqual([409, 201, 201]);
});

test('a product that has as many keys as it may gets no further one, but from an owner', async () => {
  const [first, second] = [await person('member'), await person('member')];
  await asOwner('PATCH', '/v1/api-keys/limits', { most: 1_000, most_per_person: 10, most_per_product: 1 });
  const refused = await makeKey(first);
  expect(await refused.json()).toMatchObject({
    error: { code: 'conflict', message: 'The product has 1 API keys, the most that are allowed.' },
  });
  expect((await makeKey(owner)).status).toBe(201);
  const { db, accountId } = application.account;
  const { id } = await createProduct(db, { accountId, name: 'Other', actor: 'system' }, new Date());
  const body = { name: 'ci', product: id };
  const other = await application.send('POST', '/app/api/keys', { session: second.token, body });
  expect(other.status).toBe(201);
  await asOwner('PATCH', '/v1/api-keys/limits', { most_per_product: 1_000 });
});

test('the limit of the account counts the keys of all, and keys that are more than allowed stay', async () => {
  const [first, second] = [await person('member'), await person('member')];
  await asOwner('PATCH', '/v1/api-keys/limits', { most: 1_000, most_per_person: 10 });
  expect((await makeKey(first)).status).toBe(201);

  await asOwner('PATCH', '/v1/api-keys/limits', { most: 1 });

  expect((await makeKey(second)).status).toBe(409);
  const listed = await application.send('GET', '/app/api/keys', { session: first.token });
  expect(await listed.json()).toMatchObject({ keys: [{ name: 'ci' }], most: 1 });
});

test.each([{ most: 0 }, { most: 1_001 }, { most_per_person: 1.5 }, { most_per_person: '5' }])(
  'limits outside of 1 to 1,000 are refused: %j',
  async (body) => {
    expect((await asOwner('PATCH', '/v1/api-keys/limits', body)).status).toBe(400);
  },
);

test('admins change the limits; members and keys, which must not free themselves, do not', async () => {
  const change = async (role: Role): Promise<number> => {
    const { token } = await person(role);
    const body = { most: 60, most_per_person: 10 };
    return (await application.send('PATCH', '/app/api/keys/limits', { session: token, body })).status;
  };
  expect([await change('admin'), await change('member'), await change('viewer')]).toEqual([200, 403, 403]);

  const made = await asOwner('POST', '/v1/api-keys', { name: 'manager', scopes: ['read', 'keys:write'] });
  const { key } = (await made.json()) as { key: string };
  const headers = { 'x-api-key': key };
  const read = await application.send('GET', '/v1/api-keys/limits', { headers });
  const changed = await application.send('PATCH', '/v1/api-keys/limits', { headers, body: { most: 70 } });
  expect([read.status, changed.status]).toEqual([200, 403]);
});

test('a body of another type is a 415 that names the type and the one to send', async () => {
  const answer = await application.send('POST', '/v1/api-keys', {
    bytes: new TextEncoder().encode('name: ci'),
    headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/yaml' },
  });

  expect(answer.status).toBe(415);
  expect(JSON.stringify(await answer.json())).toMatch(/application\/yaml.*application\/json/);
});
