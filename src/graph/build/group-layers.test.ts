import { expect, test } from 'vitest';
import { groupLayers } from './group-layers.ts';

test('parts that use each other are in different layers, those that do not share one', () => {
  // 0 uses 1 and 2, which do not know each other; both use 3.
  const uses = [
    [0, 5, 5, 0],
    [0, 0, 0, 2],
    [0, 0, 0, 2],
    [0, 0, 0, 0],
  ];

  expect(groupLayers(uses, [1, 1, 1, 1], 3)).toEqual([0, 1, 3]);
  expect(groupLayers(uses, [1, 1, 1, 1], 8)).toEqual([0, 1, 2, 3]);
});

test('among equal divisions layers are of even size', () => {
  const uses = Array.from({ length: 4 }, () => [0, 0, 0, 0]);

  expect(groupLayers(uses, [4, 1, 1, 2], 2)).toEqual([0, 1]);
});
