import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexRepository, NOW, repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { addRepository, indexState, type Repository, toRestRepository } from './repositories.ts';

test('freshness follows commits, resets, forced pushes and checkouts of a local repository', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const ready = await indexRepository(bench, added, 'one');
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

test('of one moment the refs are looked at once, and the next call sees what moved since', async () => {
  const { account, context, ...bench } = await repositoryBench();
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const ready = await indexRepository({ account, context, ...bench }, added, 'one');
  const sinceMs = performance.now();

  expect(await indexState(context, ready, sinceMs)).toMatchObject({ state: 'fresh' });
  shop.commit({ files: { a: '2' } });

  expect(await indexState(context, ready, sinceMs)).toMatchObject({ state: 'fresh' });
  expect(await indexState(context, ready)).toMatchObject({ state: 'behind', behind: 1 });
});

test('a step back that lost commits is not fresh', async () => {
  const bench = await repositoryBench();
  const shop = sourceRepository([{ files: { a: '1' } }, { files: { a: '2' } }]);
  const added = await addRepository(bench.context, bench.account, { source: shop.path, name: 'shop', actor: 'system' });
  const ready = await indexRepository(bench, added, 'one');

  shop.git('reset', '--quiet', '--hard', 'HEAD~1');

  expect(await indexState(bench.context, ready)).toMatchObject({ state: 'behind', behind: 1 });
});

test('a remote repository is mirrored, compared with its last fetch, and follows a forced push', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: `file://${shop.path}`, name: 'shop', actor: 'system' });

  const first = await indexRepository(bench, added, 'one');
  expect(first).toMatchObject({ status: 'ready', source: 'remote', defaultBranch: 'main' });
  shop.git('commit', '--quiet', '--amend', '-m', 'Other history');
  expect(await indexState(context, first)).toMatchObject({ state: 'fresh' });
  const second = await indexRepository(bench, added, 'two');

  expect(second.commit).toBe(shop.git('rev-parse', 'HEAD'));
  expect(await indexState(context, second)).toMatchObject({ state: 'fresh' });
  expect(await indexState(context, first)).toMatchObject({ state: 'behind', behind: 1 });
});

test('a pin to a tag or branch holds while HEAD moves on', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  shop.git('tag', 'v1');
  shop.git('branch', 'side');
  const add = (ref: string): Promise<Repository> =>
    addRepository(context, account, { source: shop.path, name: ref, ref, actor: 'system' });
  const [tag, branch] = [
    await indexRepository(bench, await add('v1'), 'tag'),
    await indexRepository(bench, await add('side'), 'branch'),
  ];

  shop.commit({ files: { a: '2' } });
  expect(await indexState(context, tag)).toMatchObject({ state: 'fresh' });
  shop.git('branch', '--force', 'side', 'main');

  expect(await indexState(context, branch)).toMatchObject({ state: 'behind', behind: 1 });
});

test('a folder that was added is read no more once the service is reached by others', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const ready = await indexRepository(bench, added, 'one');
  const reached = { ...context, policy: { ...context.policy, allowsFiles: false } };

  expect(await indexState(reached, ready)).toMatchObject({ state: 'unknown' });
  await expect(indexRepository({ ...bench, context: reached }, added, 'two')).rejects.toThrow(/does not read folders/);
});

test('a checkout with uncommitted files is told, until they are committed', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const ready = await indexRepository(bench, added, 'one');
  writeFileSync(join(shop.path, 'a'), '2');
  writeFileSync(join(shop.path, 'b'), '1');

  // A count that takes longer than a call waits is told by the next one.
  await expect.poll(() => indexState(context, ready)).toMatchObject({ state: 'partial', uncommitted: 2 });
  expect(await toRestRepository(context, ready)).toMatchObject({
    freshness: 'partial (2 uncommitted files not indexed)',
  });
  shop.commit();
  const state = await indexState(context, await indexRepository(bench, added, 'two'));

  expect(state).toEqual({ state: 'fresh', behind: 0, indexedAt: NOW });
});

test('what the commit has and the index has not is never fresh', async () => {
  const bench = await repositoryBench();
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(bench.context, bench.account, { source: shop.path, name: 'shop', actor: 'system' });
  const gap = { kind: 'shallow', count: 5, text: 'The clone is shallow.' } as const;

  const cut = await indexRepository(bench, added, 'one', { gaps: [gap] });
  const noted = await indexRepository(bench, added, 'two', { gaps: ['Said by an older version.'] });

  expect(await indexState(bench.context, cut)).toMatchObject({ state: 'partial', behind: 0, gaps: [gap] });
  expect(await toRestRepository(bench.context, cut)).toMatchObject({
    freshness: 'partial (history cut at 5 commits)',
    gaps: ['The clone is shallow.'],
  });
  expect(await indexState(bench.context, noted)).toMatchObject({ state: 'fresh' });
});
