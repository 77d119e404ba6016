import { expect, test } from 'vitest';
import { laneOf, nextRun, type RunLane, RunTurns, type WaitingRun, workOf } from './run-turns.ts';

test.each([
  ['a small repository', { files: 400, changed: 400 }, 'short'],
  ['one of a thousand files', { files: 1_000, changed: 1_000 }, 'short'],
  ['a large one', { files: 1_001, changed: 1_001 }, 'long'],
  ['a few changes in a large one', { files: 9_000, changed: 20 }, 'short'],
  ['a few changes in a very large one', { files: 20_000, changed: 20 }, 'long'],
] as const)('%s is a %o run: %s', (_, size, lane) => {
  expect(laneOf(workOf(size))).toBe(lane);
});

type Run = number | readonly [work: number, overtaken: number];
const runs = (given: readonly Run[]): WaitingRun[] =>
  given.map((run) => (typeof run === 'number' ? { work: run, overtaken: 0 } : { work: run[0], overtaken: run[1] }));

test.each([
  ['nothing waits', [], [], undefined],
  ['the least work goes first', [9_000, 50, 20], [], 2],
  ['of the same work the older one', [20, 20], [], 0],
  ['a short one beside a long one', [9_000, 50], ['long'], 1],
  ['a long one waits for the long one', [9_000], ['long'], undefined],
  ['a long one beside a short one', [50, 9_000], ['short'], 1],
  ['nothing beside both', [50, 9_000], ['short', 'long'], undefined],
  ['the shorter of two long ones', [9_000, 5_000], ['short'], 1],
  ['one overtaken twice waits', [[9_000, 2], 5_000], ['short'], 1],
  ['one overtaken three times is next', [[9_000, 3], 5_000], ['short'], 0],
  [
    'the older of two that were overtaken',
    [
      [9_000, 3],
      [8_000, 4],
    ],
    ['short'],
    0,
  ],
] as const)('%s', (_, waiting, running, expected) => {
  expect(nextRun(runs(waiting), new Set<RunLane>(running))).toBe(expected);
});

test('a short run ends while a long one works, and long ones are not overtaken for ever', async () => {
  const turns = new RunTurns();
  const { signal } = new AbortController();
  const order: number[] = [];
  const first = await turns.take(50_000, signal);
  const later = [40_000, 9_000, 8_000, 7_000, 6_000].map(async (work) => {
    const turn = await turns.take(work, signal);
    order.push(work);
    turn[Symbol.dispose]();
  });

  (await turns.take(10, signal))[Symbol.dispose]();
  expect(order).toEqual([]);
  first[Symbol.dispose]();
  await Promise.all(later);

  expect(order).toEqual([6_000, 7_000, 8_000, 40_000, 9_000]);
});

test('a run that is stopped while it waits leaves, and those behind it go on', async () => {
  const turns = new RunTurns();
  const stop = new AbortController();
  const first = await turns.take(5_000, new AbortController().signal);
  const stopped = turns.take(5_000, stop.signal);
  const last = turns.take(6_000, new AbortController().signal);

  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
  first[Symbol.dispose]();

  await expect(last).resolves.toBeDefined();
});
