import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listAudit } from '../../accounts/accounts.ts';
import { indexRepository, NOW, repositoryBench, snapshotOf, sourceRepository } from '../../testing/repositories.ts';
import { addRepository, removeRepository, repositoryFolder } from '../repositories.ts';
import { beginIndexing, publishSnapshot, sweep, sweepLeftovers } from './runs.ts';

test('blobs are deleted after their time of grace, once no snapshot uses them', async () => {
  let now = NOW;
  const bench = await repositoryBench(() => now);
  const { account, context, deleted } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' });
  const [before, after] = [snapshotOf('', `1${added.id.slice(-8)}`), snapshotOf('', `2${added.id.slice(-8)}`)];
  await indexRepository(bench, added, '', { shard: before.shard, history: before.history });
  await indexRepository(bench, added, '', { shard: after.shard, history: before.history });

  await sweep(context);
  expect(deleted).not.toContain(before.shard.hash);
  now = new Date(NOW.getTime() + 2 * 60 * 60_000);
  await sweep(context);
  expect(deleted).toContain(before.shard.hash);
  expect(deleted).not.toContain(before.history.hash);
  await removeRepository(context, account, { id: added.id, actor: 'system' });
  now = new Date(now.getTime() + 2 * 60 * 60_000);
  await sweep(context);
  expect(deleted).toEqual(expect.arrayContaining([after.shard.hash, before.history.hash]));
});

test('a blob that is used again, or by another account, outlives the sweep', async () => {
  const later = new Date(NOW.getTime() + 2 * 60 * 60_000);
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const [mine, theirs] = [await repositoryBench(), await repositoryBench()];
  const added = await Promise.all(
    [mine, theirs].map(({ context, account }) =>
      addRepository(context, account, { source: shop.path, name: 'shop', actor: 'system' }),
    ),
  );
  const [first, second] = added;
  if (first === undefined || second === undefined) throw new Error('not added');
  const [a, b] = [snapshotOf('', `a${first.id.slice(-8)}`), snapshotOf('', `b${first.id.slice(-8)}`)];
  await indexRepository(mine, first, '', a);
  await indexRepository(mine, first, '', b);
  await indexRepository(mine, first, '', a);
  await indexRepository(theirs, second, '', b);

  await sweep({ ...mine.context, now: () => later });

  expect(mine.deleted).not.toContain(a.shard.hash);
  expect(mine.deleted).not.toContain(b.shard.hash);
  await indexRepository(theirs, second, '', a);
  await sweep({ ...mine.context, now: () => later });
  expect(mine.deleted).toContain(b.shard.hash);
});

test('removing takes the row and the folder, is recorded, and ends a run that is under way', async () => {
  const bench = await repositoryBench();
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: `file://${shop.path}`, name: 'shop', actor: 'system' });
  await indexRepository(bench, added, 'one');
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

test('what a killed git left in a mirror is deleted at a start, and beside other services once it is old', async () => {
  const { context } = await repositoryBench();
  const pack = join(repositoryFolder(context, 'x'), 'mirror.git/objects/pack');
  mkdirSync(pack, { recursive: true });
  for (const name of ['tmp_pack_old', 'tmp_pack_new', 'pack-1.pack']) writeFileSync(join(pack, name), '');
  const longAgo = new Date(Date.now() - 3 * 60 * 60_000);
  utimesSync(join(pack, 'tmp_pack_old'), longAgo, longAgo);

  expect(await sweepLeftovers(context, Date.now() - 2 * 60 * 60_000)).toBe(1);
  expect(existsSync(join(pack, 'tmp_pack_new'))).toBe(true);
  expect(await sweepLeftovers(context)).toBe(1);
  expect(existsSync(join(pack, 'pack-1.pack'))).toBe(true);
});

test('temporary folders of processes that are gone are deleted, those of living ones stay', async () => {
  const { context } = await repositoryBench();
  const gone = spawnSync('true').pid;
  const [unused, used] = [gone, process.pid].map((pid) => mkdtempSync(join(tmpdir(), `svc-git-${pid}-`)));
  onTestFinished(() => rmSync(used ?? '', { recursive: true }));

  const { leftovers } = await sweep(context);

  expect(leftovers).toBeGreaterThan(0);
  expect([existsSync(unused ?? ''), existsSync(used ?? '')]).toEqual([false, true]);
});
