import { expect, test } from 'vitest';
import { whyNotShown } from './other-shown.tsx';

const READY = { id: '1', name: 'shop', commit: 'abc', status: 'ready', error: null } as const;
const PENDING = { id: '2', name: 'web', commit: null, status: 'indexing', error: null } as const;
const FAILED = {
  id: '3',
  name: 'old',
  commit: null,
  status: 'failed',
  error: { message: 'No such branch.', fix: '' },
} as const;

test.each([
  [undefined, undefined],
  ['*', undefined],
  ['shop', undefined],
  ['1', undefined],
  ['web', 'web has no index yet: it is being made.'],
  ['3', 'old could not be indexed: No such branch.'],
  ['gone', 'There is no repository gone in this product.'],
])('why the repository %s of an address is not shown: %s', (repo, why) => {
  expect(whyNotShown(repo, [READY, PENDING, FAILED])).toBe(why);
});
