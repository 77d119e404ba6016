import { expect, test } from 'vitest';
import { poissonTail, findSurprising } from '../kernel/poisson.ts';
import { BASELINE_WEEKS, trendsOf } from './trend.ts';

/** Twelve weeks of one count, and the last week. */
const weeks = (usual: number, last: number): number[] => [...Array.from({ length: BASELINE_WEEKS }, () => usual), last];

test.each([
  ['nothing before and three now', weeks(0, 3), 'steady'],
  ['nothing before and four now', weeks(0, 4), 'rising'],
  ['two a week and ten now', weeks(2, 10), 'rising'],
  ['two a week and three now', weeks(2, 3), 'steady'],
  ['nine a week and none now', weeks(9, 0), 'falling'],
  ['three a week and none now', weeks(3, 0), 'steady'],
  ['nine a week and nine now', weeks(9, 9), 'steady'],
] as const)('%s is told as it is', (_, series, direction) => {
  expect(trendsOf([series])[0]?.direction).toBe(direction);
});

test('a trend tells the last week, what is usual, and how likely that is by accident', () => {
  const [first] = trendsOf([[99, ...weeks(2, 5)]]);

  expect(first).toEqual({ last: 5, fortnight: 7, usual: 2, chance: 0.113, direction: 'steady' });
  expect(trendsOf([weeks(0, 0)])[0]).toMatchObject({ usual: 0, chance: 1 });
  expect(trendsOf([[...Array.from({ length: 11 }, () => 0), 1, 0]])[0]?.usual).toBe(0.08);
});

test('what begins slowly is seen in two weeks, where one is too short', () => {
  const slow = [...Array.from({ length: BASELINE_WEEKS }, () => 1), 4, 3];

  expect(trendsOf([slow])[0]).toMatchObject({ last: 3, fortnight: 7, direction: 'rising' });
  expect(trendsOf([[...slow.slice(0, -2), 1, 3]])[0]?.direction).toBe('steady');
});

test.each([
  [0, 2, 1],
  [1, 2, 0.8647],
  [3, 2, 0.3233],
  [10, 10, 0.5421],
])('the chance of %d or more where %d are expected is %d', (count, mean, chance) => {
  expect(poissonTail(count, mean)).toBeCloseTo(chance, 4);
});

test('far out the chance is still told', () => {
  expect(poissonTail(30, 1) / 1.4331e-33).toBeCloseTo(1, 2);
});

test('of many chances more must be surprising, and those below one that is are too', () => {
  expect(findSurprising([0.04])).toEqual([true]);
  expect(findSurprising([0.06])).toEqual([false]);
  expect(findSurprising([0.04, 0.9, 0.9])).toEqual([false, false, false]);
  expect(findSurprising([0.9, 0.03, 0.029])).toEqual([false, true, true]);
  expect(findSurprising([0.03, 0.9, 0.01])).toEqual([true, false, true]);
});

test('a burst is told of only when it is no accident', () => {
  const quiet = Array.from({ length: 13 }, () => 2);
  const burst = [...quiet.slice(1), 12];
  const few = [...Array.from({ length: 12 }, () => 0), 3];
  const fallen = [...Array.from({ length: 12 }, () => 20), 2];

  expect(trendsOf([quiet, burst, few, fallen]).map((trend) => trend.direction)).toEqual([
    'steady',
    'rising',
    'steady',
    'falling',
  ]);
  expect(trendsOf([burst])[0]).toMatchObject({ last: 12, usual: 2 });
});

test.each([
  [0, 3, 1],
  [1, 1, 1 - Math.exp(-1)],
  [3, 2, 0.3233],
  [40, 2, 1.917e-37],
])('the tail of Poisson from %s at a mean of %s', (count, mean, expected) => {
  expect(poissonTail(count, mean) / expected).toBeCloseTo(1, 1);
});

test('with many series more proof is asked for', () => {
  expect(findSurprising([0.04])).toEqual([true]);
  expect(findSurprising([0.04, ...Array.from({ length: 9 }, () => 0.9)])[0]).toBe(false);
  expect(findSurprising([0.001, 0.04, 0.9])).toEqual([true, false, false]);
});
