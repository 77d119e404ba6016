import { expect, test } from 'vitest';
import { stalestFirst } from './stale.ts';

test('of the plans that name one thing the stalest comes first, those alike by their names', () => {
  const plans = [
    { id: 'b', stale: 'fresh' },
    { id: 'z', stale: undefined },
    { id: 'f', stale: 'unresolved 1/3' },
    { id: 'a', stale: 'fresh' },
    { id: 'e', stale: 'aging' },
    { id: 'd', stale: 'stale 3/7 since a1b2c3d' },
    { id: 'g', stale: 'broken' },
  ];

  expect(stalestFirst(plans).map(({ id }) => id)).toEqual(['g', 'd', 'e', 'f', 'a', 'b', 'z']);
});
