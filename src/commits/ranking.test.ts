import { expect, test } from 'vitest';
import { type FilePair, rankCoupling } from './coupling.ts';
import { type FileActivity, rankHotspots } from './hotspots.ts';
import { ownershipOf } from './ownership.ts';
import type { FilePerson } from './store-ownership.ts';

function activity(path: string, over: Partial<FileActivity> = {}): FileActivity {
  const counts = { revisions: 4, decayedRevisions: 2, fixes: 0, decayedFixes: 0, churn: 10, authors: 1, recent: 2 };
  return { path, ...counts, lastAt: 0, ...over };
}

function pair(b: string, over: Partial<FilePair> = {}): FilePair {
  const counts = { shared: 4, weight: 1, exclusive: 1, revisionsOfA: 8, revisionsOfB: 8, decayedRevisionsOfB: 4 };
  return { a: 'src/cart.ts', b, linked: false, ...counts, ...over };
}

function person(name: string, over: Partial<FilePerson> = {}): FilePerson {
  const counts = { commits: 0, decayed: 0, lastAt: 0, folder: 0, repository: 0, idleDays: 0 };
  return { name, email: `${name}@example.org`, aliases: [`${name}@example.org`, name], bot: false, ...counts, ...over };
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
    person('ann', { commits: 3, decayed: 3, aliases: ['ann@example.org', 'ann', 'ann@home.example.org'] }),
    person('bob', { commits: 1, decayed: 1 }),
    person('robot', { commits: 9, decayed: 9, bot: true }),
  ];
  const line = { sha: 'a', author: '', time: 0 };
  const blame = [
    { ...line, start: 1, end: 2, email: 'Ann@home.example.org' },
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
