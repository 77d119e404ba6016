import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { takeProductDocs } from '../documents/documents.ts';
import { recordDecision } from '../decisions/decisions.ts';
import { savePlan } from '../plans/plans.ts';
import { QuestionVectors } from '../text/encoder/question-vectors.ts';
import { answerJson, embeddingServer } from '../testing/embedding-server.ts';
import { connectInMemory } from '../testing/mcp-client.ts';
import { NOW } from '../testing/plans.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';
import { searchTool } from './search-tool.ts';

/** A product in which all corpora speak of refunds, and whose plan is older than its code. */
let bench: SearchBench;
let head: string;

const REFUND = `/** Pays a customer back. */
export function issueRefund(order: string, cents: number): string {
  const note = 'refund of ' + cents + ' for ' + order;
  return note.trim();
}

export function printOwed(): void {}
`;

const PLAN = `# Refunds in one step

## Goal

A refund is paid without asking support. \`issueRefund\` in \`src/refund.ts\` does it.

## Tasks

- [ ] T1 Change \`issueRefund\` (Files: src/refund.ts)
`;

beforeAll(async () => {
  bench = await openSearchBench();
  const { plans, account } = bench;
  await bench.commitAndIndex({ files: { 'src/refund.ts': REFUND, 'src/other.ts': OTHER }, message: 'feat: refunds' });
  await savePlan(plans, account, { text: PLAN, actor: account.actor });
  head = await bench.commitAndIndex({
    files: { 'src/refund.ts': REFUND.replace("'refund of '", "'partial refund of '") },
    message: 'fix: say that a refund is partial',
  });
  await bench.addDocument('refunds.md', '# Refund policy\n\n## How long\n\nA refund takes five days.\n');
  await bench.addSignals([
    { text: 'The refund never came', customer: 'Online shop', source: 'support' },
    { text: 'Please tell me when my refund is paid', customer: 'Marketplace', source: 'survey' },
    ...Array.from({ length: 60 }, (_, at) => ({ text: `Where is refund number ${at}?`, customer: 'Big retailer' })),
  ]);
  const draft = {
    title: 'Refund by the card that was charged',
    decision: 'Refunds go to the card. See `issueRefund`.',
  };
  await recordDecision(plans, account, { wanted: draft, actor: account.actor });
});
afterAll(() => bench.close());

const OTHER = 'export function parseDate(text: string): Date {\n  return new Date(text);\n}\n';

interface SearchRow {
  rank: number;
  corpus: string;
  id: string;
  title: string;
  where: string;
  date?: string;
  snippet: string;
  score: number;
  stale?: string;
  plans?: { id: string }[];
}

async function search(
  args: Record<string, unknown>,
  on = bench,
): Promise<{ rows: SearchRow[] } & Record<string, unknown>> {
  const { json } = await on.call(searchTool(on.parts), { format: 'json', ...args });
  // The tool says what it gives.
  return json as unknown as { rows: SearchRow[] };
}

test('one call finds code, commits, plans, documents, signals and decisions, with the stale plan flagged', async () => {
  const { rows, counts, coverage, total } = await search({ query: 'refund' });

  const first = new Map(rows.map((row) => [row.corpus, row]).toReversed() as [string, SearchRow][]);
  expect([...first.keys()].toSorted()).toEqual(['code', 'commits', 'decisions', 'documents', 'plans', 'signals']);
  expect(first.get('plans')?.stale).toMatch(/^stale 1\/1 since [0-9a-f]{7}$/);
  expect(first.get('code')).toMatchObject({ id: 'sym:issueRefund@src/refund.ts', where: 'src/refund.ts:2-5' });
  expect(first.get('code')?.stale).toBe(first.get('plans')?.stale);
  expect(first.get('code')?.plans?.[0]?.id).toBe('plan:refunds-in-one-step');
  // What is beside it is named by no plan.
  const owed = (await search({ query: 'printOwed' })).rows.find(({ corpus }) => corpus === 'code');
  expect([owed?.id, owed?.stale, owed?.plans]).toEqual(['sym:printOwed@src/refund.ts', undefined, undefined]);
  expect(first.get('commits')?.id).toMatch(/^c:[0-9a-f]{7}$/);
  expect(first.get('decisions')).toMatchObject({ id: 'dec:1', stale: 'fresh' });
  expect(first.get('documents')).toMatchObject({ title: 'Refund policy', snippet: 'A refund takes five days.' });
  expect(counts).toMatchObject({ commits: 2, documents: 1, signals: 62, decisions: 1 });
  expect(coverage).toMatchObject({ competitors: { searched: 'no change was seen yet' } });
  expect(total).toBe(Object.values(counts as Record<string, number>).reduce((sum, count) => sum + count, 0));
});

test('the text says how many hits each corpus has and what was searched, and each row can be opened', async () => {
  const { text } = await bench.call(searchTool(bench.parts), { query: 'refund', limit: 8 });

  const [header = '', coverage = '', first = ''] = text.split('\n');
  expect(header).toMatch(
    new RegExp(`^search-tool refund · shop@${head.slice(0, 7)} main fresh · 8 of \\d+ \\(code \\d`),
  );
  expect(header).toMatch(/ · next=\S+$/);
  expect(coverage).toMatch(/^searched: code \d+ symbols and files · commits 2 · plans 1, newest 2026-11-21 · /);
  expect(coverage).toContain('competitors no change was seen yet');
  expect(first).toMatch(/^ 1 \w+ \S+ · .* · [01]\.\d\d$/);
});

test('pages follow one another without gap or repeat, and a cursor ends with the index it was made for', async () => {
  const all = (await search({ query: 'refund', limit: 50, max_tokens: 20_000 })).rows;
  const page = await search({ query: 'refund', limit: 5 });
  const next = await search({ query: 'refund', limit: 5, cursor: page['next'] });

  expect([...page.rows, ...next.rows].map(({ id, score }) => [id, score])).toEqual(
    all.slice(0, 10).map(({ id, score }) => [id, score]),
  );
  await expect(search({ query: 'card', cursor: page['next'] })).rejects.toThrow('different arguments');
  await bench.addSignals([{ text: 'Something else entirely', customer: 'Late one' }]);
  await expect(search({ query: 'refund', limit: 5, cursor: page['next'] })).rejects.toMatchObject({
    code: 'stale_cursor',
  });
});

test('a corpus with very many hits does not keep the others out', async () => {
  const { rows } = await search({ query: 'where is the refund', limit: 10 });

  expect(new Set(rows.map(({ corpus }) => corpus)).size).toBeGreaterThanOrEqual(4);
});

test('corpora and since narrow the answer, and what is written is found by the next call', async () => {
  const [id = ''] = await bench.addSignals([{ text: 'A zeppelin would be nice', customer: 'Airline' }]);

  expect((await search({ query: 'zeppelin' })).rows.map((row) => row.id)).toEqual([id]);
  const some = await search({ query: 'refund', corpora: ['plans', 'decisions'] });
  expect(new Set(some.rows.map(({ corpus }) => corpus))).toEqual(new Set(['plans', 'decisions']));
  expect((await search({ query: 'refund', since: '2026-11-01', corpora: ['code', 'commits'] })).rows).toEqual([]);
  const recent = await search({ query: 'refund', since: '2020-01-01', corpora: ['code', 'commits'] });
  expect(new Set(recent.rows.map(({ corpus }) => corpus))).toEqual(new Set(['code', 'commits']));
  await expect(search({ query: 'refund', since: 'soon' })).rejects.toThrow('neither a date nor a span');
  await expect(search({ query: '?!' })).rejects.toMatchObject({ code: 'bad_argument' });
  await expect(search({ query: 'refund', repo: 'nothing' })).rejects.toMatchObject({ code: 'unknown_repo' });
});

/** Returns when all files of a history changed. */
async function changedAt(paths: readonly string[]): Promise<Date[]> {
  return paths.map(() => new Date('2024-05-06'));
}

test('with repo there are no documents of other repositories, and each row says where it lies', async () => {
  const { documents } = bench.parts;
  const { signal } = new AbortController();
  const gitDir = join(bench.repository.path, '.git');
  const commit = bench.repository.commit({ files: { 'docs/walrus.md': '# Walrus\n\nA walrus is refunded.\n' } });
  for (const [at, repository] of ['shop', 'other'].entries()) {
    const repositoryId = `01890000-0000-7000-8000-00000000000${at}`;
    await takeProductDocs(documents, bench.account, { repositoryId, repository, gitDir, commit, changedAt }, signal);
  }

  const all = await search({ query: 'walrus' });
  const own = await search({ query: 'walrus', repo: 'shop' });

  expect(all.rows.filter(({ corpus }) => corpus === 'documents')).toHaveLength(2);
  expect(own.rows.filter(({ corpus }) => corpus === 'documents')).toMatchObject([
    { repo: 'shop', path: 'docs/walrus.md', where: 'shop: docs/walrus.md · Walrus', date: '2024-05-06T00:00:00.000Z' },
  ]);
  expect(own['counts']).toMatchObject({ documents: 1 });
  // What customers say and what was decided is about the product.
  const product = await search({ query: 'refund', repo: 'shop', corpora: ['signals', 'decisions'] });
  expect(new Set(product.rows.map(({ corpus }) => corpus))).toEqual(new Set(['signals', 'decisions']));
  await expect(search({ query: 'refund', repo: 'nothing', corpora: ['signals'] })).rejects.toMatchObject({
    code: 'unknown_repo',
  });
});

test('without an index, and when one corpus fails, the rest still answers and it is said', async () => {
  const empty = await openSearchBench();
  onTestFinished(() => empty.close());
  await empty.addSignals([{ text: 'The refund never came' }]);

  const { rows, coverage } = await search({ query: 'refund' }, empty);

  expect(rows).toHaveLength(1);
  expect(coverage).toMatchObject({ code: { error: 'There is no index of "*".' }, plans: { searched: 'none yet' } });
  await expect(search({ query: 'refund', corpora: ['code'] }, empty)).rejects.toMatchObject({ code: 'not_indexed' });
  const { text } = await empty.call(searchTool(empty.parts), { query: 'refund' });
  expect(text).toContain('code could not be searched: There is no index of "*".');
});

test('nothing of another product is found', async () => {
  const stranger = await openSearchBench();
  onTestFinished(() => stranger.close());

  const { rows, total, notes } = await search({ query: 'refund' }, stranger);

  expect([rows, total]).toEqual([[], 0]);
  expect(notes).toEqual(expect.arrayContaining([expect.stringContaining('nothing found')]));
});

test('an answer says when the embedding service could not be used', async () => {
  const server = await embeddingServer();
  server.odd.push((response) => answerJson(response, 503, {}));
  const questionVectors = new QuestionVectors(server.provider(), { now: () => new Date(0), limitMs: 60_000 });
  const parts = { ...bench.parts, indexes: { ...bench.parts.indexes, questionVectors } };

  const { text } = await bench.call(searchTool(parts), { query: 'who pays a customer back after an order' });

  expect(text).toContain('The embedding service answered with status 503. Code was ranked with the built-in encoder.');
});

test('a client hears how many corpora and repositories have answered', async () => {
  const caller = { ...bench.account, keyId: 'k', scopes: ['read' as const] };
  const client = await connectInMemory(searchTool(bench.parts), caller, () => NOW);
  const messages: (string | undefined)[] = [];

  const onprogress = ({ message }: { message?: string | undefined }): void => void messages.push(message);
  const corpora = ['code', 'commits', 'documents', 'signals'];
  await client.callTool({ name: 'search-tool', arguments: { query: 'refund', corpora } }, { onprogress });
  await client.close();

  expect(messages[0]).toBe('0 of 2 searches have finished');
  expect(messages.at(-1)).toMatch(/^(\d+) of \1 searches have finished$/);
});
