import { expect, test } from 'vitest';
import { FEATURES, type Feature, type FileFeatures, likelihoodsOf, weighFiles, weighStated } from './rank-files.ts';

const WORDS: readonly Feature[] = ['text', 'symbols', 'title_search', 'history', 'fixes'];

/** Features of files, each given by what speaks for it. */
function featuresOf(files: readonly Partial<Record<Feature, number>>[]): FileFeatures {
  const entries = FEATURES.map((name) => [name, Float32Array.from(files, (file) => file[name] ?? 0)]);
  return Object.fromEntries(entries) as FileFeatures;
}

const all = (names: readonly Feature[], value: number): Partial<Record<Feature, number>> =>
  Object.fromEntries(names.map((name) => [name, value]));

const order = (files: readonly Partial<Record<Feature, number>>[]): number[] => {
  const sums = weighFiles(featuresOf(files));
  return [...sums.keys()].toSorted((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0));
};

test.each(FEATURES.filter((name) => !['beside', 'tooling', 'prose', 'test'].includes(name)))(
  'of two files that words speak for alike, the one with more of %s comes first',
  (name) => {
    expect(order([all(WORDS, 0.5), { ...all(WORDS, 0.5), [name]: 1 }])).toEqual([1, 0]);
  },
);

test.each(['beside', 'tooling', 'prose', 'test'] as const)('%s puts a file behind one that words fit less', (name) => {
  expect(order([{ ...all(WORDS, 0.6), [name]: 1 }, all(WORDS, 0.5)])[0]).toBe(1);
});

test('the place of a trace comes before a file that the words of the report fit better', () => {
  expect(order([all(WORDS, 0.9), { ...all(WORDS, 0.2), frame: 1 }])).toEqual([1, 0]);
});

test('likelihoods add up to 1, and a file that nothing speaks for has no weight', () => {
  const sums = weighFiles(featuresOf([{}, all(WORDS, 0.5), all(WORDS, 0.5), { prose: 1 }]));
  const likelihoods = likelihoodsOf(sums);

  expect(likelihoods[1]).toBe(likelihoods[2]);
  expect(likelihoods.reduce((sum, likelihood) => sum + likelihood, 0)).toBeCloseTo(1);
  expect(sums[0]).toBe(0);
  expect(sums[3]).toBeLessThan(0);
});

test('what does not depend on words is weighed apart', () => {
  const stated = weighStated(featuresOf([all(WORDS, 1), { frame: 1 }, { literal: 1 }, { changed: 1 }, { test: 1 }]));

  expect([...stated].map(Math.sign)).toEqual([0, 1, 1, 1, -1]);
});
