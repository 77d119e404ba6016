import { expect, test } from 'vitest';
import { averageLink, groupsAt } from './average-link.ts';
import { centreOf, type ComparedText, similarityOf, similarityRows } from './compared-text.ts';
import { placeTexts, profileOf, profilesOf } from './group-profiles.ts';
import { type FixedGroup, groupTexts, type TextGroup } from './group-texts.ts';
import { measureTexts, type ReadText, weighText } from './weigh-texts.ts';

const EXPORTS = [
  'The export of reports takes minutes',
  'exporting a report is far too slow',
  'Report export is slow',
  'slow exports of our monthly reports',
];
const LOGINS = [
  'I cannot log in with my password',
  'the login refuses my password',
  'My password is refused when I log in',
  'password refused at login',
];
const MODES = ['please add a dark mode', 'a dark mode would be nice', 'dark mode for the night, please'];
const ALONE = 'Who won the match on Sunday?';
const ALL = [...EXPORTS, ...LOGINS, ...MODES, ALONE];

const read = (text: string, vector?: number[]): ReadText => ({
  text,
  language: 'en',
  vector: vector && Float32Array.from(vector),
});
const compare = (texts: readonly ReadText[]): ComparedText[] => {
  const measures = measureTexts(texts);
  return texts.map((text) => weighText(text, measures));
};
const textsOf = (groups: readonly TextGroup[]): string[][] =>
  groups.map(({ members }) => members.toSorted((a, b) => a - b).map((at) => ALL[at] ?? ''));
const grouped = (options?: { repeated?: Set<number>; fixed?: FixedGroup[] }): TextGroup[] =>
  groupTexts(compare(ALL.map((text) => read(text))), options);

test('the two groups that are most alike by all their pairs become one, and so on', () => {
  const rows = [
    [1, 0.9, 0.6, 0.1],
    [0.9, 1, 0.2, 0.1],
    [0.6, 0.2, 1, 0.3],
    [0.1, 0.1, 0.3, 1],
  ].map((row) => Float32Array.from(row));

  const merges = averageLink(rows).map(({ left, right, similarity }) => [left, right, Number(similarity.toFixed(3))]);

  expect(merges).toEqual([
    [0, 1, 0.9],
    [0, 2, 0.4],
    [0, 3, 0.167],
  ]);
});

test('a cut keeps apart what is less alike', () => {
  const merges = [
    { left: 2, right: 3, similarity: 0.5 },
    { left: 0, right: 1, similarity: 0.9 },
    { left: 0, right: 2, similarity: 0.1 },
  ];

  expect(groupsAt(5, merges, 0.5)).toEqual([0, 0, 2, 2, 4]);
  expect(groupsAt(5, merges, 0.1)).toEqual([0, 0, 0, 0, 4]);
});

test('messages with words in common are one group, and one that is about nothing else is alone', () => {
  const groups = grouped();

  expect(textsOf(groups)).toEqual([EXPORTS, LOGINS, MODES]);
  for (const { members, medoid } of groups) expect(members).toContain(medoid);
  // One that several have sent in the same words is no message alone.
  expect(textsOf(grouped({ repeated: new Set([ALL.indexOf(ALONE)]) })).at(-1)).toEqual([ALONE]);
});

/** Texts without a word, by their direction. */
const pointing = (...directions: number[][]): ComparedText[] =>
  directions.map((direction) => ({ terms: new Map(), vector: Float32Array.from(direction) }));

test('a text that is near to a group without being like it belongs to it loosely, a nearer one whole', () => {
  const [east, near, far] = [
    [1, 0],
    [0.4, Math.sqrt(1 - 0.16)],
    [0.2, Math.sqrt(1 - 0.04)],
  ];
  const loose = (other: number[]): number[][] =>
    groupTexts(pointing(east, east, east, other)).map(({ members, loose: own }) => [members.length, own.length]);

  expect(loose(near)).toEqual([[4, 0]]);
  expect(loose(far)).toEqual([[3, 1]]);
  expect(loose([0.1, Math.sqrt(1 - 0.01)])).toEqual([[3, 0]]);
});

test('a fixed group stays together; a closed one becomes one with no other', () => {
  const [first, last] = [0, ALL.length - 1];
  const open = grouped({ fixed: [{ members: [first, last], isOpen: true }] });
  const closed = grouped({ fixed: [{ members: [4, 5], isOpen: false }] });

  expect(open.find(({ members }) => members.includes(last))?.members).toContain(first);
  const ofClosed = closed.filter(({ members }) => members.some((at) => at >= 4 && at <= 7));
  expect(ofClosed.every(({ members }) => members.includes(4) === members.includes(5))).toBe(true);
  const two = groupTexts(pointing([1, 0], [1, 0], [1, 0], [1, 0]), {
    fixed: [
      { members: [0, 1], isOpen: true },
      { members: [2, 3], isOpen: true },
    ],
  });
  expect(two.map(({ members }) => members)).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test('meaning brings together what has no word in common, and words alone count where there is none', () => {
  const [left, right] = pointing([1, 0], [1, 0]);
  const wordless = { terms: new Map([['car', 1]]), vector: undefined };
  if (left === undefined || right === undefined) throw new Error('A text is missing.');

  expect(similarityOf(left, right)).toBe(0.5);
  expect(similarityOf({ ...left, terms: wordless.terms }, { ...right, terms: wordless.terms })).toBe(1);
  expect(similarityOf(left, { ...right, vector: Float32Array.of(-1, 0) })).toBe(0);
  expect(similarityOf({ ...left, terms: wordless.terms }, wordless)).toBe(1);
});

test('the mean of a language is taken out of its texts, and the general one while they are few', () => {
  const texts = [read('a', [1, 0, 0]), { ...read('b', [0, 1, 0]), language: 'de' }];
  const own = measureTexts(texts);
  const drawn = measureTexts(texts, Float32Array.of(0, 0, 1));
  const vectorOf = (text: ReadText, measures = drawn): number[] =>
    [...(weighText(text, measures).vector ?? [])].map((value) => Math.round(value * 100) / 100);

  expect(own.means.get('en')).toEqual(Float32Array.of(1, 0, 0));
  expect(own.means.get('de')).toEqual(Float32Array.of(0, 1, 0));
  expect(drawn.means.get('en')?.[2]).toBeCloseTo(50 / 51);
  expect(vectorOf(read('c', [0, 2, 0]))).toEqual([-0.01, 0.71, -0.7]);
  expect(weighText(read('c'), drawn).vector).toBeUndefined();
});

test('rows of similarities are those of the pairs, and a centre gives their mean', () => {
  const texts = compare(ALL.map((text, at) => read(text, at % 4 === 0 ? undefined : [1, at, (at * at) % 5])));
  const rows = similarityRows(texts);

  for (const [at, text] of texts.entries())
    for (const [other, another] of texts.slice(0, at).entries())
      expect(rows[at]?.[other]).toBeCloseTo(similarityOf(text, another), 4);
  const [first, ...members] = pointing([1, 0], [0.6, 0.8], [0.8, 0.6]);
  if (first === undefined) throw new Error('A text is missing.');
  expect(similarityOf(first, centreOf(members))).toBeCloseTo(0.35);
});

test('one more message joins the group that it is nearest to, loosely if it is not like it, and none when it is near to none', () => {
  const texts = ALL.map((text) => read(text));
  const measures = measureTexts(texts);
  const compared = texts.map((text) => weighText(text, measures));
  const named = groupTexts(compared).map(
    ({ members }, at) =>
      [`g${at}`, profileOf(members.flatMap((member) => compared[member] ?? []))] as [
        string,
        ReturnType<typeof profileOf>,
      ],
  );
  const profiles = profilesOf(named, measures, { model: null, pending: 0, forms: new Set() });
  const later = ['why is the export so slow?', 'cannot log in, password refused', 'dark mode', 'the weather in spring'];

  const restored = JSON.parse(JSON.stringify(profiles)) as typeof profiles;

  expect(
    placeTexts(
      later.map((text) => read(text)),
      restored,
    ).map((place) => place?.group),
  ).toEqual(['g0', 'g1', 'g2', undefined]);
});

test('a profile keeps the direction of its group through JSON', () => {
  const texts = [read('', [1, 0.2, 0]), read('', [1, -0.2, 0]), read('', [1, 0, 0.1]), read('', [-1, 0, 0])];
  const measures = measureTexts(texts);
  const compared = texts.map((text) => weighText(text, measures));
  const named = [['east', profileOf(compared.slice(0, 3))]] as [string, ReturnType<typeof profileOf>][];
  const profiles = profilesOf(named, measures, { model: 'test', pending: 0, forms: new Set() });
  const restored = JSON.parse(JSON.stringify(profiles)) as typeof profiles;

  expect(placeTexts([read('', [1, 0.1, 0]), read('', [-1, 0, 0.1])], restored)).toEqual([
    { group: 'east', isLoose: false },
    undefined,
  ]);
});

test('what is said several times counts twice in the mean of its group', () => {
  const texts = pointing([1, 0, 0], [0.9, 0.436, 0], [0.44, -0.633, 0.637]);
  const membersOf = (repeated: readonly number[]): number[][] =>
    groupTexts(texts, { repeated: new Set(repeated) }).map(({ members }) => members);

  expect(membersOf([])).toEqual([[0, 1]]);
  expect(membersOf([0])).toEqual([[0, 1, 2]]);
  expect(membersOf([1])).toEqual([[0, 1]]);
});

/** Three directions, of which the last two are nearer to each other than to the first. */
const [FIRST, SECOND, THIRD] = [
  [1, 0, 0],
  [0.4, 0.9165, 0],
  [0.4, 0.5892, 0.702],
] as const;
/** The parts of the only group of texts, so many in each direction. */
function partsOfTexts(...counts: readonly number[]): number[][] {
  const directions = [FIRST, SECOND, THIRD].flatMap((direction, at) =>
    Array.from({ length: counts[at] ?? 0 }, () => [...direction]),
  );
  const [group, ...others] = groupTexts(pointing(...directions));
  expect(others).toEqual([]);
  return group?.parts ?? [];
}

test('a group has parts where three texts and more are more alike than most of it, and two parts at least', () => {
  expect(partsOfTexts(3, 3)).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  expect(partsOfTexts(3, 3, 3)).toEqual([
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
  ]);
  expect(partsOfTexts(4, 2)).toEqual([]);
  expect(partsOfTexts(3, 2)).toEqual([]);
});
