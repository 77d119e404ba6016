import { expect, test } from 'vitest';
import { hasWords } from './items.ts';

test('a name fits when it has all words, in any order and case', () => {
  expect(hasWords('Record a decision', 'DEC rec')).toBe(true);
  expect(hasWords('Record a decision', 'rec plan')).toBe(false);
});
