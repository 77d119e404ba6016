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

/** So many sources of documents, each with a number of days of its own. */
const differing = (count: number): CorpusSource[] =>
  Array.from({ length: count }, (_, at) => ({
    ...signal(String(at), `refunds reach the card of customers in ${at + 2} days`),
    corpus: 'documents' as const,
    date: `2026-01-${String(count - at).padStart(2, '0')}T10:00:00Z`,
  }));

test('what differs is stated five times at most, with both sources', () => {
  const { answer, extra } = concluded(resultOf('documents', 1, ...differing(4), signal('z', 'invoices are printed')));

  expect(extra.contradictions).toHaveLength(5);
  expect(extra.contradictions[0]).toEqual({
    a: { claim: 'refunds reach the card of customers in 2 days', sources: [1] },
    b: { claim: 'refunds reach the card of customers in 3 days', sources: [2] },
    why: '2 against 3 days',
  });
  expect(answer.slice(0, 2)).toEqual([
    { sentence: 'First: “refunds reach the card of customers in 2 days”', cites: [1] },
    {
      sentence:
        'Sources differ, 2 against 3 days: “refunds reach the card of customers in 2 days” and “refunds reach the card of customers in 3 days”.',
      cites: [1, 2],
    },
  ]);
});

test('a timeline has the last twelve dated lines, oldest first', () => {
  const [first] = differing(1);
  if (first === undefined) throw new Error('There is no source.');
  const silent = { ...first, source: { ...first.source, id: 'sig:silent' }, quote: '' };
  const undated = { ...first, source: { ...first.source, id: 'sig:undated' }, date: '' };
  const { timeline } = concluded(resultOf('documents', 1, ...differing(14), silent, undated)).extra;

  expect(timeline.map(({ date }) => date.slice(8))).toEqual(
    Array.from({ length: 12 }, (_, at) => String(at + 3).padStart(2, '0')),
  );
  expect(timeline[0]).toEqual({
    date: '2026-01-03',
    claim: 'refunds reach the card of customers in 13 days',
    sources: [12],
  });
});

const callFor = (query: string) => ({ operation: 'code-tool', args: { action: 'usages', query }, why: query });

test('facts come first, certain, with the sources that they rest on; effort decides how many findings there are', () => {
  const own = Array.from({ length: 40 }, (_, at) => signal(String(at), `line ${'x'.repeat(at + 1)}`));
  const result = resultOf('code', 0.4, ...own);
  const [part] = result.parts;
  if (part === undefined) throw new Error('There is no part.');
  const facts = [{ sentence: 'Two places call it.', cites: [1, 99] }];
  const next = Array.from({ length: 7 }, (_, at) => callFor(`name${at}`));
  const results = [{ ...result, parts: [{ ...part, facts, next }], calls: ['one', 'two'] }, resultOf('plans', 0.1)];
  const brief = (effort: 'quick' | 'standard' | 'deep') =>
    conclude({ question: 'Refunds?', subquestions: ['Refunds?'], effort, results, provenances: [] });
  const quick = brief('quick');

  expect([quick, brief('standard'), brief('deep')].map(({ extra }) => extra.findings.length)).toEqual([8, 16, 32]);
  expect(quick.extra.findings[0]).toMatchObject({ claim: 'Two places call it.', sources: [1], confidence: 'high' });
  expect(quick.answer).toEqual([{ sentence: 'Two places call it.', cites: [1] }]);
  expect(quick.sources.slice(0, 2).map(({ id }) => id)).toEqual(['sig:1', 'sig:0']);
  expect([quick.isComputed, concluded(result).isComputed]).toEqual([true, false]);
  expect(quick.lookedAt).toEqual({ calls: 2, places: 40 });
  expect([quick.next.length, quick.extra.actions.length]).toEqual([3, 5]);
});

test('of several parts each has a heading, also the one for which nothing was found', () => {
  const results = [resultOf('signals', 1, signal('a', 'refunds never reach my card'))];
  const { answer, extra } = conclude({
    question: 'Refunds and fees?',
    subquestions: ['Refunds?', 'Fees?'],
    effort: 'standard',
    results,
    provenances: [],
  });

  expect(answer).toEqual([
    { sentence: 'On “Refunds?”:', cites: [] },
    { sentence: 'First: “refunds never reach my card”', cites: [1] },
    { sentence: 'On “Fees?”:', cites: [] },
    { sentence: 'Nothing was found.', cites: [] },
  ]);
  expect(extra).toMatchObject({ contradictions: [], timeline: [], actions: [] });
});

const codeLine = (id: string, path: string, repo = 'shop'): CorpusSource => ({
  ...signal(id, 'refunds never reach my card'),
  corpus: 'code',
  source: { id, kind: 'code', repo, path, why: [], shown: [], score: 1 },
});
const corroboration = (...lines: CorpusSource[]): number | undefined => {
  const own = [signal('a', 'refunds never reach my card'), ...lines, signal('b', 'invoices are printed at night')];
  return concluded(resultOf('signals', 1, ...own)).extra.findings[0]?.corroboration;
};

test('a corpus that has something for one of the parts is no gap', () => {
  const [own] = resultOf('signals', 1, signal('a', 'refunds never reach my card')).parts;
  const [silent] = resultOf('signals', 0).parts;
  if (own === undefined || silent === undefined) throw new Error('There is no part.');
  const results = [{ corpus: 'signals' as const, calls: [], parts: [own, { ...silent, about: 'Fees?' }] }];
  const { gaps } = conclude({
    question: 'Refunds and fees?',
    subquestions: ['Refunds?', 'Fees?'],
    effort: 'standard',
    results,
    provenances: [],
  });

  expect(gaps).toEqual(['nothing was found for “Fees?”']);
});

test('lines of one file are one voice, lines of two files are two', () => {
  expect(corroboration(codeLine('1', 'a.ts'), codeLine('2', 'a.ts'))).toBe(1);
  expect(corroboration(codeLine('1', 'a.ts'), codeLine('2', 'b.ts'))).toBe(2);
  expect(corroboration(codeLine('1', 'a.ts'), codeLine('2', 'a.ts', 'till'))).toBe(2);
});
