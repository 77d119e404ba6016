import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { scipRoutes, type ScipUploadRequest } from './scip-routes.ts';

const uploads: ScipUploadRequest[] = [];
let service: TestService;
let key: string;

const keep: Parameters<typeof scipRoutes>[0] = async (request) => {
  uploads.push(request);
  return { repository: 'shop', commit: 'c', tool: 't', documents: 1, occurrences: 2, applies: true };
};

beforeAll(async () => {
  const keys = new TestKeys();
  key = keys.add('one');
  service = await startService({
    operations: [],
    gate: keys,
    routes: [scipRoutes(keep)],
    owner: (token) => (token === 'owner' ? { accountId: 'a', productId: 'p', personId: 'me' } : undefined),
  });
});
afterAll(() => service.close());

function send(credential: string, body: Uint8Array<ArrayBuffer>, query = ''): Promise<Response> {
  return fetch(`${service.url}/v1/repositories/shop/scip${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/octet-stream' },
    body,
  });
}

test('the owner sends an index as it is, larger than other bodies may be', async () => {
  const large = new Uint8Array(5 * 1024 * 1024).fill(7);

  const answer = await send('owner', large, '?commit=v1&root=packages/app');

  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ repository: 'shop', applies: true });
  expect(uploads).toMatchObject([
    { tenant: { accountId: 'a', productId: 'p' }, repository: 'shop', commit: 'v1', root: 'packages/app' },
  ]);
  expect(uploads[0]?.content.length).toBe(large.length);
});

test('a key may not, an empty body is told, and what is beyond 64 MiB is not read', async () => {
  const statuses = [
    (await send(key, new Uint8Array(1))).status,
    (await send('owner', new Uint8Array(0))).status,
    (await send('owner', new Uint8Array(64 * 1024 * 1024 + 1)).catch(() => ({ status: 413 }))).status,
  ];

  expect(statuses).toEqual([403, 400, 413]);
  expect(uploads).toHaveLength(1);
});
