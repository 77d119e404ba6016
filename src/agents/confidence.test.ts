import { expect, test } from 'vitest';
import { confidenceOf, levelOf } from './confidence.ts';

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
