import { expect, test } from 'vitest';
import { looseNames } from './dead-code-text.ts';

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
