import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { RateLimiter } from './rate-limit.ts';

const START_MS = 1_700_000_000_000;

test('the whole limit may come at once, then requests come back evenly', () => {
  const limiter = new RateLimiter(600, 60_000);

  const burst = Array.from({ length: 600 }, () => limiter.take('a', START_MS));

  expect(burst.every((allowance) => allowance.allowed)).toBe(true);
  expect(burst[0]).toEqual({ allowed: true, limit: 600, remaining: 599, resetSeconds: 1, retryAfterSeconds: 0 });
  expect(burst[599]).toEqual({ allowed: true, limit: 600, remaining: 0, resetSeconds: 60, retryAfterSeconds: 0 });
  expect(limiter.take('a', START_MS)).toEqual({
    allowed: false,
    limit: 600,
    remaining: 0,
    resetSeconds: 60,
    retryAfterSeconds: 1,
  });
  expect(limiter.take('a', START_MS + 99).allowed).toBe(false);
  expect(limiter.take('a', START_MS + 100).allowed).toBe(true);
  expect(limiter.take('a', START_MS + 100).allowed).toBe(false);
  expect(limiter.take('a', START_MS + 10_000)).toMatchObject({ allowed: true, remaining: 98 });
});

test('a client that waits as long as it is told is let in, and not much sooner', () => {
  assert(
    property(integer({ min: 1, max: 1000 }), integer({ min: 0, max: 59_999 }), (limit, waitedMs) => {
      const limiter = new RateLimiter(limit, 60_000);
      for (let taken = 0; taken < limit; taken += 1) limiter.take('a', START_MS);
      let nowMs = START_MS + waitedMs;
      while (limiter.take('a', nowMs).allowed);

      const { retryAfterSeconds, resetSeconds } = limiter.take('a', nowMs);
      nowMs += retryAfterSeconds * 1000;

      expect(limiter.take('a', nowMs).allowed).toBe(true);
      expect(retryAfterSeconds).toBeLessThanOrEqual(Math.ceil(60 / limit));
      expect(resetSeconds).toBeLessThanOrEqual(60);
    }),
  );
});

test('no window of a minute lets more than twice the limit pass', () => {
  assert(
    property(array(integer({ min: 0, max: 2000 }), { minLength: 50, maxLength: 400 }), (gapsMs) => {
      const limiter = new RateLimiter(30, 60_000);
      const passedAtMs: number[] = [];
      let nowMs = START_MS;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        if (limiter.take('a', nowMs).allowed) passedAtMs.push(nowMs);
      }

      const busiest = Math.max(
        ...passedAtMs.map((from) => passedAtMs.filter((at) => at >= from && at < from + 60_000).length),
      );

      expect(busiest).toBeLessThanOrEqual(60);
    }),
  );
});

test('ids have limits of their own, and one that is whole again is forgotten', () => {
  const limiter = new RateLimiter(1, 60_000);

  expect(limiter.take('a', START_MS).allowed).toBe(true);
  expect(limiter.take('b', START_MS + 1).allowed).toBe(true);
  expect(limiter.take('a', START_MS + 2)).toMatchObject({ allowed: false, retryAfterSeconds: 60 });

  limiter.sweep(START_MS + 60_000);
  expect(limiter.size).toBe(1);
  expect(limiter.take('a', START_MS + 60_000).allowed).toBe(true);
});
