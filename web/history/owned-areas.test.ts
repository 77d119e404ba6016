import { expect, test } from 'vitest';
import { areasIn, areasWithin, ownersIn } from './owned-areas.ts';

const file = (path: string, lines: number, owner: number | null, busFactor = 1) => ({
  path,
  lines,
  owner,
  owner_pct: 60,
  bus_factor: busFactor,
});
const FILES = [
  file('src/mail/send.ts', 60, 0),
  file('src/mail/read.ts', 30, 1, 2),
  file('src/a.ts', 20, 1, 3),
  file('docs/a.md', 40, 2),
  file('readme.md', 10, null, 0),
];

const paths = (most: number, folder = '') => areasWithin(FILES, folder, most).map(({ path }) => path);

test('a folder belongs to the people with most of its lines', () => {
  const [src, docs, readme] = areasIn(FILES, '');

  expect(src).toEqual({
    path: 'src',
    isFolder: true,
    files: 3,
    lines: 110,
    owner: 0,
    share: 60 / 110,
    busFactor: 1,
    alone: 60 / 110,
  });
  expect(docs).toMatchObject({ path: 'docs', owner: 2, share: 1, busFactor: 1, alone: 1 });
  expect(readme).toMatchObject({ path: 'readme.md', isFolder: false, owner: null, busFactor: 0, alone: 0 });
  expect(areasIn(FILES, 'src').map(({ path, share }) => [path, share])).toEqual([
    ['src/mail', 60 / 90],
    ['src/a.ts', 0.6],
  ]);
});

test('two people own half of a folder each: it takes both to lose more than half', () => {
  expect(areasIn([file('a/x', 10, 0), file('a/y', 10, 1), file('a/z', 5, 2)], '')[0]?.busFactor).toBe(2);
});

test('the largest folders are opened first, and nothing is lost', () => {
  expect(paths(3)).toEqual(['src', 'docs/a.md', 'readme.md']);
  expect(paths(4).toSorted()).toEqual(['docs/a.md', 'readme.md', 'src/a.ts', 'src/mail']);
  expect(paths(5).toSorted()).toEqual(['docs/a.md', 'readme.md', 'src/a.ts', 'src/mail/read.ts', 'src/mail/send.ts']);
  expect(paths(1, 'src/mail')).toEqual(['src/mail/send.ts', 'src/mail/read.ts']);
  for (const most of [1, 2, 3, 4, 5])
    expect(areasWithin(FILES, '', most).reduce((sum, { lines }) => sum + lines, 0)).toBe(160);
});

test('people are listed with their lines at bus factor 1', () => {
  expect(ownersIn(FILES, 'src')).toEqual([
    { owner: 0, files: 1, lines: 60, share: 60 / 110, alone: 60 },
    { owner: 1, files: 2, lines: 50, share: 50 / 110, alone: 0 },
  ]);
});
