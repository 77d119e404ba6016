import { expect, test } from 'vitest';
import { levelOf } from '../confidence.ts';
import { certaintyOf } from './certainty.ts';
import type { CitedFinding } from './research.ts';

const PARTS = ['How are mails sent?', 'how are refunds paid?', 'how are invoices printed?', 'how are orders locked?'];
const ANSWERS = ['Mails are sent.', 'Refunds are paid.', 'Invoices are printed.', 'Orders are locked.'];

/** Findings for the first parts, of which so many have the words of their part. */
function certainty(
  answered: number,
  parts: number,
  { told = parts, corroboration = 0, isModelled = true } = {},
): number {
  const findings = PARTS.slice(0, told).map((about, at): CitedFinding => {
    const text = at < answered ? (ANSWERS[at] ?? '') : 'Nothing of it.';
    const claim = { text, said: text, evidence: [], corpus: 'documents' as const, about, date: '', voice: text };
    return { claim, supported: [], sentence: { text, sources: [] }, corroboration };
  });
  return certaintyOf({ findings, subquestions: PARTS.slice(0, parts), isModelled });
}

test('a report is never high while a part lacks what answers it, and low when most parts do', () => {
  const supported = { corroboration: 1 };

  expect([certainty(4, 4), certainty(4, 4, supported)]).toEqual([0.5, 1]);
  expect(levelOf(certainty(4, 4, supported))).toBe('high');
  expect(levelOf(certainty(4, 4, { ...supported, isModelled: false }))).toBe('medium');
  expect([certainty(3, 4, supported), certainty(2, 4), certainty(1, 2)].map(levelOf)).toEqual([
    'medium',
    'medium',
    'medium',
  ]);
  expect([certainty(1, 4, supported), certainty(1, 3, supported), certainty(0, 2, supported)].map(levelOf)).toEqual([
    'low',
    'low',
    'low',
  ]);
  expect(certainty(0, 2, { told: 0 })).toBe(0);
});

test('what answers a part has half of its words, with the lines that it is taken from', () => {
  const about = 'How are night mails of shops sent?';
  const level = (text: string, line = ''): number => {
    const evidence = [{ id: '1', kind: 'code' as const, repo: '', text: line }];
    const claim = { text, said: text, evidence, corpus: 'code' as const, about, date: '', voice: '' };
    return certaintyOf({
      findings: [{ claim, supported: [], sentence: { text, sources: [] }, corroboration: 0 }],
      subquestions: [about],
      isModelled: true,
    });
  };

  expect([
    level('`post` posts night mails'),
    level('`post` posts mails'),
    level('`post` posts mails', 'night()'),
  ]).toEqual([0.5, 0, 0.5]);
});
