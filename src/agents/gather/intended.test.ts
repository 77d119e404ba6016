import { expect, test } from 'vitest';
import { writtenText } from '../../testing/prose.ts';
import { aboutAsked, type IntendedText, nearestInMeaning } from './intended.ts';

const found = (id: string, more: Partial<IntendedText>, kind: 'plan' | 'decision' = 'plan'): IntendedText => ({
  text: writtenText('', { kind, id }),
  share: 0,
  titled: 0,
  meaning: 0,
  ...more,
});
const idsOf = (texts: readonly IntendedText[]): string[] => texts.map(({ text }) => text.id);

const isDecision = (kind: string): boolean => kind === 'decision';

test('about what is asked is what has more than half of the words', () => {
  expect(idsOf(aboutAsked([found('a', { share: 0.51 }), found('b', { share: 0.5 })], () => true))).toEqual(['a']);
});

test('of the kind that is asked for the best is told first, of another only what fits as well as any', () => {
  const plan = found('plan', { share: 1, titled: 1 });
  const decisions = (titled: number): IntendedText[] => [
    found('best', { share: 1, titled: 0.5 }, 'decision'),
    found('next', { share: 1, titled }, 'decision'),
  ];

  // Four fifths of the best.
  expect(idsOf(aboutAsked([plan, ...decisions(0.21)], isDecision))).toEqual(['best', 'next', 'plan']);
  expect(idsOf(aboutAsked([plan, ...decisions(0.19)], isDecision))).toEqual(['best', 'plan']);
  expect(idsOf(aboutAsked([plan, ...decisions(0.5)], (kind) => kind === 'plan'))).toEqual(['plan']);
});

test.each([
  // The share of the best, its meaning and that of the next, and whether it is told as what is meant.
  [0.1, 0.55, 0.54, true],
  [0.1, 0.54, 0.1, false],
  [0, 0.7, 0.63, false],
  [0, 0.7, 0.61, true],
])('with %f of the words, a meaning of %f and a next of %f it is meant: %s', (share, meaning, next, isMeant) => {
  const [best, other] = [found('best', { share, meaning }), found('other', { meaning: next })];

  expect(nearestInMeaning([other, best])).toBe(isMeant ? best : undefined);
});
