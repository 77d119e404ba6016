import { expect, test } from 'vitest';
import type { CallContext } from '../../platform/operation/operation.ts';
import { placeReader } from './place-reader.ts';
import { type AgentTools, Tools } from './tools.ts';

const COMMITS = [{ id: 'c:1a2b3c4', subject: 'fix: retry once', body: 'The server was asked twice.' }];

test('a subject is verified without the changes of its commit, and what only the message says with them', async () => {
  const asked: string[] = [];
  const periods: unknown[] = [];
  const parts: AgentTools = {
    ask: async (_name, { action, query, since, until }) => {
      asked.push(String(action === 'definition' ? query : action));
      if (action === 'search') periods.push([since, until]);
      return { repo: 'shop', total: 1, rows: COMMITS };
    },
    offered: () => ['commit-tool', 'code-tool'],
    budget: { left: async () => 0, record: async () => undefined },
    onFault: () => undefined,
  };
  const caller: CallContext['caller'] = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
  const context = { caller, signal: new AbortController().signal, now: () => new Date(), progress: () => undefined };
  const { commit, file } = placeReader(new Tools(parts, context, 'shop'));

  const about = { repo: 'shop', id: 'c:1a2b3c4' };

  expect(await commit({ ...about, date: '2026-01-02T03:04:05.000Z', text: 'fix: retry once' })).toBe('fix: retry once');
  expect(asked).toEqual(['search']);
  expect(await commit({ ...about, text: 'The server was asked twice.' })).toContain('asked twice');
  // Another commit of that subject is not the one that is cited.
  expect(await commit({ ...about, id: 'c:0000000', text: 'fix: retry once' })).toBeDefined();
  expect(asked).toEqual(['search', 'search', 'show', 'search', 'show']);
  // Its day alone is read where that is known.
  expect(periods).toEqual([
    ['2026-01-02', '2026-01-02'],
    ['1970-01-01', undefined],
    ['1970-01-01', undefined],
  ]);
  // As many lines as one call reads.
  await file('shop', 'mail.ts');
  expect(asked.at(-1)).toBe('mail.ts:1-2000');
});
