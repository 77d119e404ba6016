import { expect, test } from 'vitest';
import { findDifferences, findSupport, type Quote } from './compare-quotes.ts';

const quote = (text: string, voice: string, corpus: Quote['corpus'] = 'documents'): Quote => ({ text, voice, corpus });

const FIVE = quote('The refund arrives on the card within 5 days', 'policy');
const NINE = quote('My refund arrived on the card after 9 days', 'customer', 'signals');
const OTHER = quote('Invoices are printed at night', 'manual');

const differences = (...quotes: Quote[]): string[] => findDifferences(quotes).map(({ why }) => why);

test('quotes of other voices about the same thing support each other, a voice once', () => {
  const twice = quote('The refund arrives on the card', 'policy');

  expect(findSupport([OTHER, FIVE, twice, NINE])).toEqual([[], [3], [3], [1]]);
});

test('two words that long quotes share do not make them the same thing', () => {
  const library = quote(
    'Who lends a book shows the card at the desk, and nobody asks there for a refund of fees',
    'library',
  );

  expect(findSupport([FIVE, library, OTHER])).toEqual([[], [], []]);
});

test('code does not support code, and is supported by what people write', () => {
  const calls = quote('send calls post for the refund', 'a.ts', 'code');
  const called = quote('post is called by send for the refund', 'b.ts', 'code');
  const written = quote('send calls post once for each refund', 'guide');

  expect(findSupport([calls, called, OTHER])).toEqual([[], [], []]);
  expect(findSupport([calls, written, OTHER])).toEqual([[1], [0], []]);
});

test('another number of the same thing is a difference', () => {
  expect(findDifferences([FIVE, NINE, OTHER])).toEqual([{ a: 0, b: 1, why: '5 against 9 days' }]);
  expect(differences(FIVE, { ...NINE, text: FIVE.text }, OTHER)).toEqual([]);
  expect(differences(FIVE, { ...NINE, voice: FIVE.voice }, OTHER)).toEqual([]);
  // One number that both have is what they agree on.
  expect(differences(FIVE, { ...NINE, text: 'The refund arrives on the card within 5 days or 9 days' }, OTHER)).toEqual(
    [],
  );
  // A commit says what was true then.
  expect(differences(FIVE, { ...NINE, corpus: 'commits' }, OTHER)).toEqual([]);
  expect(differences(FIVE, quote('The night has 9 days', 'novel'), OTHER)).toEqual([]);
});
