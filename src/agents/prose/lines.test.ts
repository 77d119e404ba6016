import { expect, test } from 'vitest';
import { citerOf, placeAt } from '../../testing/prose.ts';
import { isToldInFull, wholeOf } from './in-full.ts';
import { listVariables, quoteLines } from './lines.ts';

const cite = citerOf({});

test('lines are quoted that have six tenths of the worth of the best ones', () => {
  const place = placeAt('src/a.ts', 'send', 'one();\ntwo();');
  const told = (worth: number): number | undefined =>
    quoteLines(cite, [
      { place, from: 0, to: 0, worth: 0.5 },
      { place, from: 1, to: 1, worth },
    ])[0]?.sentences.length;

  expect([told(0.29), told(0.3)]).toEqual([2, 3]);
  expect(quoteLines(cite, [])).toEqual([]);
});

const quoted = (length: number): string | undefined =>
  quoteLines(cite, [{ place: placeAt('src/a.ts', 'send', 'x'.repeat(length)), from: 0, to: 0, worth: 1 }])[0]
    ?.sentences[1]?.text;

test('a piece of code is quoted up to 280 characters', () => {
  expect(quoted(280)).not.toContain('…');
  expect(quoted(281)).toContain(`${'x'.repeat(280)} …`);
});

test('25 environment variables are named, each where it is read first', () => {
  const reads = Array.from({ length: 30 }, (_, at) => placeAt(`src/${at}.ts`, '', `process.env.SHOP_${at + 10}`));

  expect(listVariables(cite, [...reads, ...reads])[0]?.sentences[0]?.sources).toHaveLength(25);
  expect(listVariables(cite, [placeAt('src/a.ts', '', 'env')])).toEqual([]);
});

const lines = (count: number): boolean =>
  wholeOf(placeAt('src/a.ts', 'f', Array.from({ length: count }, () => 'go();').join('\n'))) !== undefined;

const long = (length: number): boolean => isToldInFull(placeAt('src/a.ts', 'f', `f() {\n${'x'.repeat(length - 8)}\n}`));

test('a function is shown in full with three to 24 lines and up to 600 characters', () => {
  expect([2, 3, 24, 25].map(lines)).toEqual([false, true, true, false]);
  expect([long(600), long(601)]).toEqual([true, false]);
  expect(isToldInFull(placeAt('src/a.ts', 'f', 'f() {\n  go();\n}', { doc: 'Goes.' }))).toBe(false);
  expect(isToldInFull(placeAt('src/a.ts', 'F', 'class F {\n  go;\n}', { kind: 'class' }))).toBe(false);
});
