import { expect, test } from 'vitest';
import { type FilePair, rankCoupling } from './coupling.ts';
import { type FileActivity, rankHotspots } from './hotspots.ts';
import { ownershipOf } from '../files/ownership.ts';
import { spellingKey } from './people.ts';
import type { FilePerson } from './store-ownership.ts';

function activity(path: string, over: Partial<FileActivity> = {}): FileActivity {
  const counts = { revisions: 4, decayedRevisions: 2, fixes: 0, decayedFixes: 0, authors: 1, recent: 2 };
  return { path, ...counts, lastAt: 0, ...over };
}

function pair(b: string, over: Partial<FilePair> = {}): FilePair {
  const counts = { shared: 4, weight: 1, exclusive: 1, revisionsOfA: 8, revisionsOfB: 8, decayedRevisionsOfB: 4 };
  return { a: 'src/cart.ts', b, linked: false, ...counts, ...over };
}

function person(name: string, over: Partial<FilePerson> = {}): FilePerson {
  const counts = { commits: 0, decayed: 0, lastAt: 0, folder: 0, repository: 0, idleDays: 0 };
  const email = `${name}@example.org`;
  const spelling = { name, email, aliases: [email, name], spellings: [spellingKey(name, email)], bot: false };
  return { ...spelling, ...counts, ...over };
}

const order = (activities: FileActivity[], sizes: [string, number][]): string[] =>
  rankHotspots(activities, new Map(sizes.map(([path, lines]) => [path, { lines, complexity: lines }]))).map(
    ({ path }) => path,
  );

test('of two files alike the one with more lines, newer commits, or more fixes is hotter', () => {
  const sizes: [string, number][] = [
    ['a', 100],
    ['b', 100],
    ['big', 400],
  ];

  expect(order([activity('a'), activity('big')], sizes)).toEqual(['big', 'a']);
  expect(order([activity('a'), activity('b', { decayedRevisions: 3 })], sizes)).toEqual(['b', 'a']);
  expect(order([activity('a'), activity('b', { decayedFixes: 1 })], sizes)).toEqual(['b', 'a']);
  expect(order([activity('b'), activity('a'), activity('README')], sizes)).toEqual(['a', 'b']);
});

test('the hottest file has 100, and the trend tells in which half its commits lie', () => {
  const [first, second] = rankHotspots(
    [activity('a', { recent: 4 }), activity('b', { recent: 0, decayedRevisions: 1, fixes: 1 })],
    new Map(['a', 'b'].map((path) => [path, { lines: 100, complexity: 7 }])),
  );

  expect(first?.score).toBeCloseTo(100);
  expect(first).toMatchObject({ path: 'a', trend: 1, fixShare: 0, complexity: 7 });
  expect(second).toMatchObject({ path: 'b', trend: -1, fixShare: 0.25 });
});

test('heat is how often a file changes, fixes twice, as a logarithm, times its lines as a square root', () => {
  const scores = rankHotspots(
    [activity('a', { decayedFixes: 1 }), activity('b'), activity('c'), activity('never', { revisions: 0 })],
    new Map([100, 400, 0, 900].map((lines, at) => [['a', 'b', 'c', 'never'][at] ?? '', { lines, complexity: 1 }])),
  ).map(({ path, score }) => [path, Number(score.toFixed(2))]);

  expect(scores).toEqual([
    ['b', 100],
    // log 4 : log 3, and half of the square root.
    ['a', 63.09],
    ['c', 0],
  ]);
  expect(rankHotspots([activity('c')], new Map([['c', { lines: 0, complexity: 1 }]]))[0]?.score).toBe(0);
});

test.each([
  ['commits of few files', pair('src/near.ts', { exclusive: 3 })],
  ['a use', pair('src/used.ts', { linked: true })],
  ['words in common', pair('src/openCart.ts')],
  ['its test', pair('test/cart.test.ts')],
  ['many commits lately', pair('src/busy.ts', { decayedRevisionsOfB: 40 })],
])('about a path, a file with %s comes before one that changed as often by chance', (_, likelier) => {
  const ranked = rankCoupling([pair('src/a.ts'), likelier], { commits: 100, isAboutPath: true });

  expect(ranked.map(({ b }) => b)).toEqual([likelier.b, 'src/a.ts']);
  expect(ranked[0]).toMatchObject({ degreePercent: 50, support: 0.04 });
});

test('about a path, a use alone counts less than a use and shared commits, and neighbours more than strangers', () => {
  const never = { shared: 0, weight: 0, exclusive: 0 };
  const ranked = rankCoupling(
    [
      pair('lib/stranger.ts', { ...never, linked: true }),
      pair('src/neighbour.ts', { ...never, linked: true }),
      pair('lib/both.ts', { linked: true }),
    ],
    { commits: 100, isAboutPath: true },
  );

  expect(ranked.map(({ b }) => b)).toEqual(['lib/both.ts', 'src/neighbour.ts', 'lib/stranger.ts']);
});

test('about a path, what one commit says comes before what none does, however alike and near that is', () => {
  const never = { shared: 0, weight: 0, exclusive: 0 };
  const ranked = rankCoupling(
    [
      pair('src/cart.test.ts', { ...never, linked: true, decayedRevisionsOfB: 200 }),
      pair('docs/far.md', { shared: 1, weight: 0.01, exclusive: 0.03, decayedRevisionsOfB: 0 }),
    ],
    { commits: 100, isAboutPath: true },
  );

  expect(ranked.map(({ b }) => b)).toEqual(['docs/far.md', 'src/cart.test.ts']);
});

/** The score of a companion of which little is known but what is told here. */
function scoreOf(over: Partial<FilePair>, b = 'lib/x.ts'): number {
  const filePair = pair(b, { exclusive: 0.5, decayedRevisionsOfB: 0, ...over });
  return rankCoupling([filePair], { commits: 9, isAboutPath: true })[0]?.score ?? 0;
}

test('each thing that speaks for a companion weighs what was learnt', () => {
  const plain = scoreOf({});
  const gain = (over: Partial<FilePair>, b?: string): number => Number((scoreOf(over, b) - plain).toFixed(3));

  expect(Number(plain.toFixed(3))).toMatchInlineSnapshot(`-0.429`);
  expect({
    exclusive: gain({ exclusive: 2 }),
    noneShared: gain({ exclusive: 0 }),
    linked: gain({ linked: true }),
    lately: gain({ decayedRevisionsOfB: 5 }),
    folder: gain({}, 'src/x.ts'),
    deeper: gain({}, 'src/deep/x.ts'),
    allWords: gain({}, 'lib/cart.css'),
    halfOfTheWords: gain({ a: 'src/openCart.ts' }, 'lib/cart_list.css'),
    allOfTheShorter: gain({ a: 'src/openCart.ts' }, 'lib/cart.css'),
    commonWord: gain({ a: 'src/cart_main.ts' }, 'lib/main.ts'),
    test: gain({}, 'lib/cart.test.ts'),
    testFirst: gain({ a: 'lib/test_cart.py' }, 'app/cart.py'),
    testOfJava: gain({ a: 'lib/CartTest.java' }, 'src/Cart.java'),
    testOfAnother: gain({}, 'lib/order.test.ts'),
    twoTests: gain({ a: 'src/cart.test.ts' }, 'lib/cart.test.ts'),
  }).toMatchInlineSnapshot(`
    {
      "allOfTheShorter": 0.9,
      "allWords": 0.9,
      "commonWord": 0,
      "deeper": 0,
      "exclusive": 0.859,
      "folder": 0.31,
      "halfOfTheWords": 0.45,
      "lately": 0.538,
      "linked": 1.07,
      "noneShared": -3.854,
      "test": 1.81,
      "testFirst": 1.81,
      "testOfAnother": 0,
      "testOfJava": 1.81,
      "twoTests": 0.9,
    }
  `);
});

test('pairs are ranked by degree and weight, and alike ones by path', () => {
  const all = rankCoupling(
    [
      pair('b', { weight: 3 }),
      pair('a', { weight: 3 }),
      pair('light', { weight: 1 }),
      pair('rare', { shared: 2, weight: 3 }),
      pair('none', { shared: 0, weight: 0, revisionsOfA: 0, revisionsOfB: 0 }),
    ],
    { commits: 0, isAboutPath: false },
  );

  expect(
    all.map(({ b, degreePercent, support, score }) => [b, degreePercent, support, Number(score.toFixed(2))]),
  ).toEqual([
    ['a', 50, 4, 69.31],
    ['b', 50, 4, 69.31],
    ['light', 50, 4, 34.66],
    ['rare', 25, 2, 34.66],
    ['none', 0, 0, 0],
  ]);
});

test('a hotspot is the logarithm of its revisions and fixes times the root of its lines', () => {
  const ranked = rankHotspots(
    [
      activity('most', { decayedRevisions: 5, decayedFixes: 2 }),
      activity('less', { revisions: 5, recent: 1, fixes: 2, decayedRevisions: 1, decayedFixes: 0 }),
      activity('never', { revisions: 0 }),
    ],
    new Map(['most', 'less', 'never'].map((path, at) => [path, { lines: at === 0 ? 100 : 400, complexity: at }])),
  );

  expect(ranked.map(({ path, score, trend, fixShare }) => [path, Number(score.toFixed(2)), trend, fixShare])).toEqual([
    ['most', 100, 0, 0],
    ['less', 66.67, -0.6, 0.4],
  ]);
  expect(
    rankHotspots([activity('a', { decayedRevisions: 0 })], new Map([['a', { lines: 0, complexity: 0 }]]))[0]?.score,
  ).toBe(0);
});

test('among all pairs the surest come first, however often other files change', () => {
  const ranked = rankCoupling(
    [pair('busy', { shared: 6, revisionsOfB: 100, weight: 2 }), pair('sure', { revisionsOfA: 4, revisionsOfB: 4 })],
    { commits: 100, isAboutPath: false },
  );

  expect(ranked.map(({ b, degreePercent }) => [b, Math.round(degreePercent)])).toEqual([
    ['sure', 100],
    ['busy', 11],
  ]);
});

test('a line belongs to a person under any of the names, and programs own nothing', () => {
  const people = [
    person('ann', {
      commits: 3,
      decayed: 3,
      spellings: ['ann <ann@example.org>', 'ann example <ann@home.example.org>'],
    }),
    person('bob', { commits: 1, decayed: 1 }),
    person('robot', { commits: 9, decayed: 9, bot: true }),
  ];
  const line = { sha: 'a', author: '', time: 0 };
  const blame = [
    { ...line, start: 1, end: 2, author: 'Ann Example', email: 'Ann@home.example.org' },
    { ...line, start: 3, end: 3, email: 'ann@example.org' },
    { ...line, start: 4, end: 4, email: 'bob@example.org' },
    { ...line, start: 5, end: 9, email: 'robot@example.org' },
  ];

  const { owners, busFactor } = ownershipOf({ history: { people, reviewers: [] }, blame });

  expect(
    owners.map(({ author, linesPercent, decayedPercent, ranges }) => [author, linesPercent, decayedPercent, ranges]),
  ).toEqual([
    ['ann', 75, 75, [[1, 3]]],
    ['bob', 25, 25, [[4, 4]]],
  ]);
  expect(busFactor).toBe(1);
});

test.each([
  [[40, 30, 30], 2],
  [[60, 40], 1],
  [[50, 50], 2],
  [[30, 25, 25, 20], 2],
])('the bus factor of shares %j is %i', (shares, busFactor) => {
  const people = shares.map((decayed, at) => person(`p${at}`, { commits: 1, decayed }));

  expect(ownershipOf({ history: { people, reviewers: [] }, blame: undefined }).busFactor).toBe(busFactor);
});

test('who is at work in the repository and the folder is likelier to come next than who wrote the file long ago', () => {
  const people = [
    person('gone', { commits: 20, decayed: 0.2 }),
    person('here', { folder: 3, repository: 5 }),
    person('elsewhere', { repository: 5 }),
  ];

  const { likelyNext } = ownershipOf({ history: { people, reviewers: [] }, blame: undefined });

  expect(likelyNext.map(({ author }) => author)).toEqual(['here', 'elsewhere', 'gone']);
  expect(likelyNext[0]?.score).toBe(1);
});

test('of two people who did as much, the one who was there last is likelier, and who did nothing for years is not named', () => {
  const people = [
    person('away', { folder: 1, repository: 5, idleDays: 40 }),
    person('back', { folder: 1, repository: 5, idleDays: 1 }),
    person('gone', { commits: 3, decayed: 1e-4, idleDays: 3000 }),
    person('never', { idleDays: Number.POSITIVE_INFINITY }),
  ];

  const { likelyNext } = ownershipOf({ history: { people, reviewers: [] }, blame: undefined });

  expect(likelyNext.map(({ author }) => author)).toEqual(['back', 'away']);
});

test('CODEOWNERS agrees when it names one of those who hold most, and nobody can tell for teams', () => {
  const history = {
    people: [person('ann', { commits: 3, decayed: 3 }), person('bob', { commits: 1, decayed: 1 })],
    reviewers: [],
  };
  const agrees = (owner: string): boolean | undefined =>
    ownershipOf({ history, blame: undefined, rule: { file: 'CODEOWNERS', line: 1, pattern: '*', owners: [owner] } })
      .agrees;

  expect([agrees('@ann'), agrees('bob@example.org'), agrees('@shop/team')]).toEqual([true, false, undefined]);
});
