import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProduct, listAudit } from '../accounts/accounts.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { testFolder, type TestRepository, testRepository } from '../testing/git.ts';
import {
  addRepository,
  beginIndexing,
  failIndexing,
  findRepository,
  getRepository,
  indexState,
  listRepositories,
  openRepositories,
  publishSnapshot,
  removeRepository,
  type Repositories,
  type Repository,
  repositoryFolder,
  reportProgress,
  requestIndexing,
  type Snapshot,
  sweep,
  syncRepository,
  toRestRepository,
  unfinishedRepositories,
} from './repositories.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const signal = new AbortController().signal;

interface Bench {
  account: TestAccount;
  context: Repositories;
  deleted: string[];
}

async function bench(now: () => Date = () => NOW): Promise<Bench> {
  const account = await testAccount();
  const dataDir = testFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const deleted: string[] = [];
  const blobs = { delete: async (hash: string): Promise<void> => void deleted.push(hash) };
  return { account, deleted, context: openRepositories({ db: account.db, dataDir, blobs, allowsFiles: true, now }) };
}

function source(...changes: Parameters<typeof testRepository>): TestRepository {
  const made = testRepository(...changes);
  onTestFinished(() => made.remove());
  return made;
}

function snapshotOf(commit: string, mark: string, more: Partial<Snapshot> = {}): Snapshot {
  const hash = (kind: string): string => Buffer.from(`${kind}${mark}`).toString('hex').padEnd(64, '0');
  return {
    commit,
    branch: 'main',
    shard: { hash: hash('s'), sizeBytes: 10 },
    history: { hash: hash('h'), sizeBytes: 20 },
    indexedAt: NOW,
    files: 3,
    symbols: 7,
    lines: 90,
    languages: { TypeScript: 0.9, CSS: 0.1 },
    unparsed: 0,
    gaps: [],
    ...more,
  };
}

async function index(
  { context, account }: Bench,
  { id }: Repository,
  mark: string,
  more: Partial<Snapshot> = {},
): Promise<Repository> {
  const run = await beginIndexing(context, account, id);
  if (run === undefined) throw new Error('it is gone');
  const { commit } = await syncRepository(context, run, { signal });
  await publishSnapshot(context, account, run, snapshotOf(commit, mark, more));
  return getRepository(context, account, id);
}

test('a local repository is added from any folder in it, and indexed without a copy', async () => {
  const { account, context } = await bench();
  const shop = source([{ files: { 'src/a.ts': '1' } }]);
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
  const { account, context } = await bench();
  const empty = source();
  const shop = source([{ files: { a: '1' } }]);
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
  const { account, context } = await bench();
  const shop = source([{ files: { a: '1' } }]);
  shop.git('tag', 'v1');
  const add = (more: object): Promise<Repository> =>
    addRepository(context, account, { source: shop.path, actor: 'system', ...more });
  await add({ name: 'shop' });
  await addRepository(context, account, { source: 'https://example.org/acme/store.git', actor: 'system' });

  await expect(add({ name: 'again' })).rejects.toMatchObject({
    code: 'conflict',
    message: `${shop.path} is there already, as "shop".`,
  });
  await expect(add({ name: 'shop', ref: 'v1' })).rejects.toThrow(`The name "shop" is taken by ${shop.path}.`);
  await expect(
    addRepository(context, account, { source: 'https://EXAMPLE.org/acme/store/', name: 'x', actor: 'system' }),
  ).rejects.toThrow('as "store"');
  expect(await add({ name: 'shop-v1', ref: 'v1' })).toMatchObject({ ref: 'v1' });
  const other = await createProduct(account.db, { accountId: account.accountId, name: 'other', actor: 'system' }, NOW);
  const scope = { accountId: account.accountId, productId: other.id };
  expect(await addRepository(context, scope, { source: shop.path, name: 'shop', actor: 'system' })).toBeDefined();
});

test('a repository is found by id, name or owner/name, in its product only', async () => {
  const { account, context } = await bench();
  const stranger = await bench();
  const add = (url: string, name?: string): Promise<Repository> =>
    addRepository(context, account, { source: url, actor: 'system', ...(name !== undefined && { name }) });
  const shop = await add('https://example.org/acme/shop');
  await add('https://example.org/acme/shopper');
  await add('git@example.org:acme/shop', 'mirror');

  expect((await findRepository(context, account, shop.id)).name).toBe('shop');
  expect((await findRepository(context, account, 'SHOP')).name).toBe('shop');
  expect((await findRepository(context, account, 'acme/shopper')).name).toBe('shopper');
  await expect(findRepository(context, account, 'acme/shop')).rejects.toMatchObject({
    code: 'bad_argument',
    fix: 'Use one of the names: mirror, shop.',
  });
  await expect(findRepository(context, account, 'shp')).rejects.toMatchObject({
    code: 'unknown_repo',
    fix: 'Use one of: shop, shopper, mirror.',
  });
  await expect(findRepository(stranger.context, stranger.account, shop.id)).rejects.toMatchObject({
    code: 'unknown_repo',
    fix: 'Add one: svc repo add <path-or-url>.',
  });
});

test('a snapshot is published whole, and only by the run that is the newest', async () => {
  const place = await bench();
  const { account, context } = place;
  const shop = source([{ files: { a: '1' } }]);
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
    behind: 0,
    files: 3,
    symbols: 7,
    languages: { TypeScript: 0.9, CSS: 0.1 },
    error: null,
    ref: null,
    progress: null,
    unparsed: 0,
    gaps: [],
  });
});

test('a failed run says why, keeps the snapshot before it, and can be asked for again', async () => {
  const place = await bench();
  const { account, context } = place;
  const shop = source([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  await index(place, added, 'one');
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
  await requestIndexing(context, account, added.id);
  expect(await getRepository(context, account, added.id)).toMatchObject({ status: 'pending', error: null });
  expect(await unfinishedRepositories(context)).toContainEqual(expect.objectContaining({ id: added.id }));
  const again = await beginIndexing(context, account, added.id);
  await failIndexing(context, account, again ?? run, new TypeError('secret detail'));
  expect((await getRepository(context, account, added.id)).error?.message).toBe(
    'Indexing failed by a fault of the service.',
  );
});

test('freshness follows commits, resets, forced pushes and checkouts of a local repository', async () => {
  const place = await bench();
  const { account, context } = place;
  const shop = source([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const ready = await index(place, added, 'one');
  const state = (): Promise<unknown> => indexState(context, ready);

  expect(await state()).toEqual({ state: 'fresh', behind: 0, indexedAt: NOW });
  shop.commit({ files: { a: '2' } });
  shop.commit({ files: { a: '3' } });
  expect(await state()).toMatchObject({ state: 'behind', behind: 2 });
  shop.git('reset', '--quiet', '--hard', 'HEAD~2');
  expect(await state()).toMatchObject({ state: 'fresh' });
  shop.git('commit', '--quiet', '--amend', '-m', 'Other history');
  expect(await state()).toMatchObject({ state: 'behind', behind: 1 });
  shop.git('checkout', '--quiet', '--orphan', 'unborn');
  expect(await state()).toMatchObject({ state: 'unknown' });
  expect(
    await indexState(context, { ...ready, unparsed: 12, ref: 'main', commit: shop.git('rev-parse', 'main') }),
  ).toEqual({
    state: 'partial',
    behind: 0,
    unparsed: 12,
    indexedAt: NOW,
  });
});

test('a step back that lost commits is not fresh', async () => {
  const place = await bench();
  const shop = source([{ files: { a: '1' } }, { files: { a: '2' } }]);
  const added = await addRepository(place.context, place.account, { source: shop.path, name: 'shop', actor: 'system' });
  const ready = await index(place, added, 'one');

  shop.git('reset', '--quiet', '--hard', 'HEAD~1');

  expect(await indexState(place.context, ready)).toMatchObject({ state: 'behind', behind: 1 });
});

test('a remote repository is mirrored, compared with its last fetch, and follows a forced push', async () => {
  const place = await bench();
  const { account, context } = place;
  const shop = source([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: `file://${shop.path}`, name: 'shop', actor: 'system' });

  const first = await index(place, added, 'one');
  expect(first).toMatchObject({ status: 'ready', source: 'remote', defaultBranch: 'main' });
  shop.git('commit', '--quiet', '--amend', '-m', 'Other history');
  expect(await indexState(context, first)).toMatchObject({ state: 'fresh' });
  const second = await index(place, added, 'two');

  expect(second.commit).toBe(shop.git('rev-parse', 'HEAD'));
  expect(await indexState(context, second)).toMatchObject({ state: 'fresh' });
  expect(await indexState(context, first)).toMatchObject({ state: 'behind', behind: 1 });
});

test('a pin to a tag or branch holds while HEAD moves on', async () => {
  const place = await bench();
  const { account, context } = place;
  const shop = source([{ files: { a: '1' } }]);
  shop.git('tag', 'v1');
  shop.git('branch', 'side');
  const add = (ref: string): Promise<Repository> =>
    addRepository(context, account, { source: shop.path, name: ref, ref, actor: 'system' });
  const [tag, branch] = [await index(place, await add('v1'), 'tag'), await index(place, await add('side'), 'branch')];

  shop.commit({ files: { a: '2' } });
  expect(await indexState(context, tag)).toMatchObject({ state: 'fresh' });
  shop.git('branch', '--force', 'side', 'main');

  expect(await indexState(context, branch)).toMatchObject({ state: 'behind', behind: 1 });
});

test('blobs are deleted after their time of grace, once no snapshot uses them', async () => {
  let now = NOW;
  const place = await bench(() => now);
  const { account, context, deleted } = place;
  const shop = source([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const [one, two] = [snapshotOf('', `1${added.id.slice(-8)}`), snapshotOf('', `2${added.id.slice(-8)}`)];
  await index(place, added, '', { shard: one.shard, history: one.history });
  await index(place, added, '', { shard: two.shard, history: one.history });

  await sweep(context);
  expect(deleted).not.toContain(one.shard.hash);
  now = new Date(NOW.getTime() + 2 * 60 * 60_000);
  await sweep(context);
  expect(deleted).toContain(one.shard.hash);
  expect(deleted).not.toContain(one.history.hash);
  await removeRepository(context, account, { id: added.id, actor: 'system' });
  now = new Date(now.getTime() + 2 * 60 * 60_000);
  await sweep(context);
  expect(deleted).toEqual(expect.arrayContaining([two.shard.hash, one.history.hash]));
});

test('removing takes the row and the folder, is recorded, and ends a run that is under way', async () => {
  const place = await bench();
  const { account, context } = place;
  const shop = source([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: `file://${shop.path}`, name: 'shop', actor: 'system' });
  await index(place, added, 'one');
  const run = await beginIndexing(context, account, added.id);
  const folder = repositoryFolder(context, added.id);
  writeFileSync(join(folder, 'facts.db'), '');

  await removeRepository(context, account, { id: added.id, actor: account.actor });

  expect(existsSync(folder)).toBe(false);
  expect(await publishSnapshot(context, account, run ?? added, snapshotOf(run?.commit ?? '', 'late'))).toBe(false);
  expect(await beginIndexing(context, account, added.id)).toBeUndefined();
  await expect(removeRepository(context, account, { id: added.id, actor: 'system' })).rejects.toMatchObject({
    code: 'unknown_repo',
  });
  const actions = (await listAudit(account.db, account.accountId, { limit: 10 })).map((entry) => entry.action);
  expect(actions).toEqual(expect.arrayContaining(['repository.add', 'repository.remove']));
  mkdirSync(folder, { recursive: true });
  await sweep(context);
  expect(existsSync(folder)).toBe(false);
});

test('another account or product can neither see nor change a repository', async () => {
  const place = await bench();
  const stranger = await bench();
  const shop = source([{ files: { a: '1' } }]);
  const added = await addRepository(place.context, place.account, { source: shop.path, name: 'shop', actor: 'system' });
  const foreign = { accountId: place.account.accountId, productId: stranger.account.productId };

  for (const scope of [stranger.account, foreign]) {
    expect(await listRepositories(place.context, scope)).toEqual([]);
    expect(await beginIndexing(place.context, scope, added.id)).toBeUndefined();
    await expect(getRepository(place.context, scope, added.id)).rejects.toMatchObject({ code: 'unknown_repo' });
    await expect(removeRepository(place.context, scope, { id: added.id, actor: 'system' })).rejects.toMatchObject({
      code: 'unknown_repo',
    });
  }
  expect((await getRepository(place.context, place.account, added.id)).status).toBe('pending');
  await expect(getRepository(place.context, place.account, 'no-id')).rejects.toMatchObject({ code: 'unknown_repo' });
});
