import { expect, test } from 'vitest';
import type { CodePlace } from '../code/places/places.ts';
import type { CodeLookup } from './lookups/code-lookup.ts';
import { compareAnchors, sketchLikeness } from './compare-anchors.ts';
import type { AnchorRow, AnchorTarget } from './store/store.ts';

type Anchored = AnchorRow & { target: AnchorTarget };
type TestLocation = Partial<CodePlace> & { path: string };

const SKETCH = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const LONG_SKETCH = [...SKETCH, 11, 12];

function anchor(over: Partial<AnchorTarget> = {}): Anchored {
  const target = { repositoryId: 'r', path: 'a.ts', symbol: 'send', line: 3, syntax: 's1', sketch: SKETCH, ...over };
  const holder = { holder: 'plan' as const, id: 'p', written: 'send', position: 0, reason: null, state: undefined };
  return { ...holder, target: { baselineCommit: 'c0', ...target } };
}

/** The code as it is now: these symbols and files, and definitions in texts by path. */
function codeOf(
  symbols: readonly TestLocation[],
  files: readonly TestLocation[] = [],
  texts: readonly TestLocation[] = [],
): CodeLookup {
  const codeAt = (at: TestLocation): CodePlace =>
    ({ symbol: null, line: 7, syntax: null, sketch: null, blob: '', ...at }) as CodePlace;
  return {
    repositoryId: 'r',
    repo: 'shop',
    commit: 'c9',
    snapshot: 'now',
    files: async (paths: readonly string[]) =>
      paths.map((path) => files.filter((file) => file.path === path).map(codeAt)[0]),
    symbols: async (queries: readonly { path?: string; symbol: string }[]) =>
      queries.map(({ path, symbol }) =>
        symbols
          // As the index answers: by the end of a path, too.
          .filter((symbolLocation) =>
            path === undefined
              ? nameOf(symbolLocation.symbol) === symbol
              : `/${symbolLocation.path}`.endsWith(`/${path}`),
          )
          .map(codeAt),
      ),
    withSyntax: async (queries: readonly { syntax: string; isFile: boolean }[]) =>
      queries.map(({ syntax, isFile }) =>
        (isFile ? files : symbols).filter((codeLocation) => codeLocation.syntax === syntax).map(codeAt),
      ),
    inText: async (path: string) => texts.filter((text) => text.path === path).map(codeAt),
  } as unknown as CodeLookup;
}

function nameOf(symbol: string | null | undefined): string {
  return (symbol ?? '').split('/').at(-1) ?? '';
}

/** Status and place of one anchor, as `moved b.ts send`. */
async function become(anchored: Anchored, code: CodeLookup, later: readonly string[] = []): Promise<string> {
  const history = {
    laterPaths: async () => new Map([[anchored.target.path, [...later]]]),
    commitsTouching: async (_since: string | undefined, paths: readonly string[]) => [
      { sha: 'c1', subject: paths.join(), date: '2026-01-01' },
    ],
    findCommit: async () => undefined,
  };
  const [compared] = await compareAnchors([anchored], code, history);
  const { status, path, symbol, commits } = compared?.state ?? {};
  return [status, path, symbol, commits?.[0]?.subject].filter((part) => part != null).join(' ');
}

/** A sketch that has so many numbers of another one and others of its own. */
const sketchOf = (count: number, sketch: readonly number[] = SKETCH): number[] => [
  ...sketch.slice(0, count),
  ...sketch.slice(count).map((at) => at + 100),
];

test.each<[string, Partial<AnchorTarget>, { symbols: TestLocation[]; later: string[] }, string]>([
  ['the same syntax', {}, { symbols: [{ path: 'a.ts', symbol: 'send', syntax: 's1' }], later: [] }, 'fresh a.ts send'],
  [
    'another syntax',
    {},
    { symbols: [{ path: 'a.ts', symbol: 'send', syntax: 's2' }], later: [] },
    'changed a.ts send a.ts',
  ],
  [
    'overloads of which one is the same',
    {},
    {
      symbols: [
        { path: 'a.ts', symbol: 'send', syntax: 's2' },
        { path: 'a.ts', symbol: 'send', syntax: 's1' },
      ],
      later: [],
    },
    'fresh a.ts send',
  ],
  [
    'overloads in one',
    {},
    { symbols: [{ path: 'a.ts', symbol: 'send', syntax: 's2', overloads: ['s1'] }], later: [] },
    'fresh a.ts send',
  ],
  [
    'one overload left of those named by parameters',
    { symbol: 'send(int)' },
    { symbols: [{ path: 'a.ts', symbol: 'send', syntax: 's1' }], later: [] },
    'fresh a.ts send',
  ],
  [
    'the same in a file whose path ends alike',
    {},
    { symbols: [{ path: 'lib/a.ts', symbol: 'send', syntax: 's1' }], later: [] },
    'moved lib/a.ts send a.ts,lib/a.ts',
  ],
  ['nothing of the name', {}, { symbols: [{ path: 'a.ts', symbol: 'other', syntax: 's2' }], later: [] }, 'gone a.ts'],
  [
    'the same elsewhere',
    {},
    { symbols: [{ path: 'b.ts', symbol: 'send', syntax: 's1' }], later: [] },
    'moved b.ts send a.ts,b.ts',
  ],
  [
    'three tenths alike',
    {},
    { symbols: [{ path: 'b.ts', symbol: 'send', sketch: sketchOf(5) }], later: [] },
    'moved b.ts send a.ts,b.ts',
  ],
  ['less alike', {}, { symbols: [{ path: 'b.ts', symbol: 'send', sketch: sketchOf(2) }], later: [] }, 'gone a.ts'],
  [
    'less alike, in what its file became',
    {},
    { symbols: [{ path: 'b.ts', symbol: 'send', sketch: sketchOf(2) }], later: ['b.ts'] },
    'moved b.ts send a.ts,b.ts',
  ],
  [
    'a tenth alike, in what its file became',
    {},
    { symbols: [{ path: 'b.ts', symbol: 'send', sketch: sketchOf(1) }], later: ['b.ts'] },
    'moved b.ts send a.ts,b.ts',
  ],
  [
    'less than a tenth alike, in what its file became',
    { sketch: LONG_SKETCH },
    { symbols: [{ path: 'b.ts', symbol: 'send', sketch: sketchOf(1, LONG_SKETCH) }], later: ['b.ts'] },
    'gone a.ts,b.ts',
  ],
  [
    'unlike, in what its file became',
    {},
    { symbols: [{ path: 'b.ts', symbol: 'send', sketch: sketchOf(0) }], later: ['b.ts'] },
    'gone a.ts,b.ts',
  ],
  [
    'two alike, of which one is in what its file became',
    {},
    {
      symbols: [
        { path: 'b.ts', symbol: 'send', syntax: 's1' },
        { path: 'c.ts', symbol: 'send', sketch: sketchOf(5) },
      ],
      later: ['c.ts'],
    },
    'moved c.ts send a.ts,c.ts',
  ],
  [
    'two alike, of which one is more so',
    {},
    {
      symbols: [
        { path: 'b.ts', symbol: 'send', sketch: sketchOf(5) },
        { path: 'c.ts', symbol: 'send', sketch: sketchOf(9) },
      ],
      later: [],
    },
    'moved c.ts send a.ts,c.ts',
  ],
  [
    'one that is the same, and one nearly alike',
    {},
    {
      symbols: [
        { path: 'b.ts', symbol: 'send', sketch: sketchOf(9) },
        { path: 'c.ts', symbol: 'send', syntax: 's1' },
      ],
      later: [],
    },
    'moved c.ts send a.ts,c.ts',
  ],
  [
    'two alike, of which one has the whole name',
    { symbol: 'Mail/send' },
    {
      symbols: [
        { path: 'b.ts', symbol: 'Post/send', syntax: 's1' },
        { path: 'c.ts', symbol: 'Mail/send', syntax: 's1' },
      ],
      later: [],
    },
    'moved c.ts Mail/send a.ts,c.ts',
  ],
  [
    'two alike in all',
    {},
    {
      symbols: [
        { path: 'c.ts', symbol: 'send', syntax: 's1' },
        { path: 'b.ts', symbol: 'send', syntax: 's1' },
      ],
      later: [],
    },
    'moved b.ts send a.ts,b.ts',
  ],
  [
    'the same body under another name',
    {},
    { symbols: [{ path: 'b.ts', symbol: 'post', syntax: 's1' }], later: [] },
    'moved b.ts post a.ts,b.ts',
  ],
  [
    'the same body under two other names in its file',
    { symbol: 'Mail/send_later' },
    {
      symbols: [
        { path: 'a.ts', symbol: 'Mail/post', syntax: 's1' },
        { path: 'a.ts', symbol: 'Mail/sendAfterwards', syntax: 's1' },
      ],
      later: [],
    },
    'moved a.ts Mail/sendAfterwards a.ts',
  ],
  [
    'the same body under a like name elsewhere, and under another one in what its file became',
    { symbol: 'send_mail_later' },
    {
      symbols: [
        { path: 'c.ts', symbol: 'send_mail', syntax: 's1' },
        { path: 'b.ts', symbol: 'post', syntax: 's1' },
      ],
      later: ['b.ts'],
    },
    'moved b.ts post a.ts,b.ts',
  ],
  [
    'the same body under its name written otherwise elsewhere, and under another one in its file',
    { symbol: 'send_mail' },
    {
      symbols: [
        { path: 'b.ts', symbol: 'sendMail', syntax: 's1' },
        { path: 'a.ts', symbol: 'post', syntax: 's1' },
      ],
      later: [],
    },
    'moved a.ts post a.ts',
  ],
  [
    'the same body under two names, of which the longer one says no more of the old one',
    { symbol: 'send_mail' },
    {
      symbols: [
        { path: 'b.ts', symbol: 'mailOfAllCustomers', syntax: 's1' },
        { path: 'c.ts', symbol: 'postMail', syntax: 's1' },
      ],
      later: [],
    },
    'moved c.ts postMail a.ts,c.ts',
  ],
  [
    'the same body under two names, of which the shorter one leaves most of the old one out',
    { symbol: 'send_mail_later' },
    {
      symbols: [
        { path: 'b.ts', symbol: 'send', syntax: 's1' },
        { path: 'c.ts', symbol: 'mailLaterOn', syntax: 's1' },
      ],
      later: [],
    },
    'moved c.ts mailLaterOn a.ts,c.ts',
  ],
  [
    'the same body under another name, as short as it may be',
    { sketch: [1, 2, 3, 4] },
    { symbols: [{ path: 'b.ts', symbol: 'post', syntax: 's1' }], later: [] },
    'moved b.ts post a.ts,b.ts',
  ],
  [
    'the same short body under another name',
    { sketch: [1, 2, 3] },
    { symbols: [{ path: 'b.ts', symbol: 'post', syntax: 's1' }], later: [] },
    'gone a.ts',
  ],
])('a symbol of which there is now %s', async (_, target, { symbols, later }, expected) => {
  expect(await become(anchor(target), codeOf(symbols), later)).toBe(expected);
});

test.each<[string, TestLocation[], string[], string]>([
  ['the same', [{ path: 'a.ts', syntax: 's1' }], [], 'fresh a.ts'],
  ['another', [{ path: 'a.ts', syntax: 's2' }], [], 'changed a.ts a.ts'],
  ['the same elsewhere', [{ path: 'b.ts', syntax: 's1' }], [], 'moved b.ts a.ts,b.ts'],
  [
    'the same in two places',
    [
      { path: 'b.ts', syntax: 's1' },
      { path: 'c.ts', syntax: 's1' },
    ],
    [],
    'gone a.ts',
  ],
  [
    'what it was renamed to, twice',
    [
      { path: 'b.ts', syntax: 's1' },
      { path: 'c.ts', syntax: 's2' },
    ],
    ['b.ts', 'c.ts'],
    'moved c.ts a.ts,b.ts,c.ts',
  ],
  ['nothing', [], ['b.ts'], 'gone a.ts,b.ts'],
])('a file of which there is now %s', async (_, files, later, expected) => {
  expect(await become(anchor({ symbol: null }), codeOf([], files), later)).toBe(expected);
});

test.each<[string, TestLocation[], string[], string]>([
  ['the same', [{ path: 'a.ts', symbol: 'Mail/send', syntax: 'text:1' }], [], 'fresh a.ts Mail/send'],
  ['another', [{ path: 'a.ts', symbol: 'Mail/send', syntax: 'text:2' }], [], 'changed a.ts Mail/send a.ts'],
  [
    'one that is inside something else',
    [{ path: 'a.ts', symbol: 'Post/send', syntax: 'text:1' }],
    [],
    'moved a.ts Post/send a.ts',
  ],
  [
    'some alike in what its file became, the most alike first',
    [
      { path: 'b.ts', symbol: 'send', sketch: sketchOf(5) },
      { path: 'b.ts', symbol: 'Mail/send', sketch: sketchOf(9) },
    ],
    ['b.ts'],
    'moved b.ts Mail/send a.ts,b.ts',
  ],
  [
    'one that is the same, and one nearly alike, in what its file became',
    [
      { path: 'b.ts', symbol: 'Post/send', sketch: sketchOf(9) },
      { path: 'b.ts', symbol: 'Mail/send', syntax: 'text:1' },
    ],
    ['b.ts'],
    'moved b.ts Mail/send a.ts,b.ts',
  ],
  ['some hardly alike', [{ path: 'a.ts', symbol: 'Post/send', sketch: sketchOf(2) }], [], 'gone a.ts'],
  [
    'some hardly alike in what its file became',
    [{ path: 'b.ts', symbol: 'Post/send', sketch: sketchOf(2) }],
    ['b.ts'],
    'moved b.ts Post/send a.ts,b.ts',
  ],
  ['nothing', [], [], 'gone a.ts'],
])('a definition in the text of a file of which there is now %s', async (_, texts, later, expected) => {
  const anchored = anchor({ symbol: 'Mail/send', syntax: 'text:1' });

  expect(await become(anchored, codeOf([], [], texts), later)).toBe(expected);
});

test.each<[string, TestLocation[], string]>([
  ['is in another file', [{ path: 'b.ts', symbol: 'Mail' }], 'moved b.ts Mail/send a.ts,b.ts'],
  [
    'is in its own file and another one',
    [
      { path: 'a.ts', symbol: 'Mail' },
      { path: 'b.ts', symbol: 'Mail' },
    ],
    'gone a.ts',
  ],
  ['is in no file', [{ path: 'b.ts', symbol: 'Post/Mail' }], 'gone a.ts'],
  [
    'is in the last of five other files',
    ['1.ts', '2.ts', '3.ts', '4.ts', 'b.ts'].map((path) => ({ path, symbol: 'Mail' })),
    'moved b.ts Mail/send a.ts,b.ts',
  ],
  [
    'is in the last of six other files',
    ['1.ts', '2.ts', '3.ts', '4.ts', '5.ts', 'b.ts'].map((path) => ({ path, symbol: 'Mail' })),
    'gone a.ts',
  ],
])('a definition in the text of a file goes with what it stands in, which %s', async (_, symbols, expected) => {
  const anchored = anchor({ symbol: 'Mail/send', syntax: 'text:1' });
  const texts = [{ path: 'b.ts', symbol: 'Mail/send', sketch: sketchOf(5) }];

  expect(await become(anchored, codeOf(symbols, [], texts))).toBe(expected);
});

test('likeness is the share of the smallest numbers that both sketches have', () => {
  expect(sketchLikeness(SKETCH, SKETCH)).toBe(1);
  expect(sketchLikeness(SKETCH, sketchOf(5))).toBe(0.5);
  expect(sketchLikeness([1, 2, 3, 4], [1, 2])).toBe(0.5);
  expect(sketchLikeness([1, 2], [3, 4])).toBe(0);
  expect(sketchLikeness(null, [1])).toBe(0);
  expect(sketchLikeness([1], null)).toBe(0);
  expect(sketchLikeness([], [1])).toBe(0);
});
