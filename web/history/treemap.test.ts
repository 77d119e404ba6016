import { expect, test } from 'vitest';
import { treemapOf } from './treemap.ts';

test('files lie in their folder, the larger one larger, and nothing leaves the picture', () => {
  const folders = treemapOf([
    { path: 'src/a.ts', lines: 300 },
    { path: 'src/b.ts', lines: 100 },
    { path: 'main.ts', lines: 200 },
  ]);

  expect(folders.map(({ path, tiles }) => [path, ...tiles.map(({ row }) => row.path)])).toEqual([
    ['src', 'src/a.ts', 'src/b.ts'],
    ['', 'main.ts'],
  ]);
  const [src] = folders;
  const [a = { width: 0, height: 0 }, b = { width: 0, height: 0 }] = src?.tiles ?? [];
  expect(a.width * a.height).toBeGreaterThan(2 * b.width * b.height);
  for (const folder of folders) {
    for (const tile of folder.tiles) {
      expect(tile.left).toBeGreaterThanOrEqual(folder.left);
      expect(tile.top).toBeGreaterThan(folder.top);
      expect(tile.left + tile.width).toBeLessThanOrEqual(folder.left + folder.width + 1e-9);
      expect(tile.top + tile.height).toBeLessThanOrEqual(100 + 1e-9);
    }
  }
});
