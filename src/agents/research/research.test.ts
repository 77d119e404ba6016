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

  const sent = ['`send` sends.', '`post` posts.', '`wait` waits.'].map((text) => claim(text, 'sent'));
  const dropped = ['`drop` drops.', '`lose` loses.', '`end` ends.'].map((text) => claim(text, 'dropped'));
  expect(report([...sent, ...dropped])).toEqual([
    'On “sent”:',
    '`send` sends.',
    '`post` posts.',
    'On “dropped”:',
    '`drop` drops.',
    '`lose` loses.',
    'What the code does for “sent”:',
    '`wait` waits.',
    'What the code does for “dropped”:',
    '`end` ends.',
  ]);
});

test('what two parts found in documents is told for the one that asks the documents', () => {
  const subquestions = ['how are orders locked', 'what is documented about locked orders'];
  const claims = subquestions.map((about): Claim => {
    return {
      ...claim('An order that is open twice is locked until the night.', about),
      corpus: 'documents',
      voice: 'doc:1',
    };
  });
  const request = { question: subquestions.join(' and '), effort: 'standard' as const, subquestions };
  const { findings } = conclude(request, [{ collected: [{ claims }], calls: [] }]);

  expect(findings.map((finding) => finding.claim.about)).toEqual(subquestions.slice(1));
});
