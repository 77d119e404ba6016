import { expect, test } from 'vitest';
import { confidenceOf, levelOf, productConfidenceOf } from './confidence.ts';

test('names, rare words that stand together and a good hit speak for an answer', () => {
  const plain = { coverage: 0.4, knownNames: 0, unknownNames: 0, topScore: 0.01 };

  expect(confidenceOf({ ...plain, knownNames: 1 })).toBeGreaterThan(confidenceOf(plain));
  expect(confidenceOf({ ...plain, unknownNames: 1 })).toBeLessThan(confidenceOf(plain));
  expect(confidenceOf({ ...plain, coverage: 0.6 })).toBeGreaterThan(confidenceOf(plain));
  expect(confidenceOf({ ...plain, topScore: 0.1 })).toBeGreaterThan(confidenceOf(plain));
});

test('a question whose names and rare words are unknown is low, one that names a place with them is high', () => {
  expect(levelOf(confidenceOf({ coverage: 0.25, knownNames: 0, unknownNames: 2, topScore: 0.001 }))).toBe('low');
  expect(levelOf(confidenceOf({ coverage: 0.7, knownNames: 1, unknownNames: 0, topScore: 0.05 }))).toBe('high');
});

test.each([
  ['a tenth of the words', { coverage: 0.08 }, 'low'],
  ['a seventh', { coverage: 0.14 }, 'medium'],
  ['a quarter', { coverage: 0.29 }, 'medium'],
  ['a third', { coverage: 0.37 }, 'high'],
  ['a fifth of them and a known name', { coverage: 0.2, knownNames: 1 }, 'high'],
  ['a fifth of them and an unknown name', { coverage: 0.2, unknownNames: 1 }, 'low'],
  ['a third of them, a known name and no hit at all', { coverage: 0.3, knownNames: 1, topScore: 0 }, 'medium'],
  ['a fifth of them, a known name and no hit at all', { coverage: 0.2, knownNames: 1, topScore: 0 }, 'low'],
  ['a quarter of them and a hit of much weight', { coverage: 0.25, topScore: 0.1 }, 'high'],
  ['a quarter of them and a hit of little weight', { coverage: 0.25, topScore: 0.0001 }, 'low'],
])('%s is told as it is', (_what, fit, level) => {
  const plain = { coverage: 0, knownNames: 0, unknownNames: 0, topScore: 0.01 };

  expect(levelOf(confidenceOf({ ...plain, ...fit }))).toBe(level);
});

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
