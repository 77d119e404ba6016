import { expect, test } from 'vitest';
import { circleOf, coupledFiles } from './coupling-circle.ts';

const PAIRS = [
  { a: 'src/b.ts', b: 'test/b.ts', degree_pct: 90 },
  { a: 'src/a.ts', b: 'src/b.ts', degree_pct: 40 },
  { a: 'docs/c.md', b: 'src/a.ts', degree_pct: 10 },
];

test('the files with the most coupling are taken, and stand by folder', () => {
  expect(coupledFiles(PAIRS, 3)).toEqual(['src/a.ts', 'src/b.ts', 'test/b.ts']);
});

test('files stand on the circle, apart from each other, and further apart between folders', () => {
  const files = circleOf(['src/a.ts', 'src/b.ts', 'test/b.ts'], 100);

  for (const { x, y } of files) expect(Math.hypot(x, y)).toBeCloseTo(100);
  const apart = (from: number, to: number): number =>
    Math.hypot((files[from]?.x ?? 0) - (files[to]?.x ?? 0), (files[from]?.y ?? 0) - (files[to]?.y ?? 0));
  expect(apart(1, 2)).toBeGreaterThan(apart(0, 1));
  expect(files.map(({ isLeft, x }) => isLeft === x < 0)).toEqual([true, true, true]);
});
