import { expect, test } from 'vitest';
import { looseNames, namedByPath } from './text.ts';

test('imports of Rust name what they import, on one line or on several', () => {
  const text =
    'use crate::one::Two;\n\n    use super::{\n        three,\n        four as five,\n    };\nlet user = 1;\n';

  const names = [...looseNames('Rust', text)].join(' ');

  expect(names).toBe('use crate one Two use super three four as five');
});

test('a long text of empty lines is read in one go', () => {
  // Seconds per 100,000 lines when each line is tried for all lines after it, which would outlast the test.
  expect([...looseNames('Rust', '\n'.repeat(900_000))]).toEqual([]);
});

test('macros of Rust name what their bodies hold', () => {
  const text =
    'macro_rules! made {\n    ($a:ident) => { one() };\n}\nfn two() {}\nmacro_rules! more(\n  three\n)\nfour\n';

  expect([...looseNames('Rust', text)].filter((name) => name.length > 2)).toEqual(['ident', 'one', 'three']);
});

test('paths are names with dots and a colon, or alone in quotes or on a line', () => {
  const text = 'a = celery.worker:default\nx = "com.shop.Guard"\ncom.shop.other.Guard\n.of.here:it\nb.c';

  expect([...namedByPath(text)]).toEqual([
    'celery/worker#default',
    'com/shop#Guard',
    'com/shop/other#Guard',
    'of/here#it',
  ]);
});

test.each([
  ['macros without an end', 'macro_rules! m ( '.repeat(100_000)],
  ['a word with many dots', 'a.'.repeat(500_000)],
])('%s are read in one go', (_, text) => {
  // Each beginning tried up to the end would outlast the test.
  expect([...looseNames('Rust', text), ...namedByPath(text)]).toEqual([]);
});
