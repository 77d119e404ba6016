import { pino } from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '../platform/operation/operation.ts';
import { askOperations } from './ask-operation.ts';
import { toolTable } from './server.ts';

test('pages give an operation the most tokens that it takes', async () => {
  const operations = [800, 50_000].map((most) =>
    defineOperation({
      name: `up-to-${most}`,
      description: 'Says what it was given.',
      annotations: { readOnlyHint: true, openWorldHint: false },
      scope: 'read',
      input: z.object({ max_tokens: z.int().max(most).default(100), format: z.enum(['text', 'json']).default('text') }),
      aliases: {},
      run: async (_scope, { max_tokens: given }) => ({ text: '', json: { given } }),
    }),
  );
  const ask = askOperations(
    toolTable({ operations, version: '0', log: pino({ level: 'silent' }), now: () => new Date() }),
  );
  const caller = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] } as const;
  const by = { caller, signal: new AbortController().signal };

  const answers = [await ask('up-to-800', {}, by), await ask('up-to-50000', {}, by)];

  expect(answers.map(({ given }) => given)).toEqual([800, 20_000]);
});
