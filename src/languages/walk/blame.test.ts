import { expect, test } from 'vitest';
import { findCulprits, withoutCulprits } from './blame.ts';
import { indentUnits, isUnit, linesOf } from './indent-units.ts';

/** The lines that are blamed, where a text is understood that matches a pattern nowhere. */
const blamed = (text: string, unknown: RegExp): string[] =>
  findCulprits(text, (part) => !unknown.test(part)).flatMap(({ lines }) =>
    lines.map(({ start, end }) => text.slice(start, end).trim()),
  );

test('what is at fault is found alone, wherever it stands', () => {
  const text = `a {\n  b {\n    c\n    bad 1\n    d\n  }\n  e {\n    f\n    bad 2\n  }\n}\n`;

  expect(blamed(text, /bad/)).toEqual(['bad', 'bad']);
});

test('of lines that are at fault only together one is given up', () => {
  const text = `a {\n  b\n  one\n  two\n  c\n  one\n  two\n  d\n}\n`;

  expect(blamed(text, /one\n\s*two/)).toEqual(['one', 'one']);
});

test('a long part whose first line is at fault keeps its inside', () => {
  const text = `a {\n  bad {\n${'    x\n'.repeat(40)}  }\n  b\n}\n`;

  expect(blamed(text, /bad/)).toEqual([]);
});

test('nothing is blamed where all is understood', () => {
  expect(blamed('a {\n  b\n}\n', /bad/)).toEqual([]);
});

test('a text without culprits is as long as before, and what must be there is', () => {
  const text = 'a =\n  bad\nb\n';
  const culprits = findCulprits(text, (part) => !/bad|=\s*$/.test(part));

  expect(withoutCulprits(text, culprits)).toBe('a =\n  0  \nb\n');
});

test('what goes on at the same depth belongs to the unit before it, comments and directives to any', () => {
  const text = '@A\nclass B(\n  c,\n) {\n  d\n#if X\n  e\n}\nelse\n// f\ng {\n}\nh :\n  I,\n  J {\n  k\n}\n';

  expect(indentUnits(text).map((unit) => text.slice(linesOf(unit)[0]?.start, linesOf(unit).at(-1)?.end))).toEqual([
    '@A\nclass B(\n  c,\n) {\n  d\n#if X\n  e\n}\nelse\n// f',
    'g {\n}',
    'h :\n  I,\n  J {\n  k\n}',
  ]);
  expect(indentUnits(text)[2]?.parts.filter(isUnit).flatMap(linesOf)).toEqual([
    { start: text.indexOf('  k'), end: text.indexOf('  k') + 3 },
  ]);
});
