import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { selectDocuments } from '../documents/documents.ts';
import type { ShardReaders } from '../indexes/shards/shards.ts';
import { openBlobStore } from '../platform/blobs.ts';
import { createLog } from '../platform/log.ts';
import { addRepository, type Repository, removeRepository } from '../repositories/repositories.ts';
import { testDocuments } from '../testing/documents.ts';
import { testFolder } from '../testing/git.ts';
import { indexRepository, NOW, repositoryBench, sourceRepository } from '../testing/repositories.ts';
import { strayDocumentation, takeRepositoryDocs } from './take-documents.ts';

/** Repositories with documentation, and how many rows the database gave. */
async function openBench() {
  const bench = await repositoryBench();
  const { account } = bench;
  let rows = 0;
  const db = account.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rows += result.rows.length;
      return result;
    },
  });
  const folder = testFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blobs = await openBlobStore(join(folder, 'blobs'));
  const documents = testDocuments({ db, blobs, workDir: join(folder, 'work'), now: () => NOW });
  onTestFinished(() => documents.close());
  // Its history shows no date.
  const readers = { query: async () => [] } as unknown as ShardReaders;
  const parts = { documents, repositories: { ...bench.context, db }, readers, log: createLog('silent') };
  return {
    account,
    add: async (name: string): Promise<Repository> => {
      const { path } = sourceRepository([{ files: { 'README.md': `# ${name}\n\nwalrus` } }]);
      const added = await addRepository(bench.context, account, { source: path, name, actor: 'system' });
      return indexRepository(bench, added, name);
    },
    remove: ({ id }: Repository) => removeRepository(bench.context, account, { id, actor: 'system' }),
    /** Returns how many rows it read. */
    take: async ({ id: repositoryId }: Repository): Promise<number> => {
      const before = rows;
      await takeRepositoryDocs(parts, { tenant: account, repositoryId, signal: new AbortController().signal });
      return rows - before;
    },
    stray: async () => (await strayDocumentation(parts)).filter(({ accountId }) => accountId === account.accountId),
    titles: async () =>
      (await selectDocuments(documents.db, account, { limit: 10, offset: 0 })).rows.map(({ title }) => title),
  };
}

test('documentation of a repository costs as much beside many others as alone', async () => {
  const { add, take, titles } = await openBench();
  const first = await add('first');
  await take(first);
  const alone = await take(first);
  for (const name of ['second', 'third', 'fourth']) await take(await add(name));

  expect(await take(first)).toBe(alone);
  expect((await titles()).toSorted()).toEqual(['first', 'fourth', 'second', 'third']);
});

test('documentation of a repository that was removed is removed, at the next start where a stop came between', async () => {
  const { account, add, remove, stray, take, titles } = await openBench();
  const [shop, other] = [await add('shop'), await add('other')];
  await take(shop);
  await take(other);
  expect(await stray()).toEqual([]);

  await remove(shop);

  const { accountId, productId } = account;
  expect(await stray()).toEqual([{ accountId, productId, id: shop.id }]);
  await take(shop);
  expect([await stray(), await titles()]).toEqual([[], ['other']]);
});
