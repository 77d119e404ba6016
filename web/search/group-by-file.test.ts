import { expect, test } from 'vitest';
import { groupByFile } from './group-by-file.ts';

const row = (repo: string, path: string, line: number) => ({ repo, path, line, text: '' });

test('rows stand under their file, files in the order of their first row', () => {
  const files = groupByFile([
    row('shop', 'b.ts', 9),
    row('shop', 'a.ts', 1),
    row('other', 'b.ts', 2),
    row('shop', 'b.ts', 3),
  ]);

  expect(files.map(({ repo, path, rows }) => [repo, path, ...rows.map(({ line }) => line)])).toEqual([
    ['shop', 'b.ts', 9, 3],
    ['shop', 'a.ts', 1],
    ['other', 'b.ts', 2],
  ]);
});
