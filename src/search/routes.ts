import { z } from '@hono/zod-openapi';
import type { AskOperation } from '../platform/operation/operation.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { bodyOfRow } from '../platform/row-body.ts';
import { SearchQuery, SearchResult, SearchRow } from './search-bodies.ts';

const route = describeRoutes('Search');

const OPERATION = 'code-tool';

const ACTIONS = { words: 'semantic_search', symbols: 'search_symbols', text: 'grep' } as const;

type Query = z.output<typeof SearchQuery>;
type Result = z.output<typeof SearchResult>;

const searchRoute = route('get', '/search', 'Search the repositories of a product, as an MCP client does', {
  query: SearchQuery,
  answers: { 200: json(SearchResult, 'Rows, and the same question as an MCP call') },
});

/** Search runs the same operation as MCP clients call, so that both find the same. */
export function searchRoutes(ask: AskOperation): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(searchRoute, async (c) => {
    const { requester: caller } = c.var;
    requireRight(caller, READ);
    const query = c.req.valid('query');
    const given = argumentsOf(query);
    const extra = {
      repo: query.repo ?? '*',
      cursor: query.cursor,
      // Only the source says what a passage is about; symbols have a signature, lines are their text.
      detail: query.mode === 'words' ? 'body' : 'lines',
    };
    const answer = await ask(OPERATION, { ...given, ...extra }, { caller, signal: c.req.raw.signal });
    return c.json(resultOf(Answer.parse(answer), given), 200);
  });
  return { routes, app: '/' };
}

/** The question as a client would send it: without defaults. */
function argumentsOf({ mode, q, repo, kinds, path, tests, limit }: Query): Record<string, unknown> {
  const kind = kinds?.split(',').filter((word) => word !== '');
  return {
    action: ACTIONS[mode],
    query: q,
    ...(repo === undefined ? {} : { repo }),
    ...(path === undefined ? {} : { path }),
    ...(kind === undefined || kind.length === 0 || mode === 'text' ? {} : { kind }),
    ...(tests === 'include' ? {} : { tests }),
    ...(limit === 20 ? {} : { limit }),
  };
}

const Index = z.object({ repo: z.string().optional(), commit: z.string().optional(), state: z.string() });

const Row = z.object({
  repo: z.string().optional(),
  path: z.string(),
  line: z.int().optional(),
  start: z.int().optional(),
  end: z.int().optional(),
  kind: z.string().optional(),
  symbol: z.string().optional(),
  qualified: z.string().optional(),
  signature: z.string().optional(),
  text: z.string().optional(),
  body: z.string().optional(),
  score: z.number().optional(),
  why: z.string().optional(),
  exported: z.boolean().optional(),
  refs: z.int().optional(),
});

/** The answer of the operation, as far as pages show it. */
const Answer = z.object({
  repo: z.string(),
  commit: z.string().optional(),
  index: z.union([Index, z.array(Index)]),
  total: z.int(),
  at_least: z.boolean().default(false),
  next: z.string().optional(),
  rows: z.array(Row),
  notes: z.array(z.string()).default([]),
});
type Answer = z.output<typeof Answer>;

function resultOf(answer: Answer, given: Record<string, unknown>): Result {
  const { index } = answer;
  const indexes = Array.isArray(index) ? index : [{ ...index, repo: answer.repo, commit: answer.commit }];
  const call = indexes.length > 1 && given['repo'] === undefined ? { ...given, repo: '*' } : given;
  return {
    total: answer.total,
    at_least: answer.at_least,
    rows: answer.rows.map((row) => searchRow(row, answer.repo)),
    next: answer.next ?? null,
    notes: answer.notes,
    indexes: indexes.map(({ repo = '', commit = '', state }) => ({ repo, commit, state })),
    call: { name: OPERATION, arguments: call },
  };
}

function searchRow(row: z.output<typeof Row>, repo: string): z.output<typeof SearchRow> {
  const symbol = row.qualified ?? row.symbol;
  return bodyOfRow(SearchRow, row, {
    repo: row.repo ?? repo,
    line: row.line ?? row.start ?? 1,
    symbol: symbol || undefined,
    text: row.text ?? row.signature ?? firstLine(row.body) ?? symbol ?? '',
  });
}

/** The first line that says something: a passage may begin with the mere start of a comment. */
function firstLine(body: string | undefined): string | undefined {
  return body?.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line));
}
