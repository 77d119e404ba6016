import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type SignalBench, signalBench } from '../testing/signals.ts';
import { selectSignals, selectThemeQuotes, type SignalFilter } from './store.ts';

async function textsOf(bench: SignalBench, filter: Partial<SignalFilter>): Promise<string[]> {
  const { rows, total } = await selectSignals(bench.db, bench, { limit: 9, offset: 0, sort: 'oldest', ...filter });
  expect(total).toBe(rows.length);
  return rows.map(({ text }) => text);
}

test('a list of signals is narrowed by each thing that is asked for, and by nothing else', async () => {
  const bench = await signalBench();
  const since = new Date('2026-02-20T10:00:00Z');
  await bench.save(
    { text: 'Slow export', source: 'mail', customer: 'Acme', segment: 'free', value: 10, rating: 2 },
    { text: 'Slow login', source: 'call', customer: 'Acme', segment: 'large', value: 9.5, rating: 3 },
    { text: 'Fast export', source: 'mail', customer: 'Bolt', segment: 'large', rating: 4, date: since },
  );

  expect(await textsOf(bench, {})).toEqual(['Fast export', 'Slow export', 'Slow login']);
  expect(await textsOf(bench, { query: 'EXPORT' })).toEqual(['Fast export', 'Slow export']);
  expect(await textsOf(bench, { query: 'slow e' })).toEqual(['Slow export']);
  expect(await textsOf(bench, { query: '' })).toHaveLength(3);
  expect(await textsOf(bench, { source: 'call' })).toEqual(['Slow login']);
  expect(await textsOf(bench, { customer: 'Bolt' })).toEqual(['Fast export']);
  expect(await textsOf(bench, { segment: 'large' })).toEqual(['Fast export', 'Slow login']);
  expect(await textsOf(bench, { polarity: 'negative' })).toEqual(['Slow export']);
  expect(await textsOf(bench, { polarity: 'positive' })).toEqual(['Fast export']);
  expect(await textsOf(bench, { intent: 'praise' })).toEqual(['Fast export']);
  expect(await textsOf(bench, { leastValue: 10 })).toEqual(['Slow export']);
  expect(await textsOf(bench, { since })).toHaveLength(3);
  expect(await textsOf(bench, { since: new Date(since.getTime() + 1) })).toEqual(['Slow export', 'Slow login']);
  expect(await textsOf(bench, { themeId: bench.productId })).toEqual([]);
});

const letters = (count: number, letter: string): string => letter.repeat(count);

test('a theme is quoted with one text of 20 to 600 characters of each customer, its first text whatever its length', async () => {
  const bench = await signalBench();
  const { ids } = await bench.save(
    { text: 'first', customer: 'A', value: 1 },
    { text: letters(19, 'b'), customer: 'B', value: 9 },
    { text: letters(20, 'c'), customer: 'C', value: 2 },
    { text: letters(600, 'd'), customer: 'D', value: 3 },
    { text: letters(601, 'e'), customer: 'E', value: 9 },
    { text: letters(21, 'd'), customer: 'D', value: 3 },
    { text: letters(21, 'f'), customer: '' },
    { text: letters(22, 'f'), customer: '' },
  );
  const theme = bench.productId;
  await sql`update signal set theme_id = ${theme}, duplicate_of = null where account_id = ${bench.accountId}`.execute(
    bench.db,
  );
  const quotes = async (first: string | null, limit = 9): Promise<string[]> =>
    (await selectThemeQuotes(bench.db, bench, { theme, first, limit })).map(({ text }) => `${text.length}${text[0]}`);

  // The newest of the customer that is worth most, then by what they are worth, then newest.
  expect(await quotes(ids[0]?.replace('sig:', '') ?? null)).toEqual(['5f', '21d', '20c', '22f', '21f']);
  expect(await quotes(null)).toEqual(['21d', '20c', '22f', '21f']);
  expect(await quotes(null, 1)).toEqual(['21d']);
});
