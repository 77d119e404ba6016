import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { ServiceError } from '../kernel/errors.ts';
import { testRepository, testFolder, type TestRepository } from '../testing/git.ts';
import { ArtifactFolder } from './artifact-folder.ts';
import { type Client, inProcess } from './client.ts';
import { repositoryHere } from './find-repo.ts';

let checkout: TestRepository;
beforeEach(() => {
  checkout = testRepository();
  onTestFinished(() => checkout.remove());
  mkdirSync(join(checkout.path, 'src'));
});

/** A client of a service that has these repositories; `origins` are those that it finds by `owner/name`. */
function clientWith(urls: Record<string, string>, origins: Record<string, string> = {}): Client {
  const repositories = Object.entries(urls).map(([name, url]) => ({ name, url, ref: null }));
  const request = async (path: string): Promise<Response> => {
    if (path === '/v1/repositories') return Response.json({ repositories, next: null });
    const name = origins[decodeURIComponent(path.slice('/v1/repositories/'.length))];
    if (name !== undefined) return Response.json({ name });
    return Response.json({ error: { code: 'not_found', message: 'No.', fix: 'None.' } }, { status: 404 });
  };
  return inProcess({ url: undefined, request, close: () => Promise.resolve() });
}

const CONFIG = testFolder();
afterAll(() => rmSync(CONFIG, { recursive: true }));
const OTHERS = { other: 'https://example.org/acme/other', third: '/somewhere/third' };

/** The answer from a folder of the checkout, by default one below its top. */
function find(client: Client, { folder = join(checkout.path, 'src'), repo = '', isNeeded = true } = {}) {
  return repositoryHere(client, { folder, configDir: CONFIG, repo: repo === '' ? undefined : repo, isNeeded });
}

test('a repository is found by the folder, and by the address of any remote in any spelling', async () => {
  checkout.git('remote', 'add', 'fork', 'https://example.org/ada/shop.git');
  checkout.git('remote', 'add', 'origin', 'git@example.org:acme/shop.git');

  expect(await find(clientWith({ ...OTHERS, here: checkout.path }))).toBe('here');
  expect(await find(clientWith({ ...OTHERS, shop: 'https://example.org/acme/shop' }))).toBe('shop');
  expect(await find(clientWith({ ...OTHERS, mine: 'ssh://git@example.org/ada/shop' }))).toBe('mine');
});

test('one that the service reads from a folder of its machine is found by the owner and name of its origin', async () => {
  checkout.git('remote', 'add', 'origin', 'git@example.org:acme/shop.git');

  expect(await find(clientWith({ shop: '/repositories/shop' }, { 'acme/shop': 'shop' }))).toBe('shop');
});

test('--repo wins, then what the last sync remembers', async () => {
  const client = clientWith({ ...OTHERS, here: checkout.path });
  using folder = ArtifactFolder.prepare(checkout.path);
  const index = { repo: 'remembered', commit: null, full: false, etag: '"1"', synced_at: '', files: [] };
  folder.writeIndex(index, CONFIG);

  expect(await find(client, { repo: 'asked' })).toBe('asked');
  expect(await find(client)).toBe('remembered');
});

test('a checkout that the service does not have is not taken for one that it has, even for its only one', async () => {
  checkout.git('remote', 'add', 'origin', 'https://example.org/ada/new.git');
  const client = clientWith({ other: 'https://example.org/acme/other' });

  const failure = await find(client).catch((error: unknown) => error as ServiceError);

  expect(failure).toMatchObject({ code: 'unknown_repo', message: expect.stringContaining(checkout.path) });
  expect(failure).toMatchObject({ fix: expect.stringContaining('repo add https://example.org/ada/new.git') });
  expect(failure).toMatchObject({ fix: expect.stringContaining('--repo: other.') });
  expect(await find(client, { isNeeded: false })).toBeUndefined();
});

test('outside of a checkout the service decides', async () => {
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));

  expect(await find(clientWith(OTHERS), { folder })).toBeUndefined();
});
