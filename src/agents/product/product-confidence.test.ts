import { expect, test } from 'vitest';
import { levelOf } from '../confidence.ts';
import { productConfidenceOf } from './product-confidence.ts';

test('an answer about the product is sure when a text has the words, and all that are quoted, and something is called by them', () => {
  const sure = { coverage: 1, titled: 1, quoted: 1 };
  const lesser = [{ coverage: 0.5 }, { titled: 0 }, { quoted: 0.5 }].map((part) => ({ ...sure, ...part }));

  expect(levelOf(productConfidenceOf(sure))).toBe('high');
  for (const fit of lesser) expect(productConfidenceOf(fit)).toBeLessThan(productConfidenceOf(sure));
  expect(levelOf(productConfidenceOf({ ...sure, titled: 0.4 }))).toBe('medium');
  expect(levelOf(productConfidenceOf({ ...sure, quoted: 0.7 }))).toBe('medium');
  expect(levelOf(productConfidenceOf({ ...sure, titled: 0 }))).toBe('medium');
  expect(levelOf(productConfidenceOf({ coverage: 0.7, titled: 0.5, quoted: 0.7 }))).toBe('low');
  expect(levelOf(productConfidenceOf({ coverage: 0.5, titled: 0.5, quoted: 0.5 }))).toBe('low');
});
