import { expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../../kernel/errors.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import { type AgentTools, Operations } from './operations.ts';

const Row = z.looseObject({ path: z.string() });

function toolsOver(ask: AgentTools['ask']): Operations {
  const caller: CallContext['caller'] = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
  const context = { caller, signal: new AbortController().signal, now: () => new Date(), progress: () => undefined };
  const budget = { left: async () => 0, record: async () => undefined };
  return new Operations(
    { ask, offered: () => new Map([['code-tool', []]]), budget, onFault: () => undefined },
    context,
    'shop',
  );
}

test('a call is made and noted once, whoever asks again, also while it is under way', async () => {
  const calls: unknown[] = [];
  const tools = toolsOver(async (_name, args) => {
    calls.push(args);
    return { repo: 'shop', total: 1, rows: [{ path: 'mail.ts', line: calls.length }] };
  });
  const outline = { action: 'outline', query: 'mail.ts' };

  const [first, second] = await Promise.all([
    tools.ask('code-tool', outline, Row),
    tools.ask('code-tool', { ...outline, repo: 'shop' }, z.looseObject({ line: z.number() })),
  ]);
  expect([first?.rows, second?.rows]).toEqual([[{ path: 'mail.ts', line: 1 }], [{ path: 'mail.ts', line: 1 }]]);
  await tools.ask('code-tool', { ...outline, repo: 'depot' }, Row);

  expect(calls).toEqual([
    { ...outline, repo: 'shop' },
    { ...outline, repo: 'depot' },
  ]);
  expect(tools.calls).toHaveLength(2);
});

test('a call that fails gives nothing to all who ask', async () => {
  const tools = toolsOver(async () => {
    throw new ServiceError('unknown_id', 'There is no such file.', { fix: 'Ask for another.' });
  });

  expect(await tools.ask('code-tool', { query: 'mail.ts' }, Row)).toBeUndefined();
  expect(await tools.ask('code-tool', { query: 'mail.ts' }, Row)).toBeUndefined();
  expect(tools.calls).toHaveLength(1);
});

test('a row of another shape is left out and reported, and the answer has the others', async () => {
  const tools = toolsOver(async () => ({ repo: 'shop', total: 2, rows: [{ line: 3 }, { path: 'mail.ts' }] }));

  const answer = await tools.ask('code-tool', { action: 'outline', query: 'mail.rs' }, Row);

  expect(answer?.rows).toEqual([{ path: 'mail.ts' }]);
});
