import { expect, test } from 'vitest';
import type { MonthCount } from '../store/store-changes.ts';
import { trendsOf } from './trends.ts';

function month(at: string, count: number, competitor = 'Acme', kind: MonthCount['kind'] = 'pricing'): MonthCount {
  return { kind, month: at, competitorId: competitor, competitor, count, topIds: [`${competitor} ${at}`] };
}

/** Months with a burst. */
function burst(list: MonthCount[]): string[] {
  return trendsOf(list).flatMap(({ month: at, isBurst }) => (isBurst ? [at] : []));
}

test('months count all competitors together, against the month before, newest first', () => {
  const trends = trendsOf([
    month('2027-01', 2),
    month('2027-01', 3, 'Other'),
    month('2026-12', 1),
    month('2026-12', 4, 'Acme', 'docs'),
  ]);

  expect(trends.map(({ month: at, kind, count, delta, competitors }) => [at, kind, count, delta, competitors])).toEqual(
    [
      ['2027-01', 'pricing', 5, 4, ['Other', 'Acme']],
      ['2026-12', 'docs', 4, 4, ['Acme']],
      ['2026-12', 'pricing', 1, 1, ['Acme']],
    ],
  );
});

test('a burst is more than the months before explain; the first month is none, and few changes are none', () => {
  const quiet = ['2026-08', '2026-09', '2026-10', '2026-11'].map((at) => month(at, 2));

  expect(burst([...quiet, month('2026-12', 12)])).toEqual(['2026-12']);
  expect(burst([...quiet, month('2026-12', 3)])).toEqual([]);
  expect(burst([month('2026-12', 30)])).toEqual([]);
});
