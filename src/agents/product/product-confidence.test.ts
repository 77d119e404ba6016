import { expect, test } from 'vitest';
import { levelOf } from '../confidence.ts';
import { productConfidenceOf } from './product-confidence.ts';

test('an answer about the product is sure when a text has the words, something is called by them and a hit is good', () => {
  const sure = { coverage: 1, titled: 1, topScore: 0.7 };
  const lesser = [{ coverage: 0.5 }, { titled: 0 }, { topScore: 0.1 }].map((part) => ({ ...sure, ...part }));

  expect(levelOf(productConfidenceOf(sure))).toBe('high');
  for (const fit of lesser) expect(productConfidenceOf(fit)).toBeLessThan(productConfidenceOf(sure));
  expect(levelOf(productConfidenceOf({ ...sure, titled: 0 }))).toBe('medium');
  expect(levelOf(productConfidenceOf({ coverage: 0.7, titled: 0.5, topScore: 0.7 }))).toBe('medium');
  expect(levelOf(productConfidenceOf({ coverage: 0.5, titled: 0.5, topScore: 0.7 }))).toBe('low');
  expect(levelOf(productConfidenceOf({ coverage: 0.5, titled: 0, topScore: 0.7 }))).toBe('low');
  expect(levelOf(productConfidenceOf({ coverage: 0.5, titled: 0.5, topScore: 0.1 }))).toBe('low');
});
