import { expect, test } from 'vitest';
import { belowHigh, confidenceOf, levelOf } from './confidence.ts';

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
  ['a quarter of the words', { coverage: 0.27 }, 'low'],
  ['a third', { coverage: 0.33 }, 'medium'],
  ['half', { coverage: 0.48 }, 'medium'],
  ['more than half', { coverage: 0.56 }, 'high'],
  ['two fifths of them and a known name', { coverage: 0.39, knownNames: 1 }, 'high'],
  ['two fifths of them and an unknown name', { coverage: 0.39, unknownNames: 1 }, 'low'],
  ['half of them, a known name and no hit at all', { coverage: 0.49, knownNames: 1, topScore: 0 }, 'medium'],
  ['two fifths of them, a known name and no hit at all', { coverage: 0.39, knownNames: 1, topScore: 0 }, 'low'],
  ['two fifths of them and a hit of much weight', { coverage: 0.44, topScore: 0.1 }, 'high'],
  ['two fifths of them and a hit of little weight', { coverage: 0.44, topScore: 0.0001 }, 'low'],
])('%s is told as it is', (_what, fit, level) => {
  const plain = { coverage: 0, knownNames: 0, unknownNames: 0, topScore: 0.01 };

  expect(levelOf(confidenceOf({ ...plain, ...fit }))).toBe(level);
});

test('what only words tell is never high, keeps its order, and is refused where it was before', () => {
  const told = [0.1, 0.33, 0.34, 0.5, 0.66, 0.9, 1].map(belowHigh);

  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(new Set(told).size).toBe(told.length);
  expect(told.map(levelOf)).toEqual(['low', 'low', 'medium', 'medium', 'medium', 'medium', 'medium']);
});
