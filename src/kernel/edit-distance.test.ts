import { assert, constantFrom, nat, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearSpellings } from './edit-distance.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['recieve', 'receive', 1],
  ['ca', 'abc', 3],
  ['a'.repeat(100), 'a'.repeat(99), 1],
])('the edits between %s and %s are counted', (a, b, distance) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
});

test('a limit changes no distance up to it, and others stay above it', () => {
  const word = string({ unit: constantFrom('a', 'b', 'c'), maxLength: 9 });
  const pairs = property(word, word, nat(4), (a, b, most) => {
    const [distance, limited] = [editDistance(a, b), editDistance(a, b, most)];
    return distance <= most ? limited === distance : limited > most;
  });

  expect(() => assert(pairs)).not.toThrow();
});

test('texts within a limit of edits are returned, nearest first and then by their characters', () => {
  const texts = ['sender', 'sendar', 'sand', 'sendre', 'receiver'];

  const near = nearSpellings('sender', new Set(texts), 2);

  expect(near).toEqual([
    { text: 'sender', edits: 0 },
    { text: 'sendar', edits: 1 },
    { text: 'sendre', edits: 1 },
  ]);
});
