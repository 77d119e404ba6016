import { expect, test } from 'vitest';
import { bestMatches } from './best-matches.ts';

const rows = [
  { id: '1', name: 'shop', fullName: 'acme/Store', url: '/srv/shop' },
  { id: '2', name: 'Shop', fullName: 'other/shop', url: 'https://host/other/shop' },
  { id: '3', name: 'store', fullName: null, url: '/srv/store' },
  { id: '4', name: '1', fullName: 'acme/store', url: '/srv/other' },
];
const idsFor = (reference: string): string[] => bestMatches(rows, reference).map(({ id }) => id);

test('an id comes before a name, a name before another case of it, and those before owner/name', () => {
  expect(idsFor('1')).toEqual(['1']);
  expect(idsFor('Shop')).toEqual(['2']);
  expect(idsFor('SHOP')).toEqual(['1', '2']);
  expect(idsFor('Store')).toEqual(['3']);
  expect(idsFor('acme/STORE')).toEqual(['1', '4']);
  expect(idsFor('sho')).toEqual([]);
});

test.each([
  ['/srv/store/', ['3']],
  ['https://host/other/shop', ['2']],
  ['https://host/other/shop.git', ['2']],
  ['git@host:other/shop.git', ['2']],
  ['host.example/other/Shop', ['2']],
  ['other/shop.git', ['2']],
  ['/srv/nothing', []],
])('%s means a repository by its folder or address', (reference, ids) => {
  expect(idsFor(reference)).toEqual(ids);
});
