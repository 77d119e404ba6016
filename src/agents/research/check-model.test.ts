import { expect, test } from 'vitest';
import { addModelled, checkParts, type GivenWeighing } from './check-model.ts';
import type { Claim } from './claims.ts';
import { conclude } from './research.ts';

const QUESTION = 'How does `payBack` pay refunds, and do customers wait for refunds?';

test.each([
  [['How does `payBack` pay refunds?', ' Do customers wait for refunds? '], 2],
  [['How does `payBack` pay refunds?', 'How are invoices printed at night?'], undefined],
  [['How are refunds paid?', 'Do customers wait for refunds?'], undefined],
  [['', ' '], undefined],
])('of the parts %j that a model gives, these hold: %j', (parts, held) => {
  expect(checkParts(parts, QUESTION)?.length).toBe(held);
});

function claim(said: string, voice: string, corpus: Claim['corpus']): Claim {
  const evidence = [{ id: `${corpus}:${voice}`, kind: 'document' as const, repo: 'shop', text: said }];
  return { text: `It says: ${said}.`, said, evidence, corpus, about: QUESTION, date: '', voice };
}

const CLAIMS = [
  claim('function payBack(order) pays a refund within 5 days', 'a.ts', 'code'),
  claim('A refund is paid within 9 days', 'policy', 'plans'),
  claim('My refund took 9 days', 'Online shop', 'signals'),
  claim('Invoices are printed at night', 'manual', 'decisions'),
];

/** What is left of what a model said about the four claims above, whose evidence has the numbers 1 to 4. */
function weigh(given: Partial<GivenWeighing>) {
  const request = { question: QUESTION, effort: 'standard' as const, subquestions: [QUESTION] };
  const research = conclude(request, [{ collected: [{ claims: CLAIMS }], calls: [] }]);
  const numberOf = (at: number): number =>
    research.ledger.entries.find(({ text }) => text === CLAIMS[at - 1]?.said)?.number ?? 99;
  return addModelled(
    research,
    {
      findings: (given.findings ?? []).map(({ claim: said, sources }) => ({
        claim: said,
        sources: sources.map(numberOf),
      })),
      contradictions: (given.contradictions ?? []).map(({ a, b, why }) => ({ a: numberOf(a), b: numberOf(b), why })),
    },
    QUESTION,
  );
}

test('findings of a model stand first, with its voices, and what it left out follows', () => {
  const { findings, fallen, isModelled } = weigh({
    findings: [{ claim: 'A refund is paid within 9 days.', sources: [2, 3] }],
  });

  expect([fallen, isModelled]).toEqual([0, true]);
  expect(findings[0]).toMatchObject({ corroboration: 1, claim: { corpus: 'plans' } });
  expect(findings.map(({ sentence }) => sentence.text)).toEqual([
    'A refund is paid within 9 days.',
    ...[CLAIMS[0], CLAIMS[3]].map((left) => left?.text),
  ]);
});

test.each([
  ['cites nothing', { claim: 'Refunds are paid.', sources: [] }],
  ['cites what is not there', { claim: 'Refunds are paid.', sources: [7] }],
  ['names what no evidence has', { claim: '`RetryQueue` pays refunds.', sources: [1] }],
  ['gives a number that its evidence does not', { claim: 'A refund is paid within 14 days.', sources: [2] }],
])('a finding falls that %s', (_what, finding) => {
  const { findings, fallen, isModelled } = weigh({ findings: [finding] });

  expect([fallen, isModelled]).toEqual([1, false]);
  expect(findings).toHaveLength(CLAIMS.length);
});

test('a contradiction must be one of two voices, and give their numbers', () => {
  const contradictions = [
    { a: 1, b: 2, why: 'The code pays within 5 days, the policy says 9.' },
    { a: 2, b: 2, why: 'It differs from itself.' },
    { a: 2, b: 3, why: 'The one says 9, the other 14 days.' },
    { a: 2, b: 8, why: 'Nothing is there.' },
  ];
  const { contradictions: kept, fallen } = weigh({ contradictions });

  expect(fallen).toBe(3);
  expect(kept.map(({ found: { a, b, why } }) => [a.voice, b.voice, why])).toEqual([
    ['a.ts', 'policy', 'The code pays within 5 days, the policy says 9'],
  ]);
});
