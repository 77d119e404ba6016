import { expect, test } from 'vitest';
import { allOperations } from '../testing/all-operations.ts';
import { useRefundBench } from '../testing/refunds.ts';

const { shop } = useRefundBench();

/** Calls with rows, for each action whose answers agents and pages read. */
const CALLS: Readonly<Record<string, Record<string, Record<string, unknown>>>> = {
  'code-tool': {
    map: {},
    search_symbols: { query: 'issueRefund' },
    definition: { query: 'src/refund.ts:3-5' },
    usages: { query: 'issueRefund' },
    implementations: { query: 'Gateway' },
    dependencies: { query: 'src/shop.ts', depth: 2 },
    impact: { query: 'bookTransfer' },
    semantic_search: { query: 'pay money back' },
    grep: { query: 'issueRefund' },
    outline: { path: 'src/refund.ts' },
    comments: {},
    dead_code: {},
    smells: {},
  },
  'commit-tool': {
    search: { query: 'refunds' },
    show: { query: 'HEAD' },
    compare: { query: 'HEAD~1..HEAD' },
    classify: { group_by: 'author' },
    hotspots: {},
    coupling: {},
    changelog: {},
  },
  'search-tool': { '': { query: 'refund' } },
  'document-search-tool': {
    search: { query: 'refund' },
    get: { query: 'dec:1' },
    themes: {},
    new: {},
    count: { group_by: 'source' },
  },
  'entity-analysis-tool': {
    find: { entity: 'issueRefund' },
    neighbors: { entity: 'src/refund.ts' },
    path: { entity: 'src/shop.ts', to: 'src/audit.ts' },
    map: {},
  },
  'competitor-tool': { changes: {} },
};
/** Asked about one repository at a time, or where its checkout is. */
const OF_ONE = ['commit-tool show', 'commit-tool compare'];
/** Nothing of the shop is a comment, a feature, smells or is new. */
const WITHOUT_ROWS = [
  'code-tool comments',
  'code-tool smells',
  'commit-tool coupling',
  'document-search-tool themes',
  'document-search-tool new',
  'entity-analysis-tool map',
  'competitor-tool changes',
];

test('every answer that agents read has the shape that its operation declares, over one repository and over several', async () => {
  await shop.bench.commitAndIndex({ files: { 'src/stock.ts': 'export const stock = 1;\n' }, message: 'feat: stock' });
  const operations = allOperations(shop.bench).filter(({ output }) => output !== undefined);
  const empty: string[] = [];
  const ask = async (actions: readonly string[]): Promise<void> => {
    for (const operation of operations)
      for (const [action, args] of Object.entries(CALLS[operation.name] ?? {})) {
        if (!actions.includes(`${operation.name} ${action}`)) continue;
        const { json } = await shop.bench.call(operation, {
          ...(action !== '' && { action }),
          ...args,
          format: 'json',
        });
        if ((json['rows'] as unknown[]).length === 0) empty.push(`${operation.name} ${action}`);
      }
  };

  const declared = operations.flatMap(({ name, output = {} }) =>
    Object.keys(output).map((action) => `${name} ${action}`),
  );
  const called = Object.entries(CALLS).flatMap(([name, actions]) =>
    Object.keys(actions).map((action) => `${name} ${action}`),
  );
  expect(declared.toSorted()).toEqual(called.toSorted());
  await ask(called);
  await shop.bench.addRepository('depot', { 'src/parcel.ts': 'export const parcel = 1;\n' });
  await ask(called.filter((action) => !OF_ONE.includes(action)));

  expect(empty.filter((action) => !WITHOUT_ROWS.includes(action))).toEqual([]);
});
