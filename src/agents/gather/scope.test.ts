import { expect, test } from 'vitest';
import { MAP_ROW } from '../../testing/map-row.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { findPlainPart } from './plain-parts.ts';
import { phrasesOf } from '../question/phrases.ts';
import { type Part, PartFinder } from './part-finder.ts';
import { type MapEntry, readMap } from './structure.ts';

const foldersOf = (...paths: string[]): MapEntry[] => paths.map((path) => ({ ...MAP_ROW, path }));

async function find(words: string, ...folders: string[]): Promise<Part | undefined> {
  const { tools } = scriptedTools(() => []);
  const [phrase = { text: words, words: [words], by: '', kind: '' }] = phrasesOf(`in the ${words}`);
  return new PartFinder(tools, { repo: 'shop', rows: foldersOf(...folders) }).find(phrase);
}

test('plain words mean the folder that is called like them, by other words, beginnings, or two words in one', async () => {
  expect(await find('weather', 'lib/weather', 'src/bank')).toMatchObject({ path: 'lib/weather', how: 'named' });
  expect(await find('configuration', 'src/conf', 'src/mail')).toMatchObject({ path: 'src/conf', how: 'alike' });
  expect(await find('database layer', 'beets/dbcore', 'beets/ui')).toMatchObject({ path: 'beets/dbcore' });
  expect(await find('user interface', 'beets/dbcore', 'beets/ui')).toMatchObject({ path: 'beets/ui' });
  expect(await find('automatic tagging', 'beets/autotag', 'beets/ui')).toMatchObject({ path: 'beets/autotag' });
  expect(await find('internationalisation', 'packages/i18n', 'packages/web')).toMatchObject({ path: 'packages/i18n' });
  expect(await find("normalised cache's store", 'exchanges/graphcache/store', 'lib/store', 'lib/mail')).toMatchObject({
    path: 'exchanges/graphcache/store',
  });
  expect(await find('configuration', 'src/con')).toBeUndefined();
  expect(await find('tree', 'src/three')).toBeUndefined();
});

test('folders that fit as well are told beside the one that is taken', async () => {
  expect(await find('configuration', 'src/conf', 'lib/config')).toMatchObject({ others: [expect.any(String)] });
  expect(await find('configuration', 'src/conf', 'test/config')).toMatchObject({ path: 'src/conf', others: [] });
});

test('the program is the script that is called like the repository, where there are several', async () => {
  const { tools } = scriptedTools(() => []);
  const entries = ['shop', 'shop-admin'].map((name) => ({
    ...MAP_ROW,
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
    rows: [{ ...MAP_ROW, part: 'packages' }],
    next: `page ${(page += 1)}`,
    counts: { packages },
  }));
  await readMap(tools);
  return asked.length;
}

test('pages of a map are read until all packages are known, and no more than six', async () => {
  expect([await pagesRead(1), await pagesRead(2), await pagesRead(9)]).toEqual([1, 2, 6]);
});

/** What a phrase means where a search finds some files, the first one best. */
async function findBySearch(words: string, hits: readonly { path: string; body: string }[]): Promise<Part | undefined> {
  const place = { start: 1, end: 1, symbol: 'run', kind: 'function', signature: '', doc: '', score: 1 };
  const { tools } = scriptedTools((_, { action }) =>
    action === 'semantic_search' ? hits.map((hit) => ({ ...place, ...hit })) : [],
  );
  const phrase = { text: words, words: words.split(' '), by: 'the', kind: '' };
  return new PartFinder(tools, { repo: 'shop', rows: foldersOf('src/bank') }).find(phrase);
}

test('words that no name has mean the file in which nearly half of what a search finds lies, if that has half of them', async () => {
  const refund = { path: 'src/bank/pay.ts', body: 'refund the order' };
  const other = { path: 'lib/mail.ts', body: 'refund by mail' };

  expect(await findBySearch('refund', [refund, other])).toMatchObject({ path: 'src/bank/pay.ts', how: 'searched' });
  expect(await findBySearch('refund voucher', [refund])).toMatchObject({ how: 'searched' });
  expect(await findBySearch('refund voucher coupon', [refund])).toBeUndefined();
  expect(
    await findBySearch('refund', [other, refund, { ...refund, path: 'a/b.ts' }, { ...refund, path: 'c/d.ts' }]),
  ).toMatchObject({
    path: 'lib/mail.ts',
  });
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: `${name}/x.ts`, body: 'refund' }));
  expect(await findBySearch('refund', many)).toBeUndefined();
});

test('a name is taken for what is meant with half of the words, and not with less', async () => {
  expect(await find('mail queue', 'src/mail', 'src/bank')).toMatchObject({ path: 'src/mail', how: 'alike' });
  expect(await find('mail queue retry limit', 'src/mail', 'src/bank')).toBeUndefined();
});
