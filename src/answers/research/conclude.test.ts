import { expect, test } from 'vitest';
import type { CorpusResult, CorpusSource } from './collect.ts';
import { conclude } from './conclude.ts';

const signal = (customer: string, quote: string): CorpusSource => ({
  source: { id: `sig:${customer}`, kind: 'signal', repo: '', why: [], shown: [], score: 1 },
  corpus: 'signals',
  date: '',
  quote,
});

const resultOf = (corpus: CorpusResult['corpus'], fit: number, ...own: CorpusSource[]): CorpusResult => ({
  corpus,
  parts: [{ about: 'Refunds?', facts: [], found: own, fit, gaps: [], next: [] }],
  calls: [],
});

const concluded = (...results: CorpusResult[]) =>
  conclude({ question: 'Refunds?', subquestions: ['Refunds?'], effort: 'standard', results, provenances: [] });

const confidences = (...own: (CorpusSource | undefined)[]): string[] =>
  concluded(resultOf('signals', 1, ...own.filter((item) => item !== undefined))).extra.findings.map(
    ({ confidence }) => confidence,
  );

test('a finding is certain with two other voices, and likely with one', () => {
  const [one, two, three] = ['a', 'b', 'c'].map((customer) => signal(customer, 'refunds never reach my card'));
  const other = signal('d', 'invoices are printed twice at night');

  expect(confidences(one, other)).toEqual(['low', 'low']);
  expect(confidences(one, two, other)).toEqual(['medium', 'medium', 'low']);
  expect(confidences(one, two, three, other)).toEqual(['high', 'high', 'high', 'low']);
});

test('the corpus that answers a part best comes first', () => {
  const weak = signal('weak', 'a refund');
  const strong: CorpusSource = { ...signal('strong', 'refunds take 5 days'), corpus: 'documents' };

  const { answer, sources } = concluded(resultOf('signals', 0.4, weak), resultOf('documents', 0.9, strong));

  expect(sources.map(({ id }) => id)).toEqual(['sig:strong', 'sig:weak']);
  expect(answer).toEqual([{ sentence: 'First: “refunds take 5 days”', cites: [1] }]);
});

test('the score is that of the best corpus of each part, over all parts, and a finding names its sources from 1', () => {
  const [one, two] = ['a', 'b'].map((customer) => signal(customer, 'refunds never reach my card'));
  const own = [one, two].filter((item) => item !== undefined);
  const results = [resultOf('signals', 0.45678, ...own), resultOf('documents', 0.2)];

  const single = concluded(...results);
  const both = conclude({
    question: 'Refunds and fees?',
    subquestions: ['Refunds?', 'Fees?'],
    effort: 'standard',
    results,
    provenances: [],
  });

  expect([single.confidence.score, both.confidence.score]).toEqual([0.457, 0.228]);
  expect(single.extra.findings.map((finding) => [finding.sources, finding.supported_by])).toEqual([
    [[1], [2]],
    [[2], [1]],
  ]);
});

test('a corpus that nothing fits in is a gap by its name, and a part that no corpus answers', () => {
  const own = signal('a', 'refunds never reach my card');

  expect(concluded(resultOf('signals', 1, own)).gaps).toEqual([]);
  expect(concluded(resultOf('signals', 1, own), resultOf('documents', 0)).gaps).toEqual(['nothing fits in: documents']);
  expect(concluded(resultOf('documents', 0)).gaps).toEqual([
    'nothing was found for “Refunds?”',
    'nothing fits in: documents',
  ]);
});
