import { expect, test } from 'vitest';
import { nextFetchMs } from './fetch-schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const busy = { intervalMs: 5 * MINUTE_MS, sinceMoveMs: 0, failures: 0 };

test.each([
  ['a busy repository within the interval', busy, 0, 3.5 * MINUTE_MS],
  ['spread over the end of the interval', busy, 1, 4.5 * MINUTE_MS],
  ['still within it an hour after the last push', { ...busy, sinceMoveMs: HOUR_MS }, 1, 4.5 * MINUTE_MS],
  ['less often when quiet for 6 hours', { ...busy, sinceMoveMs: 6 * HOUR_MS }, 1, 27 * MINUTE_MS],
  ['once an hour when quiet for a year', { ...busy, sinceMoveMs: 8_760 * HOUR_MS }, 1, 54 * MINUTE_MS],
  ['soon after a first failure', { ...busy, failures: 1 }, 1, 27_000],
  ['later after each further one', { ...busy, failures: 4 }, 1, 216_000],
  ['after an hour at most', { ...busy, failures: 400 }, 1, 54 * MINUTE_MS],
  ['a short interval is not lengthened by a failure', { ...busy, intervalMs: 10_000, failures: 1 }, 1, 9_000],
  ['a long interval is kept', { ...busy, intervalMs: 24 * HOUR_MS }, 0, 16.8 * HOUR_MS],
])('%s', (_, history, random, expected) => {
  expect(nextFetchMs(history, random)).toBe(expected);
});
