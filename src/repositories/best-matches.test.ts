import { expect, test } from 'vitest';
import { bestMatches } from './best-matches.ts';

const rows = [
  { id: '1', name: 'shop', fullName: 'acme/Store' },
  { id: '2', name: 'Shop', fullName: 'other/shop' },
  { id: '3', name: 'store', fullName: null },
  { id: '4', name: '1', fullName: 'acme/store' },
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
