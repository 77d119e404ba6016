import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type SignalBench, signalBench } from '../testing/signals.ts';
import { selectCustomers } from './customers/customers.ts';
import { assignCustomer } from './settle-customers.ts';
import { countSignals } from './store.ts';

/** Each customer with its names. */
async function customers(bench: SignalBench): Promise<Record<string, string[]>> {
  const { rows } = await selectCustomers(bench.db, bench, { query: '', limit: 10, offset: 0 });
  return Object.fromEntries(rows.map(({ customer, names }) => [customer, names.map(({ name }) => name)]));
}

function say(customer: string) {
  return { text: `The export of ${customer} is slow`, customer, source: 'support' };
}

test('names of one company count as one customer, and sending them again changes nothing', async () => {
  const bench = await signalBench();
  const given = ['ACME GmbH', 'acme', 'ada@acme.com', 'Bakery', ''].map(say);
  await bench.save(...given);

  expect(await customers(bench)).toEqual({ 'ACME GmbH': ['ACME GmbH', 'acme', 'ada@acme.com'], Bakery: ['Bakery'] });
  expect((await countSignals(bench.db, bench)).customers).toBe(2);
  const again = await Promise.all([
    bench.save(...given.map((signal) => ({ ...signal, date: undefined }))),
    bench.save(say('Acme Inc.')),
  ]);
  expect(again).toMatchObject([{ added: 0, updated: 0 }, { added: 1 }]);
  expect((await countSignals(bench.db, bench)).customers).toBe(2);
});

test('people merge and split customers for good, also for names that come later, and searches know', async () => {
  const bench = await signalBench();
  await bench.save(say('Acme'), say('acme.com'), say('Emca Ltd'));

  expect(await assignCustomer(bench.signals, bench, { names: ['Emca Ltd'], customer: 'Acme' })).toMatchObject({
    moved: 1,
  });
  expect(await assignCustomer(bench.signals, bench, { names: ['acme.com'], customer: 'Acme Web' })).toMatchObject({
    moved: 1,
  });
  await bench.save(say('emca'), say('ACME'));
  await bench.gather();

  expect(await customers(bench)).toEqual({ Acme: ['ACME', 'Acme', 'Emca Ltd', 'emca'], 'Acme Web': ['acme.com'] });
  const [web, ...others] = await bench.search('Acme Web');
  expect(others).toEqual([]);
  const { rows } = await sql<{ customer: string }>`
    select customer from knowledge_entry where account_id = ${bench.accountId} and id = ${web}`.execute(bench.db);
  expect(rows).toEqual([{ customer: 'Acme Web' }]);
  await expect(assignCustomer(bench.signals, bench, { names: ['Nobody'], customer: 'Acme' })).rejects.toMatchObject({
    code: 'unknown_id',
  });
});

test('names from before they were folded are folded when themes are gathered', async () => {
  const bench = await signalBench();
  await bench.save(say('ACME GmbH'), say('acme'));
  await sql`update signal set customer = customer_written where account_id = ${bench.accountId}`.execute(bench.db);
  await sql`delete from customer_name where account_id = ${bench.accountId}`.execute(bench.db);
  expect((await countSignals(bench.db, bench)).customers).toBe(2);

  await bench.gather();

  expect(await customers(bench)).toEqual({ 'ACME GmbH': ['ACME GmbH', 'acme'] });
});
