import { existsSync, mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type KyselyPlugin, sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestAccount, testAccount } from '../testing/account.ts';
import { countingDb, knowledgeEntry, openIndex } from '../testing/knowledge.ts';
import { sweepIndexFiles } from './index-sweep.ts';
import { type KnowledgeIndex, putEntries, putThings } from './knowledge.ts';

const putPlan = (account: TestAccount, id: string, text: string): Promise<void> =>
  account.db.transaction().execute((tx) => putEntries(tx, account, { corpus: 'plans', id }, [knowledgeEntry(text)]));

const idsIn = async (index: KnowledgeIndex, account: TestAccount, query: string): Promise<string[]> =>
  (await index.search(account, { query, limit: 5 })).hits.map((hit) => hit.id);

test('after a restart nothing is read again that the index has', async () => {
  const account = await testAccount();
  await putPlan(account, 'plan:a', 'zebra');
  const first = openIndex(account);
  await idsIn(first, account, 'zebra');
  await first.close();
  await putPlan(account, 'plan:b', 'zebra');
  const { db, changes } = countingDb(account.db);

  expect(await idsIn(openIndex({ ...account, db }, { folder: first.folder }), account, 'zebra')).toEqual([
    'plan:a',
    'plan:b',
  ]);
  expect(changes).toEqual([1]);
});

test.each([
  ['is no database', (path: string) => writeFileSync(path, 'x'.repeat(10_000))],
  ['was cut off', (path: string) => truncateSync(path, 9000)],
  ['was deleted', (path: string) => rmSync(path)],
])('an index file that %s is made again, also while it is open', async (_, damage) => {
  const account = await testAccount();
  const faults: unknown[] = [];
  const index = openIndex(account, { onFault: (error) => faults.push(error) });
  await putPlan(account, 'plan:a', 'zebra');
  await idsIn(index, account, 'zebra');
  const path = join(index.folder, account.accountId, `${account.productId}.db`);
  damage(path);
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  expect(await idsIn(index, account, 'zebra')).toEqual(['plan:a']);
  await index.close();
  damage(path);

  expect(await idsIn(openIndex(account, { folder: index.folder, onFault: () => {} }), account, 'zebra')).toEqual([
    'plan:a',
  ]);
  await putPlan(account, 'plan:b', 'zebra');
});

test('an index file of another version is made again', async () => {
  const account = await testAccount();
  await putPlan(account, 'plan:a', 'zebra');
  const first = openIndex(account);
  await idsIn(first, account, 'zebra');
  await first.close();
  const file = new DatabaseSync(join(first.folder, account.accountId, `${account.productId}.db`));
  file.exec('pragma user_version = 9999; alter table posting rename to postings');
  file.close();

  expect(await idsIn(openIndex(account, { folder: first.folder }), account, 'zebra')).toEqual(['plan:a']);
});

test('an index that is ahead of the database, which was put back to an older state, is made again', async () => {
  const account = await testAccount();
  const index = openIndex(account);
  for (const id of ['plan:a', 'plan:b', 'plan:c']) await putPlan(account, id, 'zebra');
  expect(await idsIn(index, account, 'zebra')).toHaveLength(3);
  await restoreFirst(account);

  expect(await idsIn(index, account, 'zebra')).toEqual(['plan:a']);
});

test('an index of a database that was put back to an older state and written since, further than before, is made again', async () => {
  const account = await testAccount();
  const index = openIndex(account);
  for (const id of ['plan:a', 'plan:b', 'plan:c']) await putPlan(account, id, 'zebra');
  expect(await idsIn(index, account, 'zebra')).toHaveLength(3);
  await restoreFirst(account);
  for (const id of ['plan:d', 'plan:e', 'plan:f']) await putPlan(account, id, 'zebra');

  expect(await idsIn(index, account, 'zebra')).toEqual(['plan:a', 'plan:d', 'plan:e', 'plan:f']);
});

test('the changes that an index file may name stay: the last one, and all that were the last one within a month', async () => {
  const account = await testAccount();
  const stamps = async (): Promise<unknown[]> => {
    const { rows } = await sql<{ revision: number }>`
      select revision from knowledge_change where account_id = ${account.accountId} order by revision`.execute(
      account.db,
    );
    return rows.map(({ revision }) => revision);
  };
  for (const id of ['plan:a', 'plan:b', 'plan:c']) await putPlan(account, id, 'zebra');
  const age = (revision: number, days: number) =>
    sql`update knowledge_change set at = now() - make_interval(days => ${days})
      where account_id = ${account.accountId} and revision = ${revision}`.execute(account.db);
  await age(1, 90);
  await age(2, 80);
  await sweepIndexFiles(account.db, 'no-such-folder', new Set());
  expect(await stamps()).toEqual([2, 3]);
  await age(3, 70);
  await sweepIndexFiles(account.db, 'no-such-folder', new Set());

  expect(await stamps()).toEqual([3]);
});

/** Puts the knowledge of an account back to what it was after its first change, when it had the plan `plan:a`. */
async function restoreFirst({ db, accountId }: TestAccount): Promise<void> {
  for (const table of ['knowledge_thing', 'knowledge_entry'])
    await sql`delete from ${sql.table(table)} where account_id = ${accountId} and id <> 'plan:a'`.execute(db);
  await sql`delete from knowledge_change where account_id = ${accountId} and revision > 1`.execute(db);
  await sql`update knowledge_revision set revision = 1 where account_id = ${accountId}`.execute(db);
}

test('a search that cannot wait for all that was written answers from what is there, and says how much is missing', async () => {
  const { db, ...account } = await testAccount();
  const { promise: reading, resolve: goOn } = Promise.withResolvers<void>();
  const slow: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.some((row) => 'isAll' in row)) await reading;
      return result;
    },
  };
  const index = openIndex({ ...account, db: db.withPlugin(slow) }, { patienceMs: 1 });
  await putPlan({ db, ...account }, 'plan:a', 'zebra');
  const search = () => index.rank(account, { query: 'zebra', limit: 5 });

  expect(await search()).toMatchObject({ hits: [], pending: 1, revision: -1 });
  goOn();
  let result = await search();
  while (result.revision < 0) result = await search();
  expect(result).toMatchObject({ hits: [{ id: 'plan:a' }], revision: 1 });
});

test('a text of words that occur once does not end the thread that indexes them', async () => {
  const { db, ...account } = await testAccount();
  const index = openIndex({ db, ...account });
  let number = 1;
  const words = (count: number): string =>
    Array.from({ length: count }, () => `q${(number += 7919).toString(36)}z`).join(' ');
  const things = Array.from({ length: 30 }, (_, at) => ({
    corpus: 'signals' as const,
    id: `sig:${at}`,
    entries: [knowledgeEntry(`${words(2500)} needle${at}`)],
  }));
  await db.transaction().execute((tx) => putThings(tx, account, things));

  expect(await idsIn(index, { db, ...account }, 'needle29')).toEqual(['sig:29']);
});

test('indexes of products that are gone, and those that were not used for a month, are deleted', async () => {
  const account = await testAccount();
  const index = openIndex(account);
  await putPlan(account, 'plan:a', 'zebra');
  await idsIn(index, account, 'zebra');
  const own = join(index.folder, account.accountId, `${account.productId}.db`);
  const gone = join(index.folder, 'gone', 'product.db');
  mkdirSync(dirname(gone));
  writeFileSync(gone, '');
  const sweep = (): Promise<number> => sweepIndexFiles(account.db, index.folder, new Set());

  expect(await sweep()).toBe(1);
  expect([existsSync(own), existsSync(dirname(gone))]).toEqual([true, false]);
  utimesSync(own, 0, 0);
  expect(await sweep()).toBe(1);
  expect(existsSync(own)).toBe(false);
  expect(await idsIn(index, account, 'zebra')).toEqual(['plan:a']);
});
