import { expect, test } from 'vitest';
import { BestHits, type Ranked } from './best-hits.ts';

function hit(entry: number, more: Partial<Ranked> = {}): Ranked {
  return { entry, score: 0, meaning: 0, date: Number.NaN, corpus: 0, any: 0, head: 0, ...more };
}

/** The entries of the best hits. */
function bestOf(limit: number, hits: readonly Ranked[]): number[] {
  const best = new BestHits(limit);
  for (const one of hits) best.add(one);
  return best.sorted().map(({ entry }) => entry);
}

test('the best come first, of one score the newest, then by corpus, then by entry', () => {
  const hits = [
    hit(5),
    hit(4),
    hit(3, { corpus: 1 }),
    hit(6, { date: 20 }),
    hit(7, { date: 10 }),
    hit(8, { date: Number.NaN }),
    hit(9, { score: 0.1 }),
  ];

  expect(bestOf(9, hits)).toEqual([9, 6, 7, 4, 5, 8, 3]);
  expect(bestOf(2, hits)).toEqual([9, 6]);
  expect(bestOf(0, hits)).toEqual([]);
});

test('of many hits the best are the same in whatever order they come', () => {
  const hits = Array.from({ length: 5_000 }, (_, entry) => hit(entry, { score: ((entry * 7919) % 5_000) / 5_000 }));
  const expected = hits.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry);

  for (const order of [hits, hits.toReversed(), hits.toSorted((a, b) => a.score - b.score)])
    expect(bestOf(3, order)).toEqual(expected.slice(0, 3));
  // All of one score: the first stay.
  expect(
    bestOf(
      3,
      Array.from({ length: 3_000 }, (_, entry) => hit(entry)),
    ),
  ).toEqual([0, 1, 2]);
});

test('a hit is copied, so that the next one may be written over it', () => {
  const best = new BestHits(2);
  const one = hit(1, { score: 1 });
  best.add(one);
  best.add(Object.assign(one, { entry: 2, score: 0.5 }));

  expect(best.sorted().map(({ entry, score }) => [entry, score])).toEqual([
    [1, 1],
    [2, 0.5],
  ]);
});
