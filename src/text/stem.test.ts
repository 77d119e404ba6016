import { expect, test } from 'vitest';
import { inflectionStem } from './stem.ts';

test.each([
  ['ties', 'ty'],
  ['caches', 'cach'],
  ['pass', 'pass'],
  ['status', 'status'],
  ['bus', 'bus'],
  ['dropped', 'drop'],
  ['rolling', 'roll'],
  ['used', 'used'],
  ['using', 'using'],
  ['move', 'move'],
  ['moves', 'move'],
  ['remove', 'remov'],
])('%s becomes %s', (word, stemmed) => {
  expect(inflectionStem(word)).toBe(stemmed);
});
