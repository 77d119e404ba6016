import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
import { testAccount } from '../testing/account.ts';
import { testPerson } from '../testing/person.ts';
import { openTestApplication, OWNER_TOKEN, type TestApplication } from '../testing/web-application.ts';

let application: TestApplication;
beforeAll(async () => {
  application = await openTestApplication();
});
afterAll(() => application.close());

const asOwner = (method: string, path: string, body?: unknown): Promise<Response> =>
  application.send(method, path, { body, headers: { authorization: `Bearer ${OWNER_TOKEN}` } });

async function quotasOf(response: Response): Promise<Record<string, number | null>> {
  const { quotas } = (await response.json()) as { quotas: { quota: string; limit: number | null }[] };
  return Object.fromEntries(quotas.map(({ quota, limit }) => [quota, limit]));
}

test('a product that makes its requests is slowed by its own limit, and another one is not', async () => {
  const { db, accountId } = application.account;
  const busy = await createProduct(db, { accountId, name: 'Busy', actor: 'system' }, new Date());
  const makeKey = async (product: string): Promise<string> => {
    const made = await asOwner('POST', '/v1/api-keys', { name: 'ci', product });
    return ((await made.json()) as { key: string }).key;
  };
  const [one, two, other] = [await makeKey('Busy'), await makeKey('Busy'), await makeKey('default')];
  const read = (key: string) => application.send('GET', '/v1/quotas', { headers: { 'x-api-key': key } });

  const changed = await asOwner('PATCH', '/v1/quotas?product=Busy', { requests: 3, runs: 0 });
  expect(await quotasOf(changed)).toEqual({ requests: 3, storage: null, runs: 0, model_cost: null });
  const answers = [await read(one), await read(two), await read(one), await read(two)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[1]?.headers.get('ratelimit-policy')).toBe('"key";q=600;w=60, "product";q=3;w=60');
  expect(answers[1]?.headers.get('ratelimit')).toContain('"product";r=1;t=');
  const free = await read(other);
  expect([free.status, free.headers.get('ratelimit-policy')]).toEqual([200, '"key";q=600;w=60']);

  const reset = await asOwner('PATCH', `/v1/quotas?product=${busy.id}`, { requests: null });
  expect(await quotasOf(reset)).toMatchObject({ requests: null, runs: 0 });
  expect((await read(two)).status).toBe(200);
  expect((await listAudit(db, accountId, { limit: 1 }))[0]).toMatchObject({
    action: 'product.limits',
    target: busy.id,
    detail: { requests: null },
  });
});

test('a key at its own limit is refused with the way to raise it, and another key of its product is not', async () => {
  const makeKey = async (name: string): Promise<{ id: string; key: string }> =>
    (await (await asOwner('POST', '/v1/api-keys', { name })).json()) as { id: string; key: string };
  const [one, two] = [await makeKey('one'), await makeKey('two')];
  const read = ({ key }: { key: string }) => application.send('GET', '/v1/quotas', { headers: { 'x-api-key': key } });

  const changed = await asOwner('PATCH', `/v1/api-keys/${one.id}`, { limits: { requests: 2, runs: 0 } });
  expect([changed.status, ((await changed.json()) as { name: string }).name]).toEqual([200, 'one']);
  const [first, second, third] = [await read(one), await read(one), await read(one)];
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=2;w=60');
  const { error } = (await third.json()) as { error: { message: string; fix: string } };
  expect(error.message).toBe('This API key may make 2 requests a minute.');
  expect(error.fix).toContain(`raise the limit: svc key limit ${one.id} --requests <most>.`);
  const free = await read(two);
  expect([free.status, free.headers.get('ratelimit-policy')]).toEqual([200, '"key";q=600;w=60']);

  const { limits } = (await (await asOwner('GET', `/v1/api-keys/${one.id}`)).json()) as { limits: object[] };
  expect(limits).toEqual([
    expect.objectContaining({ quota: 'requests', limit: 2, default: 600 }),
    { quota: 'runs', used: 0, limit: 0, default: null },
    { quota: 'model_cost', used: 0, limit: null, default: null },
  ]);
  await asOwner('PATCH', `/v1/api-keys/${one.id}`, { name: 'renamed', limits: { requests: null } });
  expect((await read(one)).status).toBe(200);
  const { db, accountId } = application.account;
  const changes = (await listAudit(db, accountId, { limit: 2 })).map(({ action }) => action);
  expect(changes).toEqual(['api_key.rename', 'api_key.limits']);
});

test('owners and admins alone choose limits of a key, and a key of another account is unknown', async () => {
  const { account } = application;
  const { id } = (await (await asOwner('POST', '/v1/api-keys', { name: 'limited' })).json()) as { id: string };
  const change = async (role: 'admin' | 'member', body: object = { limits: { runs: 3 } }): Promise<number> => {
    const { token } = await testPerson(account, role, new Date());
    return (await application.send('PATCH', `/app/api/keys/${id}`, { session: token, body })).status;
  };
  expect([await change('admin'), await change('member')]).toEqual([200, 403]);
  for (const limits of [{ requests: 0 }, { runs: -1 }, { storage: 1 }])
    expect([limits, await change('admin', { limits })]).toEqual([limits, 400]);
  const made = await asOwner('POST', '/v1/api-keys', { name: 'manager', scopes: ['read', 'keys:write'] });
  const headers = { 'x-api-key': ((await made.json()) as { key: string }).key };
  const byKey = await application.send('PATCH', `/v1/api-keys/${id}`, { headers, body: { limits: { runs: null } } });
  expect(byKey.status).toBe(403);

  const stranger = await testAccount();
  const { token } = await testPerson(stranger, 'admin', new Date());
  const foreign = await application.send('PATCH', `/app/api/keys/${id}`, {
    session: token,
    body: { limits: { runs: 9 } },
  });
  expect(foreign.status).toBe(404);
});

test('admins change limits in the web application; members and keys do not, and no limit that is none is taken', async () => {
  const { account } = application;
  const change = async (role: 'admin' | 'member', body: object = { storage: 5_000_000 }): Promise<number> => {
    const { token } = await testPerson(account, role, new Date());
    return (await application.send('PATCH', '/app/api/quotas', { session: token, body })).status;
  };
  expect([await change('admin'), await change('member')]).toEqual([200, 403]);
  for (const body of [{ requests: 0 }, { storage: -1 }, { runs: 1.5 }, { nothing: 1 }])
    expect([body, await change('admin', body)]).toEqual([body, 400]);
  const made = await asOwner('POST', '/v1/api-keys', { name: 'manager', scopes: ['read', 'keys:write'] });
  const { key } = (await made.json()) as { key: string };
  const headers = { 'x-api-key': key };
  expect((await application.send('PATCH', '/v1/quotas', { headers, body: { storage: null } })).status).toBe(403);
  expect((await asOwner('PATCH', '/v1/quotas?product=unknown', { runs: 1 })).status).toBe(404);
});
