import { expect, test } from 'vitest';
import { formatCount, formatDay, formatRelative, formatShare } from './format.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');

test.each([
  ['2026-11-21T11:59:55.000Z', 'just now'],
  ['2026-11-21T11:59:30.000Z', '30 seconds ago'],
  ['2026-11-21T11:45:00.000Z', '15 minutes ago'],
  ['2026-11-20T11:00:00.000Z', 'yesterday'],
  ['2026-11-24T12:00:00.000Z', 'in 3 days'],
  ['2024-11-21T12:00:00.000Z', '2 years ago'],
])('%s reads as %s', (at, text) => {
  expect(formatRelative(at, NOW_MS)).toBe(text);
});

test('counts agree with their noun, small shares do not vanish, days belong to no zone', () => {
  expect([formatCount(1, 'key'), formatCount(1200, 'key'), formatCount(0, 'repository', 'repositories')]).toEqual([
    '1 key',
    '1,200 keys',
    '0 repositories',
  ]);
  expect([formatShare(0), formatShare(0.001), formatShare(0.934)]).toEqual(['0 %', '<1 %', '93 %']);
  expect(formatDay('2026-11-21')).toBe('Nov 21');
});
