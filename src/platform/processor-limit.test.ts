import { expect, test } from 'vitest';
import { limitProcessorTime, processorTimeOf } from './processor-limit.ts';

/** The limit that ends work which has had this much of the processor at each look. */
async function limitOf(used: (look: number) => number | undefined, deadlineMs = 4): Promise<string> {
  let looks = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const stop = limitProcessorTime({ deadlineMs, longestMs: 12, processorMs: () => used(looks++) }, resolve);
  try {
    return await promise;
  } finally {
    stop();
  }
}

test('work is ended at its processor time, which begins where the work does', async () => {
  await expect(limitOf((look) => 1_000 + 4 * look)).resolves.toBe('0.004 s of processor time');
});

test('what was used before work began is not read again where it is known', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  limitProcessorTime({ deadlineMs: 4, longestMs: 12, processorMs: () => 1_004, beforeMs: 1_000 }, resolve);

  await expect(promise).resolves.toBe('0.004 s of processor time');
});

test('work that gets no processor is waited for, not for ever', async () => {
  await expect(limitOf(() => 1_000)).resolves.toBe('0.012 s');
});

test('without a system that tells processor time, the time that passes counts', async () => {
  await expect(limitOf(() => undefined)).resolves.toBe('0.004 s');
});

test('work that ends in time is not ended', async () => {
  const limit = { deadlineMs: 1, longestMs: 1, processorMs: () => undefined };
  const { promise, resolve } = Promise.withResolvers<string>();

  limitProcessorTime(limit, () => resolve('the first'))();
  limitProcessorTime(limit, () => resolve('the second'));

  await expect(promise).resolves.toBe('the second');
});

test('a folder that is not there has no processor time', () => {
  expect(processorTimeOf('0/task/0')).toBeUndefined();
});
