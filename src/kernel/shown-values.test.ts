import { expect, test } from 'vitest';
import { excerpt, roundTo, shorten } from './shown-values.ts';

test('a shortened text has the requested length, an excerpt the requested characters before what stands for more', () => {
  expect([shorten('abcd', 4), shorten('abcde', 4)]).toEqual(['abcd', 'abc…']);
  expect([excerpt('abcd', 4), excerpt('abcde', 4)]).toEqual(['abcd', 'abcd…']);
});

test('numbers keep the requested digits', () => {
  expect([roundTo(2, 0.125), roundTo(3, 0.0004), roundTo(1, 12)]).toEqual([0.13, 0, 12]);
});
