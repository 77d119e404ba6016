import { expect, test } from 'vitest';
import type { RankedUnit } from '../code/units/units.ts';
import { choosePassages, weighTerms } from './passages.ts';

const weights = weighTerms(
  [
    { term: 'retri', units: 10 },
    { term: 'mail', units: 200 },
  ],
  1000,
);

function unit(path: string, score: number, lines: readonly string[]): RankedUnit {
  return {
    path,
    start: 1,
    end: lines.length,
    symbol: 'send',
    kind: 'function',
    isSymbol: true,
    signature: 1,
    isTest: false,
    score,
    lines,
  };
}

const filler = (count: number): string[] => Array.from({ length: count }, (_, at) => `  step${at}(data);`);
const shownOf = (passages: ReturnType<typeof choosePassages>): string[] =>
  passages.flatMap(({ unit: { path }, lines }) => lines.map(({ number }) => `${path}:${number}`));

test('a line with words of the question goes before lines of a better unit without them', () => {
  const best = unit('a.ts', 1, ['function send() {', ...filler(40), '}']);
  const other = unit('b.ts', 0.8, ['function post() {', ...filler(20), '  retry(mail);', ...filler(20), '}']);

  const [first] = choosePassages([best, other], weights, [200]);

  expect(first?.unit.path).toBe('b.ts');
  expect(first?.lines[0]).toEqual({ number: 1, text: 'function post() {' });
  expect(first?.lines.map(({ number }) => number)).toContain(22);
});

test('of lines with the same words the one that decides comes first', () => {
  const lines = [
    'function send() {',
    ...filler(20),
    '  retry(mail);',
    ...filler(20),
    '  if (late) retry(mail);',
    ...filler(20),
  ];

  const [first] = choosePassages([unit('a.ts', 1, lines)], weights, [40]);

  expect(first?.lines.map(({ number }) => number)).toEqual([1, 43, 44, 45]);
});

test('a line that decides goes before one that stands two lines from a word of the question', () => {
  const lines = ['function send() {', ...filler(20), '  mail();', ...filler(20), '  if (late) wait();', ...filler(20)];

  const [first] = choosePassages([unit('a.ts', 1, lines)], weights, [170]);

  expect(first?.lines.map(({ number }) => number)).toEqual([1, 21, 22, 23, 24, 25, 43, 44, 45]);
});

test('a unit of few lines comes whole, without lines that only frame', () => {
  const small = unit('a.ts', 1, [
    '/**',
    ' * Retries.',
    ' */',
    'function send() {',
    '    if (late) {',
    '        retry();',
    '    }',
    '}',
  ]);

  expect(choosePassages([small], weights, [2000])[0]?.lines).toEqual([
    { number: 2, text: '* Retries.' },
    { number: 4, text: 'function send() {' },
    { number: 5, text: ' if (late) {' },
    { number: 6, text: '  retry();' },
  ]);
});

test('a larger budget continues the list of a smaller one and shows no line twice', () => {
  const units = ['a.ts', 'b.ts', 'c.ts'].map((path, at) => unit(path, 1 - at / 10, ['retry(mail);', ...filler(60)]));

  const small = shownOf(choosePassages(units, weights, [400]));
  const large = shownOf(choosePassages(units, weights, [400, 1200]));

  expect(large.slice(0, small.length)).toEqual(small);
  expect(large.length).toBeGreaterThan(small.length);
  expect(new Set(large).size).toBe(large.length);
});

/** `mail` is on these lines of a unit, from 0. */
function linesWith(word: string, ats: readonly number[], count = 30): string[] {
  return Array.from({ length: count }, (_, at) => (ats.includes(at) ? `  ${word}(a);` : `  step${at}(data);`));
}

const BOTH = new Map([
  ['mail', 1],
  ['retri', 1],
]);

/** The score of a unit beside one that has a half of the question on one line, and a score of 1.1. */
function scoreBeside(other: RankedUnit): number {
  const passages = choosePassages([unit('base.ts', 1, linesWith('mail', [4])), other], BOTH, [9_000]);
  const score = (path: string): number => passages.find((passage) => passage.unit.path === path)?.score ?? 0;
  return Number(((1.1 * score('other.ts')) / score('base.ts')).toFixed(3));
}

test('the score of a unit grows with what it has of the question, altogether and within a dozen lines', () => {
  const lines = (mail: number, retry: number): string[] =>
    linesWith('mail', [mail]).map((line, at) => (at === retry ? '  retry(a);' : line));
  const other = (own: readonly string[], score = 1): number => scoreBeside(unit('other.ts', score, own));

  expect(other(linesWith('mail', []))).toBe(0.6);
  expect(other(lines(0, 11))).toBe(1.6);
  expect(other(lines(0, 12))).toBe(1.35);
  expect(other(lines(6, 17))).toBe(1.6);
  expect(other(lines(5, 16))).toBe(1.35);
  expect(other(lines(0, 11), 0.5)).toBe(0.8);
  // A word of its path or symbol counts as one that it has.
  expect(scoreBeside({ ...unit('other.ts', 1, linesWith('mail', [])), symbol: 'retry' })).toBe(0.85);
});

/** Lines of one length, of which each decides as little as the others. */
const plain = (count: number): string[] => Array.from({ length: count }, (_, at) => `  step${10 + at}(a);`);
const MAIL = new Map([['mail', 1]]);

test('a budget is spent on the characters of lines and five more each, and on those of a source and 35 more', () => {
  const one = { ...unit('a.ts', 1, ['function send() {', ...plain(40)]), signature: 4 };
  const source = 'a.ts'.length + 'send'.length + 35;
  const lines = 'function send() {'.length + 5 + 3 * ('step10(a);'.length + 5);
  const shown = (budget: number): number => shownOf(choosePassages([one], MAIL, [budget])).length;

  // The first line brings that of the name and two below it; one more brings the next.
  expect([shown(source + lines), shown(source + lines + 1)]).toEqual([4, 5]);
});

const secondBeside = (score: number): string | undefined => {
  const [lines, others] = [plain(80).slice(0, 40), plain(80).slice(40)];
  const units = [unit('a.ts', 1, lines), unit('b.ts', score, others)];
  return choosePassages(units, MAIL, [1, 100])[1]?.unit.path;
};

test('a unit gives way to another one by three percent for each line that it shows', () => {
  expect([secondBeside(0.95), secondBeside(0.9)]).toEqual(['b.ts', 'a.ts']);
});

const firstBeside = (score: number): string | undefined => {
  const units = [unit('a.ts', 1, plain(40)), unit('b.ts', score, linesWith('mail', [20], 40))];
  return choosePassages(units, new Map(BOTH).set('retri', 9), [1])[0]?.unit.path;
};

test('a line with a word of the question goes before one of a unit that is better by a quarter, not by much more', () => {
  expect([firstBeside(0.75), firstBeside(0.7)]).toEqual(['b.ts', 'a.ts']);
});

const countShown = (lines: number): number =>
  shownOf(choosePassages([{ ...unit('a.ts', 1, plain(lines)), signature: 0 }], MAIL, [1])).length;

test('a unit of twelve lines comes whole, of one of thirteen a line and the two below it', () => {
  expect([countShown(12), countShown(13)]).toEqual([12, 3]);
});

test('a line of twenty characters that is shown already adds nothing in another unit, a shorter one does', () => {
  const shown = (line: string): string[] =>
    shownOf(
      choosePassages([unit('a.ts', 1, ['one', 'two', line]), unit('b.ts', 1, ['six', 'ten', line])], MAIL, [999]),
    );

  expect(shown('x'.repeat(20))).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:3', 'b.ts:1', 'b.ts:2']);
  expect(shown('x'.repeat(19))).toContain('b.ts:3');
  // Lines of one place that two units have are shown once.
  const same = [unit('a.ts', 1, ['one', 'two']), unit('a.ts', 0.9, ['one', 'two'])];
  expect(shownOf(choosePassages(same, MAIL, [999]))).toEqual(['a.ts:1', 'a.ts:2']);
});

const levelsOf = (indent: string): string[] => {
  const lines = [1, 2, 3, 9, 10, 11].map((level) => `${indent.repeat(level)}step();`);
  return (choosePassages([unit('a.ts', 1, lines)], MAIL, [999])[0]?.lines ?? []).map(({ text }) => text);
};

test('a line shows its level of indentation as a space, eight at most, whether written with tabs or spaces', () => {
  const expected = [0, 1, 2, 8, 8, 8].map((level) => `${' '.repeat(level)}step();`);

  expect(levelsOf('\t')).toEqual(expected);
  expect(levelsOf('    ')).toEqual(expected);
});

test('words that no unit has weigh as those of thirty units', () => {
  const terms = [0, 30, 29].map((units) => ({ term: `of ${units}`, units }));
  const weighed = weighTerms(terms, 1000);

  expect(weighed.get('of 0')).toBe(weighed.get('of 30'));
  expect(weighed.get('of 29')).toBeGreaterThan(weighed.get('of 30') ?? 0);
});
