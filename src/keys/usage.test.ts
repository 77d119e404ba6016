import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '../kernel/time.ts';
import { testAccount, type TestAccount } from '../testing/account.ts';
import { openKeys } from './keys.ts';
import { readRequestsByDay, readUsage, summariseUsage, UsageCounter } from './usage.ts';

const NOW = new Date('2026-11-21T10:30:00.000Z');

/** Id of a new key in the account. */
async function makeKey(account: TestAccount): Promise<string> {
  const keys = await openKeys(account.database, () => NOW, { onFault: () => {} });
  onTestFinished(() => keys.close());
  return (await keys.createKey({ ...account, product: 'default', name: 'ci' })).key.id;
}

test('days and months are summed, with every one of the last 90 days', () => {
  const rows = [
    { day: '2026-11-21', operation: 'code-tool', requests: 3 },
    { day: '2026-11-21', operation: 'GET /v1/repositories', requests: 4 },
    { day: '2026-11-01', operation: 'code-tool', requests: 10 },
    { day: '2026-10-31', operation: 'code-tool', requests: 100 },
    { day: '2026-08-24', operation: 'code-tool', requests: 1000 },
    { day: '2026-08-23', operation: 'code-tool', requests: 10_000 },
  ];

  const usage = summariseUsage(rows, '2026-11-21');

  expect(usage).toMatchObject({ today: 7, thisMonth: 17 });
  expect(usage.perDay).toHaveLength(90);
  expect(usage.perDay[0]).toEqual({ day: '2026-08-24', requests: 1000 });
  expect(usage.perDay.slice(-2)).toEqual([
    { day: '2026-11-20', requests: 0 },
    { day: '2026-11-21', requests: 7 },
  ]);
  expect(usage.perOperation).toEqual([
    { operation: 'code-tool', requests: 1113 },
    { operation: 'GET /v1/repositories', requests: 4 },
  ]);
});

test('counts of several flushes and replicas add up, and the last use never goes back', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const keyId = await makeKey(account);
  const [first, second] = [new UsageCounter(db), new UsageCounter(db)];
  const earlier = new Date(NOW.getTime() - 5000);

  first.count({ accountId, keyId }, 'code-tool', NOW);
  first.count({ accountId, keyId }, 'code-tool', earlier);
  second.count({ accountId, keyId }, 'code-tool', earlier);
  second.count({ accountId, keyId }, 'search-tool', new Date(NOW.getTime() - DAY_MS));
  await Promise.all([first.flush(), second.flush()]);
  second.count({ accountId, keyId }, 'code-tool', earlier);
  await Promise.all([second.flush(), second.flush(), first.flush()]);

  expect(await readUsage(db, { accountId, keyId, zone: 'UTC' }, NOW)).toMatchObject({
    total: 5,
    today: 4,
    thisMonth: 5,
    lastUsedAt: NOW,
    perOperation: [
      { operation: 'code-tool', requests: 4 },
      { operation: 'search-tool', requests: 1 },
    ],
  });
});

test('each key has its requests of thirty days, in the days of the zone', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const [used, unused] = [await makeKey(account), await makeKey(account)];
  const counter = new UsageCounter(db);
  const at = (iso: string): void => counter.count({ accountId, keyId: used }, 'code-tool', new Date(iso));
  for (const iso of ['2026-11-21T10:00Z', '2026-11-20T23:30Z', '2026-10-23T12:00Z', '2026-10-22T12:00Z']) at(iso);
  await counter.flush();

  const byDay = await readRequestsByDay(db, { accountId, keyIds: [used, unused], zone: 'Europe/Vienna' }, NOW);

  // Half past eleven of the day before is today in Vienna; the first of thirty days is October 23.
  expect(byDay.get(used)).toEqual([1, ...Array.from({ length: 28 }, () => 0), 2]);
  expect(byDay.get(unused)).toEqual(Array.from({ length: 30 }, () => 0));
});

test('the total is of all time, the days are not', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const keyId = await makeKey(account);
  const counter = new UsageCounter(db);

  counter.count({ accountId, keyId }, 'code-tool', new Date(NOW.getTime() - 200 * DAY_MS));
  await counter.flush();

  const usage = await readUsage(db, { accountId, keyId, zone: 'UTC' }, NOW);
  expect(usage).toMatchObject({ total: 1, today: 0, thisMonth: 0, perOperation: [] });
});

test('a flush that fails keeps its counts for the next one', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const keyId = await makeKey(account);
  const counter = new UsageCounter(db);
  counter.count({ accountId, keyId }, 'code-tool', NOW);
  // Not an id: it makes the whole transaction of its account fail.
  counter.count({ accountId, keyId: 'no-uuid' }, 'code-tool', NOW);
  await expect(counter.flush()).rejects.toThrow('The usage of API keys could not be written.');
  expect(await readUsage(db, { accountId, keyId, zone: 'UTC' }, NOW)).toMatchObject({ total: 0 });

  const other = await testAccount();
  const otherKeyId = await makeKey(other);
  counter.count({ accountId: other.accountId, keyId: otherKeyId }, 'code-tool', NOW);
  await expect(counter.flush()).rejects.toThrow('could not be written');

  expect(await readUsage(other.db, { accountId: other.accountId, keyId: otherKeyId, zone: 'UTC' }, NOW)).toMatchObject({
    total: 1,
  });
});

test('a database that comes back gets every count once', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const keyId = await makeKey(account);
  const state = { isDown: true };
  const counter = new UsageCounter(
    db.withPlugin({
      transformQuery: ({ node }) => {
        if (state.isDown) throw new Error('The connection is gone.');
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  );
  counter.count({ accountId, keyId }, 'code-tool', NOW);
  await expect(counter.flush()).rejects.toThrow('could not be written');
  counter.count({ accountId, keyId }, 'code-tool', new Date(NOW.getTime() + 1));
  await expect(counter.flush()).rejects.toThrow('could not be written');

  state.isDown = false;
  await counter.flush();
  await counter.flush();

  expect(await readUsage(db, { accountId, keyId, zone: 'UTC' }, NOW)).toMatchObject({
    total: 2,
    today: 2,
    lastUsedAt: new Date(NOW.getTime() + 1),
  });
});

test('counts of a deleted key are dropped without harm to the others', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const [gone, survivor] = [await makeKey(account), await makeKey(account)];
  const counter = new UsageCounter(db);
  counter.count({ accountId, keyId: gone }, 'code-tool', NOW);
  counter.count({ accountId, keyId: survivor }, 'code-tool', NOW);
  await sql`delete from api_key where account_id = ${accountId} and id = ${gone}`.execute(db);

  await counter.flush();

  expect(await readUsage(db, { accountId, keyId: gone, zone: 'UTC' }, NOW)).toBeUndefined();
  expect(await readUsage(db, { accountId, keyId: survivor, zone: 'UTC' }, NOW)).toMatchObject({ total: 1 });
});

test('days are those of the time zone that is asked for', async () => {
  const account = await testAccount();
  const { db, accountId } = account;
  const keyId = await makeKey(account);
  const usage = new UsageCounter(db);
  for (const time of ['2026-11-20T22:30:00Z', '2026-11-20T23:30:00Z', '2026-11-21T10:00:00Z'])
    usage.count({ accountId, keyId }, 'code-tool', new Date(time));
  await usage.flush();

  const [utc, vienna, pagoPago] = await Promise.all(
    ['UTC', 'Europe/Vienna', 'Pacific/Pago_Pago'].map((zone) => readUsage(db, { accountId, keyId, zone }, NOW)),
  );

  expect([utc?.today, vienna?.today, pagoPago?.today]).toEqual([1, 2, 3]);
  expect(vienna?.perDay.slice(-2)).toEqual([
    { day: '2026-11-20', requests: 1 },
    { day: '2026-11-21', requests: 2 },
  ]);
  expect(pagoPago?.perDay.at(-1)).toEqual({ day: '2026-11-20', requests: 3 });
  await expect(readUsage(db, { accountId, keyId, zone: 'Atlantis/Poseidonis' }, NOW)).rejects.toMatchObject({
    code: 'bad_argument',
  });
});
