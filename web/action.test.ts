import { expect, test } from 'vitest';
import { followChange } from './action.ts';
import { ApiError } from './api.ts';

/** Records what follows a change, in order; `undo` is the way back that was offered. */
function recorder() {
  const events: string[] = [];
  const offered: { undo?: (() => void) | undefined } = {};
  const followers = {
    refresh: (...kinds: readonly string[]) => Promise.resolve(void events.push(`read ${kinds.join(' ')}`)),
    say: (text: string, _tone?: string, undo?: () => void) => {
      events.push(`say ${text}`);
      offered.undo = undo;
    },
    tell: (problem: Error) => void events.push(`tell ${problem.message}`),
  };
  return { events, offered, followers };
}

const refused = new ApiError({ status: 409, code: 'conflict', message: 'It has changed.', fix: '' });

test('what was made is shown, said, and read again, in this order', async () => {
  const { events, offered, followers } = recorder();

  await followChange(
    Promise.resolve({ name: 'shop' }),
    {
      to: ['products', 'session'],
      done: ({ name }) => events.push(`close ${name}`),
      says: ({ name }) => `Made ${name}`,
    },
    followers,
  );

  expect(events).toEqual(['close shop', 'say Made shop', 'read products session']);
  expect(offered.undo).toBeUndefined();
});

test('a change that is taken back is read again, and says why where it cannot be', async () => {
  const { events, offered, followers } = recorder();
  const answers = [Promise.resolve(), Promise.reject(refused)];
  const undo = (): Promise<unknown> => answers.shift() ?? Promise.resolve();
  await followChange(Promise.resolve(), { to: 'signals', says: 'Pinned', undo }, followers);

  offered.undo?.();
  offered.undo?.();

  await expect.poll(() => events).toEqual(['say Pinned', 'read signals', 'read signals', 'tell It has changed.']);
});

test('nothing follows a change that the service refuses', async () => {
  const { events, followers } = recorder();

  const change = followChange(Promise.reject(refused), { to: 'plans', says: 'Saved' }, followers);

  await expect(change).rejects.toBe(refused);
  expect(events).toEqual([]);
});
