import { expect, test } from 'vitest';
import { PasswordTurns } from './password-turns.ts';

test('two attempts of an address run at a time, 64 wait, and no other address waits for them', async () => {
  const turns = new PasswordTurns();
  const gate = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const work = async (): Promise<string> => {
    most = Math.max(most, (running += 1));
    await gate.promise;
    running -= 1;
    return 'done';
  };

  const all = Array.from({ length: 70 }, () => turns.run('a', work));
  const other = await turns.run('b', async () => 'other');
  gate.resolve();
  const ended = await Promise.allSettled(all);

  expect([most, other]).toEqual([2, 'other']);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  await expect(turns.run('a', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await turns.run('a', async () => 'next')).toBe('next');
  expect(turns.size).toBe(0);
});
