import { expect, test } from 'vitest';
import { estimateBytes } from './estimate-bytes.ts';

test('data that is twice as large is estimated twice as large, whatever it is kept in', () => {
  const words = Array.from({ length: 1_000 }, (_, at) => `word number ${at}`);
  const half = words.slice(0, 500);

  for (const make of [
    (list: string[]) => list,
    (list: string[]) => new Set(list),
    (list: string[]) => new Map(list.map((word, at) => [word, at])),
    (list: string[]) => list.map((word) => ({ word, at: 1 })),
  ]) {
    const ratio = estimateBytes(make(words)) / estimateBytes(make(half));
    expect(ratio).toBeGreaterThan(1.9);
    expect(ratio).toBeLessThan(2.1);
  }
});

test('columns count with their bytes, and what is met again counts once', () => {
  const column = new Int32Array(10_000);
  const circle: { column: Int32Array; self?: unknown } = { column };
  circle.self = circle;

  expect(estimateBytes(circle)).toBeGreaterThan(40_000);
  expect(estimateBytes([column, column, circle])).toBeLessThan(41_000);
});
