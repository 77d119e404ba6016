import { expect, test } from 'vitest';
import { coverage } from '../question/term-weights.ts';
import { nearOf, shareSaid, termsByWord, termsSaid, waysToSay } from './near-words.ts';

test.each([
  ['ads', 'too many advertisements', true],
  ['ads', 'one AD after the other', true],
  ['TV', 'on two TVs', true],
  ['log in', 'I cannot sign into my account', true],
  ['sign in', 'Logging in fails', true],
  ['logged out', 'signs me out', false],
  ['signed out', 'it logs out', true],
  ['subtitles', 'captions are late', true],
  ['wi-fi', 'over WiFi', true],
  ['cancel', 'cancelling the ride', true],
  ['cancelled', 'it was canceled', true],
  ['bill', 'the bil', false],
  ['bus', 'the bu', true],
  ['cheaper', 'the price', false],
])('%s is said by %s: %s', (asked, said, isSaid) => {
  expect(termsSaid(asked).every((term) => termsSaid(said).includes(term))).toBe(isSaid);
});

test.each([
  ['cheaper', 'too expensive', true],
  ['internet', 'offline', true],
  ['cheaper', 'slow', false],
])('%s comes near to %s: %s', (asked, said, isNear) => {
  expect(termsSaid(asked, true).every((term) => termsSaid(said, true).includes(term))).toBe(isNear);
  expect(nearOf(termsSaid(asked)[0] ?? '') === termsSaid(asked, true)[0]).toBe(true);
});

test('a phrase is searched for in each way to say it, itself first', () => {
  expect(waysToSay('many ads')).toEqual(
    ['ads', 'ad', 'advert', 'advertisement', 'commercial'].map((word) => `many ${word}`),
  );
  expect(waysToSay('sign in')).toEqual(expect.arrayContaining(['sign in', 'log in', 'login']));
  expect(waysToSay('drivers cancelling')).toEqual(['drivers cancelling', 'drivers cancel']);
  expect(waysToSay('drivers cancel')).toEqual(['drivers cancel', 'drivers cancelled']);
  expect(waysToSay('cheaper tickets')).toEqual(['cheaper tickets']);
  expect(waysToSay('cheaper tickets', true)).toEqual(expect.arrayContaining(['price tickets', 'expensive tickets']));
});

test('a verb of two words is one word of a phrase', () => {
  expect([...termsByWord('sign in slowly')]).toEqual([
    ['login', 'login'],
    ['slow', 'slowly'],
  ]);
});

test('the share of some words that texts have together', () => {
  const weights = new Map([
    ['ad', 3],
    ['price', 1],
  ]);

  expect(coverage(weights, ['Adverts!'], (text) => termsSaid(text))).toBe(0.75);
  expect(coverage(new Map(), ['Adverts!'], (text) => termsSaid(text))).toBe(0);
  expect(shareSaid('ads price', ['Adverts!'])).toBe(0.5);
  expect(shareSaid('ads price', ['Adverts!', 'It is expensive.'])).toBe(1);
});
