import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMcpRequest } from '../../src/http/mcp-routes.ts';
import { openKeys, type Keys } from '../../src/keys/keys.ts';
import { keyRoutes } from '../../src/keys/routes.ts';
import { testAccount, type TestAccount } from '../../src/testing/account.ts';
import { startService, type TestService } from '../../src/testing/http.ts';
import { connectClient, textOf } from '../../src/testing/mcp-client.ts';
import { NEVER_MS } from '../../src/testing/limits.ts';
import { testOperations } from '../../src/testing/operations.ts';
import { openRawStream, postMessage } from '../../src/testing/raw-stream.ts';
import { keyQuotasUsed } from '../../src/testing/quotas.ts';

const DAY_MS = 86_400_000;

let account: TestAccount;
let keys: Keys;
let service: TestService;
/** Offset of the keys' clock, ahead of the real one. */
let aheadMs = 0;

beforeAll(async () => {
  account = await testAccount();
  keys = await openKeys(account.database, () => new Date(Date.now() + aheadMs), {
    onFault: (error) => {
      throw error;
    },
  });
  service = await startService({
    operations: testOperations(),
    gate: keys,
    // The next sign of life on a quiet stream would find a dead key out too.
    keepAliveMs: NEVER_MS,
    routes: [
      keyRoutes({
        db: account.db,
        keys,
        ...keyQuotasUsed({}),
        operations: testOperations(),
        isMcpRequest,
        now: () => new Date(),
      }),
    ],
    owner: (token) =>
      token === 'owner-token'
        ? { accountId: account.accountId, productId: account.productId, personId: account.actor.split(':')[1] ?? '' }
        : undefined,
  });
});
afterAll(async () => {
  await service.close();
  await keys.close();
});

interface KeyAnswer {
  id: string;
  key: string;
  [field: string]: unknown;
}

function manage(method: string, path: string, body?: object, credential = 'owner-token'): Promise<Response> {
  return fetch(`${service.url}/v1/api-keys${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function create(body: object): Promise<KeyAnswer> {
  const response = await manage('POST', '', body);
  expect(response.status).toBe(201);
  return (await response.json()) as KeyAnswer;
}

/** Statuses of the same key at every door. */
async function knock(key: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}` };
  const doors = [
    fetch(`${service.url}/v1/mcp/sse`, { headers }),
    fetch(`${service.url}/v1/mcp`, { method: 'POST', headers }),
    fetch(`${service.url}/v1/tools/echo-tool`, { method: 'POST', headers: { 'x-api-key': key } }),
  ];
  const responses = await Promise.all(doors);
  for (const response of responses) await response.body?.cancel();
  return responses.map(({ status }) => status);
}

test('a new key is shown whole once, works at once, and afterwards only its mask is shown', async () => {
  const created = await create({ name: ' ci ', expires: '30d', scopes: ['read'] });
  const client = await connectClient('v1 sse', service.url, created.key);

  const answer = await client.callTool({ name: 'echo-tool', arguments: { action: 'say', query: 'hello' } });
  await client.close();
  const listed = (await (await manage('GET', '')).json()) as { keys: KeyAnswer[] };

  expect(created).toMatchObject({
    name: 'ci',
    prefix: 'svc_****',
    scopes: ['read'],
    product: 'default',
    status: 'active',
  });
  expect(created.key).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
  expect(textOf(answer)).toContain(account.productId);
  expect(listed.keys.find(({ id }) => id === created.id)).toMatchObject({ name: 'ci', prefix: 'svc_****' });
  expect(JSON.stringify(listed)).not.toContain('svc_live_');
});

test('a wrong checksum, a deleted, a regenerated and an expired key get the same 401 at every door', async () => {
  const [deleted, regenerated, expired] = [
    await create({ name: 'deleted' }),
    await create({ name: 'regenerated' }),
    await create({ name: 'expired', expires: '1d' }),
  ];
  const wrong = deleted.key.slice(0, -1) + (deleted.key.endsWith('a') ? 'b' : 'a');
  const before = await Promise.all([deleted, regenerated, expired].map(({ key }) => knock(key)));

  const gone = await manage('DELETE', `/${deleted.id}`);
  const renewed = (await (await manage('POST', `/${regenerated.id}/regenerate`)).json()) as KeyAnswer;
  aheadMs = DAY_MS;
  const after = await Promise.all([wrong, deleted.key, regenerated.key, expired.key].map(knock));
  const fresh = await knock(renewed.key);
  const refused = await manage('POST', `/${expired.id}/regenerate`);
  const listed = (await (await manage('GET', '')).json()) as { keys: KeyAnswer[] };
  aheadMs = 0;

  // Streams open with 200; a POST without a message is a 400 or 415, not a 401.
  for (const statuses of [...before, fresh]) expect(statuses).not.toContain(401);
  expect(gone.status).toBe(204);
  expect(renewed).toMatchObject({ id: regenerated.id, name: 'regenerated' });
  for (const statuses of after) expect(statuses).toEqual([401, 401, 401]);
  expect(refused.status).toBe(409);
  expect(listed.keys.find(({ id }) => id === expired.id)?.['status']).toBe('expired');
});

test.each([
  ['deleted', (id: string) => manage('DELETE', `/${id}`)],
  ['regenerated', (id: string) => manage('POST', `/${id}/regenerate`)],
  [
    'expired',
    async () => {
      aheadMs = 2 * DAY_MS;
      await keys.tick();
      aheadMs = 0;
    },
  ],
])('the open stream of a key that is %s ends soon', async (_how, end) => {
  const created = await create({ name: 'streaming', expires: '1d' });
  const stream = await openRawStream(service.url, created.key);
  const endpoint = service.url + (await stream.endpoint());
  expect(await postMessage(endpoint, { id: 1, method: 'ping' }, created.key)).toBe(202);

  await end(created.id);
  await stream.ended;

  expect(stream.received).toContain(': the API key no longer works');
});

test('when a grace period ends, the streams of the former value end and those of the present one go on', async () => {
  const created = await create({ name: 'two values' });
  const renewed = (await (await manage('POST', `/${created.id}/regenerate?grace=1h`)).json()) as KeyAnswer;
  const former = await openRawStream(service.url, created.key);
  const present = await openRawStream(service.url, renewed.key);
  await former.endpoint();
  const endpoint = service.url + (await present.endpoint());

  const ended = await manage('DELETE', `/${created.id}/grace`);
  await former.ended;

  expect([ended.status, former.received]).toEqual([204, expect.stringContaining(': the API key no longer works')]);
  expect(await postMessage(endpoint, { id: 1, method: 'ping' }, renewed.key)).toBe(202);
  expect(await knock(created.key)).toEqual([401, 401, 401]);
  const refused = await manage('POST', `/${created.id}/regenerate?grace=2h`);
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'bad_argument' } }]);
  present.cut();
});

test('use is counted once a request, by operation', async () => {
  const created = await create({ name: 'counted' });
  const call = (name: string, body: string): Promise<Response> =>
    fetch(`${service.url}/v1/tools/${name}`, { method: 'POST', headers: { 'x-api-key': created.key }, body });

  await call('echo-tool', '{"action":"say"}');
  await call('echo-tool', '{"action":"say"}');
  await call('failing-tool', '{"how":"expected"}');
  await keys.flush();
  const usage = (await (await manage('GET', `/${created.id}/usage`)).json()) as Record<string, unknown>;

  expect(usage).toMatchObject({
    total: 3,
    today: 3,
    this_month: 3,
    per_operation: [
      { operation: 'echo-tool', requests: 2 },
      { operation: 'failing-tool', requests: 1 },
    ],
  });
  expect(usage['per_day']).toHaveLength(90);
});

test('keys are managed by the owner and by keys with keys:write, and only within the account', async () => {
  const plain = await create({ name: 'plain' });
  const managing = await create({ name: 'managing', scopes: ['read', 'keys:write'] });
  const other = await testAccount();
  const { key: foreign } = await keys.createKey({
    accountId: other.accountId,
    product: other.productId,
    name: 'foreign',
    actor: other.actor,
  });

  const refused = await manage('GET', '', undefined, plain.key);
  const allowed = await manage('POST', '', { name: 'made by a key' }, managing.key);
  const strange = await manage('DELETE', `/${foreign.id}`);
  const malformed = await manage('DELETE', '/not-an-id');
  const nameless = await manage('POST', '', {});

  expect([refused.status, allowed.status, strange.status, malformed.status]).toEqual([403, 201, 404, 404]);
  expect(await allowed.json()).toMatchObject({ created_by: `key:${managing.id}` });
  expect(allowed.headers.get('cache-control')).toBe('no-store');
  expect([nameless.status, await nameless.json()]).toMatchObject([400, { error: { code: 'bad_argument' } }]);
});
