import { expect, test } from 'vitest';
import { declaredIntent } from './language/intent.ts';
import { declaredJudgement } from './polarity.ts';

test('without stars, labels and marks nothing is said of a text before it is encoded', () => {
  const judgement = declaredJudgement({ text: 'I love it, but the export crashes', tags: ['export'], rating: null });

  expect(judgement).toEqual({ polarity: undefined, words: [], intent: 'other' });
});

test.each([
  [1, -1, 'other'],
  [3, 0, 'other'],
  [4, 0.5, 'praise'],
  [5, 1, 'praise'],
])('%s stars decide, whatever the words are', (rating, polarity, intent) => {
  const judgement = declaredJudgement({ text: 'great and terrible', tags: [], rating });

  expect(judgement).toEqual({ polarity, words: [`${rating} of 5 stars`], intent });
});

test.each([
  ['[Feature request] Dark mode', [], 'request'],
  ['Bug: wrong colours', [], 'bug'],
  ['\u{1f41b} Bug Report: wrong colours', [], 'bug'],
  ['Frage: Export', [], 'question'],
  ['Dark mode', ['ui', 'type: feature-request'], 'request'],
  ['Dark mode', ['kind/bug'], 'bug'],
  ['[Feature] Dark mode', ['Bug'], 'bug'],
  ['Bug fixes are welcome', ['not a bug'], undefined],
  ['Note: a bug', [], undefined],
])('what "%s" with the labels %j declares counts', (text, labels, intent) => {
  expect(declaredIntent(text, labels)).toBe(intent);
});
