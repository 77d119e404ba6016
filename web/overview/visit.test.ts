import { expect, test } from 'vitest';
import { nextVisits } from './visit.ts';

const HOUR_MS = 3_600_000;

test('looks that follow each other closely are one visit; the one before it stays known', () => {
  const first = nextVisits(undefined, 1 * HOUR_MS);
  const soon = nextVisits(first, 1.25 * HOUR_MS);
  const later = nextVisits(soon, 9 * HOUR_MS);
  const again = nextVisits(later, 9.4 * HOUR_MS);

  expect(first.beforeMs).toBeUndefined();
  expect(soon).toEqual({ seenMs: 1.25 * HOUR_MS });
  expect(later).toEqual({ seenMs: 9 * HOUR_MS, beforeMs: 1.25 * HOUR_MS });
  expect(again).toEqual({ seenMs: 9.4 * HOUR_MS, beforeMs: 1.25 * HOUR_MS });
});
