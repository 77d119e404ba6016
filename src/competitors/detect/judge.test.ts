import { expect, test } from 'vitest';
import type { ChangeKind } from '../page/page-kind.ts';
import type { Block } from '../page/page-text.ts';
import { compareBlocks } from './compare.ts';
import { judge, type Severity } from './judge.ts';

/** `# text` is a heading. */
function blocksOf(lines: readonly string[]): Block[] {
  return lines.map((line) => ({ text: line.replace(/^# /, ''), level: line.startsWith('# ') ? 2 : 0, place: '' }));
}

function judged(pageKind: ChangeKind, before: string[], after: string[], url = 'https://acme.example/page') {
  const [old, now] = [blocksOf(before), blocksOf(after)];
  return judge({ url, pageKind, before: old, after: now, difference: compareBlocks(old, now) });
}

const WORDS = (count: number, word = 'word'): string =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ');

test.each<[what: string, kind: ChangeKind, before: string[], after: string[], severity: Severity]>([
  ['an amount differs', 'docs', ['It costs $20.'], ['It costs $25.'], 'high'],
  ['an amount appears', 'legal', [], ['A fee of 30 EUR'], 'high'],
  ['an amount is only written elsewhere', 'docs', ['It costs $20 now.'], ['Now it costs $20.'], 'low'],
  ['a limit on a page about prices', 'pricing', ['Up to 20 projects'], ['Up to 50 projects'], 'high'],
  ['a number on another page', 'docs', ['Up to 20 projects'], ['Up to 50 projects'], 'low'],
  ['a year on a page about prices', 'pricing', ['Since 2025 for all'], ['Since 2026 for all'], 'low'],
  ['a heading appears', 'docs', [], ['# Single sign-on'], 'medium'],
  ['a heading goes', 'legal', ['# Refunds'], [], 'medium'],
  ['a heading gets another number', 'legal', ['# 4. Refunds'], ['# 5. Refunds'], 'low'],
  ['many words', 'legal', [WORDS(20)], [WORDS(20, 'other')], 'medium'],
  ['fewer words', 'legal', [`${WORDS(30)} ${WORDS(19, 'old')}`], [`${WORDS(30)} ${WORDS(20, 'new')}`], 'low'],
  ['an item appears in a list of features', 'feature', [], ['Works with calendars'], 'medium'],
  ['an item goes from a changelog', 'changelog', ['Fixed the export button'], [], 'medium'],
  ['a reworded item', 'feature', ['Works with all calendars'], ['Works with most calendars'], 'low'],
  ['a new paragraph elsewhere', 'docs', [], [WORDS(15)], 'medium'],
  ['a short sentence elsewhere', 'docs', [], [WORDS(14)], 'low'],
  ['a role is named otherwise', 'jobs', ['Designer, Berlin'], ['Senior Designer, Hamburg'], 'medium'],
  ['half of the words of an item', 'feature', ['one two three four'], ['one two other words'], 'medium'],
  ['three fifths of an item stay', 'feature', ['one two three four five'], ['one two three other words'], 'low'],
  ['two thirds of a heading stay', 'legal', ['# Refunds of unused'], ['# Refunds of old'], 'medium'],
  ['three quarters of a heading stay', 'legal', ['# Refunds of unused months'], ['# Refunds of unused weeks'], 'low'],
  ['a place of work in a role of two words', 'jobs', ['Designer Berlin'], ['Designer Hamburg'], 'medium'],
  ['the same words on another page', 'feature', ['Designer Berlin'], ['Designer Hamburg'], 'low'],
  ['one word more in a role', 'jobs', ['Designer'], ['Designer Berlin'], 'low'],
  ['one of eight words in a job', 'jobs', [`${WORDS(7)} old`], [`${WORDS(7)} new`], 'medium'],
  ['one of nine words in a job', 'jobs', [`${WORDS(8)} old`], [`${WORDS(8)} new`], 'low'],
  ['a word in the heading of a job', 'jobs', ['# Designer in all Berlin'], ['# Designer in all Hamburg'], 'low'],
  [
    'a number that comes on a page about prices',
    'pricing',
    ['All of the projects'],
    ['All of the 50 projects'],
    'high',
  ],
  [
    'a number that goes from a page about prices',
    'pricing',
    ['All of the 50 projects'],
    ['All of the projects'],
    'high',
  ],
  [
    'one of two items is reworded, the other goes',
    'docs',
    [`${WORDS(20)} old`, WORDS(20, 'gone')],
    [`${WORDS(20)} new`],
    'medium',
  ],
  [
    'one of two headings is reworded',
    'legal',
    ['# Refunds of unused months', 'Fees'],
    ['# Refunds of unused weeks', 'Fee'],
    'low',
  ],
  ['letter case', 'pricing', ['Free Plan'], ['Free plan'], 'low'],
])('severity: %s', (...[, kind, before, after, severity]) => {
  const judgement = judged(kind, before, after);

  expect(judgement.severity).toBe(severity);
  expect(judgement.reasons.length).toBeGreaterThan(1);
});

test('the kind is that of the page, pricing where an open page changes an amount, and by place on a front page', () => {
  const front = 'https://acme.example/';
  const long = Array.from({ length: 40 }, (_, at) => `line ${at} of the page`);
  expect(judged('docs', ['a'], ['b']).kind).toBe('docs');
  expect(judged('docs', ['$1 a'], ['$2 a']).kind).toBe('docs');
  expect(judged('feature', ['$1 a'], ['$2 a']).kind).toBe('pricing');
  expect(judged('positioning', long, ['new claim', ...long.slice(1)], front).kind).toBe('positioning');
  expect(judged('positioning', long, [...long.slice(0, -1), 'new feature'], front).kind).toBe('feature');
  expect(judged('positioning', long, [...long, 'now $5'], front).kind).toBe('pricing');
});

/** The kind of a change to some of so many lines. */
const kindOfChange = (lines: number, ...places: number[]): ChangeKind => {
  const before = Array.from({ length: lines }, (_, at) => `line ${'x'.repeat(at + 1)}`);
  const after = before.map((text, at) => (places.includes(at) ? `${text} again` : text));
  return judged('positioning', before, after, 'https://acme.example/').kind;
};

test('the top of a front page is its first 15 percent, four blocks at least, and most of a change decides', () => {
  expect([kindOfChange(8, 3), kindOfChange(8, 4)]).toEqual(['positioning', 'feature']);
  expect([kindOfChange(40, 5), kindOfChange(40, 6)]).toEqual(['positioning', 'feature']);
  expect([kindOfChange(8, 0, 5), kindOfChange(8, 0, 5, 6)]).toEqual(['positioning', 'feature']);
});

test('the reasons tell what was found', () => {
  expect(judged('pricing', ['$20 a month', '# Team'], ['$25 a month', '# Business']).reasons).toEqual([
    'amounts of money changed: $20 -> $25',
    'heading added: "Business"',
    'heading removed: "Team"',
    'about pricing: the kind of the page',
  ]);
  expect(
    judged('feature', ['Works with all calendars', 'Works on phones too'], ['Works with most calendars']).reasons[0],
  ).toBe('item removed: "Works on phones too"');
  expect(judged('feature', [], ['Works with calendars']).reasons[0]).toBe('item added: "Works with calendars"');
  expect(judged('docs', [], [WORDS(15)]).reasons[0]).toMatch(/^paragraph added: "word0 word1 /);
  expect(judged('docs', [], ['$1 or $2']).reasons[0]).toBe('amounts of money changed: none -> $1, $2');
  expect(judged('pricing', ['Up to 20 projects'], ['Up to 50 projects']).reasons[0]).toBe(
    'numbers on a page about prices changed: 20 -> 50',
  );
  expect(judged('jobs', ['Designer Berlin'], ['Designer Hamburg']).reasons[0]).toBe(
    'a role changed: "Designer Hamburg"',
  );
  const amounts = Array.from({ length: 8 }, (_, at) => `from $${at + 1} on`);
  expect(judged('docs', [], amounts).reasons[0]).toBe(
    'amounts of money changed: none -> $1, $2, $3, $4, $5, $6 and 2 more',
  );
});
