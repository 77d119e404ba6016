import { expect, test } from 'vitest';
import { citerOf, placeAt } from '../../testing/prose.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import type { PackageLinks } from '../gather/imports.ts';
import { parseQuestion } from '../question/question.ts';
import { groupFiles, tellPackages } from './packages.ts';

/** Packages in a row, each of which imports the next. */
function rowOf(count: number): PackageLinks[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `p${at}`,
    path: `packages/p${at}`,
    files: 1,
    manifest: `packages/p${at}/package.json`,
    imports:
      at + 1 === count
        ? []
        : [{ name: `p${at + 1}`, lines: [{ path: `packages/p${at}/a.js`, line: 1, text: 'import' }] }],
    importedBy: at === 0 ? [] : [`p${at - 1}`],
    others: [],
  }));
}

async function tell(count: number, question = 'Which packages are there?', more: Partial<PackageLinks>[] = []) {
  const { tools } = scriptedTools((_, { query }) => [placeAt(String(query).replace(/:.*$/, ''), '', '{}')]);
  const inquiry = { tools, cite: citerOf({}), question: parseQuestion(question), notes: [] };
  const packages = rowOf(count).map((one, at) => ({ ...one, ...more[at] }));
  const paragraphs = await tellPackages(inquiry, 'shop', packages);
  return paragraphs.flatMap(({ sentences }) => sentences.map(({ text }) => text));
}

test('up to eight packages are told in full, more by what they import alone', async () => {
  expect((await tell(8))[1]).toBe('p0 (packages/p0, 1 file) imports p1 (1 file), and none imports it.');
  expect((await tell(9))[1]).toBe('p0 imports p1.');
  expect((await tell(9)).at(-1)).toBe('p7 imports p8.');
});

test('that there are several packages is said first, with those at both ends', async () => {
  expect((await tell(3))[0]).toBe('The repository has 3 packages; p2 imports none of the others; none imports p0.');
});

test('who asks for the packages at the bottom or on top is told these, with those that stand alone, and no others', async () => {
  const alone = { imports: [], importedBy: [] };

  expect(await tell(5, 'Which packages are at the bottom?', [{}, {}, {}, { imports: [] }, alone])).toEqual([
    'Using no other package: p3 (used by 1).',
    'Neither using nor used by another package: p4.',
  ]);
  expect(await tell(3, 'Which packages sit on top, and which are leaves?')).toEqual([
    'Using no other package: p2 (used by 1).',
    'Used by no other package: p0 (using 1).',
  ]);
});

test('a package that takes another version of one than lies there is said not to be counted', async () => {
  const others = [{ from: 'site', to: 'p1', otherVersion: '^1.0.0' }];
  const { tools } = scriptedTools(() => []);
  const notes: string[] = [];
  const inquiry = { tools, cite: citerOf({}), question: parseQuestion('Which packages are there?'), notes };

  await tellPackages(
    inquiry,
    'shop',
    rowOf(2).map((one) => ({ ...one, others: one.name === 'p0' ? others : [] })),
  );

  expect(notes).toEqual(['not counted: site takes p1 ^1.0.0, which is not the one of this repository']);
});

test('files are counted by the innermost package that they lie in, and by folders where there is none', () => {
  const rows = [
    { part: 'packages', path: '.', package: 'shop' },
    { part: 'packages', path: 'lib', package: 'lib' },
    { part: 'packages', path: 'lib/mail', package: 'mail' },
  ];

  const files = ['lib/a.ts', 'lib/mail/b.ts', 'lib/mail/c.ts', 'src/x/d.ts', 'e.ts'];

  expect(groupFiles(files, rows)).toEqual({
    unit: 'package',
    parts: [
      { name: 'mail', files: 2 },
      { name: 'lib', files: 1 },
    ],
  });
  expect(groupFiles(files.slice(3), rows.slice(0, 1))).toEqual({
    unit: 'folder',
    parts: [
      { name: 'src/x', files: 1 },
      { name: 'the root', files: 1 },
    ],
  });
});
