import { expect, test } from 'vitest';
import { withFocused } from './virtual-list.tsx';

test('the row with the focus stays among those that are shown, in order', () => {
  const range = { startIndex: 10, endIndex: 12, overscan: 1, count: 100 };

  expect(withFocused(range, undefined)).toEqual([9, 10, 11, 12, 13]);
  expect(withFocused(range, 11)).toEqual([9, 10, 11, 12, 13]);
  expect(withFocused(range, 2)).toEqual([2, 9, 10, 11, 12, 13]);
  expect(withFocused(range, 90)).toEqual([9, 10, 11, 12, 13, 90]);
  // The list has become shorter.
  expect(withFocused(range, 100)).toEqual([9, 10, 11, 12, 13]);
});
