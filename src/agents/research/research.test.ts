import { expect, test } from 'vitest';
import type { Claim } from './claims.ts';
import { conclude, reportOf } from './research.ts';

function claim(text: string, about: string): Claim {
  return { text, said: text, evidence: [], corpus: 'code', about, date: '', voice: text };
}

test('what the code does is told for each part of a question by itself', () => {
  const request = { question: 'How is a mail sent and when is it dropped?', effort: 'standard' as const };
  const report = (claims: Claim[]): string[] => {
    const results = [{ collected: [{ claims }], calls: [] }];
    const found = conclude({ ...request, subquestions: ['sent', 'dropped'] }, results);
    return reportOf(found).flatMap(({ sentences }) => sentences.map(({ text }) => text));
  };

  expect(report([claim('`send` sends.', 'sent'), claim('`drop` drops.', 'dropped')])).toEqual([
    'What the code does for “sent”:',
    '`send` sends.',
    'What the code does for “dropped”:',
    '`drop` drops.',
  ]);
  expect(report([claim('`send` sends.', 'sent')])).toEqual(['What the code does:', '`send` sends.']);
});
