import { expect, test } from 'vitest';
import type { FileHistory } from '../gather/around.ts';
import { citerOf, placeAt } from '../../testing/prose.ts';
import {
  coupledSentence,
  cycleSentence,
  hotspotSentence,
  layerSentence,
  makersSentence,
  orderSentence,
  packageCountSentence,
  smellSentence,
} from './structure.ts';
import { shortSignature, saysOf } from './symbols.ts';

const cite = citerOf({});
const ROW = {
  path: 'src/a.ts',
  score: 1,
  revisions: 53,
  authors: 32,
  complexity: 9,
  fixes: 0,
  fix_share: 0.256,
  lines: 80,
};

function historyOf(commits: number): FileHistory {
  const rows = Array.from({ length: commits }, (_, at) => row(at)) as FileHistory['commits'];
  const authors = [
    { name: 'Ben', commits: 2 },
    { name: 'Ada', commits: 3 },
  ];
  return { repo: 'shop', commits: rows, ofFirst: [], total: 26, authors, period: 'the last 10 years' };
}

test('a hotspot is told with its two newest commits, and with who changed it most where that is asked', () => {
  const { text, sources } = hotspotSentence(cite, ROW, historyOf(3), true);

  expect(text).toBe(
    'src/a.ts: 53 changes, 26 % of them fixes, complexity 9 in 80 lines; Ada made 3 of 26 commits to it (the last 10 years).',
  );
  expect(sources).toHaveLength(2);
  expect(hotspotSentence(cite, { ...ROW, fixes: 0, fix_share: 0 }, historyOf(3)).text).toBe(
    'src/a.ts: 53 changes, complexity 9 in 80 lines.',
  );
});

test('of the people who made most commits four are named, and that there are others whose names are not known', () => {
  const authors = ['Ada', 'Ben', 'Cy', 'Dan', 'Eve'].map((name) => ({ name, commits: 2 }));
  const told = (total: number): string | undefined => {
    const makers = { repo: 'shop', authors, total, period: '', shown: [] };
    return makersSentence(cite, { name: 'src', makers, span: 'ever' })[0]?.text;
  };

  expect(told(10)).toBe(
    'Of 10 commits by 5 people to src (ever) most were made by Ada (2), Ben (2), Cy (2), Dan (2) and 1 more.',
  );
  expect(told(11)).toBe(
    'Of 11 commits by more than 5 people to src (ever) most were made by Ada (2), Ben (2), Cy (2), Dan (2) and others.',
  );
});

/** What is told of the commits of one person, of all that there are. */
function tellOne(total: number, commits: number): string | undefined {
  const makers = { repo: 'shop', authors: [{ name: 'Ada', commits }], total, period: '', shown: [] };
  return makersSentence(cite, { name: 'src', makers, span: 'ever' })[0]?.text;
}

test('of one person all commits are told', () => {
  expect(tellOne(3, 3)).toBe('All 3 commits to src (ever) were made by Ada.');
  expect(tellOne(1, 1)).toBe('The only commit to src (ever) was made by Ada.');
  expect(tellOne(4, 3)).toMatch(/^Of 4 commits by more than 1 person/);
});

test('complexity is told as what was counted', () => {
  const row = { path: 'src/a.ts', line: 1, symbol: 'pay', smell: 'complexity', value: 75, threshold: 15, files: [] };

  expect(smellSentence(cite, row, undefined).text).toBe(
    '`pay` (src/a.ts:1) has a cognitive complexity of 75; more than 15 is worth a look.',
  );
});

test('of a circle six files are named, of what a folder uses four', () => {
  const files = Array.from({ length: 9 }, (_, at) => `${at}.ts`);
  const circle = { path: '0.ts', line: 1, symbol: '', smell: 'cycle', value: 9, threshold: 0, files };
  const folder = {
    part: 'layers',
    path: 'src',
    role: '',
    files: 3,
    doc: '',
    refs: 0,
    reason: '',
    kind: '',
    manifest: '',
  };
  const uses = files.map((path) => ({ path, files: 2 }));

  expect(cycleSentence(cite, circle, []).text).toBe(
    '9 files import each other in a circle: 0.ts, 1.ts, 2.ts, 3.ts, 4.ts, 5.ts and 3 more.',
  );
  expect(layerSentence(cite, { ...folder, uses }, undefined).text).toMatch(/3\.ts \(2 pairs of files\) and 5 more\.$/);
  expect(layerSentence(cite, { ...folder, uses: [] }, undefined).text).toBe('src (3 files) uses no other folder.');
});

test('layers have an order from two on, with the heads of two of them', () => {
  const layers = ['a', 'b', 'c'].map((name) => ({ name, path: `src/${name}`, files: 1 }));
  const known = layers.map(({ path }) => placeAt(`${path}/x.ts`, 'x', 'x();'));

  expect(orderSentence(cite, { layers: layers.slice(0, 1), faults: [] }, known)).toEqual([]);
  expect(orderSentence(cite, { layers: layers.slice(0, 2), faults: [] }, known)).toHaveLength(1);
  expect(orderSentence(cite, { layers, faults: [] }, known)[0]?.sources).toHaveLength(2);
});

test('files that change together are told by how often, in whole percents', () => {
  const pair = { a: 'a.ts', b: 'b.ts', shared: 4, degree_pct: 66.7, revisions_a: 5, revisions_b: 7, linked: true };

  expect(coupledSentence(cite, pair, undefined).text).toBe(
    'a.ts and b.ts changed together in 4 commits (67 % of the mean of 5 and 7 commits to each).',
  );
  expect(coupledSentence(cite, { ...pair, linked: false }, undefined).text).toContain(
    'though neither refers to the other',
  );
  // What a file of settings refers to is not known.
  const settings = { ...pair, a: 'web/package.json', b: 'package.json', linked: false };
  expect(coupledSentence(cite, settings, undefined).text).toMatch(/commits to each\)\.$/);
});

const doc = (length: number): string => `Return the ${'x'.repeat(length - 11)}`;
const row = (at: number) => ({
  id: `c:${at}`,
  sha: `${at}`,
  subject: `feat: ${at}`,
  date: '2026-01-01',
  author: 'Ada',
});

test('documentation of 180 characters is told of its symbol, and 90 of a signature', () => {
  expect([saysOf(doc(180)) === undefined, saysOf(doc(181)) === undefined]).toEqual([false, true]);
  expect([shortSignature('x'.repeat(90)).length, shortSignature('x'.repeat(91))]).toEqual([90, `${'x'.repeat(90)}…`]);
  // A verb of two letters is none that a list does not have.
  expect([saysOf('Go the way'), saysOf('Hop the way'), saysOf('Fetches it'), saysOf('Applies it')]).toEqual([
    undefined,
    'hops the way',
    'fetches it',
    'applies it',
  ]);
});

test('the package that most others import is told from three of them on', () => {
  const one = { path: '', files: 1, manifest: '', imports: [], others: [] };
  const told = (importers: readonly string[]): string | undefined =>
    packageCountSentence(
      [{ ...one, name: 'base', importedBy: importers }],
      [cite.place(placeAt('a.ts', 'send', 'go();'), 'main')],
    )[0]?.text;

  expect(told(['a', 'b', 'c'])).toContain('3 of them import base');
  expect(told(['a', 'b'])).not.toContain('import base');
});
