import { expect, test } from 'vitest';
import { FEATURES, type Feature, type FileFeatures, rankFiles } from './rank-files.ts';

const WORDS: readonly Feature[] = ['text', 'symbols', 'title_search', 'history', 'fixes'];

/** Features of files, each given by what speaks for it. */
function featuresOf(files: readonly Partial<Record<Feature, number>>[]): FileFeatures {
  const entries = FEATURES.map((name) => [name, Float32Array.from(files, (file) => file[name] ?? 0)]);
  return Object.fromEntries(entries) as FileFeatures;
}

const all = (names: readonly Feature[], value: number): Partial<Record<Feature, number>> =>
  Object.fromEntries(names.map((name) => [name, value]));

const order = (files: readonly Partial<Record<Feature, number>>[]): number[] =>
  rankFiles(featuresOf(files), 20).map(({ file }) => file);

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

test('equal files keep their order, likelihoods sum up to 1, and files that nothing speaks for are left out', () => {
  const ranked = rankFiles(featuresOf([{}, all(WORDS, 0.5), all(WORDS, 0.5), { prose: 1 }]), 20);

  expect(ranked.map(({ file }) => file)).toEqual([1, 2]);
  expect(ranked[0]?.likelihood).toBe(ranked[1]?.likelihood);
  const most = rankFiles(featuresOf([all(WORDS, 1), all(WORDS, 0.5)]), 20).reduce(
    (sum, { likelihood }) => sum + likelihood,
    0,
  );
  expect(most).toBeCloseTo(1);
});
