import { expect, test } from 'vitest';
import type { SaidText } from '../language/clean-text.ts';
import { WORD_MEANINGS } from '../language/known-meanings.ts';
import { averageLink, groupsAt } from './average-link.ts';
import { placeTexts, profileOf, profilesOf } from './group-profiles.ts';
import { groupTexts, membersThatFit } from './group-texts.ts';
import { labelGroups } from './label-groups.ts';
import { weighText, countTerms, similarities, similarityOf, smoothRows } from './text-similarity.ts';

const said = (text: string): SaidText => ({ title: '', text });
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

test('messages about the same are one group, whatever words they choose, and one that is about nothing else is alone', () => {
  const { groups } = groupTexts(ALL.map(said), WORD_MEANINGS);

  expect(groups.map(({ members }) => members.map((at) => ALL[at]))).toEqual([EXPORTS, LOGINS, MODES]);
  for (const { members, centre } of groups) expect(members).toContain(centre);
  // One that several have sent in the same words is no message alone.
  const repeated = groupTexts(ALL.map(said), WORD_MEANINGS, new Set([ALL.indexOf(ALONE)]));
  expect(repeated.groups.at(-1)?.members.map((at) => ALL[at])).toEqual([ALONE]);
});

test('a member that is hardly like the others does not belong to the group, unless several have sent it', () => {
  const rows = [
    [1, 0.8, 0.7, 0.1],
    [0.8, 1, 0.9, 0.1],
    [0.7, 0.9, 1, 0.3],
    [0.1, 0.1, 0.3, 1],
  ].map((row) => Float32Array.from(row));
  const all = [0, 1, 2, 3];

  expect(membersThatFit(all, rows, new Set())).toEqual([0, 1, 2]);
  expect(membersThatFit(all, rows, new Set([3]))).toEqual(all);
  expect(membersThatFit([0, 3], rows, new Set())).toEqual([0, 3]);
});

test('words of grammar name no theme, in German either', () => {
  const labels = labelGroups(
    new Map([
      ['late', ['ich warte schon wieder auf den Zug', 'der Zug kommt nicht', 'wieder ist der Zug zu spät']],
      ['wifi', ['das WLAN ist langsam', 'kein WLAN im Wagen', 'WLAN geht nicht']],
    ]),
    WORD_MEANINGS,
  );

  expect([...labels.values()]).toEqual(['Zug', 'WLAN']);
});

test('a title says more than the rest, and other words for the same count', () => {
  const texts = [
    { title: 'Invoices', text: 'Invoices\nthe window' },
    { title: '', text: 'window invoices' },
    { title: '', text: 'the automobile stopped, engine broken' },
    { title: '', text: 'my car has motor damage' },
    { title: '', text: 'pasta recipe with tomatoes' },
  ];
  const counts = countTerms(texts, WORD_MEANINGS);
  const [title, plain, automobile, car, pasta] = texts.map((text) => weighText(text, counts, WORD_MEANINGS));
  if (!title || !plain || !automobile || !car || !pasta) throw new Error('A text is missing.');

  expect(title.terms.get('invoic') ?? 0).toBeGreaterThan(title.terms.get('window') ?? 0);
  expect(plain.terms.get('invoic')).toBeCloseTo(plain.terms.get('window') ?? 0, 1);
  expect(similarityOf(automobile, car)).toBeGreaterThan(similarityOf(automobile, pasta));
});

test('two texts that share a neighbour come nearer to each other', () => {
  const rows = [
    [1, 0, 0.6, 0],
    [0, 1, 0.6, 0],
    [0.6, 0.6, 1, 0],
    [0, 0, 0, 1],
  ].map((row) => Float32Array.from(row));

  const near = smoothRows(rows);

  expect(near[0]?.[1]).toBeGreaterThan(0.2);
  expect(near[0]?.[3]).toBe(0);
  for (const at of rows.keys()) expect(near[at]?.[at]).toBeCloseTo(1, 5);
});

test('rows of similarities are those of the pairs', () => {
  const texts = ALL.map(said);
  const counts = countTerms(texts, WORD_MEANINGS);
  const vectors = texts.map((text) => weighText(text, counts, WORD_MEANINGS));
  const rows = similarities(vectors);

  for (const [at, text] of vectors.entries())
    for (const [other, another] of vectors.entries())
      expect(rows[at]?.[other]).toBeCloseTo(similarityOf(text, another), 4);
});

test('one more message joins the group that it is nearest to, and none when it is near to none', () => {
  const { groups, counts, texts } = groupTexts(ALL.map(said), WORD_MEANINGS);
  const named = groups.map(
    ({ members }, at) => [`g${at}`, profileOf(members.flatMap((member) => texts[member] ?? []))] as const,
  );
  const profiles = profilesOf(named, counts, new Set());
  const later = ['why is the export so slow?', 'cannot log in, password refused', 'dark mode', 'the weather in spring'];

  const kept = JSON.parse(JSON.stringify(profiles)) as typeof profiles;

  expect(placeTexts(later.map(said), kept, WORD_MEANINGS)).toEqual(['g0', 'g1', 'g2', undefined]);
});

test('a label is the phrase that most of a group share and others lack, as they write it', () => {
  const labels = labelGroups(
    new Map([
      ['dark', ['Dark mode, please', 'please, a dark mode', 'dark mode is missing']],
      ['pay', ['please let me pay by direct debit', 'Direct debit is missing', 'paying by direct debit']],
      ['none', ['']],
    ]),
    WORD_MEANINGS,
  );

  expect(labels.get('dark')).toBe('dark mode');
  expect(labels.get('pay')).toBe('pay by direct debit');
  expect(labels.get('none')).toBe('');
});

test('a label keeps the words of grammar inside a phrase, and counts it once however they differ', () => {
  const labels = labelGroups(
    new Map([
      [
        'account',
        ['How do I delete my account?', 'Please delete the account', 'delete my account now', 'delete account'],
      ],
      ['printer', ['The printer is offline', 'My printer went offline again']],
    ]),
    WORD_MEANINGS,
  );

  expect(labels.get('account')).toBe('delete my account');
});

test('a word that is said of anything names no theme, unless there is no other', () => {
  const labels = labelGroups(
    new Map([
      ['printer', ['Bug: the printer stops', 'bug, printer offline', 'bug with the printer', 'bug when ink is low']],
      ['sweeping', ['Introduce lazy sweeping', 'Introduce sweeping by age', 'introduce a limit', 'Introduce steps']],
      ['none', ['fix the bug', 'Fix bug', 'fix the bug']],
      ['coupon', ['a coupon but it fails', 'entered my coupon but no', 'coupon but nothing', 'my coupon but']],
    ]),
    WORD_MEANINGS,
  );

  expect(labels.get('printer')).toBe('printer');
  expect(labels.get('sweeping')).toBe('sweeping');
  expect(labels.get('none')).toBe('fix the bug');
  expect(labels.get('coupon')).toBe('coupon');
});
