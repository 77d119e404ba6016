import { expect, test } from 'vitest';
import { poissonTail, findSurprising } from '../kernel/poisson.ts';
import { weeklyVoices } from './themes.ts';
import { type Burst, burstsOf, trendOf } from './trend.ts';

/** Half a year of one count a week, then the last two weeks. */
const weeks = (usual: number, before: number, last: number): number[] => [
  ...Array.from({ length: 24 }, () => usual),
  before,
  last,
];
const burstsIn = (series: readonly number[]): Burst[] => burstsOf(series, series.length);
const directionOf = (series: readonly number[]): string => trendOf(series, series.length).direction;

test.each([
  ['nothing before and four now', weeks(0, 0, 4), 'steady'],
  ['nothing before and five now', weeks(0, 0, 5), 'rising'],
  ['nothing before, then two and four', weeks(0, 2, 4), 'rising'],
  ['two a week and fourteen in two', weeks(2, 4, 10), 'rising'],
  ['two a week and eleven in two', weeks(2, 4, 7), 'steady'],
  ['nine a week and none any more', weeks(9, 0, 0), 'falling'],
  ['three a week and none any more', weeks(3, 0, 0), 'steady'],
  ['nine a week as ever', weeks(9, 9, 9), 'steady'],
] as const)('%s is told as it is', (_, series, direction) => {
  expect(directionOf(series)).toBe(direction);
});

test('a trend tells the last week, the last two, what is usual, and how likely that is by accident', () => {
  expect(trendOf(weeks(2, 2, 5), 26)).toEqual({
    last: 5,
    fortnight: 7,
    usual: 2,
    chance: 0.111,
    direction: 'steady',
  });
  expect(trendOf(weeks(0, 0, 0), 26)).toMatchObject({ usual: 0, chance: 1 });
});

test('weeks before the first signal of a product say nothing, and without a time before nothing rises', () => {
  const series = weeks(0, 4, 8);

  expect(trendOf(series, 26)).toMatchObject({ direction: 'rising' });
  expect(trendOf([...Array.from({ length: 22 }, () => 0), 4, 5, 4, 8], 4)).toMatchObject({ direction: 'steady' });
  expect(trendOf(series, 2)).toMatchObject({ chance: 1, direction: 'steady' });
});

test('bursts of the past are two weeks that no other weeks explain', () => {
  const series = [...weeks(1, 6, 7), ...weeks(1, 1, 1), ...weeks(1, 0, 9)];

  expect(burstsIn(series).map(({ fromWeek, toWeek, mentions }) => [fromWeek, toWeek, mentions])).toEqual([
    [53, 52, 13],
  ]);
  expect(burstsIn(weeks(0, 0, 9)).map(({ fromWeek, toWeek, mentions }) => [fromWeek, toWeek, mentions])).toEqual([
    [1, 0, 9],
  ]);
  expect(burstsIn(weeks(3, 3, 3))).toEqual([]);
  expect(burstsIn([4, 5])).toEqual([]);
});

test('of bursts that share a week the least likely one is told', () => {
  const series = [...Array.from({ length: 40 }, () => 1), 16, 20, 15, 1];

  expect(burstsIn(series).map(({ fromWeek, toWeek, mentions }) => [fromWeek, toWeek, mentions])).toEqual([
    [1, 0, 16],
    [3, 2, 36],
  ]);
});

test('one week before the last two is a time before, and a year of weeks is looked at', () => {
  expect(trendOf([3, 4, 8], 3).chance).toBeCloseTo(0.0201, 4);
  expect(trendOf([], 0)).toMatchObject({ last: 0, fortnight: 0, usual: 0, direction: 'steady' });
  expect(weeklyVoices([], new Date('2026-03-01'))).toHaveLength(52);
});

test('what is said as often as ever since the first signal of a product is no burst', () => {
  const series = [...Array.from({ length: 46 }, () => 0), 3, 3, 3, 3, 3, 3];

  expect(burstsOf(series, 6)).toEqual([]);
  expect(burstsOf(series, 52)).toHaveLength(3);
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
