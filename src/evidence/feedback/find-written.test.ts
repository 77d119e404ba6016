import { expect, test } from 'vitest';
import type { CallContext } from '../../platform/operation/operation.ts';
import { Operations } from '../model/operations.ts';
import { findMoves, findPlanned } from './find-written.ts';

const NOW = new Date('2026-03-11T10:00:00Z');
const PLANS: Record<string, { stale: string; status: string }> = {
  'plan:mail': { stale: 'fresh', status: 'done' },
  'plan:search': { stale: 'stale 2/3 since a1b2c3d', status: 'active' },
  'plan:login': { stale: 'unresolved 1/3', status: 'active' },
};

/** Operations over three plans and two competitors, with the arguments of each call. */
function operationsOver() {
  const calls: Record<string, unknown>[] = [];
  const page = { op: 'x', shown: 1 };
  const answerOf = (name: string, args: Record<string, unknown>): Record<string, unknown> => {
    if (name === 'competitor-tool' && args['action'] === 'list')
      return { rows: [{ competitor: 'Pawguard' }, { competitor: 'Bordly' }] };
    if (name === 'competitor-tool') return { action: 'changes', ...page, total: 0, rows: [] };
    const id = String(args['query']);
    if (args['action'] === 'get') {
      const plan = PLANS[id];
      return {
        action: 'get',
        ...page,
        total: 1,
        rows: [],
        id,
        type: 'plan',
        title: id.slice(5),
        sections: [],
        ...plan,
      };
    }
    if (name === 'spec-export-tool') {
      const rows = Object.entries(PLANS).map(([plan, fields]) => ({ id: plan, ...fields }));
      const at = Number(args['cursor'] ?? 0);
      return { ...page, total: 3, rows: rows.slice(at, at + 1), ...(at < 2 && { next: String(at + 1) }) };
    }
    const rows: unknown[] = [];
    return { action: 'search', ...page, total: 3, rows, searched: { documents: 0, plans: 3, signals: 0 } };
  };
  const caller: CallContext['caller'] = { accountId: 'a', productId: 'p', keyId: 'k', scopes: ['read'] };
  const context = { caller, signal: new AbortController().signal, now: () => NOW, progress: () => undefined };
  const tools = {
    ask: async (name: string, args: Record<string, unknown>) => {
      calls.push({ name, ...args });
      return answerOf(name, args);
    },
    offered: () =>
      new Map(['competitor-tool', 'document-search-tool', 'search-tool', 'spec-export-tool'].map((name) => [name, []])),
    budget: { left: async () => 0, record: async () => undefined },
    onFault: (error: unknown) => {
      throw error;
    },
  };
  return { operations: new Operations(tools, context, undefined), calls };
}

test('plans that do not match the code are those whose code changed, and finished ones those that are done', async () => {
  const { operations } = operationsOver();

  const stale = await findPlanned(operations, 'Which of our plans no longer match the code?');
  const done = await findPlanned(operations, 'Which plans are done?');

  expect(stale?.facts.map(({ sentence }) => sentence)).toEqual([
    '1 of 3 plans name code that changed since.',
    'Plan plan:search: “search” (active, stale 2/3 since a1b2c3d).',
  ]);
  expect(done?.facts.map(({ sentence }) => sentence)).toEqual([
    '1 of 3 plans are done.',
    'Plan plan:mail: “mail” (done, fresh).',
  ]);
});

test.each([
  ['What did Pawguard change on its prices this month?', { competitor: 'Pawguard', since: '2026-03-01' }],
  ['Has bordly raised its price?', { competitor: 'Bordly', since: '365d' }],
  ['What do our rivals do?', { since: '365d' }],
])('changes are asked for of the competitor that is named: %s', async (question, args) => {
  const { operations, calls } = operationsOver();

  expect(await findMoves(operations, question, NOW)).toBeDefined();

  const { competitor, since } = calls.at(-1) ?? {};
  expect({ ...(competitor !== undefined && { competitor }), since }).toEqual(args);
});

test.each(['How many customers mention the price of Pawguard?', 'How many exports failed?', 'What is new?'])(
  'a question about signals asks for no changes: %s',
  async (question) => {
    expect(await findMoves(operationsOver().operations, question, NOW)).toBeUndefined();
  },
);
