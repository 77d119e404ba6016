import { assert as assertProperty, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeTool } from './code/code-tool.ts';
import { commitTool } from './commits/commit-tool.ts';
import { recordDecision } from './decisions/decisions.ts';
import { entityAnalysisTool } from './graph/entity-analysis-tool.ts';
import { openGraph } from './graph/graph.ts';
import type { Indexes } from './indexes/indexes.ts';
import { tokensOf } from './kernel/budget.ts';
import { savePlan } from './plans/plans.ts';
import { documentSearchTool } from './search/document-search-tool.ts';
import { searchTool } from './search/search-tool.ts';
import type { AnyOperation } from './platform/operation/operation.ts';
import { openSearchBench, type SearchBench } from './testing/search.ts';

/** A product with two repositories of much that is alike, and something in each corpus that people fill. */
let bench: SearchBench;
let tools: Record<string, AnyOperation>;
let decision: string;

const NAMES = ['order', 'refund', 'invoice', 'customer', 'mail', 'basket', 'price', 'stock'];

function sources(): Record<string, string> {
  const shared =
    'export interface Payable { pay(): void }\nexport function shared(size: number): number { return size; }\n';
  const parts = NAMES.map((name, at) => {
    const uses = Array.from({ length: 4 }, (_, line) => `  shared(${line}); // TODO refund part ${line} of ${name}`);
    const code = `import { type Payable, shared } from '../shared.ts';
export class Part${at} implements Payable {
  pay(): void {}
}
/** Pays a refund for ${name}. */
export function part(): void {
${uses.join('\n')}
}
export function run${at}(a: number, b: number, c: number, d: number, e: number, f: number, g: number): void {
  part();
}
function unused${at}(): void {}
`;
    return [`src/${name}/${name}.ts`, code] as const;
  });
  const calls = 'twice();\n'.repeat(3);
  const tests = NAMES.map((name) => `test('${name}', () => {\n  shared(1);\n});\n`).join('');
  return {
    'src/shared.ts': shared,
    'src/a.ts': `function twice(): void {}\n${calls}`,
    'src/b.ts': `export function twice(): void {}\n${calls}`,
    'test/shared.test.ts': `import { shared } from '../src/shared.ts';\n${tests}`,
    ...Object.fromEntries(parts),
  };
}

beforeAll(async () => {
  bench = await openSearchBench();
  const { plans, account, parts } = bench;
  const first = await bench.commitAndIndex({ files: sources(), message: 'feat: pay refunds' });
  for (const [at, name] of NAMES.entries()) {
    const changed = [`src/${name}/${name}.ts`, 'src/shared.ts', 'src/price/price.ts', 'src/stock/stock.ts'];
    const files = Object.fromEntries(changed.map((path) => [path, `${sources()[path] ?? ''}// change ${at}\n`]));
    bench.repository.commit({ files, message: `${at % 2 === 0 ? 'fix' : 'feat'}(${name}): refund of ${name}` });
  }
  await bench.commitAndIndex({ files: { 'README.md': '# Shop\n' }, message: 'docs: say what it is' });
  await bench.addDocument(
    'refunds.md',
    NAMES.map((name) => `# Refund of ${name}\n\nA refund takes days.\n`).join('\n'),
  );
  await bench.addSignals(
    NAMES.map((name) => ({ text: `The refund of my ${name} never came`, customer: name, source: 'support' })),
  );
  await savePlan(plans, account, { text: '# Refunds\n\n## Goal\n\nA refund is paid.\n', actor: account.actor });
  const long = 'A refund is paid at once, and nobody has to ask for it. '.repeat(20);
  const request = {
    title: 'Refunds at once',
    decision: long,
    context: long,
    options: [{ name: 'later', pros: [long], cons: [] }],
    consequences: [long],
  };
  const { row } = await recordDecision(plans, account, { wanted: request, actor: account.actor });
  decision = `dec:${row.number}`;
  const [newer] = await plans.indexed(account);
  bench.serve(first);
  const [older] = await plans.indexed(account);
  if (newer === undefined || older === undefined) throw new Error('Nothing was indexed.');
  const other = { ...older, id: 'other', provenance: { ...older.provenance, repo: 'other' } };
  const both: Indexes = { ...parts.indexes, repositories: async () => [newer, other] };
  const indexes: Indexes = { ...parts.indexes, repositories: async () => [newer] };
  tools = {
    code: codeTool(indexes),
    'code of two': codeTool(both),
    commits: commitTool(indexes),
    'commits of two': commitTool(both),
    search: searchTool({ ...parts, indexes: both }),
    documents: documentSearchTool(parts),
    graph: entityAnalysisTool(openGraph(parts)),
  };
});
afterAll(() => bench.close());

const CODE = [
  { action: 'search_symbols', query: 'part' },
  { action: 'definition', query: 'part', detail: 'body' },
  { action: 'definition', query: 'src/shared.ts:1-2' },
  { action: 'dependencies', query: 'src/order', direction: 'both', depth: 2 },
  { action: 'impact', query: 'src/shared.ts', depth: 2 },
  { action: 'semantic_search', query: 'where is a refund paid' },
  { action: 'semantic_search', query: 'refund', detail: 'body' },
  { action: 'grep', query: 'shared' },
  { action: 'outline', path: 'src' },
  { action: 'comments' },
  { action: 'dead_code' },
  { action: 'smells' },
  { action: 'map' },
  { action: 'map', path: 'src' },
  { action: 'files' },
  { action: 'tests', query: 'src/shared.ts' },
];
const COMMITS = [
  { action: 'search' },
  { action: 'search', query: 'refund' },
  { action: 'show', query: 'HEAD' },
  { action: 'classify' },
  { action: 'hotspots' },
  { action: 'coupling' },
  { action: 'changelog' },
];
const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ...CODE.flatMap((args): [string, Record<string, unknown>][] => [
    ['code', args],
    ['code of two', args],
  ]),
  ['code', { action: 'usages', query: 'shared' }],
  ['code', { action: 'usages', query: 'twice' }],
  ['code', { action: 'implementations', query: 'Payable' }],
  ['code', { action: 'implementations', query: 'Payable.pay' }],
  ['commits', { action: 'compare', query: 'HEAD~6..HEAD' }],
  ['graph', { action: 'find', entity: 'part' }],
  ['graph', { action: 'neighbors', entity: 'file:src/shared.ts', depth: 2 }],
  ['graph', { action: 'path', entity: 'file:src/order/order.ts', to: 'file:src/mail/mail.ts' }],
  ...COMMITS.flatMap((args): [string, Record<string, unknown>][] => [
    ['commits', args],
    ['commits of two', args],
  ]),
  ['search', { query: 'refund' }],
  ['documents', { action: 'search', query: 'refund' }],
  ['documents', { action: 'search' }],
  ['documents', { action: 'get', query: 'decision' }],
];

test.each(CALLS)('%s %j: the pages of any limit and budget are the whole, in its order', async (name, given) => {
  const tool = tools[name];
  if (tool === undefined) throw new Error(`There is no tool "${name}".`);
  const args = given['query'] === 'decision' ? { ...given, query: decision } : given;
  const whole = await pages(tool, { ...args, limit: 50, max_tokens: 20_000, format: 'json' });
  expect(whole.length).toBeGreaterThan(0);
  expect(new Set(whole.map((row) => JSON.stringify(row))).size).toBe(whole.length);

  const any = record({
    limit: integer({ min: 1, max: 50 }),
    max_tokens: integer({ min: 200, max: 8000 }),
    format: constantFrom('text', 'json'),
  });
  await assertProperty(
    asyncProperty(any, async (paging) => {
      const paged = await pages(tool, { ...args, ...paging });
      expect(paged).toHaveLength(whole.length);
      const others = paged.filter((row, at) => paging.format === 'json' && !isSame(row, whole[at]));
      expect(others).toEqual([]);
    }),
    {
      numRuns: 3,
      examples: [[{ limit: 50, max_tokens: 200, format: 'text' }], [{ limit: 50, max_tokens: 200, format: 'json' }]],
    },
  );
});

/** Returns the content of all pages of a call, one entry per row. The entries of texts are only counted. */
async function pages(tool: AnyOperation, args: Record<string, unknown>): Promise<unknown[]> {
  const rows: unknown[] = [];
  let cursor: string | undefined;
  do {
    const { text, json } = await bench.call(tool, { ...args, ...(cursor !== undefined && { cursor }) });
    const isText = args['format'] === 'text';
    expect(isText ? tokensOf(text) : 0).toBeLessThanOrEqual(Number(args['max_tokens']));
    const [, shown = ''] = / · (\d+) of /.exec(text) ?? [];
    const own = isText ? Array.from({ length: Number(shown) }) : (json['rows'] as unknown[]);
    expect(own.length).toBeGreaterThan(0);
    rows.push(...own);
    cursor = isText ? /next=(\S+)/.exec(text.split('\n')[0] ?? '')?.[1] : (json['next'] as string | undefined);
  } while (cursor !== undefined);
  return rows;
}

/** True if a row is the one at that index of the whole; its texts may be cut, and its body may be omitted. */
function isSame(row: unknown, whole: unknown): boolean {
  if (typeof row === 'string' && row.endsWith('…')) return String(whole).startsWith(row.slice(0, -1));
  if (Array.isArray(row) && Array.isArray(whole)) return row.every((cell, at) => isSame(cell, whole[at]));
  if (typeof row !== 'object' || row === null || typeof whole !== 'object' || whole === null) return row === whole;
  return Object.entries(row).every(([name, value]) => isSame(value, (whole as Record<string, unknown>)[name]));
}
