import { expect, test } from 'vitest';
import { putBounded } from './bounded-map.ts';

test('a full map forgets what was put first; what is put again counts as new', () => {
  const map = new Map<string, number>();

  for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) putBounded(map, key, index, 3);

  expect([...map]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
