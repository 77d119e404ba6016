import { expect, test } from 'vitest';
import { HeapGuard } from './heap-guard.ts';

/** A heap of entries of ten bytes and of garbage, which a collection frees. */
function heapOf(entries: number, garbage: number) {
  const heap = { entries, garbage, collections: 0 };
  const measure = (): number => heap.entries * 10 + heap.garbage;
  const release = (): boolean => {
    if (heap.entries === 0) return false;
    heap.entries -= 1;
    heap.garbage += 10;
    return true;
  };
  const collect = (): void => {
    heap.garbage = 0;
    heap.collections += 1;
  };
  return { heap, measure, release, collect };
}

test('below the limit nothing is collected or released', () => {
  const { heap, measure, release, collect } = heapOf(9, 10);

  new HeapGuard(100, release, collect).check(measure);

  expect(heap).toEqual({ entries: 9, garbage: 10, collections: 0 });
});

test('garbage is collected first, and releases nothing', () => {
  const { heap, measure, release, collect } = heapOf(9, 500);

  new HeapGuard(100, release, collect).check(measure);

  expect(heap).toEqual({ entries: 9, garbage: 0, collections: 1 });
});

test('entries are released until the heap is below the limit', () => {
  const { heap, measure, release, collect } = heapOf(20, 0);

  new HeapGuard(100, release, collect).check(measure);

  expect(heap.entries).toBe(10);
});

test('what cannot be released is not looked at again before the heap has grown', () => {
  const { heap, measure, collect } = heapOf(20, 0);
  const guard = new HeapGuard(100, () => false, collect);

  for (let look = 0; look < 10; look += 1) guard.check(measure);
  expect(heap.collections).toBe(1);

  heap.entries = 26;
  guard.check(measure);
  expect(heap.collections).toBe(2);
});

test('the garbage collector of the engine is used when no other is given', () => {
  let released = 0;
  const guard = new HeapGuard(1, () => (released += 1) < 2);

  guard.check();

  expect(released).toBe(2);
});
