import { expect, test } from 'vitest';
import { confidenceOf, levelOf } from './confidence.ts';

const weights = new Map([
  ['retri', 3],
  ['mail', 1],
]);

test.each([
  ['all words', 0.4, ['retri', 'mail'], 0.7],
  ['the rare word', 0.4, ['retri'], 0.575],
  ['the common word', 0.4, ['mail'], 0.325],
  ['no word', 0.4, [], 0.2],
  ['more likeness than there is', 1.7, ['retri', 'mail'], 1],
])('a unit with %s of a question', (_, similarity, terms, expected) => {
  expect(confidenceOf({ similarity }, terms, weights)).toBe(expected);
});

test('a question without words is as likely as the code is like it', () => {
  expect(confidenceOf({ similarity: 0.4 }, [], new Map())).toBe(0.2);
});

test('levels begin at their limits', () => {
  expect([0, 0.199, 0.2, 0.499, 0.5].map(levelOf)).toEqual(['low', 'low', 'medium', 'medium', 'high']);
});
