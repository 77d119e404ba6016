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
