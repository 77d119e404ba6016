import { hashKey, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { isChangedBy, type Kind } from './query-keys.ts';
import { keysQuery, readPages, readQuery, toolPages, toolQuery, watching } from './queries.ts';

const PRODUCT = { product: 'p', name: 'code-tool' };

test('requests that differ in anything have keys of their own, and the same request has the same key', () => {
  const queries = [
    readQuery('plans', 'plans', { product: 'p' }),
    readQuery('plans', 'plans', { product: 'q' }),
    readQuery('plans', 'plans/a', { product: 'p' }),
    readQuery('plans', 'plans', { product: 'p' }, { of: 'commit' }),
    readPages('plans', 'plans', { product: 'p' }),
    toolQuery('code', PRODUCT, { query: 'a' }),
    toolQuery('code', PRODUCT, { query: 'b' }),
    toolPages('code', PRODUCT, { query: 'a' }),
  ];

  expect(new Set(queries.map(({ queryKey }) => hashKey(queryKey))).size).toBe(queries.length);
  expect(hashKey(readQuery('plans', 'plans', { a: 1, b: undefined }).queryKey)).toBe(
    hashKey(readQuery('plans', 'plans', { a: 1 }).queryKey),
  );
});

test.each<[Kind, Kind[]]>([
  ['decisions', ['decisions']],
  ['keys', ['keys', 'overview']],
  ['plan', ['plan', 'plans', 'work-items']],
  ['signals', ['customers', 'signals', 'themes']],
])('a change of %s makes %s old', async (changed, old) => {
  const kinds = [
    'customers',
    'decisions',
    'keys',
    'overview',
    'plan',
    'plans',
    'signals',
    'themes',
    'work-items',
  ] as const;
  const queries = new QueryClient();
  for (const kind of kinds) queries.setQueryData(readQuery(kind, kind).queryKey, {});

  await queries.invalidateQueries({ predicate: isChangedBy([changed]) });

  expect(kinds.filter((kind) => queries.getQueryState(readQuery(kind, kind).queryKey)?.isInvalidated)).toEqual(old);
});

test('an answer is read again only while it changes by itself', () => {
  const interval = watching(({ running }: { running: number }) => running > 0);

  expect(interval({ state: { data: { running: 1 } } })).toBeGreaterThan(0);
  expect(interval({ state: { data: { running: 0 } } })).toBe(false);
  expect(interval({ state: { data: undefined } })).toBe(false);
  expect(keysQuery()).not.toHaveProperty('refetchInterval');
});
