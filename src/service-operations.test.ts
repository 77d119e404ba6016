import { expect, onTestFinished, test } from 'vitest';
import { FileFacts } from './commits/commits.ts';
import { recordDecision } from './decisions/decisions.ts';
import { savePlan } from './plans/plans.ts';
import { writtenReasons } from './service-plans.ts';
import { linkTheme } from './signals/links/links.ts';
import { placeSignal } from './signals/signals.ts';
import { allOperations } from './testing/all-operations.ts';
import { NOW } from './testing/plans.ts';
import { openSearchBench, type SearchBench } from './testing/search.ts';

const REFUND = `export function issueRefund(order: string): string {
  return 'refund of ' + order;
}
`;
const SHOP = `import { issueRefund } from './refund.ts';

export function cancelOrder(order: string): string {
  return issueRefund(order);
}
`;

/** A plan names a function that was changed since, and a decision its caller. Customers asked for the plan, and for the caller. */
async function openShop(): Promise<SearchBench> {
  const bench = await openSearchBench();
  onTestFinished(() => bench.close());
  const { plans, account } = bench;
  const { actor } = account;
  await bench.commitAndIndex({ files: { 'src/refund.ts': REFUND, 'src/shop.ts': SHOP, 'src/other.ts': '' } });
  await savePlan(plans, account, { text: '# Faster refunds\n\nChange `issueRefund` in `src/refund.ts`.', actor });
  const decision = { title: 'Cancelled is paid back', decision: 'See `cancelOrder`.' };
  await recordDecision(plans, account, { wanted: decision, actor });
  const ids = await bench.addSignals(['Acme', 'Zoo'].map((customer) => ({ text: `${customer} waits`, customer })));
  for (const id of ids) await placeSignal(bench.parts.signals, account, { id, label: 'Refunds' });
  const [id = ''] = await bench.addSignals([{ text: 'Slow', customer: 'Shop' }]);
  await placeSignal(bench.parts.signals, account, { id, label: 'Speed' });
  const stated = { title: '', now: NOW };
  await linkTheme(account.db, account, { ...stated, theme: 'Refunds', target: 'plan:faster-refunds' });
  await linkTheme(account.db, account, { ...stated, theme: 'Speed', target: 'sym:cancelOrder@src/shop.ts' });
  await bench.commitAndIndex({
    files: { 'src/refund.ts': REFUND.replace('refund of', 'whole refund of') },
    message: 'fix: say that all is paid back',
  });
  return bench;
}

test('impact and show tell which plans and decisions name what is hit, how stale they are, and who asked', async () => {
  const bench = await openShop();
  const tools = allOperations(bench);
  const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const tool = tools.find((operation) => operation.name === name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    return (await bench.call(tool, args)).text;
  };

  const impact = await call('code-tool', { action: 'impact', query: 'issueRefund' });
  const show = await call('commit-tool', { action: 'show', query: 'HEAD' });

  const plan = /plan:faster-refunds \(stale 1\/1 since [0-9a-f]{7}\)/;
  expect(impact).toMatch(/^plans and decisions 2: plan:faster-refunds/m);
  expect(impact).toMatch(plan);
  expect(impact).toContain('dec:1 (fresh)');
  expect(impact).toMatch(/^themes 2: theme:Refunds \(2 customers\), theme:Speed \(1 customer\)$/m);
  expect(show).toMatch(/^\| plans and decisions that name what it touched: plan:faster-refunds/m);
  expect(show).toMatch(plan);
  expect(show).not.toContain('dec:1');
  expect(show).toMatch(/^\| themes that name what it touched: theme:Refunds \(2 customers: Acme, Zoo\)$/m);
  expect(await call('code-tool', { action: 'impact', query: 'src/other.ts' })).not.toContain('plans and decisions');
});

test('the rationale of a file tells the plans and decisions that name it, at the lines of their symbols', async () => {
  const bench = await openShop();
  const { parts, plans, account } = bench;
  const facts = new FileFacts(parts.indexes, [writtenReasons(plans)]);
  const caller = { ...account, keyId: '', scopes: ['read' as const] };
  const reasonsOf = async (path: string, lines?: { start: number; end: number }): Promise<unknown[]> => {
    const { ranges } = await facts.rationale({ caller, path, signal: new AbortController().signal, lines });
    return ranges.flatMap(({ reasons }) => reasons.filter(({ kind }) => kind === 'plan' || kind === 'decision'));
  };

  expect(await reasonsOf('src/refund.ts', { start: 1, end: 3 })).toContainEqual(
    expect.objectContaining({ kind: 'plan', id: 'plan:faster-refunds', text: 'Faster refunds', confidence: 0.9 }),
  );
  expect(await reasonsOf('src/shop.ts', { start: 3, end: 5 })).toEqual([
    expect.objectContaining({
      kind: 'decision',
      id: 'dec:1',
      text: expect.stringMatching(/^Cancelled is paid back: /),
    }),
  ]);
  expect(await reasonsOf('src/shop.ts', { start: 1, end: 1 })).toEqual([]);
  expect(await reasonsOf('src/other.ts')).toEqual([]);
});
