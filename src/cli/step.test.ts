import { expect, test } from 'vitest';
import { step } from './step.ts';

test('a step is told before it is done, and again until it is', async () => {
  const told: string[] = [];
  const again = Promise.withResolvers<void>();
  const context = {
    err: (text: string): void => {
      told.push(text);
      if (told.length === 3) again.resolve();
    },
  };

  // The work ends when it was told of twice while it lasted.
  const result = await step(context, 'Opening the database', () => again.promise.then(() => told.length), 1);
  const after = told.length;
  await new Promise((resolve) => setImmediate(resolve));

  expect(result).toBe(3);
  expect(told[0]).toBe('Opening the database …\n');
  expect(told[2]).toMatch(/^Opening the database … \d+ s\n$/);
  expect(told).toHaveLength(after);
});

test('a step that fails is told no more', async () => {
  const told: string[] = [];

  await expect(
    step({ err: (text) => void told.push(text) }, 'Building', () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');

  expect(told).toEqual(['Building …\n']);
});
