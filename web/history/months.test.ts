import { expect, test } from 'vitest';
import { monthBars } from './months.ts';

test('months stand in their order, and those without a commit are there', () => {
  const bars = monthBars([
    { name: '2026-02', commits: 7 },
    { name: '2025-11', commits: 2 },
  ]);

  expect(bars).toEqual([
    { day: '2025-11-01', count: 2 },
    { day: '2025-12-01', count: 0 },
    { day: '2026-01-01', count: 0 },
    { day: '2026-02-01', count: 7 },
  ]);
  expect(monthBars([])).toEqual([]);
});
