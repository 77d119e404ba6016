import { type QueryId, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { indexRepository, type RepositoryBench, repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { RepositoryCache } from './repository-cache.ts';
import { addRepository, removeRepository, repositoriesInScope, type Repository } from './repositories.ts';

/** A bench whose questions look up known repositories, as in a service, how many queries that has cost, and their rows. */
async function hearingBench(): Promise<RepositoryBench & { queries: () => number; rows: number[] }> {
  const bench = await repositoryBench();
  const queryIds = new Set<QueryId>();
  const rows: number[] = [];
  const db = bench.account.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      queryIds.add(queryId);
      return node;
    },
    transformResult: async ({ result }) => {
      rows.push(result.rows.length);
      return result;
    },
  });
  const cache = new RepositoryCache(db);
  onTestFinished(await cache.hear(bench.account.database));
  return { ...bench, context: { ...bench.context, db, cache }, queries: () => queryIds.size, rows };
}

/** The same repositories as another process has them, which tells nobody but the database. */
function elsewhere({ context, account, deleted }: RepositoryBench): RepositoryBench {
  return { context: { ...context, cache: new RepositoryCache(account.db) }, account, deleted };
}

function addShop({ context, account }: RepositoryBench, name = 'shop'): Promise<Repository> {
  const { path } = sourceRepository([{ files: { 'a.ts': '1' } }]);
  return addRepository(context, account, { source: path, name, actor: 'system' });
}

test('repositories that are indexed and asked about again cost no query', async () => {
  const bench = await hearingBench();
  const { account, context, queries } = bench;
  const { id } = await indexRepository(bench, await addShop(bench), 'first');
  await repositoriesInScope(context, account);
  const before = queries();

  const [byName] = await repositoriesInScope(context, account, 'SHOP');
  const [byId] = await repositoriesInScope(context, account, id);
  const all = await repositoriesInScope(context, account);

  expect([byName?.id, byId?.id, ...all.map((row) => row.id)]).toEqual([id, id, id]);
  expect(byName?.shardHash).toBeTypeOf('string');
  expect(queries()).toBe(before);
});

test('a change by another process is heard, and what is not known is looked up', async () => {
  const bench = await hearingBench();
  const { account, context } = bench;
  expect(await repositoriesInScope(context, account)).toEqual([]);

  const shop = await addShop(elsewhere(bench));
  expect((await repositoriesInScope(context, account, 'shop')).map((row) => row.id)).toEqual([shop.id]);
  await indexRepository(elsewhere(bench), shop, 'first');
  await expect.poll(async () => (await repositoriesInScope(context, account))[0]?.shardHash).toBeTypeOf('string');
  await removeRepository(elsewhere(bench).context, account, { id: shop.id, actor: 'system' });
  await expect.poll(() => repositoriesInScope(context, account)).toEqual([]);
});

test('a change of one repository reads that one, whatever the product has', async () => {
  const bench = await hearingBench();
  const { account, context, rows } = bench;
  const other = elsewhere(bench);
  const [shop] = [await addShop(other, 'b'), await addShop(other, 'd'), await addShop(other, 'a')];
  const names = async (): Promise<string[]> => (await context.cache.of(account)).map(({ name }) => name);
  expect(await names()).toEqual(['a', 'b', 'd']);
  rows.splice(0);

  const added = await addShop(other, 'c');
  await expect.poll(names).toEqual(['a', 'b', 'c', 'd']);
  await indexRepository(other, added, 'first');
  await expect.poll(async () => (await context.cache.of(account))[2]?.shardHash).toBeTypeOf('string');
  await removeRepository(other.context, account, { id: shop.id, actor: 'system' });
  await expect.poll(names).toEqual(['a', 'c', 'd']);
  expect(Math.max(...rows)).toBe(1);
});

test('who saw a newer row is not answered from an older one, also before the change is heard', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const hears: ((isLive: boolean) => void)[] = [];
  await context.cache.hear({
    listen: async (_channel, _onMessage, onConnection) => {
      hears.push((isLive) => onConnection?.(isLive));
      onConnection?.(true);
      return async () => undefined;
    },
  });
  const added = await addShop(bench);
  await repositoriesInScope(context, account);
  const indexed = await indexRepository(elsewhere(bench), added, 'first');

  expect((await context.cache.of(account))[0]?.shardHash).toBeNull();
  await context.cache.agreeWith(account, [indexed]);
  expect((await context.cache.of(account))[0]?.shardHash).toBe(indexed.shardHash);

  await removeRepository(elsewhere(bench).context, account, { id: indexed.id, actor: 'system' });
  expect(await context.cache.of(account)).toHaveLength(1);
  hears[0]?.(false);
  expect(await context.cache.of(account)).toEqual([]);
});

test('a read that a change overtakes is made again, once for all who wait', async () => {
  const { account, context, queries } = await hearingBench();
  const before = queries();
  const reading = [context.cache.of(account), context.cache.of(account), context.cache.refresh(account, [])];
  await Promise.all(reading);
  expect(queries() - before).toBe(2);
});

test('a change that comes when the last look at changes is over is read as well', async () => {
  const bench = await repositoryBench();
  const { account } = bench;
  const [first, second] = [await addShop(bench, 'a'), await addShop(bench, 'b')];
  let onRead: (() => void) | undefined;
  const db = account.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      onRead?.();
      return result;
    },
  });
  const cache = new RepositoryCache(db);
  // It is told of no change but by this test.
  onTestFinished(
    await cache.hear({
      listen: async (_channel, _onMessage, onConnection) => {
        onConnection?.(true);
        return async () => undefined;
      },
    }),
  );
  await cache.of(account);

  for (let turns = 0; turns < 40; turns += 1) {
    const branch = `branch-${turns}`;
    await sql`update repository set default_branch = ${branch} where id = ${second.id}`.execute(account.db);
    const { promise: wasRead, resolve } = Promise.withResolvers<void>();
    onRead = resolve;
    const changeLater = async (): Promise<void> => {
      await wasRead;
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await cache.refresh(account, [second.id]);
    };
    await Promise.all([changeLater(), cache.refresh(account, [first.id])]);
    expect((await cache.of(account))[1]?.defaultBranch).toBe(branch);
  }
});
