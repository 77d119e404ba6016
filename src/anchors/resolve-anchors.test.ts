import { expect, test } from 'vitest';
import type { CodePlace } from '../code/places/places.ts';
import type { CodeLookup } from './lookups/code-lookup.ts';
import { resolveAnchors } from './resolve-anchors.ts';
import type { AnchorCandidate } from './mentions/mentions.ts';

type TestLocation = Partial<CodePlace> & { path: string };

function wantAnchor(written: string, over: Partial<AnchorCandidate> = {}): AnchorCandidate {
  return { written, path: '', symbol: written, near: [], elsewhere: [], isCertain: true, isRepeated: false, ...over };
}

function file(path: string, more: Partial<AnchorCandidate> = {}): AnchorCandidate {
  return wantAnchor(path, { path, symbol: '', ...more });
}

/** A repository `shop` with the id `r` that has these symbols, and these files without any. */
function lookupOf(symbols: readonly TestLocation[], files: readonly string[] = []): CodeLookup {
  const codeAt = (at: TestLocation): CodePlace =>
    ({
      symbol: null,
      line: 1,
      syntax: 's',
      sketch: null,
      kind: 'function',
      test: false,
      exported: false,
      ...at,
    }) as CodePlace;
  const lookup: Partial<CodeLookup> = {
    repositoryId: 'r',
    repo: 'shop',
    commit: 'c1',
    files: async (paths) => paths.map((path) => (files.includes(path) ? codeAt({ path }) : undefined)),
    folders: async (paths) => paths.filter((path) => path === 'src'),
    around: async (ranges) => ranges.map(({ path, from }) => codeAt({ path, symbol: `line${from}` })),
    symbols: async (queries) =>
      queries.map(({ path, symbol }) =>
        symbols
          .filter(
            (symbolLocation) =>
              symbolLocation.symbol?.split('/').at(-1) === symbol &&
              (path === undefined || symbolLocation.path === path),
          )
          .map(codeAt),
      ),
    inText: async () => [],
  };
  return lookup as CodeLookup;
}

/** Returns the result of each: the location, the reason for none, or `a word`. */
async function resolved(all: readonly AnchorCandidate[], lookups: CodeLookup[], placing = {}): Promise<string[]> {
  const anchors = await resolveAnchors({ candidates: all, placing: new Map(Object.entries(placing)) }, lookups);
  return anchors.map(({ target, reason = 'a word' }) =>
    target === undefined
      ? reason
      : `${target.symbol ?? 'file'}@${target.path} of ${target.repositoryId} at ${target.baselineCommit}`,
  );
}

const SEND = [
  { path: 'a.ts', symbol: 'Mail/send' },
  { path: 'b.ts', symbol: 'Post/send' },
];

test.each<[string, AnchorCandidate, TestLocation[], string[]]>([
  ['the one of its path', wantAnchor('send', { path: 'b.ts' }), SEND, ['Post/send@b.ts of r at c1']],
  [
    'the nearest',
    wantAnchor('send', { near: ['c.ts', 'b.ts'], elsewhere: ['a.ts'] }),
    SEND,
    ['Post/send@b.ts of r at c1'],
  ],
  ['one that is named elsewhere', wantAnchor('send', { elsewhere: ['a.ts'] }), SEND, ['Mail/send@a.ts of r at c1']],
  ['none of several', wantAnchor('send'), SEND, ['2 symbols are named send: Mail/send@a.ts, Post/send@b.ts.']],
  ['no plain word', wantAnchor('send', { isCertain: false }), SEND, []],
  ['none that is not there', wantAnchor('post'), SEND, ['No symbol is named post.']],
  ['none of another path', wantAnchor('send', { path: 'c.ts' }), SEND, ['c.ts has no symbol send.']],
  [
    'at most three of the many',
    wantAnchor('x'),
    ['a', 'b', 'c', 'd'].map((path) => ({ path, symbol: 'x' })),
    ['4 symbols are named x: x@a, x@b, x@c, ….'],
  ],
  [
    'code before tests',
    wantAnchor('x'),
    [
      { path: 'a', symbol: 'x', test: true },
      { path: 'b', symbol: 'x' },
    ],
    ['x@b of r at c1'],
  ],
  [
    'what can be called before values',
    wantAnchor('x'),
    [
      { path: 'a', symbol: 'x', kind: 'property' },
      { path: 'b', symbol: 'x' },
    ],
    ['x@b of r at c1'],
  ],
  [
    'what is exported first',
    wantAnchor('x'),
    [
      { path: 'a', symbol: 'x' },
      { path: 'b', symbol: 'x', exported: true },
    ],
    ['x@b of r at c1'],
  ],
  [
    'the whole name first',
    wantAnchor('x'),
    [
      { path: 'a', symbol: 'A/x' },
      { path: 'b', symbol: 'x', test: true },
    ],
    ['x@b of r at c1'],
  ],
])('a symbol is %s', async (_, mention, symbols, expected) => {
  expect(await resolved([mention], [lookupOf(symbols)])).toEqual(expected);
});

test('files are found by path, lines by what is around them, and a folder is a word', async () => {
  expect(
    await resolved(
      [file('x.ts'), file('a.ts'), file('b.ts', { lines: { from: 3, to: 4 } }), file('src')],
      [lookupOf([], ['a.ts', 'b.ts'])],
    ),
  ).toEqual(['There is no file x.ts.', 'file@a.ts of r at c1', 'line3@b.ts of r at c1']);
});

test('a path that says where a symbol is stands for nothing itself', async () => {
  const all = [file('a.ts'), wantAnchor('send', { near: ['a.ts'] })];

  expect(await resolved(all, [lookupOf(SEND, ['a.ts'])], { 'a.ts': ['send'] })).toEqual(['Mail/send@a.ts of r at c1']);
  expect(await resolved(all, [lookupOf(SEND, ['a.ts'])], { 'a.ts': ['other'] })).toHaveLength(2);
});

test('only the repository that is named may hold it, by name or id, and of any the first that has it', async () => {
  const shop = lookupOf([{ path: 'a.ts', symbol: 'x' }]);
  const both = [
    { ...lookupOf([]), repositoryId: 'empty', repo: 'empty' },
    shop,
    { ...shop, repositoryId: 'late', repo: 'late' },
  ];
  const of = (repo?: string): Promise<string[]> =>
    resolved([wantAnchor('x', repo === undefined ? {} : { repo })], both);

  expect(await of()).toEqual(['x@a.ts of r at c1']);
  expect(await of('*')).toEqual(['x@a.ts of r at c1']);
  expect(await of('late')).toEqual(['x@a.ts of late at c1']);
  expect(await of('r')).toEqual(['x@a.ts of r at c1']);
  expect(await of('empty')).toEqual(['No symbol is named x.']);
  expect(await of('gone')).toEqual(['No indexed repository of the product is named gone.']);
  expect(await resolved([wantAnchor('x'), wantAnchor('y', { repo: '*' })], [])).toEqual(
    Array.from({ length: 2 }, () => 'No repository of the product is indexed.'),
  );
});

test('a name that begins as types do is one where one thing has it, and members of one name in a file are none', async () => {
  const lookup = lookupOf([
    { path: 'a.ts', symbol: 'Sha256', kind: 'class' },
    { path: 'a.ts', symbol: 'Config', kind: 'class' },
    { path: 'b.ts', symbol: 'Config', kind: 'class' },
    { path: 'a.ts', symbol: 'Method/Get', kind: 'method' },
    { path: 'c.ts', symbol: 'Cache/read', kind: 'method' },
    { path: 'c.ts', symbol: 'MemoryCache/read', kind: 'method' },
  ]);
  const words = ['Sha256', 'Config', 'Get', 'Promise'].map((word) => wantAnchor(word, { isCertain: false }));
  const members = [wantAnchor('read', { near: ['c.ts'] }), wantAnchor('write', { near: ['c.ts'], isCertain: false })];

  const anchors = await resolveAnchors({ candidates: [...words, ...members], placing: new Map() }, [lookup]);

  expect(anchors.map(({ written, target, reason }) => [written, target?.symbol ?? reason])).toEqual([
    ['Sha256', 'Sha256'],
    ['read', '2 symbols are named read: Cache/read@c.ts, MemoryCache/read@c.ts.'],
  ]);
});

test('a name beside another file than before is what this file has, or else the same as before', async () => {
  const lookup = lookupOf([
    { path: 'a.ts', symbol: 'send' },
    { path: 'b.ts', symbol: 'send' },
  ]);
  const again = (path: string): AnchorCandidate =>
    wantAnchor(`send@${path}`, { symbol: 'send', near: [path], isRepeated: true });

  const candidates = [wantAnchor('send', { near: ['a.ts'] }), again('b.ts'), again('c.ts'), again('a.ts')];
  const anchors = await resolveAnchors({ candidates, placing: new Map() }, [lookup]);

  expect(anchors.map(({ written, target }) => [written, target?.path])).toEqual([
    ['send', 'a.ts'],
    ['send@b.ts', 'b.ts'],
  ]);
});
