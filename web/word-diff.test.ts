import { expect, test } from 'vitest';
import { compareWords, pairTexts } from './word-diff.ts';

/** The words of one side. */
function side(stretches: { text: string }[] | undefined): string | undefined {
  return stretches?.map(({ text }) => text).join('');
}

test('words that only one text has are marked', () => {
  expect(compareWords('Costs $20 a month', 'Costs $25 a month')).toEqual({
    before: [
      { text: 'Costs ', isOwn: false },
      { text: '$20', isOwn: true },
      { text: ' a month', isOwn: false },
    ],
    after: [
      { text: 'Costs ', isOwn: false },
      { text: '$25', isOwn: true },
      { text: ' a month', isOwn: false },
    ],
  });
});

test('a text stands beside the one that it became, and what has no partner alone', () => {
  const pairs = pairTexts(['Up to ten users', 'Works with calendars'], ['A new thing', 'Up to nine users']);

  expect(pairs.map(({ before, after }) => [side(before), side(after)])).toEqual([
    ['Up to ten users', 'Up to nine users'],
    ['Works with calendars', undefined],
    [undefined, 'A new thing'],
  ]);
});
