import { expect, test } from 'vitest';
import { isErrorCode } from './errors.ts';

test('a code of an error is one of those that are declared, not a name that every object has', () => {
  expect(['not_indexed', 'conflict', 'constructor', 'toString', ''].filter(isErrorCode)).toEqual([
    'not_indexed',
    'conflict',
  ]);
});
