import { expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';

const { signal } = new AbortController();

/** Begins pieces of work that each end when they are told to, and notes in which order they began. */
function bench(most: number) {
  const turns = new FairTurns(most);
  const order: string[] = [];
  const begin = (name: string, key: string, given = signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = turns.run(key, given, () => {
      order.push(name);
      return promise;
    });
    return {
      done,
      end: async () => {
        resolve();
        await done;
      },
    };
  };
  return { order, begin };
}

test('at most so many have a turn, and the next one is for the key with fewest', async () => {
  const { order, begin } = bench(2);
  const [first, second] = [begin('busy 0', 'busy'), begin('busy 1', 'busy')];
  const [third, fourth, other] = [begin('busy 2', 'busy'), begin('busy 3', 'busy'), begin('other', 'other')];

  expect(order).toEqual(['busy 0', 'busy 1']);
  for (const work of [first, other, third, second, fourth]) await work.end();

  expect(order).toEqual(['busy 0', 'busy 1', 'other', 'busy 2', 'busy 3']);
});

test('of keys with as few turns, the one that has had none for longest is next', async () => {
  const { order, begin } = bench(1);
  const work = [begin('a0', 'a'), begin('a1', 'a'), begin('a2', 'a'), begin('b0', 'b'), begin('b1', 'b')];

  await Promise.all(work.map(async ({ end }) => end()));

  expect(order).toEqual(['a0', 'a1', 'b0', 'a2', 'b1']);
});

test('keys that come again and again delay none that waits', async () => {
  const { order, begin } = bench(1);
  const first = [begin('a0', 'a'), begin('a1', 'a'), begin('a2', 'a'), begin('b0', 'b')];
  await Promise.all([first[0]?.end(), first[1]?.end()]);
  const later = [begin('c0', 'c'), begin('d0', 'd')];

  await Promise.all([...first, ...later].map(async ({ end }) => end()));

  expect(order).toEqual(['a0', 'a1', 'b0', 'a2', 'c0', 'd0']);
});

test('who gives up waiting takes no turn, and work that fails ends its turn', async () => {
  const turns = new FairTurns(1);
  const stop = new AbortController();
  const { promise, reject } = Promise.withResolvers<void>();
  const failing = turns.run('a', signal, () => promise);
  const waiting = turns.run('a', stop.signal, async () => 'done');
  stop.abort(new Error('cancelled'));

  await expect(waiting).rejects.toThrow('cancelled');
  reject(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect(await turns.run('b', undefined, async () => 'done')).toBe('done');
});
