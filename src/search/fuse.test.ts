import { expect, test } from 'vitest';
import type { Candidate, SearchCorpus } from './candidate.ts';
import { fuse, termWeights } from './fuse.ts';

function candidate(corpus: SearchCorpus, id: string, more: Partial<Candidate> = {}): Candidate {
  return {
    corpus,
    id,
    title: id,
    where: '',
    date: undefined,
    terms: ['refund'],
    headTerms: [],
    relevance: 1,
    sameness: id,
    thing: id,
    snippet: '',
    ...more,
  };
}

const EQUAL = new Map([
  ['refund', 1],
  ['card', 1],
]);

const ids = (candidates: readonly Candidate[], weights: ReadonlyMap<string, number> = EQUAL): string[] =>
  fuse(candidates, weights).map((hit) => hit.candidate.id);

test('a rare word weighs more than a common one, and one that nothing has weighs most', () => {
  const people = [{ documents: 1000, having: [900, 3, 0] }];

  const weights = termWeights(['data', 'refund', 'unicorn'], [[], people]);

  expect(weights.get('unicorn')).toBe(1);
  expect(weights.get('refund')).toBeGreaterThan(3 * (weights.get('data') ?? 1));
  expect([...termWeights(['refund'], []).values()]).toEqual([1]);
});

test('a large collection counts by the logarithm of its size, and those of a kind count together', () => {
  const code = { documents: 100_000, having: [50_000] };
  const signals = [{ documents: 100, having: [1] }];

  const weight = termWeights(['refund'], [[code], signals]).get('refund') ?? 0;
  const three = termWeights(['refund'], [[code, code, code], signals]).get('refund') ?? 0;

  expect(weight).toBeGreaterThan(0.2);
  expect(Math.abs(weight - three)).toBeLessThan(0.05);
});

test('who has more of the question comes first, whatever corpus it is in', () => {
  const whole = candidate('signals', 'sig:1', { terms: ['refund', 'card'], relevance: 0.6 });

  expect(ids([candidate('code', 'a.ts:1-2'), whole, candidate('commits', 'c:1')])[0]).toBe('sig:1');
});

test('the best of a corpus that has nothing to say is not much', () => {
  const far = candidate('code', 'a.ts:1-2', { terms: [], relevance: 1 });
  const near = candidate('plans', 'plan:a', { relevance: 0.4 });

  const [first, second] = fuse([far, near], EQUAL);

  expect([first?.candidate.id, second?.score]).toEqual(['plan:a', 0]);
});

test('a corpus with many good hits leaves room for the others', () => {
  const signals = Array.from({ length: 20 }, (_, at) => candidate('signals', `sig:${String(at).padStart(2, '0')}`));
  const order = ids([...signals, candidate('decisions', 'dec:1', { relevance: 0.7 })]);

  expect(order.indexOf('dec:1')).toBeGreaterThan(0);
  expect(order.indexOf('dec:1')).toBeLessThan(10);
});

test('what says the same is folded, and few parts of one thing are shown', () => {
  const twice = [candidate('commits', 'c:1', { sameness: 'x' }), candidate('commits', 'c:2', { sameness: 'x' })];
  const parts = ['a', 'b', 'c'].map((part) =>
    candidate('documents', 'doc:1', { part, sameness: `doc ${part}`, thing: 'doc' }),
  );

  const hits = fuse([...twice, ...parts], EQUAL);

  expect(hits.map(({ candidate: { id, part }, duplicates }) => [id, part, duplicates])).toEqual([
    ['c:1', undefined, 1],
    ['doc:1', 'a', 1],
    ['doc:1', 'b', 0],
  ]);
});

test('a file that was found as a document or plan is not found again as code', () => {
  const text = candidate('documents', 'doc:1', { source: 'shop/docs/refunds.md' });
  const plan = candidate('plans', 'plan:1', { source: 'docs/plans/refunds.md' });
  const code = ['docs/refunds.md', 'docs/plans/refunds.md', 'src/refunds.md'].map((path) =>
    candidate('code', path, { location: { path, symbol: '' }, repo: 'shop' }),
  );

  expect(ids([...code, text, plan]).toSorted()).toEqual(['doc:1', 'plan:1', 'src/refunds.md']);
});

test('scores never rise, lie in 0..1, and the order is the same whatever came in first', () => {
  const many = (['code', 'commits', 'plans', 'signals'] as const).flatMap((corpus, at) =>
    Array.from({ length: 10 }, (_, number) =>
      candidate(corpus, `${corpus}:${number}`, {
        relevance: ((number * 7 + at * 3) % 10) / 10,
        terms: number % 2 === 0 ? ['refund'] : ['refund', 'card'],
        headTerms: number % 3 === 0 ? ['card'] : [],
      }),
    ),
  );

  const hits = fuse(many, EQUAL);

  expect(hits).toHaveLength(40);
  for (const [at, { score }] of hits.entries()) {
    expect(score).toBeLessThanOrEqual(hits[at - 1]?.score ?? 1);
    expect(score).toBeGreaterThanOrEqual(0);
  }
  expect(ids(many.toReversed())).toEqual(hits.map((hit) => hit.candidate.id));
});

test('a score is 0.3 of what is covered, 0.3 of what stands in the heading and 0.4 of what the engine says', () => {
  const hits = fuse(
    [
      candidate('code', 'covered', { terms: ['refund', 'card'], relevance: 0 }),
      candidate('commits', 'headed', { terms: ['refund'], headTerms: ['refund'], relevance: 0 }),
      candidate('plans', 'relevant', { terms: ['refund'], relevance: 1 }),
    ],
    new Map([
      ['refund', 3],
      ['card', 1],
    ]),
  );

  expect(hits.map(({ candidate: { id }, score }) => [id, score])).toEqual([
    ['relevant', 0.525],
    ['headed', 0.45],
    ['covered', 0.3],
  ]);
});

test('each further hit of a corpus counts a tenth less, and of alike ones the newest comes first, then the first id and part', () => {
  const equals = ['b', 'a', 'new', 'old'].map((id) =>
    candidate('signals', id, {
      sameness: `s ${id}`,
      ...(id === 'new' && { date: new Date('2026-02-01') }),
      ...(id === 'old' && { date: new Date('2026-01-01') }),
    }),
  );
  const parts = ['2', '1'].map((part) => candidate('plans', 'p', { part, sameness: `p ${part}`, relevance: 0 }));

  const hits = fuse([...equals, ...parts], new Map([['refund', 1]]));

  expect(hits.map(({ candidate: { id, part }, score }) => [id + (part ?? ''), score])).toEqual([
    ['new', 0.7],
    ['old', 0.63],
    ['a', 0.567],
    ['b', 0.51],
    ['p1', 0.3],
    ['p2', 0.27],
  ]);
});

test('where nothing was asked by a word that counts, every hit covers it', () => {
  expect(fuse([candidate('code', 'a', { relevance: 0.5 })], new Map())[0]?.score).toBe(0.5);
  expect(fuse([candidate('code', 'a', { terms: ['refund', 'refund'] })], EQUAL)[0]?.score).toBe(0.35);
});

test('a word weighs by how rare it is in each collection, and one that all have weighs little', () => {
  const weights = termWeights(['all', 'half', 'none'], [[{ documents: 100, having: [100, 50, 0] }]]);

  expect([...weights].map(([term, weight]) => [term, Number(weight.toFixed(3))])).toMatchInlineSnapshot(`
    [
      [
        "all",
        0.05,
      ],
      [
        "half",
        0.131,
      ],
      [
        "none",
        1,
      ],
    ]
  `);
  const two = termWeights(['a'], [[{ documents: 9, having: [9] }], [{ documents: 99, having: [] }]]);
  expect(Number(two.get('a')?.toFixed(3))).toMatchInlineSnapshot(`0.672`);
});
