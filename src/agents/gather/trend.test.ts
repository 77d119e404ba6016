import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import type { SignalRow } from './signals.ts';
import { findOldestDay, findTrend, type Trend } from './trend.ts';

const SIGNAL: SignalRow = {
  id: '',
  type: 'signal',
  date: '',
  customer: '',
  segment: '',
  snippet: '',
  score: 1,
  intent: '',
};

/** The trend of signals of these days, where all signals are of the days of `all`. */
async function trendOf(days: readonly string[], all: readonly string[]): Promise<Trend | undefined> {
  const newest = all.toSorted().at(-1) ?? '';
  const { tools } = scriptedTools((_, { since = '' }) => ({
    rows: [{ ...SIGNAL, date: `${newest}T20:00:00Z` }],
    total: all.filter((day) => day >= String(since)).length,
  }));
  return findTrend(
    tools,
    days.map((date) => ({ ...SIGNAL, date: `${date}T08:00:00Z` })),
    undefined,
  );
}

const times = (day: string, count: number): string[] => Array.from({ length: count }, () => day);

test('days are counted back from the newest of all signals, not from the newest that counts', async () => {
  const all = ['2026-12-31', '2026-10-03', '2026-10-02', '2026-07-05', '2026-07-04'];

  // 89, 90, 179 and 180 days before the newest.
  expect(await trendOf(all.slice(1), all)).toEqual({
    days: 90,
    end: '2026-12-31',
    late: 1,
    before: 2,
    allLate: 2,
    allBefore: 2,
  });
});

test.each([
  // Signals of 100 and of 40 days before the newest ten, and the days that are compared.
  [2, 0, 90],
  [1, 2, 30],
  [1, 1, undefined],
])('with %i and %i signals of before, %s days are compared', async (before, recent, days) => {
  const all = [...times('2026-12-31', 10), ...times('2026-09-22', before), ...times('2026-11-21', recent)];
  const trend = await trendOf([], all);

  expect(trend?.days).toBe(days);
});

test.each([
  ['2024-03-05', '2024-03-05'],
  ['2024-03-04', '2024-03-04'],
  ['2024-03-05', '2001-12-31'],
  ['2024-03-05', '1990-01-01'],
])('where some are of %s and the oldest of all is of %s, that day is found', async (known, oldest) => {
  const days = ['2026-01-01', known, oldest];
  const { tools, asked } = scriptedTools((_, { since = '' }) => ({
    rows: [],
    total: days.filter((day) => day >= String(since)).length,
  }));

  expect(await findOldestDay(tools, known, undefined)).toBe(oldest);
  expect(asked.length).toBeLessThan(18);
});
