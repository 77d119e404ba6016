import { expect, test } from 'vitest';
import { endLargest, type MeasuredThread } from './thread-memory.ts';

function threadsOf(...heaps: readonly (readonly [bytes: number, isAtWork: boolean])[]) {
  const ended: number[] = [];
  const threads = heaps.map(([bytes, isAtWork], at): MeasuredThread => ({
    isAtWork,
    measure: () => Promise.resolve(bytes),
    end: () => void ended.push(at),
  }));
  return { threads, ended };
}

test('of threads that hold too much together, the largest one at work is ended', async () => {
  const { threads, ended } = threadsOf([50, false], [20, true], [40, true]);

  expect(await endLargest(threads, 110, true)).toBe(false);
  expect(await endLargest(threads, 100, false)).toBe(true);
  expect(ended).toEqual([]);
  expect(await endLargest(threads, 100, true)).toBe(true);
  expect(ended).toEqual([2]);
});

test('threads that do nothing are not ended', async () => {
  const { threads, ended } = threadsOf([50, false], [60, false]);

  expect(await endLargest(threads, 100, true)).toBe(true);
  expect(ended).toEqual([]);
});
