import { expect, test } from 'vitest';
import { nextStart, pairUp } from './thread-lanes.ts';

const idle = { lane: undefined };
const asks = { lane: 'question' } as const;
const slow = { lane: 'slow' } as const;

test.each([
  ['nothing waits', {}, [idle], 2, undefined],
  ['a question takes an idle thread', { question: 1 }, [asks, idle], 2, ['question', 1]],
  ['a question takes a new thread', { question: 1 }, [slow], 2, ['question', undefined]],
  ['a question waits when all work', { question: 1 }, [slow, asks], 2, undefined],
  ['a question goes before a slow one', { slow: 1, question: 1 }, [idle], 2, ['question', 0]],
  ['a slow one takes a thread when no other does', { slow: 1 }, [idle, idle], 2, ['slow', 0]],
  ['a second slow one leaves the last of two threads', { slow: 1 }, [slow, idle], 2, undefined],
  ['a slow one leaves the last thread to be started', { slow: 1 }, [slow], 2, undefined],
  ['slow ones take all of four but one', { slow: 1 }, [slow, slow, idle], 4, ['slow', 2]],
  ['and no more', { slow: 1 }, [slow, slow, slow, idle], 4, undefined],
  ['of a single thread everybody may have it', { slow: 1 }, [idle], 1, ['slow', 0]],
  ['questions do not count as slow', { slow: 1 }, [asks, asks, idle], 3, ['slow', 2]],
] as const)('%s', (...[, lanes, threads, size, expected]) => {
  const start = nextStart({ question: 0, slow: 0, ...lanes }, threads, size);

  expect(start && [start.lane, start.thread]).toEqual(expected);
});

test('a task goes to its home while that is idle, else waits behind those that can, or takes any', () => {
  const threads = [{ lane: 'question' as const }, idle];
  const pair = (...homes: (number | undefined)[]): { task: number; thread: number } =>
    pairUp(
      homes.map((home) => ({ options: { ...(home !== undefined && { home }) } })),
      threads,
      1,
    );

  expect(pair(3, 2)).toEqual({ task: 0, thread: 1 });
  expect(pair(2, 3)).toEqual({ task: 1, thread: 1 });
  expect(pair(2, undefined, 3)).toEqual({ task: 1, thread: 1 });
  expect(pair(2, 4)).toEqual({ task: 0, thread: 1 });
});
