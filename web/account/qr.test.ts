import { expect, test } from 'vitest';
import { qrModules } from './qr.ts';

/** Read back by a scanner library when it was recorded, as were texts at the limits of all nine versions. */
const SVC = `
#######..###..#######
#.....#.#.....#.....#
#.###.#.....#.#.###.#
#.###.#...###.#.###.#
#.###.#.##..#.#.###.#
#.....#...#.#.#.....#
#######.#.#.#.#######
.........####........
#.#.#.#...##....#..#.
#...#...###...#.....#
#.###.#####.#...#..##
...###........#.....#
..#...#..##.#.#.#...#
........#.##.#.#.#..#
#######..#.#.###.#.##
#.....#...####.###..#
#.###.#.#..#.###..#.#
#.###.#...#...#...##.
#.###.#.###.#...#...#
#.....#..##...#...##.
#######.###.#.#.#.###
`;

test('a text becomes the modules that scanners read', () => {
  const rows = qrModules('svc')?.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));

  expect(rows).toEqual(SVC.trim().split('\n'));
});

test.each([
  [14, 21],
  [15, 25],
  [84, 37],
  [85, 41],
  [106, 41],
  [107, 45],
  [180, 53],
])('%i bytes take the smallest code that holds them, %i modules wide', (bytes, modules) => {
  const rows = qrModules('x'.repeat(bytes));

  expect(rows).toHaveLength(modules);
  expect(rows?.every((row) => row.length === modules)).toBe(true);
});

test('a text that no code holds gives none; letters beyond ASCII count by their bytes', () => {
  expect(qrModules('x'.repeat(181))).toBeUndefined();
  expect(qrModules('ä'.repeat(90))).toHaveLength(53);
  expect(qrModules('ä'.repeat(91))).toBeUndefined();
});
