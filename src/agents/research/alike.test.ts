import { expect, test } from 'vitest';
import { type Claim, contradictions, corroborate, withoutRepeats } from './claims.ts';

function claim(said: string, voice: string, corpus: Claim['corpus'] = 'documents'): Claim {
  return { text: `${said}.`, said, evidence: [], corpus, about: 'refunds', date: '', voice };
}

const WORDS = 'refund card bank order mail shop night window table lamp'.split(' ');
/** The same text with other words at its end. */
const ending = (words: number, changed: number): string =>
  [...WORDS.slice(0, words - changed), ...['river', 'stone', 'cloud'].slice(0, changed)].join(' ');

const kept = (words: number, changed: number): number =>
  withoutRepeats([claim(WORDS.slice(0, words).join(' '), 'policy'), claim(ending(words, changed), 'policy')]).length;

test('a voice says the same again when six tenths of its stretches of three words are the same', () => {
  // Six of ten stretches are shared, then five of nine.
  expect([kept(10, 2), kept(9, 2)]).toEqual([1, 2]);
  // What is too short for a stretch is compared as a whole.
  expect([kept(2, 0), kept(2, 1)]).toEqual([1, 2]);
});

const supports = (first: string, second: string): number =>
  corroborate([claim(first, 'policy'), claim(second, 'customer', 'signals')])[0]?.supported.length ?? 0;

test('claims are about the same when they share two terms and a third of the weight of the shorter one', () => {
  // Shared terms weigh log 2 each, the others log 3: .39 of the weight, then .30.
  expect(supports('refund card bank order', 'refund card mail shop')).toBe(1);
  expect(supports('refund card bank order night', 'refund card mail shop window')).toBe(0);
  expect(supports('refund', 'refund')).toBe(0);
});

const order = (...claims: Claim[]): string[] => [...new Set(corroborate(claims).map((found) => found.claim.said))];

test('two voices that say the like are as good as three, and better than one', () => {
  const group = (words: string, voices: number): Claim[] =>
    Array.from({ length: voices }, (_, at) => claim(words, `${words} ${at}`, 'signals'));
  const [pair, three, four] = [group('refund card', 2), group('bank order', 3), group('mail shop', 4)];
  const code = claim('function refund', 'a.ts', 'code');

  expect(order(...pair, ...three, ...four)).toEqual(['bank order', 'mail shop', 'refund card']);
  expect(order(...four, code)).toEqual(['mail shop', 'function refund']);
  expect(order(...pair, code)).toEqual(['function refund', 'refund card']);
});

const against = (first: string, second: string): string[] =>
  contradictions([claim(first, 'a'), claim(second, 'b')]).map(({ why }) => why);

test('one of the numbers that two claims give for a thing is enough to agree', () => {
  expect(against('The refund on the card takes 5 days or 9 days', 'The refund on the card takes 9 days')).toEqual([]);
  expect(against('The refund on the card takes 5 days', 'The refund on the card takes 9 days')).toEqual([
    '5 against 9 day',
  ]);
  expect(against('The refund on the card takes 5 days', 'The refund on the card takes 9 clicks')).toEqual([]);
  expect(against('The refund on the card is paid in v1.5 days', 'The refund on the card takes 9 days')).toEqual([]);
});
