import { expect, test } from 'vitest';
import { type Lane, nextStart, type ThreadState, type WaitingTask } from './thread-lanes.ts';

const thread = (lane?: Lane, ...homes: string[]): ThreadState => ({ lane, homes: new Set(homes) });
const waiting = (lanes: Partial<Record<Lane, readonly WaitingTask[]>>): Record<Lane, readonly WaitingTask[]> => ({
  question: [],
  slow: [],
  ...lanes,
});
const single = [{}];
const idle = thread();
const asks = thread('question');
const slow = thread('slow');

test.each([
  ['nothing waits', {}, [idle], 2, undefined],
  ['a question takes an idle thread', { question: single }, [asks, idle], 2, ['question', 0, 1]],
  ['a question takes a new thread', { question: single }, [slow], 2, ['question', 0, undefined]],
  ['a question waits when all work', { question: single }, [slow, asks], 2, undefined],
  ['a question goes before a slow one', { slow: single, question: single }, [idle], 2, ['question', 0, 0]],
  ['a slow one takes a thread when no other does', { slow: single }, [idle, idle], 2, ['slow', 0, 0]],
  ['a second slow one leaves the last of two threads', { slow: single }, [slow, idle], 2, undefined],
  ['a slow one leaves the last thread to be started', { slow: single }, [slow], 2, undefined],
  ['slow ones take all of four but one', { slow: single }, [slow, slow, idle], 4, ['slow', 0, 2]],
  ['and no more', { slow: single }, [slow, slow, slow, idle], 4, undefined],
  ['of a single thread everybody may have it', { slow: single }, [idle], 1, ['slow', 0, 0]],
  ['questions do not count as slow', { slow: single }, [asks, asks, idle], 3, ['slow', 0, 2]],
] as const)('%s', (...[, lanes, threads, size, expected]) => {
  const start = nextStart(waiting(lanes), threads, size);

  expect(start && [start.lane, start.task, start.thread]).toEqual(expected);
});

test.each([
  ['goes home when that is idle', [idle, thread(undefined, 'a')], 1],
  ['waits while its home answers a question', [idle, thread('question', 'a')], undefined],
  ['goes elsewhere when its home is held by a slow one', [idle, thread('slow', 'a'), idle], 0],
  ['takes a thread without homes when it has none', [thread(undefined, 'b'), idle], 1],
  ['takes the home of others rather than none', [thread(undefined, 'b'), thread(undefined, 'c', 'd')], 0],
])('a task that leaves something behind %s', (_, threads, expected) => {
  expect(nextStart(waiting({ slow: [{ home: 'a' }] }), threads, 4)?.thread).toBe(expected);
});

test('what waits for its home does not hold up those behind it', () => {
  const start = nextStart(waiting({ slow: [{ home: 'a' }, {}] }), [thread('question', 'a'), idle], 2);

  expect(start).toEqual({ lane: 'slow', task: 1, thread: 1 });
});
