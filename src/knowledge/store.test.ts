import { expect, test } from 'vitest';
import { type TestAccount, testAccount } from '../testing/account.ts';
import { knowledgeEntry } from '../testing/knowledge.ts';
import { insertEntries, nextRevision, selectChanges, selectEntryPage, selectTexts, touchThings } from './store.ts';

const START = { position: { revision: 0, corpus: '', id: '' } };

/** An account with a change of things that have so many characters each. */
async function accountWith(...sizes: number[]): Promise<TestAccount> {
  const account = await testAccount();
  await account.db.transaction().execute(async (tx) => {
    const revision = await nextRevision(tx, account);
    const things = sizes.map((size, at) => ({ corpus: 'plans' as const, id: `plan:${1000 + at}`, size }));
    await touchThings(tx, account, { things, revision });
  });
  return account;
}

async function batchOf(account: TestAccount): Promise<[changes: number, withEntries: number, isAll: boolean]> {
  const { changes, isAll } = await selectChanges(account.db, account, START, undefined);
  return [changes.length, changes.filter(({ entries }) => entries !== null).length, isAll];
}

test('a product in which nothing was written has no change, and no mark of one', async () => {
  const account = await testAccount();

  expect(await selectChanges(account.db, account, START, undefined)).toEqual({
    changes: [],
    revision: 0,
    mark: undefined,
    isAll: true,
    isContinued: true,
  });
});

test('the mark of a change tells its database from one in which another change has its number', async () => {
  const [account, other] = await Promise.all([accountWith(1), accountWith(1)]);
  const { mark, revision, changes } = await selectChanges(account.db, account, START, undefined);
  const isContinued = async (given: typeof mark): Promise<boolean> =>
    (await selectChanges(other.db, other, { ...START, mark: given }, undefined)).isContinued;

  expect([revision, mark?.revision, changes.length]).toEqual([1, 1, 1]);
  expect(await isContinued(mark)).toBe(false);
  expect(await isContinued((await selectChanges(other.db, other, START, undefined)).mark)).toBe(true);
});

test('a batch has a thousand things, or as many as have a million characters; a larger one comes alone without entries', async () => {
  expect(await batchOf(await accountWith(...Array.from({ length: 999 }, () => 1)))).toEqual([999, 999, true]);
  expect(await batchOf(await accountWith(...Array.from({ length: 1001 }, () => 1)))).toEqual([1000, 1000, false]);
  expect(await batchOf(await accountWith(999_999, 1, 1))).toEqual([2, 2, false]);
  expect(await batchOf(await accountWith(500_000, 400_000))).toEqual([2, 2, true]);
  expect(await batchOf(await accountWith(1_000_000, 1))).toEqual([1, 1, false]);
  expect(await batchOf(await accountWith(1_000_001, 1))).toEqual([1, 0, false]);
});

test('a large thing is read in pages of a hundred entries, and 20,000 characters of a text', async () => {
  const account = await testAccount();
  const thing = { corpus: 'plans' as const, id: 'plan:long' };
  const entries = Array.from({ length: 101 }, (_, at) => ({ ...knowledgeEntry(`entry ${at}`), part: String(at) }));
  entries[7] = { ...knowledgeEntry('x'.repeat(20_001)), part: '7' };
  await insertEntries(account.db, account, [{ ...thing, entries }]);
  await insertEntries(account.db, account, [{ ...thing, entries: [{ ...knowledgeEntry('last'), part: 'z' }] }], 101);
  const partsFrom = async (from: number): Promise<string[]> =>
    (await selectEntryPage(account.db, account, thing, { from })).map(({ part }) => part);

  expect(await partsFrom(0)).toEqual(entries.slice(0, 100).map(({ part }) => part));
  expect(await partsFrom(100)).toEqual(['100', 'z']);
  expect(await partsFrom(102)).toEqual([]);
  expect((await selectTexts(account.db, account, [{ ...thing, part: '7' }])).map(({ text }) => text.length)).toEqual([
    20_000,
  ]);
});
