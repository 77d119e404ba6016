import { expect, test } from 'vitest';
import type { CallContext } from '../../platform/operation/operation.ts';
import { placeReader } from './place-reader.ts';
import { type AgentTools, Tools } from './tools.ts';

const COMMITS = [{ id: 'c:1a2b3c4', subject: 'fix: retry once', body: 'The server was asked twice.' }];

test('a subject is verified without the changes of its commit, and what only the message says with them', async () => {
  const asked: string[] = [];
  const parts: AgentTools = {
    ask: async (_name, { action }) => {
      asked.push(String(action));
      return { repo: 'shop', total: 1, rows: COMMITS };
    },
    offered: () => ['commit-tool'],
    budget: { left: async () => 0, record: async () => undefined },
    onFault: () => undefined,
  };
  const caller: CallContext['caller'] = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
  const context = { caller, signal: new AbortController().signal, now: () => new Date(), progress: () => undefined };
  const { commit } = placeReader(new Tools(parts, context, 'shop'));

  expect(await commit('shop', 'c:1a2b3c4', 'fix: retry once')).toBe('fix: retry once');
  expect(asked).toEqual(['search']);
  expect(await commit('shop', 'c:1a2b3c4', 'The server was asked twice.')).toContain('asked twice');
  // Another commit of that subject is not the one that is cited.
  expect(await commit('shop', 'c:0000000', 'fix: retry once')).toBeDefined();
  expect(asked).toEqual(['search', 'search', 'show', 'search', 'show']);
});
