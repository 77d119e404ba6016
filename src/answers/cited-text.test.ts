import { expect, test } from 'vitest';
import type { Source } from '../evidence/model/brief.ts';
import { checkAnswer, readProse } from './cited-text.ts';

const source = (number: number, ...lines: string[]): Source => ({
  number,
  id: `doc:${number}`,
  kind: 'document',
  repo: 'shop',
  why: ['names refunds'],
  shown: lines.map((text) => ({ text })),
  score: 1,
});

const SOURCES = [source(1, 'A refund takes 5 days.', 'Cards are refunded.'), source(2, 'Fees are 2.5 percent.')];

/** What remains of prose: each sentence with what it cites, how many were removed, and how many are not verified. */
function checked(text: string, question = ''): unknown[] {
  const { statements, removed, unverified } = checkAnswer(readProse(text), SOURCES, question);
  return [...statements.map(({ sentence, cites }) => `${sentence} ${cites.join()}`), removed, unverified];
}

test('prose is parted into sentences with the sources that they cite, behind or before the full stop', () => {
  const [paragraph] = readProse(
    '- A refund takes 5 days. [1] Fees are 2.5 percent [2, 1].\n\n```\n2. Cards\n',
  ).paragraphs;

  expect(paragraph?.sentences).toEqual([
    { text: 'A refund takes 5 days.', sources: [1] },
    { text: 'Fees are 2.5 percent.', sources: [2, 1] },
    { text: 'Cards', sources: [] },
  ]);
});

test('a sentence is kept with its citations, each once; one that cites nothing that is there is removed', () => {
  expect(checked('A refund takes 5 days [1][1]. Fees are 2.5 percent [2].')).toEqual([
    'A refund takes 5 days. 1',
    'Fees are 2.5 percent. 2',
    0,
    0,
  ]);
  expect(checked('A refund takes 5 days [1]. Fees are high [2, 3].')).toEqual(['A refund takes 5 days. 1', 1, 0]);
});

test('a sentence without a citation, or with a number or a word that no source has, is marked', () => {
  expect(checked('A refund takes 5 days.')).toEqual(['unverified: A refund takes 5 days. ', 0, 1]);
  expect(checked('A refund takes 6 days [1].')).toEqual(['unverified: A refund takes 6 days. 1', 0, 1]);
  expect(checked('A refund takes 2.5 days [1, 2].')).toEqual(['A refund takes 2.5 days. 1,2', 0, 0]);
  expect(checked('A refund takes weeks [1].')).toEqual(['unverified: A refund takes weeks. 1', 0, 1]);
  // The question has it.
  expect(checked('A refund takes weeks [1].', 'How many weeks?')).toEqual(['A refund takes weeks. 1', 0, 0]);
});
