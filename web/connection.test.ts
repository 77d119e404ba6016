import { expect, test, vi } from 'vitest';
import { isServiceReached, probeService, subscribeToConnection } from './connection.ts';

test('a service that stops and comes back is told to whoever listens, once each', async () => {
  const answers = [
    () => Promise.reject(new Error('refused')),
    () => Promise.resolve({ ok: false }),
    () => Promise.resolve({ ok: true }),
  ];
  vi.stubGlobal('fetch', () => answers.shift()?.());
  const states: boolean[] = [];
  const unsubscribe = subscribeToConnection(() => states.push(isServiceReached()));

  for (let probe = 0; probe < 3; probe += 1) await probeService();
  unsubscribe();

  expect(states).toEqual([false, true]);
  vi.unstubAllGlobals();
});
