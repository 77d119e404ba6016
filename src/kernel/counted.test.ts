import { expect, test } from 'vitest';
import { sumCounts } from './counted.ts';

test('counts are summed by name in the order in which the names come', () => {
  const sums = sumCounts<string>([{ todo: 2, fixme: 1 }, {}, { note: 4, todo: 3 }]);

  expect(Object.entries(sums)).toEqual([
    ['todo', 5],
    ['fixme', 1],
    ['note', 4],
  ]);
});

test('of given names each has a count', () => {
  expect(sumCounts([{ todo: 2, note: 1 }], ['note', 'hack', 'todo'])).toEqual({ note: 1, hack: 0, todo: 2 });
});
