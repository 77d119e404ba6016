import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { findPlainPart } from './plain-parts.ts';
import { FolderFinder } from './scope.ts';
import { type MapEntry, readMap } from './structure.ts';

const ROW: MapEntry = {
  part: 'layers',
  path: '',
  role: '',
  files: 1,
  uses: [],
  kind: '',
  manifest: '',
  doc: '',
  refs: 0,
  reason: '',
};
const foldersOf = (...paths: string[]): MapEntry[] => paths.map((path) => ({ ...ROW, path }));

async function find(word: string, ...folders: string[]): Promise<string | undefined> {
  const { tools } = scriptedTools(() => []);
  return new FolderFinder(tools, 'shop', foldersOf(...folders)).find([word], []);
}

test('a word is the folder that it begins with, of four letters or more, where no other one of its depth does', async () => {
  expect(await find('configuration', 'src/conf', 'src/mail')).toBe('src/conf');
  expect(await find('configuration', 'src/con')).toBeUndefined();
  expect(await find('configuration', 'src/conf', 'src/config')).toBeUndefined();
  expect(await find('configuration', 'conf', 'lib/config/old')).toBe('conf');
  expect(await find('conf', 'src/configuration')).toBeUndefined();
});

test('the program is the script that is called like the repository, where there are several', async () => {
  const { tools } = scriptedTools(() => []);
  const entries = ['shop', 'shop-admin'].map((name) => ({
    ...ROW,
    part: 'entries',
    path: `src/${name}/main.py`,
    reason: `script ${name}`,
  }));

  expect(await findPlainPart(tools, 'the command line tool', { repo: 'shop', rows: entries })).toMatchObject({
    path: 'src/shop',
  });
  expect(await findPlainPart(tools, 'the command line tool', { repo: 'yard', rows: entries })).toBeUndefined();
});

test('what stands behind the code that does something is what is meant', async () => {
  const { tools } = scriptedTools(() => []);
  const map = { repo: 'shop', rows: foldersOf('src/config') };

  expect(await findPlainPart(tools, 'the code that handles the configuration file', map)).toMatchObject({
    path: 'src/config',
  });
});

/** Pages that are read of a map that has so many packages, one a page. */
async function pagesRead(packages: number): Promise<number> {
  let page = 0;
  const { tools, asked } = scriptedTools(() => ({
    rows: [{ ...ROW, part: 'packages' }],
    next: `page ${(page += 1)}`,
    counts: { packages },
  }));
  await readMap(tools);
  return asked.length;
}

test('pages of a map are read until all packages are known, and no more than six', async () => {
  expect([await pagesRead(1), await pagesRead(2), await pagesRead(9)]).toEqual([1, 2, 6]);
});
