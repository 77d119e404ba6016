import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownDatabase, testDatabase } from '../testing/database.ts';
import type { Database } from './db.ts';

/** The contract of `Database`, on whichever engine the suite runs. */

const openDatabase = ownDatabase();

/** The database of this file, whose one table of one column is empty. */
async function scratch(): Promise<Database> {
  const database = await openDatabase();
  await database.execute('drop table if exists scratch; create table scratch (n int primary key)');
  return database;
}

async function numbers({ db }: Database): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`select n from scratch order by n`.execute(db);
  return rows.map((row) => row.n);
}

test('values come back the same on both engines', async () => {
  const { db } = await testDatabase();

  const { rows } = await sql<Record<string, unknown>>`
    select 7::bigint as small, 9007199254740993::bigint as large, array[1, null, 2]::bigint[] as bigints, 3::int as int,
      1.5::float8 as float, 12.340::numeric as numeric, '\\x6869'::bytea as bytes, true as bool, null as nothing,
      '2026-01-02 03:04:05.678+00'::timestamptz as instant, date '2026-01-02' as day,
      timestamp '2026-01-02 03:04:05' as local, interval '1 day' as span, '{"a":[1]}'::jsonb as json,
      array['x', 'y,"z']::text[] as texts, '0198a000-0000-7000-8000-000000000000'::uuid as id, count(*) as count`.execute(
    db,
  );

  expect(rows).toEqual([
    {
      small: 7,
      large: 9007199254740993n,
      bigints: [1, null, 2],
      int: 3,
      float: 1.5,
      numeric: '12.340',
      bytes: new Uint8Array([0x68, 0x69]),
      bool: true,
      nothing: null,
      instant: new Date('2026-01-02T03:04:05.678Z'),
      day: '2026-01-02',
      local: '2026-01-02 03:04:05',
      span: '1 day',
      json: { a: [1] },
      texts: ['x', 'y,"z'],
      id: '0198a000-0000-7000-8000-000000000000',
      count: 1,
    },
  ]);
});

test('parameters of every type arrive as they were', async () => {
  const { db } = await testDatabase();
  const at = new Date('2026-01-02T03:04:05.678Z');
  const id = randomUUID();

  const { rows } = await sql`
    select ${'text'}::text as text, ${7}::int as int, ${9007199254740993n}::bigint as large, ${at}::timestamptz as at,
      ${new Uint8Array([0, 255])}::bytea as bytes, ${['a', 'b,c']}::text[] as texts, ${[id]}::uuid[] as ids,
      ${JSON.stringify({ a: [1] })}::jsonb as json, ${null}::text as nothing, ${true}::bool as bool`.execute(db);

  expect(rows).toEqual([
    {
      text: 'text',
      int: 7,
      large: 9007199254740993n,
      at,
      bytes: new Uint8Array([0, 255]),
      texts: ['a', 'b,c'],
      ids: [id],
      json: { a: [1] },
      nothing: null,
      bool: true,
    },
  ]);
});

test('a transaction keeps all or nothing', async () => {
  const database = await scratch();

  await database.db.transaction().execute((tx) => sql`insert into scratch values (1)`.execute(tx));
  const failing = database.db.transaction().execute(async (tx) => {
    await sql`insert into scratch values (2)`.execute(tx);
    throw new Error('changed my mind');
  });

  await expect(failing).rejects.toThrow('changed my mind');
  expect(await numbers(database)).toEqual([1]);
});

test('a transaction whose failed query was ignored is not committed in silence', async () => {
  const database = await scratch();

  const ignoring = database.db.transaction().execute(async (tx) => {
    await sql`insert into scratch values (1)`.execute(tx);
    await sql`select 1 / 0`.execute(tx).catch(() => undefined);
  });

  await expect(ignoring).rejects.toThrow(/transaction|abort/i);
  expect(await numbers(database)).toEqual([]);
});

test('queries of others do not get into a transaction', async () => {
  const database = await scratch();
  const inside = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const transaction = database.db.transaction().execute(async (tx) => {
    await sql`insert into scratch values (1)`.execute(tx);
    inside.resolve();
    await go.promise;
    await sql`insert into scratch values (2)`.execute(tx);
    throw new Error('rolled back');
  });
  await inside.promise;

  const other = sql`insert into scratch values (3)`.execute(database.db);
  go.resolve();

  await expect(transaction).rejects.toThrow('rolled back');
  await other;
  expect(await numbers(database)).toEqual([3]);
});

test('a savepoint is rolled back alone', async () => {
  const database = await scratch();

  const transaction = await database.db.startTransaction().execute();
  await sql`insert into scratch values (1)`.execute(transaction);
  const inner = await transaction.savepoint('inner').execute();
  await expect(sql`insert into scratch values (1)`.execute(inner)).rejects.toThrow(/duplicate key/);
  await inner.rollbackToSavepoint('inner').execute();
  await transaction.commit().execute();

  expect(await numbers(database)).toEqual([1]);
});

test('a violated constraint tells its code and name, and changes tell how many rows', async () => {
  const database = await scratch();

  const { numAffectedRows } = await sql`insert into scratch values (1), (2)`.execute(database.db);
  const again = sql`insert into scratch values (${1})`.execute(database.db);

  await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'scratch_pkey' });
  expect(numAffectedRows).toBe(2n);
});

test('several statements give their rows together, and a failing one ends the transaction they opened', async () => {
  const database = await scratch();

  const rows = await database.execute('begin; insert into scratch values (1) returning n; select 7 as n; commit');
  const failing = database.execute('begin; insert into scratch values (2); select 1 / 0; commit');

  expect(rows).toEqual([{ n: 1 }, { n: 7 }]);
  await expect(failing).rejects.toThrow(/division by zero/);
  expect(await numbers(database)).toEqual([1]);
});

test('a notification reaches every listener of its channel until it stops', async () => {
  const database = await testDatabase();
  const channel = `test "${randomUUID()}"`;
  const [first, second]: [string[], string[]] = [[], []];
  const live: boolean[] = [];
  const stopFirst = await database.listen(
    channel,
    (payload) => first.push(payload),
    (isLive) => live.push(isLive),
  );
  const stopSecond = await database.listen(channel, (payload) => second.push(payload));

  await database.notify(channel, 'one');
  await expect.poll(() => [first, second]).toEqual([['one'], ['one']]);
  await stopFirst();
  await database.notify(channel, 'two');
  await expect.poll(() => second).toEqual(['one', 'two']);
  await stopSecond();

  expect(first).toEqual(['one']);
  expect(live).toEqual([true]);
});

test('a notification of a transaction is sent when it commits', async () => {
  const database = await testDatabase();
  const channel = randomUUID();
  const heard: string[] = [];
  const stop = await database.listen(channel, (payload) => heard.push(payload));

  await database.db
    .transaction()
    .execute(async (tx) => {
      await sql`select pg_notify(${channel}, 'rolled back')`.execute(tx);
      throw new Error('no');
    })
    .catch(() => undefined);
  await database.db.transaction().execute((tx) => sql`select pg_notify(${channel}, 'committed')`.execute(tx));

  await expect.poll(() => heard).toEqual(['committed']);
  await stop();
});
