import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../kernel/errors.ts';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { repositoryRoutes, type RepositoryActions, type RestRepository } from './routes.ts';

const keys = new TestKeys();
const key = keys.add('one');
const scopeless = keys.add('two', ['scrape']);
let service: TestService;

/** Repositories by product, in memory: what is tested here is who may do what and how it is said. */
function repositoriesInMemory(): RepositoryActions {
  const stored: (RestRepository & { productId: string })[] = [];
  const find: RepositoryActions['find'] = async ({ productId }, id) => {
    const found = stored.find((one) => one.productId === productId && one.id === id);
    if (found !== undefined) return found;
    throw new ServiceError('unknown_repo', `There is no repository "${id}".`, { fix: 'svc repo list' });
  };
  return {
    find,
    list: async ({ productId }) => stored.filter((one) => one.productId === productId),
    index: find,
    async add({ productId }, { url, name = 'shop' }) {
      const added = { ...EMPTY, productId, id: `id-of-${name}`, name, url };
      stored.push(added);
      return added;
    },
    async remove(request, id) {
      stored.splice(stored.indexOf((await find(request, id)) as (typeof stored)[number]), 1);
    },
  };
}

const EMPTY = {
  default_branch: null,
  product: 'default',
  status: 'pending' as const,
  commit: null,
  indexed_at: null,
  behind: null,
  files: 0,
  symbols: 0,
  languages: {},
  error: null,
};

beforeAll(async () => {
  service = await startService({
    operations: [],
    gate: keys,
    routes: [repositoryRoutes(repositoriesInMemory())],
    owner: (token) =>
      token === 'owner-token' ? { accountId: 'account', productId: 'product-of-one', personId: 'p' } : undefined,
  });
});
afterAll(() => service.close());

function send(method: string, path: string, credential: string, body?: object): Promise<Response> {
  return fetch(`${service.url}/v1/repositories${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test('the owner adds, indexes and removes; a key of the product sees it', async () => {
  const added = await send('POST', '', 'owner-token', { url: 'https://example.com/shop.git' });
  const seen = await send('GET', '', key);
  const indexed = await send('POST', '/id-of-shop/index', 'owner-token');
  const removed = await send('DELETE', '/id-of-shop', 'owner-token');
  const after = await send('GET', '/id-of-shop', key);

  expect(added.status).toBe(201);
  expect(await seen.json()).toMatchObject({ repositories: [{ name: 'shop', status: 'pending' }], next: null });
  expect([indexed.status, removed.status, after.status]).toEqual([202, 204, 404]);
  expect(await after.json()).toMatchObject({ error: { code: 'not_found', fix: 'svc repo list' } });
});

test('a key changes nothing, and one without the scope reads nothing', async () => {
  const statuses = await Promise.all([
    send('POST', '', key, { url: 'https://example.com/shop.git' }),
    send('POST', '/any/index', key),
    send('DELETE', '/any', key),
    send('GET', '', scopeless),
  ]);

  expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('a body that does not fit is told by field', async () => {
  const response = await send('POST', '', 'owner-token', { name: 'shop' });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: 'bad_argument', message: expect.stringMatching(/^url: /) },
  });
});

test('the routes stand in the OpenAPI document', async () => {
  const document = (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as { paths: object };

  expect(Object.keys(document.paths)).toEqual([
    '/v1/repositories',
    '/v1/repositories/{id}',
    '/v1/repositories/{id}/index',
  ]);
});
