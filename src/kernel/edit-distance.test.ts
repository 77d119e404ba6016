import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['recieve', 'receive', 1],
  ['ca', 'abc', 3],
  ['a'.repeat(100), 'a'.repeat(99), 1],
])('%s is as many edits from %s', (a, b, distance) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
});

test('a limit changes no distance up to it, and others stay above it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.nat(4), (a, b, most) => {
      const [distance, limited] = [editDistance(a, b), editDistance(a, b, most)];
      return distance <= most ? limited === distance : limited > most;
    }),
  );
});
