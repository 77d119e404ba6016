import { expect, test } from 'vitest';
import { StallTimer } from './stall-timer.ts';

const LIMIT_MS = 20;

/** Milliseconds until a process is called stalled that waits for a processor as long as `waited` says. */
function stallAfter(waited: () => number): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const timer = new StallTimer(1, LIMIT_MS, () => resolve(performance.now() - startedAt), waited);
    timer.refresh();
  });
}

test('time in which a process waits for a processor does not count as silence', async () => {
  const waits = [0, 0, 3 * LIMIT_MS];

  const starved = await stallAfter(() => waits.shift() ?? 3 * LIMIT_MS);

  expect(starved).toBeGreaterThanOrEqual(4 * LIMIT_MS - 1);
});

test('a process that waits for nothing and is silent is stalled, and one that was heard of is not', async () => {
  expect(await stallAfter(() => 0)).toBeGreaterThanOrEqual(LIMIT_MS - 1);

  const heard = new StallTimer(process.pid, LIMIT_MS, () => expect.unreachable());
  heard.refresh();
  heard.clear();
});
