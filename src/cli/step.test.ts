import { expect, test } from 'vitest';
import { step } from './step.ts';

test('a step is told before it is done, and again until it is', async () => {
  const messages: string[] = [];
  const again = Promise.withResolvers<void>();
  const context = {
    err: (text: string): void => {
      messages.push(text);
      if (messages.length === 3) again.resolve();
    },
  };

  // The work ends when it was told of twice while it lasted.
  const result = await step(context, 'Opening the database', () => again.promise.then(() => messages.length), 1);
  const after = messages.length;
  await new Promise((resolve) => setImmediate(resolve));

  expect(result).toBe(3);
  expect(messages[0]).toBe('Opening the database …\n');
  expect(messages[2]).toMatch(/^Opening the database … \d+ s\n$/);
  expect(messages).toHaveLength(after);
});

test('a step that fails is told no more', async () => {
  const messages: string[] = [];

  await expect(
    step({ err: (text) => void messages.push(text) }, 'Building', () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');

  expect(messages).toEqual(['Building …\n']);
});
