import { expect, test } from 'vitest';
import { checkParts, sentencesOf } from './split-question.ts';

test('each sentence of a question is a part, at most four', () => {
  expect(sentencesOf('How are refunds paid? What do customers say of v1.2 in src/a.ts?')).toEqual([
    'How are refunds paid?',
    'What do customers say of v1.2 in src/a.ts?',
  ]);
  expect(sentencesOf('one? two? three? four? five?')).toEqual(['one?', 'two?', 'three?', 'four? five?']);
  expect(sentencesOf('refunds')).toEqual(['refunds']);
});

test.each([
  [['How does issueRefund pay?', 'Who complains about refunds?'], true],
  // The name is lost.
  [['How is money paid?', 'Who complains about refunds?'], false],
  [['How does issueRefund pay?', 'How are invoices printed?'], false],
  [[], false],
  [['x'.repeat(400)], false],
])('the parts %j are taken: %s', (parts, isTaken) => {
  expect(checkParts(parts, 'How does issueRefund pay, and who complains about refunds?') !== undefined).toBe(isTaken);
});
