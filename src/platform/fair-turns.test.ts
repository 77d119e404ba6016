import { expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';

const { signal } = new AbortController();

test('at most so many have a turn, and a key that asks for many does not keep another one waiting', async () => {
  const turns = new FairTurns(2);
  const order: string[] = [];
  const ends = [await turns.take('busy', signal), await turns.take('busy', signal)];
  const waiting = ['busy', 'busy', 'other'].map(async (key, at) => {
    const end = await turns.take(key, signal);
    order.push(`${key} ${at}`);
    return end;
  });

  ends[0]?.();
  (await waiting[2])?.();
  (await waiting[0])?.();
  (await waiting[1])?.();

  expect(order).toEqual(['other 2', 'busy 0', 'busy 1']);
});

test('who gives up waiting takes no turn', async () => {
  const turns = new FairTurns(1);
  const end = await turns.take('a', signal);
  const stop = new AbortController();
  const given = turns.take('a', stop.signal);
  stop.abort(new Error('cancelled'));

  await expect(given).rejects.toThrow('cancelled');
  end();
  end();
  (await turns.take('b', signal))();
});
