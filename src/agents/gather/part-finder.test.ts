import { expect, test } from 'vitest';
import { MAP_ROW } from '../../testing/map-row.ts';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { type Part, PartFinder } from './part-finder.ts';

const HIT = { start: 1, end: 1, symbol: 'run', kind: 'function', signature: '', doc: '' };

const CHANGED = { score: 1, revisions: 1, authors: 1, complexity: 1, fix_share: 0, lines: 1 };

interface Repository {
  folders?: readonly string[];
  /** Files that a search for the words finds, the best first, each with what it says. */
  hits?: readonly (readonly [path: string, body: string])[];
  /** Files by how much they change. */
  files?: readonly string[];
}

async function find(words: string, { folders = [], hits = [], files = [] }: Repository) {
  const { tools, asked } = scriptedTools((_, { action, limit }) => {
    if (action === 'hotspots') return files.slice(0, Number(limit)).map((path) => ({ ...CHANGED, path }));
    if (action !== 'semantic_search') return [];
    return hits.map(([path, body], at) => ({ ...HIT, path, body, score: 1 / (at + 1) }));
  });
  const rows = folders.map((path) => ({ ...MAP_ROW, path }));
  const phrase = { text: words, words: words.split(' '), by: '', kind: '' };
  const part: Part | undefined = await new PartFinder(tools, { repo: 'shop', rows }).find(phrase);
  return { part, paths: asked.map(({ args }) => args['path']) };
}

/** What is meant beside the best of two folders, where a search finds files of some folders in this order. */
async function besideFound(...places: string[]): Promise<readonly string[] | undefined> {
  const hits = places.map((folder) => [`${folder}/a.ts`, 'config'] as const);
  const { part } = await find('configuration', { folders: ['src/conf', 'lib/all/conf'], hits });
  return part?.others;
}

test('what is hardly further behind may be meant as well', async () => {
  // 0.047 and 0.056 behind, for its depth and for its place among what is found.
  expect(await besideFound('x/mail', 'src/conf', 'lib/all/conf')).toContain('lib/all/conf');
  expect(await besideFound('x/mail', 'src/conf', 'y/mail', 'lib/all/conf')).not.toContain('lib/all/conf');
});

test('three others are told at most, and with so many a search decides before a name', async () => {
  const folders = ['a/conf', 'b/conf', 'c/conf', 'd/conf', 'e/conf'];
  const hits = [['src/read.ts', 'configuration']] as const;

  expect((await find('configuration', { folders })).part?.others).toHaveLength(3);
  expect((await find('configuration', { folders: folders.slice(0, 4), hits })).part).toMatchObject({ how: 'searched' });
  expect((await find('configuration', { folders: folders.slice(0, 3), hits })).part).toMatchObject({ how: 'alike' });
});

test('what is found says half of the words at least', async () => {
  const hits = [['src/pay.ts', 'refund voucher']] as const;

  expect((await find('refund voucher coupon rebate', { hits })).part?.path).toBe('src/pay.ts');
  expect((await find('refund voucher coupon rebate discount', { hits })).part).toBeUndefined();
});

test('the hundred files that change most are looked at', async () => {
  const others = Array.from({ length: 100 }, (_, at) => `src/other${at}.ts`);

  expect((await find('weather', { files: [...others.slice(1), 'lib/weather.ts'] })).part?.path).toBe('lib/weather.ts');
  expect((await find('weather', { files: [...others, 'lib/weather.ts'] })).part).toBeUndefined();
});

test('a word stands anywhere in the name of a file with four letters, and with three only at its beginning', async () => {
  expect((await find('bank tax', {})).paths).toContain('{**/*[bB]ank*,**/*[bB]ank*/**,**/[tT]ax*,**/[tT]ax*/**}');
});
