import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts';

let database: EmbeddedDatabase;

beforeAll(async () => {
  const source = inject('database');
  database = await openEmbedded(source.kind === 'embedded' ? { template: readFileSync(source.templatePath) } : {});
});
afterAll(() => database.close());

const execute = (text: string, values?: readonly unknown[]): Promise<unknown[]> => database.execute(text, values);

test('a statement that is run again is parsed once, planned for each run, and reads its values as the first time', async () => {
  const text = `select $1::int + 1 as sum, $2::text[] as words, $3::jsonb as data, $4::bytea as bytes, $5::bool as flag`;
  const values = [41, ['a', '"b"'], { n: [1, null] }, new Uint8Array([0, 255]), false];
  const row = { sum: 42, words: ['a', '"b"'], data: { n: [1, null] }, bytes: new Uint8Array([0, 255]), flag: false };
  const nothing = { sum: null, words: null, data: null, bytes: null, flag: null };

  for (let run = 0; run < 8; run += 1) expect(await execute(text, values)).toEqual([row]);
  expect(await execute(text, [null, null, null, null, undefined])).toEqual([nothing]);

  const plans = 'select custom_plans, generic_plans from pg_prepared_statements where statement = $1';
  expect(await execute(plans, [text])).toEqual([{ custom_plans: 8, generic_plans: 0 }]);
});

test('a statement returns the columns that its table has now, after changes of the schema and those that were taken back', async () => {
  await execute('create table changing (a int); insert into changing values (1)');
  const read = (): Promise<unknown> => execute('select * from changing where a = $1', [1]);
  for (let run = 0; run < 3; run += 1) expect(await read()).toEqual([{ a: 1 }]);

  await execute('alter table changing add b int default 2');
  for (let run = 0; run < 3; run += 1) expect(await read()).toEqual([{ a: 1, b: 2 }]);

  const change = database.db.transaction().execute(async (changed) => {
    await sql`alter table changing drop b`.execute(changed);
    for (let run = 0; run < 3; run += 1)
      expect((await sql`select * from changing where a = ${1}`.execute(changed)).rows).toEqual([{ a: 1 }]);
    throw new Error('Take it back.');
  });
  await expect(change).rejects.toThrow('Take it back.');
  for (let run = 0; run < 3; run += 1) expect(await read()).toEqual([{ a: 1, b: 2 }]);
});

const divide = (by: number): Promise<unknown> => execute('select 6 / $1::int as part', [by]);

test('a statement that fails takes nothing along', async () => {
  for (let run = 0; run < 3; run += 1) expect(await divide(2)).toEqual([{ part: 3 }]);

  await expect(divide(0)).rejects.toMatchObject({ code: '22012', message: 'division by zero' });

  expect(await divide(3)).toEqual([{ part: 2 }]);
});

const addTo = (at: number): Promise<unknown> => execute(`select $1::int + ${at} as sum`, [1]);

test('of many texts the engine has the newest', async () => {
  for (let at = 0; at < 820; at += 1)
    for (const _ of ['read', 'prepared']) expect(await addTo(at)).toEqual([{ sum: at + 1 }]);

  expect(await execute('select count(*) from pg_prepared_statements')).toEqual([{ count: 800 }]);
  expect(await addTo(0)).toEqual([{ sum: 1 }]);
});
