import { expect, test } from 'vitest';
import { axisEnd } from './axis-end.ts';

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [11, 12],
  [100, 100],
  [401, 500],
  [1353, 1400],
  [99_999, 100_000],
])('a peak of %i ends the axis at %i', (peak, end) => {
  expect(axisEnd(peak)).toBe(end);
});
