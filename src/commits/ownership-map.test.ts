import { expect, test } from 'vitest';
import { ownershipMap } from './history-pages.ts';

const owners = (...names: string[]) => names.map((author, at) => ({ author, decayedPercent: at === 0 ? 80 : 20 }));

test('files have their main owner and bus factor, largest first; people are listed by the lines of their files', () => {
  const map = ownershipMap(
    [
      { path: 'a', lines: 5 },
      { path: 'b', lines: 9 },
      { path: 'c', lines: 30 },
      { path: 'new', lines: 9 },
    ],
    [
      { path: 'a', busFactor: 1, owners: owners('Ada') },
      { path: 'b', busFactor: 1, owners: owners('Ada', 'Bo') },
      { path: 'c', busFactor: 2, owners: owners('Bo', 'Ada') },
      { path: 'image.png', busFactor: 1, owners: owners('Cy') },
    ],
  );

  expect(map).toEqual({
    total: 4,
    people: ['Bo', 'Ada'],
    files: [
      { path: 'c', lines: 30, bus_factor: 2, owner: 0, owner_pct: 80 },
      { path: 'b', lines: 9, bus_factor: 1, owner: 1, owner_pct: 80 },
      { path: 'new', lines: 9, bus_factor: 0, owner: null, owner_pct: 0 },
      { path: 'a', lines: 5, bus_factor: 1, owner: 1, owner_pct: 80 },
    ],
  });
});
