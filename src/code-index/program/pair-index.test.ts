import { expect, test } from 'vitest';
import { PairIndex } from './pair-index.ts';

test('rows of one pair come in row order; rows without a first key are left out', () => {
  const index = new PairIndex(Int32Array.from([3, -1, 3, 4, 3]), Int32Array.from([7, 7, 7, 7, 8]));

  const first = index.find(3, 7);

  expect([first, index.next(first), index.next(index.next(first))]).toEqual([0, 2, -1]);
  expect([index.find(4, 7), index.find(3, 8), index.find(-1, 7), index.find(9, 9)]).toEqual([3, 4, -1, -1]);
});

test('every pair of a large table is found', () => {
  const count = 5000;
  const first = Int32Array.from({ length: count }, (_, row) => row % 70);
  const second = Int32Array.from({ length: count }, (_, row) => row);
  const index = new PairIndex(first, second);

  expect(Array.from({ length: count }, (_, row) => index.find(row % 70, row))).toEqual([...second]);
});

test('an empty table has nothing', () => {
  expect(new PairIndex(new Int32Array(0), new Int32Array(0)).find(0, 0)).toBe(-1);
});
