import { expect, onTestFinished, test } from 'vitest';
import { TEST_SECRET_KEYS } from '../../testing/secrets.ts';
import { NOW, repositoryBench } from '../../testing/repositories.ts';
import { type CannedAnswer, openTrackerServer, type ReceivedRequest } from '../../testing/tracker-server.ts';
import { listRepositories, removeRepository } from '../repositories.ts';
import {
  credentialOf,
  followOrganization,
  listOrganizations,
  type NewOrganization,
  type Organizations,
  readDueOrganizations,
  unfollowOrganization,
} from './organizations.ts';

const { signal } = new AbortController();

/** A host on this machine that answers what a test says, and a product that follows organizations of it. */
async function organizationBench(answer: (request: ReceivedRequest) => CannedAnswer | undefined) {
  const server = await openTrackerServer(answer);
  onTestFinished(server.close);
  let now = NOW;
  const { account, context } = await repositoryBench(() => now);
  const privateHosts = new Set(['127.0.0.1']);
  const repositories = { ...context, policy: { ...context.policy, privateHosts } };
  const started: string[] = [];
  const organizations: Organizations = {
    repositories,
    secretKeys: TEST_SECRET_KEYS,
    net: { privateHosts, timeoutMs: 60_000 },
    startIndexing: async (_, id) => void started.push(id),
  };
  return {
    account,
    organizations,
    started,
    server,
    later: (minutes: number) => void (now = new Date(now.getTime() + minutes * 60_000)),
    names: async () => (await listRepositories(repositories, account)).map(({ name }) => name),
    follow: (more: Partial<NewOrganization> = {}) =>
      followOrganization(organizations, account, { address: `${server.url}/acme`, kind: 'gitea', ...more }),
    read: () => readDueOrganizations(organizations, signal),
  };
}

const repository = (url: string, name: string, more: object = {}) => {
  return {
    clone_url: `${url}/acme/${name}.git`,
    full_name: `acme/${name}`,
    archived: false,
    fork: false,
    empty: false,
    ...more,
  };
};

/** Pages of the list of an organization, two repositories each. */
function pages(all: () => readonly object[]): (request: ReceivedRequest) => CannedAnswer | undefined {
  return ({ path }) => {
    if (!path.startsWith('/api/v1/orgs/acme/repos')) return undefined;
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page'));
    return { status: 200, json: all().slice((page - 1) * 2, page * 2) };
  };
}

test('all repositories of an organization are added once, and later those that are made there', async () => {
  const listed: object[] = [];
  const bench = await organizationBench(pages(() => listed));
  const { url } = bench.server;
  listed.push(repository(url, 'shop'), repository(url, 'docs'), repository(url, 'api'));

  await bench.follow();
  await bench.read();
  expect(await bench.names()).toEqual(['api', 'docs', 'shop']);
  expect(bench.started).toHaveLength(3);

  const [api] = await listRepositories(bench.organizations.repositories, bench.account);
  await removeRepository(bench.organizations.repositories, bench.account, { id: api?.id ?? '', actor: 'system' });
  listed.push(repository(url, 'new'));
  await bench.read();
  expect(await bench.names()).toEqual(['docs', 'shop']);
  bench.later(61);
  await bench.read();
  expect(await bench.names()).toEqual(['docs', 'new', 'shop']);
  expect(await listOrganizations(bench.organizations, bench.account)).toMatchObject([
    { total: 4, added: 4, fault: '', readAt: expect.any(Date) },
  ]);
});

test('archived, forked, empty and unwanted repositories, and those of another host, are not added', async () => {
  const listed: object[] = [];
  const bench = await organizationBench(pages(() => listed));
  const { url } = bench.server;
  listed.push(
    repository(url, 'old', { archived: true }),
    repository(url, 'copy', { fork: true }),
    repository(url, 'empty', { empty: true }),
    repository(url, 'api-Orders'),
    repository(url, 'api-legacy'),
    repository(url, 'shop'),
    repository('https://evil.example', 'api-stolen'),
  );

  await bench.follow({ include: ['API-*'], exclude: ['*-legacy'] });
  await bench.read();

  expect(await bench.names()).toEqual(['api-Orders']);
});

test('a token is sent to the host alone, stored encrypted, and shown to git for its repositories', async () => {
  const bench = await organizationBench(() => ({ status: 200, json: [] }));
  const { db } = bench.organizations.repositories;
  const row = await bench.follow({ token: 'secret-token' });
  const credential = (url: string) => credentialOf({ db, secretKeys: TEST_SECRET_KEYS }, bench.account, url);

  expect(bench.server.requests[0]?.headers.authorization).toBe('token secret-token');
  expect(row.token).toMatch(/^v1\./);
  expect(await credential(`${bench.server.url}/Acme/shop`)).toEqual({
    address: `${bench.server.url}/acme/`,
    user: 'oauth2',
    password: 'secret-token',
  });
  expect(await credential(`${bench.server.url}/acme-other/shop`)).toBeUndefined();
  expect(await credential('https://example.org/acme/shop')).toBeUndefined();

  await unfollowOrganization(bench.organizations, bench.account, row.id);
  expect(await credential(`${bench.server.url}/acme/shop`)).toBeUndefined();
});

test.each<[NewOrganization['kind'], string, Record<string, string>, (url: string, name: string) => object]>([
  [
    'github',
    '/api/v3/orgs/acme/repos',
    { authorization: 'Bearer secret' },
    (url, name) => {
      const [archived, fork] = [name.endsWith('old'), false];
      return { clone_url: `${url}/acme/${name}.git`, full_name: `acme/${name}`, archived, fork, size: 7 };
    },
  ],
  [
    'gitlab',
    '/api/v4/groups/acme/projects',
    { 'private-token': 'secret' },
    (url, name) => {
      const path = `acme/team/${name}`;
      return { http_url_to_repo: `${url}/${path}.git`, path_with_namespace: path, archived: name.endsWith('old') };
    },
  ],
])('%s lists its repositories in its own form', async (kind, path, headers, repositoryOf) => {
  const listed: object[] = [];
  const bench = await organizationBench((request) => {
    const isList = request.path.startsWith(path) && request.path.includes('per_page=100');
    return isList ? { status: 200, json: request.path.endsWith('&page=1') ? listed : [] } : undefined;
  });
  listed.push(...['api-orders', 'api-old', 'web'].map((name) => repositoryOf(bench.server.url, name)));

  await bench.follow({ kind, token: 'secret', include: ['api-*'] });
  await bench.read();

  expect(await bench.names()).toEqual(['api-orders']);
  expect(bench.server.requests[0]?.headers).toMatchObject(headers);
  // The first look is at one page; the second goes on until one is empty.
  expect(bench.server.requests).toHaveLength(3);
});

test('a person is followed where there is no organization of that name', async () => {
  const bench = await organizationBench(({ path }) =>
    path.startsWith('/api/v1/users/acme/repos') ? { status: 200, json: [] } : undefined,
  );

  await expect(bench.follow()).resolves.toMatchObject({ fault: '' });
});

test.each<[string, Partial<NewOrganization>, CannedAnswer | undefined, string]>([
  ['no such organization', {}, undefined, 'shows no organization or person "acme"'],
  ['a token that is not accepted', {}, { status: 401 }, 'Gitea does not accept the token.'],
  ['another program', {}, { status: 200, json: { hello: 1 } }, 'did not answer like Gitea'],
  ['a host of an unknown kind', { kind: undefined }, undefined, 'It is not known what kind of host 127.0.0.1 is.'],
  [
    'a single repository',
    { address: 'https://github.com/acme/shop', kind: undefined },
    undefined,
    'is not an organization',
  ],
  [
    'no address',
    { address: 'https://github.com', kind: undefined },
    undefined,
    'is not an organization of a code host',
  ],
])('%s is refused with its reason', async (_, requested, answer, message) => {
  const bench = await organizationBench(() => answer);

  await expect(bench.follow(requested)).rejects.toThrow(message);
  expect(await listOrganizations(bench.organizations, bench.account)).toEqual([]);
});

test('a failure is noted and tried again later, each time after twice as long', async () => {
  let isDown = false;
  const bench = await organizationBench(() => (isDown ? { status: 500 } : { status: 200, json: [] }));
  await bench.follow();
  isDown = true;
  await bench.read();
  await bench.read();

  expect(await listOrganizations(bench.organizations, bench.account)).toMatchObject([
    { failures: 1, fault: expect.stringContaining('did not answer like Gitea'), readAt: null },
  ]);
  bench.later(6);
  await bench.read();
  bench.later(6);
  await bench.read();
  expect(await listOrganizations(bench.organizations, bench.account)).toMatchObject([{ failures: 2 }]);
  isDown = false;
  bench.later(6);
  await bench.read();
  expect(await listOrganizations(bench.organizations, bench.account)).toMatchObject([{ failures: 0, fault: '' }]);
});
