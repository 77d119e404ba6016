import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { allOperations } from '../testing/all-operations.ts';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { connectClient, textOf } from '../testing/mcp-client.ts';
import { openRefundBench } from '../testing/refunds.ts';
import type { SearchBench } from '../testing/search.ts';
import { createLog } from '../platform/log.ts';
import { Runs } from './runs/runs.ts';

let bench: SearchBench;
let service: TestService;
let key: string;
/** While it is set, whoever reads an index waits for it, after so many reads that do not. */
let held: { reached: PromiseWithResolvers<void>; released: PromiseWithResolvers<void>; free: number } | undefined;

beforeAll(async () => {
  bench = await openRefundBench();
  const { indexes } = bench.parts;
  const readable = indexes.repositories;
  indexes.repositories = async (...request) => {
    if (held !== undefined && held.free-- <= 0) {
      held.reached.resolve();
      await held.released.promise;
    }
    return readable(...request);
  };
  const { accountId, productId } = bench.account;
  const keys = new TestKeys(10_000);
  const authenticate = async () => ({ accountId, productId, keyId: 'one', scopes: ['read' as const] });
  key = keys.add('one');
  service = await startService({ operations: allOperations(bench), gate: Object.assign(keys, { authenticate }) });
});
beforeEach(() => {
  held = undefined;
});
afterAll(async () => {
  await service.close();
  await bench.close();
});

const AGENTS = [
  ['ask_codeIntelligenceAgent', { message: 'How does issueRefund pay money back?' }, /issueRefund[\s\S]*\[1\] src/],
  [
    'ask_productInsightsAgent',
    { message: 'What do customers say about refunds?' },
    /2 of 2 signals[\s\S]*\[1\] signal sig:/,
  ],
  [
    'ask_architectureInvestigationAgent',
    { message: 'Are there circular imports?' },
    /circles? of imports at run time[\s\S]*\[1\] src/,
  ],
  ['run_bugAnalysisWorkflow', { report: 'cancelOrder pays the money back twice' }, /run:[\s\S]*src\/shop\.ts/],
  [
    'run_deepResearchWorkflow',
    { question: 'How does issueRefund pay money back?' },
    /\[1\] src\/refund\.ts:3-7 in issueRefund/,
  ],
] as const;
const DOORS = ['v2 sse', 'v2 http /v1/mcp'] as const;
const table = DOORS.flatMap((door) => AGENTS.map(([name, args, answer]) => ({ door, name, args, answer })));

test.each(table)('$door: $name tells its progress and answers', async ({ door, name, args, answer }) => {
  const client = await connectClient(door, service.url, key);
  const messages: string[] = [];
  const onprogress = ({ message = '' }: { message?: string | undefined }): void => void messages.push(message);
  const given = await client.callTool({ name, arguments: args }, { onprogress });
  await client.close();

  expect(textOf(given)).toMatch(answer);
  expect(messages.length).toBeGreaterThan(0);
  // Calls with what they ask for, steps of runs in words.
  const named =
    /^asking [\w-]+-tool .*="|^asking (?:code|entity-analysis)-tool map|^waiting for a turn|^[a-z]+ [a-z ]+$/;
  expect(messages.filter((message) => !named.test(message))).toEqual([]);
});

/** Operations that wait for an index, which the test holds; questions about the product read none. */
const waiting = table.filter(({ name }) => name !== 'ask_productInsightsAgent');

test.each(waiting)('$door: $name stops when its client cancels', async ({ door, name, args }) => {
  const client = await connectClient(door, service.url, key);
  // A bug analysis looks for its repository before it begins its run.
  const free = name === 'run_bugAnalysisWorkflow' ? 1 : 0;
  const hold = { reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>(), free };
  held = hold;
  const runs = new Runs({ db: bench.parts.plans.db, now: () => new Date(), log: createLog('silent') });
  const countCancelled = async () => (await runs.list(bench.account, { limit: 50, state: 'cancelled' })).length;
  const earlier = await countCancelled();
  const stop = new AbortController();
  const call = client.callTool({ name, arguments: args }, { signal: stop.signal });
  call.catch(() => undefined);
  // A call that fails before has to fail the test.
  await Promise.race([hold.reached.promise, call]);
  const before = service.calls.length;
  stop.abort();
  await expect(call).rejects.toThrow(/abort/i);
  const outcomes = () => service.calls.slice(before).map(({ operation, outcome }) => `${operation} ${outcome}`);
  await expect.poll(outcomes).toContain(`${name} cancelled`);
  await expect.poll(countCancelled).toBe(earlier + Number(name.startsWith('run_')));
  hold.released.resolve();
  await client.close();
});
