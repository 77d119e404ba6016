import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeIndex } from '../../kernel/freshness.ts';
import { indexRepository, NOW, repositoryBench, sourceRepository } from '../../testing/repositories.ts';
import type { TestRepository } from '../../testing/git.ts';
import { mirrorFolder } from '../context.ts';
import { hastenOverdueFetch } from '../freshness.ts';
import { inMirror } from '../mirror.ts';
import {
  addRepository,
  getRepository,
  indexState,
  type Repositories,
  type Repository,
  toRestRepository,
} from '../repositories.ts';
import { failIndexing } from '../runs/runs.ts';
import { dueFetches, fetchDue } from './fetches.ts';

const MINUTE_MS = 60_000;
const { signal } = new AbortController();

interface FetchBench {
  context: Repositories;
  shop: TestRepository;
  row: () => Promise<Repository>;
  words: () => Promise<string>;
  isDue: () => Promise<boolean>;
  fetch: () => Promise<boolean>;
  wait: (milliseconds: number) => void;
  index: () => Promise<Repository>;
}

/** A repository by address that was indexed a moment ago, on a clock that tests move. */
async function fetchBench(): Promise<FetchBench> {
  let now = NOW;
  const bench = await repositoryBench(() => now);
  const { account, context } = bench;
  const shop = sourceRepository([{ files: { a: '1' } }]);
  const added = await addRepository(context, account, { source: `file://${shop.path}`, name: 'shop', actor: 'system' });
  const row = (): Promise<Repository> => getRepository(context, account, added.id);
  const index = (): Promise<Repository> => indexRepository(bench, added, 'one');
  await index();
  return {
    context,
    shop,
    row,
    index,
    words: async () => describeIndex(await indexState(context, await row())),
    isDue: async () => (await dueFetches(context)).some(({ id }) => id === added.id),
    fetch: () => fetchDue(context, account, { id: added.id, signal }),
    wait: (milliseconds) => {
      now = new Date(now.getTime() + milliseconds);
    },
  };
}

test('a repository by address is fetched within each interval, and an index run follows a new commit', async () => {
  const { shop, words, isDue, fetch, wait, row } = await fetchBench();
  expect([await words(), await isDue(), await fetch()]).toEqual(['fresh', false, false]);

  wait(5 * MINUTE_MS);
  expect([await isDue(), await fetch(), await isDue()]).toEqual([true, false, false]);
  shop.commit({ files: { a: '2' } });
  wait(5 * MINUTE_MS);
  expect(await fetch()).toBe(true);

  expect(await words()).toBe('behind 1');
  expect((await row()).fetchedAt).toEqual(new Date(NOW.getTime() + 10 * MINUTE_MS));
});

test('answers state the last fetch once it is older than the interval, and while fetches fail', async () => {
  const { context, shop, words, isDue, fetch, wait, row } = await fetchBench();
  wait(6 * MINUTE_MS);
  expect(await words()).toBe('fetched 6 min ago');
  await fetch();
  expect(await words()).toBe('fresh');

  renameSync(shop.path, `${shop.path}.away`);
  wait(5 * MINUTE_MS);
  expect(await fetch()).toBe(false);
  const failed = await toRestRepository(context, await row());
  expect(failed).toMatchObject({
    status: 'ready',
    freshness: 'fetched 5 min ago',
    fetch_error: { message: expect.stringContaining('no git repository') as string },
  });
  for (let failure = 0; failure < 8; failure += 1) {
    wait(60 * MINUTE_MS);
    await fetch();
  }
  expect(await words()).toBe('fetched 8 h ago');
  wait(30 * MINUTE_MS);
  expect(await isDue()).toBe(false);

  renameSync(`${shop.path}.away`, shop.path);
  wait(60 * MINUTE_MS);
  expect([await isDue(), await fetch(), await words()]).toEqual([true, false, 'fresh']);
  expect((await row()).fetchError).toBeNull();
});

test('a fetch that fails with an error that nobody expected is put off and shown, too', async () => {
  const { context, isDue, fetch, wait, row } = await fetchBench();
  const mirror = mirrorFolder(context, (await row()).id);
  rmSync(mirror, { recursive: true });
  writeFileSync(mirror, 'no folder');
  wait(5 * MINUTE_MS);

  await expect(fetch()).rejects.toThrow('EEXIST');

  expect(await isDue()).toBe(false);
  expect((await row()).fetchError).toMatchObject({
    message: expect.stringContaining('a fault in the service') as string,
  });
});

test('a quiet repository is fetched once an hour, and at once after a question', async () => {
  const { context, words, isDue, fetch, wait, row } = await fetchBench();
  wait(24 * 60 * MINUTE_MS);
  await fetch();
  wait(30 * MINUTE_MS);
  expect([await isDue(), await words()]).toEqual([false, 'fetched 30 min ago']);

  const shown = await row();
  hastenOverdueFetch(context, shown, await indexState(context, shown));

  await expect.poll(isDue).toBe(true);
  await fetch();
  expect(await words()).toBe('fresh');
});

test('a run that failed with the fetch is made again when the host is back, one that failed alone is not', async () => {
  const { context, shop, fetch, wait, row, index } = await fetchBench();
  renameSync(shop.path, `${shop.path}.away`);
  const error: unknown = await index().catch((failure: unknown) => failure);
  const run = await row();
  await failIndexing(context, run, run, error);
  expect(error).toMatchObject({ code: 'upstream_failed' });
  renameSync(`${shop.path}.away`, shop.path);
  wait(60 * MINUTE_MS);
  expect(await fetch()).toBe(true);
  wait(60 * MINUTE_MS);
  expect(await fetch()).toBe(false);
});

test('what another process writes to a mirror is waited for', async () => {
  const { context, row } = await fetchBench();
  const repository = await row();
  const other = { ...context, mirrorWork: new Map() };
  const order: string[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  const first = inMirror(context, repository, signal, async () => {
    begin(undefined);
    await released;
    order.push('first');
  });
  await begun;

  const second = inMirror(other, repository, signal, async () => void order.push('second'));
  release(undefined);
  await Promise.all([first, second]);

  expect(order).toEqual(['first', 'second']);
});
