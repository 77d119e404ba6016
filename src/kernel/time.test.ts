import { expect, test } from 'vitest';
import { durationMs, isoDate } from './time.ts';

test.each([
  ['90m', 5_400_000],
  ['12h', 43_200_000],
  ['30d', 2_592_000_000],
  ['2w', 1_209_600_000],
  ['6mo', 15_552_000_000],
  ['2y', 63_072_000_000],
  ['30 days', 2_592_000_000],
  ['1 year ago', 31_536_000_000],
])('%s is %d ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});

test.each(['', '0d', '-1d', '1.5h', '30', 'd', '30D', '12345678d', '2 moons'])('%j is not a span', (text) => {
  expect(durationMs(text)).toBeUndefined();
});

test.each([
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31T10:20', '2027-01-31T10:20:00.000Z'],
  ['2027-01-31T10:20:30Z', '2027-01-31T10:20:30.000Z'],
  ['2027-01-31T00:20:30.5+02:00', '2027-01-30T22:20:30.500Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
])('%s is the moment %s', (text, iso) => {
  expect(isoDate(text)?.toISOString()).toBe(iso);
});

test.each([
  '',
  'tomorrow',
  '2027',
  '2027-13-01',
  '2027-02-29',
  '2027-04-31',
  '31.01.2027',
  '2027-01-31T25:00',
  '2027-01-31 10:00',
])('%j is not a moment', (text) => {
  expect(isoDate(text)).toBeUndefined();
});
