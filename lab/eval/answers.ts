import { commitTool } from '../../src/commits/commit-tool.ts';
import { ServiceError } from '../../src/kernel/errors.ts';
import type { AnyOperation } from '../../src/platform/operation/operation.ts';
import { cochangeAnswer, hotspotsAnswer, ownershipAnswer } from './answers-history.ts';
import { changelogAnswer, type ChangelogRow } from './answers-commits.ts';
import type { BugCases } from './answers-bugs.ts';
import type { PlanCases } from './answers-plans.ts';
import type { EvalIndex, IndexedSnapshots } from './snapshots.ts';

const MOST_ROWS = 100;
const MOST_TOKENS = 20_000;
const HITS = 10;

/** A case, without its answer. Lines are 1-based, columns 0-based UTF-16. */
export interface EvalInput {
  id: string;
  repo: string;
  snapshot: string;
  /** Of a plan: the commits at which it was written and is read, its text, and the subject of the question. */
  from?: string;
  to?: string;
  markdown?: string;
  refs?: { path: string; symbol?: string }[];
  /** Of a search: what is looked for, and a folder with the sources to search. */
  query?: string;
  tree?: string;
  /** Of a bug report. */
  title?: string;
  body?: string;
  /** Of a definition to find usages of, or of a use to find the definition of. */
  name?: string;
  qual?: string;
  path?: string;
  line?: number;
  col?: number;
}

interface Row {
  path: string;
  name?: string;
  line?: number;
  start?: number;
  column?: number;
  id?: string;
  symbol?: string;
  grade?: string;
}

/** Context that answers need besides the index of their case. */
export interface EvalContext {
  snapshots: IndexedSnapshots;
  plans: PlanCases;
  bugs: BugCases;
}

type Answer = (index: EvalIndex, input: EvalInput, context: EvalContext) => Promise<Record<string, unknown>>;

/** Answers of each task, by the calls that an agent would make. An `@` introduces a second method for the same cases. */
export const ANSWERS: Record<string, Answer> = {
  cochange: ({ parts }, input) => cochangeAnswer(input, (call) => ask(commitTool(parts), call, 1)),
  hotspots: ({ parts }) => hotspotsAnswer((call) => ask(commitTool(parts), call, 1)),
  localise: ({ parts }, input, { bugs }) => bugs.answer(parts, input),
  swelite: ({ parts }, input, { bugs }) => bugs.answer(parts, input),
  ownership: ownershipAnswer,
  changelog: ({ parts }, input, { snapshots }) =>
    changelogAnswer(input, snapshots, (call) => ask<ChangelogRow>(commitTool(parts), call)),
  'deadcode-exports': deadCode,
  'deadcode-removed': deadCode,
  plans: (_index, input, { plans, snapshots }) => plans.answer(snapshots, input),
  refs: ({ tool }, input) => usagesBy((call) => ask(tool, call), input),
  // One call each: by the name alone, by the name and the file of the use, by the place of the use.
  defs: ({ tool }, { name = '' }) => definitions(tool, { query: name }),
  'defs@path': ({ tool }, { name = '', path }) => definitions(tool, { query: name, path }),
  'defs@place': ({ tool }, { path = '', line = 0, col = 0 }) => definitions(tool, { query: `${path}:${line}:${col}` }),
  semsearch: async ({ tool }, { query = '' }) => {
    const rows = await ask(tool, { action: 'semantic_search', query, limit: HITS }, 1);
    return { hits: rows.map((row) => ({ path: row.path, name: row.symbol, line: row.start })) };
  },
};

async function definitions(tool: AnyOperation, call: Record<string, unknown>): Promise<Record<string, unknown>> {
  const rows = await ask(tool, { action: 'definition', ...call }, 1);
  return { defs: rows.map((row) => [row.path, row.start]) };
}

/** Asks `code-tool` for all rows of an answer. */
type AskCode = (call: Record<string, unknown>) => Promise<Row[]>;

/** The uses of a definition, by two calls: for its handle, and for what uses it. */
export async function usagesBy(
  askCode: AskCode,
  { name = '', path = '', line = 0 }: EvalInput,
): Promise<{ refs: [path: string, line: number, column: number][] }> {
  const defined = await askCode({ action: 'definition', query: name, path });
  const handle = defined.find(({ start }) => start === line)?.id ?? defined[0]?.id;
  if (handle === undefined) return { refs: [] };
  const used = await askCode({ action: 'usages', query: handle });
  // Uses that only the name suggests are listed apart, and nothing is claimed of them.
  const resolved = used.filter(({ grade }) => grade !== 'name');
  return { refs: resolved.map((row) => [row.path, row.line ?? 0, row.column ?? 0]) };
}

/** All code that is reported dead, outside of tests. */
export async function deadCodeBy(askCode: AskCode): Promise<{ path: string; name: string; line: number }[]> {
  const dead = await askCode({ action: 'dead_code', tests: 'exclude' });
  return dead.map(({ path, name = '', line = 0 }) => ({ path, name, line }));
}

async function deadCode({ tool }: EvalIndex): Promise<Record<string, unknown>> {
  return { symbols: await deadCodeBy((call) => ask(tool, call)) };
}

/** All rows of an answer. None when there is no such name. */
async function ask<One = Row>(tool: AnyOperation, call: Record<string, unknown>, mostPages?: number): Promise<One[]> {
  return readPages((args) => answerOf(tool, { ...args, format: 'json' }), call, mostPages);
}

/** The rows of an answer, page by page. */
export async function readPages<One>(
  readPage: (args: Record<string, unknown>) => Promise<unknown>,
  call: Record<string, unknown>,
  mostPages = 1_000,
): Promise<One[]> {
  const rows: One[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < mostPages; page++) {
    const args = { limit: MOST_ROWS, max_tokens: MOST_TOKENS, ...call, ...(cursor != null && { cursor }) };
    // Rows and `next` as the contract names them; an error has neither.
    const { rows: batch = [], next } = (await readPage(args)) as { rows?: One[]; next?: string | null };
    rows.push(...batch);
    if (next == null) break;
    cursor = next;
  }
  return rows;
}

async function answerOf(tool: AnyOperation, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const caller = { accountId: 'eval', productId: 'eval', keyId: 'eval', scopes: ['read' as const] };
  const context = { caller, now: () => new Date(), signal: new AbortController().signal, progress: () => undefined };
  try {
    return (await tool.run(context, tool.input.parse(args))).json;
  } catch (error) {
    if (error instanceof ServiceError) return {};
    throw error;
  }
}
