import { expect, test } from 'vitest';
import { folderLevels } from './folder-levels.ts';

const folder = (path: string, uses: Record<string, number> = {}, files = 1) => ({
  path,
  files,
  uses: Object.entries(uses).map(([used, count]) => ({ path: used, files: count })),
});
const pathsOf = (levels: ReturnType<typeof folderLevels>): string[][] =>
  levels.map((level) => level.map(({ path }) => path));

test('every folder stands above all that it uses, the largest of a level first', () => {
  const levels = folderLevels([
    folder('lib'),
    folder('store', { lib: 2 }),
    folder('web', { store: 1, lib: 9 }),
    folder('cli', { store: 1 }, 7),
    folder('elsewhere', { gone: 3 }),
  ]);

  expect(pathsOf(levels)).toEqual([['cli', 'web'], ['store'], ['elsewhere', 'lib']]);
});

test('of a circle the use by the fewest files does not count', () => {
  const levels = folderLevels([folder('a', { b: 5 }), folder('b', { c: 4, a: 2 }), folder('c', { a: 1 })]);

  expect(pathsOf(levels)).toEqual([['a'], ['b'], ['c']]);
});
