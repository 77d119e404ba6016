import { existsSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createProduct } from '../accounts/accounts.ts';
import { indexRepository, NOW, repositoryBench, snapshotOf, sourceRepository } from '../testing/repositories.ts';
import {
  addRepository,
  findRepository,
  getRepository,
  indexState,
  listRepositories,
  removeRepository,
  type Repository,
  repositoryFolder,
  toRestRepository,
  unfinishedRepositories,
} from './repositories.ts';
import { beginIndexing, failIndexing, publishSnapshot, reportProgress, syncRepository } from './runs/runs.ts';
import { setPending } from './store.ts';

const signal = new AbortController().signal;

test('a local repository is added from any folder in it, and indexed without a copy', async () => {
  const { account, context } = await repositoryBench();
  const shop = sourceRepository([{ files: { 'src/a.ts': '1' } }]);
  shop.git('remote', 'add', 'origin', 'https://me:token@example.org/acme/shop.git');

  const added = await addRepository(context, account, {
    source: join(shop.path, 'src'),
    name: 'shop',
    actor: 'system',
  });
  const run = await beginIndexing(context, account, added.id);
  const checkout = await syncRepository(context, run ?? added, { signal });

  expect(added).toMatchObject({
    status: 'pending',
    source: 'local',
    url: shop.path,
    fullName: 'acme/shop',
    commit: null,
  });
  expect(checkout).toEqual({ gitDir: join(shop.path, '.git'), commit: shop.git('rev-parse', 'HEAD'), branch: 'main' });
  expect(existsSync(repositoryFolder(context, added.id))).toBe(false);
  expect(JSON.stringify(added)).not.toContain('token');
});

test('what cannot be indexed is refused when it is added, with its reason', async () => {
  const { account, context } = await repositoryBench();
  const empty = sourceRepository();
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const add = (path: string, more = {}): Promise<Repository> =>
    addRepository(context, account, { source: path, actor: 'system', ...more });

  await expect(add(empty.path)).rejects.toMatchObject({
    code: 'bad_argument',
    message: `${empty.path} has no commits yet.`,
  });
  await expect(add('/nowhere/at/all')).rejects.toThrow('There is no folder /nowhere/at/all.');
  await expect(add(context.dataDir)).rejects.toThrow(/is not in a git repository/);
  await expect(add(shop.path, { ref: 'gone' })).rejects.toThrow(/no branch, tag or commit "gone"/);
  await expect(add(shop.path, { name: 'a b' })).rejects.toThrow('"a b" cannot be the name of a repository.');
  expect(await listRepositories(context, account)).toEqual([]);
});

test('the same repository twice is a conflict that names the other; another pin or product is not', async () => {
  const { account, context } = await repositoryBench();
  const shop = sourceRepository([{ files: { a: '1' } }]);
  shop.git('tag', 'v1');
  const add = (more: object): Promise<Repository> =>
    addRepository(context, account, { source: shop.path, actor: 'system', ...more });
  await add({ name: 'shop' });
  await addRepository(context, account, { source: 'https://example.org/acme/store.git', actor: 'system' });

  await expect(add({ name: 'again' })).rejects.toMatchObject({
    code: 'conflict',
    message: `${shop.path} already exists as "shop".`,
  });
  await expect(add({ name: 'shop', ref: 'v1' })).rejects.toThrow(`The name "shop" is taken by ${shop.path}.`);
  await expect(
    addRepository(context, account, { source: 'https://EXAMPLE.org/acme/store/', name: 'x', actor: 'system' }),
  ).rejects.toThrow('as "store"');
  expect(await add({ name: 'shop-v1', ref: 'v1' })).toMatchObject({ ref: 'v1' });
  const other = await createProduct(account.db, { accountId: account.accountId, name: 'other', actor: 'system' }, NOW);
  const tenant = { accountId: account.accountId, productId: other.id };
  expect(await addRepository(context, tenant, { source: shop.path, name: 'shop', actor: 'system' })).toBeDefined();
});

test('of two repositories with one last name the second has the folder or owner before it', async () => {
  const { account, context } = await repositoryBench();
  const add = (source: string, name?: string): Promise<Repository> =>
    addRepository(context, account, { source, actor: 'system', ...(name !== undefined && { name }) });
  expect(await add('https://example.org/acme/api')).toMatchObject({ name: 'api' });
  expect(await add('https://example.org/other/api')).toMatchObject({ name: 'other/api' });
  expect(await findRepository(context, account, 'api')).toMatchObject({ url: 'https://example.org/acme/api' });
  const local = sourceRepository([{ files: { a: '1' } }]);
  await add('https://example.org/third', basename(local.path));
  expect(await add(local.path)).toMatchObject({ name: local.path.split('/').slice(-2).join('/') });

  await expect(add('https://mirror.example.org/other/api')).rejects.toThrow('The name "other/api" is taken by');
  await expect(add('https://example.org/fourth', 'api')).rejects.toThrow('The name "api" is taken by');
  await expect(add('https://example.org/acme/api')).rejects.toThrow('already exists as "api"');
});

test('a repository is found by id, name or owner/name, in its product only', async () => {
  const { account, context } = await repositoryBench();
  const stranger = await repositoryBench();
  const add = (url: string, name?: string): Promise<Repository> =>
    addRepository(context, account, { source: url, actor: 'system', ...(name !== undefined && { name }) });
  const shop = await add('https://example.org/acme/shop');
  await add('https://example.org/acme/shopper');
  await add('git@example.org:acme/shop', 'mirror');
  const run = await beginIndexing(context, account, shop.id);
  if (run === undefined) throw new Error('it is gone');
  await publishSnapshot(context, account, run, snapshotOf('c'.repeat(40), 'one'));

  expect((await findRepository(context, account, shop.id)).name).toBe('shop');
  expect((await findRepository(context, account, 'SHOP')).name).toBe('shop');
  expect((await findRepository(context, account, 'acme/shopper')).name).toBe('shopper');
  await expect(findRepository(context, account, 'acme/shop')).rejects.toMatchObject({
    code: 'bad_argument',
    fix: 'Use one of the names: mirror, shop.',
  });
  await expect(findRepository(context, account, 'shp')).rejects.toMatchObject({
    code: 'unknown_repo',
    fix: 'Use one of: shop (TypeScript, CSS), shopper, mirror.',
  });
  await expect(findRepository(stranger.context, stranger.account, shop.id)).rejects.toMatchObject({
    code: 'unknown_repo',
    fix: 'Add one: svc repo add <path-or-url>.',
  });
});

test('a snapshot is published whole, and only by the run that is the newest', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const old = await beginIndexing(context, account, added.id);
  const newer = await beginIndexing(context, account, added.id);
  const commit = shop.git('rev-parse', 'HEAD');
  const progress = { stage: 'extract', done: 1, total: 2, percent: 42 };
  if (old === undefined || newer === undefined) throw new Error('it is gone');

  expect(await reportProgress(context, account, old, progress)).toBe(false);
  expect(await reportProgress(context, account, newer, progress)).toBe(true);
  expect(await indexState(context, await getRepository(context, account, added.id))).toEqual({
    state: 'indexing',
    percent: 42,
  });
  expect(await publishSnapshot(context, account, old, snapshotOf(commit, 'old'))).toBe(false);
  expect(await failIndexing(context, account, old, new Error('late'))).toBe(false);
  expect(await publishSnapshot(context, account, newer, snapshotOf(commit, 'new'))).toBe(true);
  expect(await publishSnapshot(context, account, newer, snapshotOf(commit, 'twice'))).toBe(false);

  const ready = await getRepository(context, account, added.id);
  expect(ready).toMatchObject({ status: 'ready', generation: 1, commit, shardHash: snapshotOf('', 'new').shard.hash });
  expect(await toRestRepository(context, ready)).toEqual({
    id: added.id,
    name: 'shop',
    url: shop.path,
    default_branch: 'main',
    product: 'default',
    status: 'ready',
    commit,
    indexed_at: NOW.toISOString(),
    fetched_at: null,
    fetch_result: null,
    fetch_error: null,
    exact: null,
    behind: 0,
    freshness: 'fresh',
    files: 3,
    symbols: 7,
    languages: { TypeScript: 0.9, CSS: 0.1 },
    error: null,
    ref: null,
    progress: null,
    unparsed: 0,
    gaps: [],
    last_run: { parsed: 3, reused: 0, failed: 0, seconds: 0.1 },
  });
});

test('a failed run says why, keeps the snapshot before it, and can be asked for again', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  await indexRepository(bench, added, 'one');
  rmSync(shop.path, { recursive: true });
  const run = await beginIndexing(context, account, added.id);
  if (run === undefined) throw new Error('it is gone');

  const error: unknown = await syncRepository(context, run, { signal }).catch((failure: unknown) => failure);
  await failIndexing(context, account, run, error);

  const failed = await getRepository(context, account, added.id);
  expect(failed).toMatchObject({
    status: 'failed',
    error: { message: `There is no folder ${shop.path}.` },
    generation: 1,
  });
  expect(failed.shardHash).not.toBeNull();
  expect((await indexState(context, failed)).state).toBe('unknown');
  await setPending(context.db, account, added.id);
  expect(await getRepository(context, account, added.id)).toMatchObject({ status: 'pending', error: null });
  expect(await unfinishedRepositories(context)).toContainEqual(expect.objectContaining({ id: added.id }));
  const again = await beginIndexing(context, account, added.id);
  await failIndexing(context, account, again ?? run, new TypeError('secret detail'));
  expect((await getRepository(context, account, added.id)).error?.message).toBe(
    'Indexing failed because of a fault in the service.',
  );
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  await failIndexing(context, account, (await beginIndexing(context, account, added.id)) ?? run, full);
  expect((await getRepository(context, account, added.id)).error?.message).toContain('disk of the service is full');
});

test('a run that is asked for while one is running is waited for', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const run = await beginIndexing(context, account, added.id);
  if (run === undefined) throw new Error('it is gone');
  const statusOf = async (): Promise<string> => (await getRepository(context, account, added.id)).status;

  await setPending(context.db, account, added.id);
  expect(await statusOf()).toBe('indexing');
  await failIndexing(context, account, run, new Error('out of memory'));
  expect(await statusOf()).toBe('pending');

  await indexRepository(bench, added, 'two');
  expect(await statusOf()).toBe('ready');
});

test('another account or product can neither see nor change a repository', async () => {
  const bench = await repositoryBench();
  const stranger = await repositoryBench();
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(bench.context, bench.account, { source: shop.path, name: 'shop', actor: 'system' });
  const foreign = { accountId: bench.account.accountId, productId: stranger.account.productId };

  const borrowed = { accountId: stranger.account.accountId, productId: bench.account.productId };

  for (const tenant of [stranger.account, foreign, borrowed]) {
    expect(await listRepositories(bench.context, tenant)).toEqual([]);
    expect(await beginIndexing(bench.context, tenant, added.id)).toBeUndefined();
    await expect(getRepository(bench.context, tenant, added.id)).rejects.toMatchObject({ code: 'unknown_repo' });
    await expect(removeRepository(bench.context, tenant, { id: added.id, actor: 'system' })).rejects.toMatchObject({
      code: 'unknown_repo',
    });
  }
  expect((await getRepository(bench.context, bench.account, added.id)).status).toBe('pending');
  await expect(getRepository(bench.context, bench.account, 'no-id')).rejects.toMatchObject({ code: 'unknown_repo' });
});
