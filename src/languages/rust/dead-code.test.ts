import { expect, test } from 'vitest';
import { RUST_DEAD_CODE } from './language.ts';

const looseNames = (text: string): Iterable<string> => RUST_DEAD_CODE.looseNames?.(text) ?? [];

test('imports name what they import, on one line or on several', () => {
  const text =
    'use crate::one::Two;\n\n    use super::{\n        three,\n        four as five,\n    };\nlet user = 1;\n';

  const names = [...looseNames(text)].join(' ');

  expect(names).toBe('use crate one Two use super three four as five');
});

test('a long text of empty lines is read in one go', () => {
  // Seconds per 100,000 lines when each line is tried for all lines after it, which would outlast the test.
  expect([...looseNames('\n'.repeat(900_000))]).toEqual([]);
});

test('macros name what their bodies hold', () => {
  const text =
    'macro_rules! made {\n    ($a:ident) => { one() };\n}\nfn two() {}\nmacro_rules! more(\n  three\n)\nfour\n';

  expect([...looseNames(text)].filter((name) => name.length > 2)).toEqual(['ident', 'one', 'three']);
});

test('macros without an end are read in one go', () => {
  // Each beginning tried up to the end would outlast the test.
  expect([...looseNames('macro_rules! m ( '.repeat(100_000))]).toEqual([]);
});
