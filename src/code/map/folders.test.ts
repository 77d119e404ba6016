import { expect, test } from 'vitest';
import { purposeOf, splitFolders } from './folders.ts';

const files = (counts: Record<string, number>): { id: number; path: string }[] =>
  Object.entries(counts)
    .flatMap(([folder, count]) => Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`))
    .map((path, id) => ({ id, path }));

test('the largest folder is split until there are enough; each file is in one', () => {
  const all = files({ 'a/one': 6, 'a/two': 4, 'b/x': 1, 'b/y': 1, 'c/deep/er': 2 });

  for (const most of [1, 3, 4, 6, 20]) {
    const units = splitFolders(all, most);
    expect(units.length).toBeLessThanOrEqual(most);
    expect(units.flatMap((unit) => unit.files).toSorted((a, b) => a - b)).toEqual(all.map(({ id }) => id));
  }
  expect(splitFolders(all, 4).map(({ folder }) => folder)).toEqual(['a/one', 'a/two', 'b', 'c/deep/er']);
});

test('of more folders than there may be, the smallest stay together', () => {
  const all = files({ a: 5, b: 4, c: 3, d: 1, e: 1 });

  expect(splitFolders(all, 3).map((unit) => [unit.folder, unit.files.length])).toEqual([
    ['', 5],
    ['a', 5],
    ['b', 4],
  ]);
});

test.each([
  ['okhttp/src/jvmTest/kotlin', 'test'],
  ['examples/celery', 'docs'],
  ['benchmarks/jsx', 'build'],
  ['src/latest', undefined],
])('%s is for %s', (folder, purpose) => {
  expect(purposeOf(folder)).toBe(purpose);
});
