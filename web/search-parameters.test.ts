import { expect, test } from 'vitest';
import { searchParameters } from './search-parameters.ts';

test('an address keeps what fits and drops defaults and what does not', () => {
  expect(
    searchParameters({ q: 'mail', mode: 'text', repo: 'shop', path: 'src/', kinds: 'class', tests: 'only' }),
  ).toEqual({
    q: 'mail',
    mode: 'text',
    repo: 'shop',
    path: 'src/',
    kinds: 'class',
    tests: 'only',
  });
  expect(
    searchParameters({ q: '', mode: 'all', corpus: 'mail', tests: 'include', repo: ['x'], kinds: {}, strange: 1 }),
  ).toEqual({});
  expect(searchParameters({ mode: 'everything', tests: true })).toEqual({});
});

test('one kind of source and a beginning are kept, and what older addresses call words', () => {
  const parameters = { q: 'mail', corpus: 'signals', since: '30d' } as const;
  expect(searchParameters(parameters)).toEqual(parameters);
  expect(searchParameters({ q: 'mail', mode: 'words' })).toEqual({ q: 'mail', mode: 'words' });
});

test('a query that reads as a number is still a query', () => {
  expect(searchParameters({ q: 404 })).toEqual({ q: '404' });
});
