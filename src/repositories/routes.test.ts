import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openKeys, type Keys } from '../keys/keys.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { testFolder, type TestRepository, testRepository } from '../testing/git.ts';
import { startService, type TestService } from '../testing/http.ts';
import { TEST_POLICY } from '../testing/repositories.ts';
import { openRepositories } from './repositories.ts';
import { repositoryRoutes } from './routes.ts';

const dataDir = testFolder();
const now = (): Date => new Date();
/** Ids of the repositories whose index run was asked for. */
const started: string[] = [];
const removals: string[] = [];
let account: TestAccount;
let source: TestRepository;
let keys: Keys;
let service: TestService;
let reading: string;
let managing: string;
let foreign: string;

async function keyOf({ accountId, productId, actor }: TestAccount, scopes: string[]): Promise<string> {
  return (await keys.createKey({ accountId, product: productId, name: 'test', scopes, actor })).secret;
}

beforeAll(async () => {
  account = await testAccount();
  source = testRepository([{ files: { 'a.ts': 'export const a = 1;\n' } }]);
  const { database, db, accountId, productId, actor } = account;
  keys = await openKeys(database, now, {
    onFault: (error) => {
      throw error;
    },
  });
  reading = await keyOf(account, ['read']);
  managing = await keyOf(account, ['keys:write']);
  foreign = await keyOf(await testAccount(), ['read']);
  const blobs = { delete: async (): Promise<void> => {} };
  const parts = {
    repositories: openRepositories({ db, dataDir, blobs, policy: TEST_POLICY, now }),
    startIndexing: async (_tenant: unknown, id: string) => void started.push(id),
    startRemoval: async (_tenant: unknown, id: string) => void removals.push(id),
    openJobs: async () => ({ jobs: [], running: 0, waiting: 0 }),
    coverageOf: () => Promise.reject(new Error('Nothing is indexed here.')),
  };
  service = await startService({
    operations: [],
    gate: keys,
    routes: [repositoryRoutes(parts)],
    owner: (token) =>
      token === 'owner-token' ? { accountId, productId, personId: actor.replace('person:', '') } : undefined,
  });
});
afterAll(async () => {
  await service.close();
  await keys.close();
  source.remove();
  rmSync(dataDir, { recursive: true });
});

function send(method: string, path: string, credential: string, body?: object): Promise<Response> {
  return fetch(`${service.url}/v1/repositories${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

test('the owner adds, indexes and removes; keys of the product see it, others do not', async () => {
  const added = await send('POST', '', 'owner-token', { url: source.path, name: 'shop' });
  const repository = (await added.json()) as { id: string };
  const [own, unseen] = [await send('GET', '', reading), await send('GET', '', foreign)];
  const [byName, byForeign] = [await send('GET', '/shop', reading), await send('GET', '/shop', foreign)];
  const indexed = await send('POST', `/${repository.id}/index`, 'owner-token');
  const removed = await send('DELETE', '/shop', 'owner-token');
  const after = await send('GET', `/${repository.id}`, reading);

  expect(added.status).toBe(201);
  expect(repository).toMatchObject({ name: 'shop', status: 'pending', product: 'default', default_branch: 'main' });
  expect(await own.json()).toMatchObject({ repositories: [{ id: repository.id }], next: null });
  expect(await unseen.json()).toEqual({
    repositories: [],
    accepts_folders: true,
    total: 0,
    paused_since: null,
    next: null,
  });
  expect([byName.status, byForeign.status]).toEqual([200, 404]);
  expect([indexed.status, removed.status, after.status]).toEqual([202, 204, 404]);
  expect(await after.json()).toMatchObject({ error: { code: 'not_found' } });
  expect(started).toEqual([repository.id, repository.id]);
  expect(removals).toEqual([repository.id]);
});

test('a key changes nothing, and one without the scope reads nothing', async () => {
  const statuses = await Promise.all([
    send('POST', '', reading, { url: source.path }),
    send('POST', '/any/index', reading),
    send('DELETE', '/any', reading),
    send('GET', '', managing),
  ]);

  expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});

test('what cannot be added is told: a field that is missing, a folder without a repository, one that is there', async () => {
  const missing = await send('POST', '', 'owner-token', { name: 'shop' });
  const empty = await send('POST', '', 'owner-token', { url: dataDir });
  const first = await send('POST', '', 'owner-token', { url: source.path, name: 'once' });
  const second = await send('POST', '', 'owner-token', { url: source.path, name: 'once' });

  expect([missing.status, empty.status, first.status, second.status]).toEqual([400, 400, 201, 409]);
  expect(await missing.json()).toMatchObject({ error: { message: expect.stringMatching(/^url: /) } });
  expect(await second.json()).toMatchObject({ error: { code: 'conflict' } });
});

test('the routes stand in the OpenAPI document', async () => {
  const document = (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as { paths: object };

  expect(Object.keys(document.paths)).toEqual([
    '/v1/repositories',
    '/v1/repositories/{id}',
    '/v1/repositories/{id}/files-summary',
    '/v1/repositories/{id}/index',
    '/v1/jobs',
    '/v1/indexing/pause',
  ]);
});

test('a list is read in pages, and narrowed by a part of the name or address and by the status', async () => {
  for (const name of ['api-orders', 'api-users', 'web'])
    await send('POST', '', 'owner-token', { url: `https://example.org/acme/${name}` });
  const list = async (query: string) => {
    const answer = await (await send('GET', `?${query}`, reading)).json();
    const { repositories, ...page } = answer as {
      repositories: { name: string }[];
      total: number;
      next: string | null;
    };
    return { ...page, names: repositories.map(({ name }) => name) };
  };

  const first = await list('query=API-&limit=1');
  expect(first).toMatchObject({ names: ['api-orders'], total: 2 });
  expect(await list(`query=API-&limit=1&cursor=${first.next ?? ''}`)).toMatchObject({
    names: ['api-users'],
    next: null,
  });
  expect(await list('query=acme/web')).toMatchObject({ names: ['web'] });
  expect(await list('query=api-&status=ready')).toMatchObject({ names: [], total: 0 });
  expect(await list('query=api-&status=pending')).toMatchObject({ total: 2 });
  expect((await send('GET', `?query=web&cursor=${first.next ?? ''}`, reading)).status).toBe(400);
});
