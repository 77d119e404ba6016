import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatDay, formatRelative, formatShare, formatTotal } from './format.ts';

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
  expect([812, 12_345, 3_400_000, 20e9, 5e12].map(formatBytes)).toEqual([
    '812 B',
    '12 kB',
    '3.4 MB',
    '20 GB',
    '5000 GB',
  ]);
  expect([formatShare(0), formatShare(0.001), formatShare(0.934)]).toEqual(['0 %', '<1 %', '93 %']);
  expect(formatDay('2026-11-21')).toBe('Nov 21');
});

test('a total says when it is none', () => {
  const page = { shown: 20, total: 1200, at_least: false };

  expect(formatTotal(page, 'result')).toBe('20 of 1,200 results');
  expect(formatTotal({ ...page, at_least: true }, 'result')).toBe('20 of at least 1,200 results');
  expect(formatTotal({ shown: 2, total: 2, at_least: false }, 'entry', 'entries')).toBe('2 entries');
  expect(formatTotal({ shown: 2, total: 2, at_least: true }, 'entry', 'entries')).toBe('at least 2 entries');
});
