import { assert, constantFrom, nat, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestNames, nearSpellings, similarity } from './edit-distance.ts';

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

test('a name that holds what is looked for is nearer than one that is as many edits away', () => {
  const names = ['billing', 'shoe', 'shop-storefront', 'Shop-UI', 'sharp'];

  expect(nearestNames('SHOP', names, 3)).toEqual(['Shop-UI', 'shoe', 'sharp']);
  expect(nearestNames('shop-ui-v2', names, 1)).toEqual(['Shop-UI']);
});

test('of names that are equally near the first one comes first', () => {
  expect(nearestNames('main', ['mail', 'maid', 'mein'], 2)).toEqual(['mail', 'maid']);
});

test('similarity counts edits per character of the longer text, and none where the lengths are too far apart', () => {
  expect([similarity('sendMial', 'sendMail', 0.6), similarity('send', 'sendMail', 0.5)]).toEqual([7 / 8, 0.5]);
  expect(similarity('send', 'sendMail', 0.6)).toBe(0);
});
