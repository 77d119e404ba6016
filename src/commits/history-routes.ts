import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { AskOperation } from '../platform/operation/operation.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, ProductQuery, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import {
  ChangelogPage,
  CommitDetail,
  CommitPage,
  CouplingPage,
  FileBlame,
  FileNames,
  FileOwners,
  HistoryRefs,
  HotspotPage,
  OwnershipMap,
} from './history-bodies.ts';
import type { HistoryPages, HistoryRequest } from './history-pages.ts';

const OPERATION = 'commit-tool';
const route = describeRoutes('History');

const Id = z.object({ id: z.string().describe('Id or name of a repository') });
const Period = ProductQuery.extend({
  since: z.string().max(200).optional().describe('Date, 30d, or ref (exclusive); default: 12 months'),
  until: z.string().max(200).optional().describe('Date or ref (inclusive)'),
  path: z.string().max(4_096).optional().describe('File, folder or glob'),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
});
const CommitQuery = Period.extend({
  query: z.string().max(1_000).optional().describe('Words; `+text` and `-text` for what was added or removed'),
  author: z.string().max(200).optional(),
  types: z.string().max(200).optional().describe('With commas between'),
});

/** A page of rows of `commit-tool`, as it answers them. */
function pageRoute<Schema extends z.ZodType>(
  name: string,
  summary: string,
  schema: Schema,
  query: typeof Period | typeof CommitQuery = Period,
) {
  return route('get', `/repositories/{id}/history/${name}`, summary, {
    params: Id,
    query,
    answers: { 200: json(schema, 'A page of rows') },
  });
}

const hotspotsRoute = pageRoute(
  'hotspots',
  'Files that change often and are complex, as commit-tool ranks them',
  HotspotPage,
);
const couplingRoute = pageRoute('coupling', 'Files that change together', CouplingPage);
const changelogRoute = pageRoute(
  'changelog',
  'Changes that users notice, in a period or between two refs',
  ChangelogPage,
);
const commitsRoute = pageRoute('commits', 'Commits by words and filters', CommitPage, CommitQuery);

const commitRoute = route(
  'get',
  '/repositories/{id}/commits/{sha}',
  'One commit with its class, files and the symbols it touched',
  {
    params: Id.extend({ sha: z.string().max(200) }),
    query: ProductQuery,
    answers: { 200: json(CommitDetail, 'The commit') },
  },
);

const refsRoute = route('get', '/repositories/{id}/history/refs', 'Tags between which a changelog can be asked for', {
  params: Id,
  query: ProductQuery,
  answers: { 200: json(HistoryRefs, 'The newest commit first') },
});

const filesRoute = route('get', '/repositories/{id}/history/files', 'Files whose path holds all words of a text', {
  params: Id,
  query: ProductQuery.extend({ query: z.string().max(200) }),
  answers: { 200: json(FileNames, 'At most 20') },
});

const ownersRoute = route(
  'get',
  '/repositories/{id}/history/owners',
  'Who owns a file: lines, recent commits, reviewers, CODEOWNERS, bus factor',
  {
    params: Id,
    query: ProductQuery.extend({ path: z.string().min(1).max(4_096) }),
    answers: { 200: json(FileOwners, 'Of the indexed commit') },
  },
);

const ownershipRoute = route(
  'get',
  '/repositories/{id}/history/ownership',
  'Main owner and bus factor of every file, by recent commits, with its lines',
  {
    params: Id,
    query: ProductQuery,
    answers: { 200: json(OwnershipMap, 'Of the indexed commit; at most 20,000 files') },
  },
);

const blameRoute = route('get', '/repositories/{id}/history/blame', 'Who wrote the lines of a file last', {
  params: Id,
  query: ProductQuery.extend({ path: z.string().min(1).max(4_096) }),
  answers: { 200: json(FileBlame, 'Of the indexed commit') },
});

/** The answer of the operation: rows, and how to get the next. */
const Answer = z.object({
  total: z.int(),
  at_least: z.boolean().optional(),
  next: z.string().optional(),
  rows: z.array(z.unknown()),
  notes: z.array(z.string()).default([]),
});

/** The parts that answer pages about history. */
interface HistoryRoutesParts {
  history: HistoryPages;
  ask: AskOperation;
}

/** History for everybody who may read: the same operation as MCP clients call, so that both see the same. */
export function historyRoutes({ history, ask }: HistoryRoutesParts): SliceRoutes {
  const routes = newRoutes();
  const askPage = (c: Context<WebEnv>, action: string, query: Record<string, unknown>) =>
    askTool(ask, requestOf(c), { action, ...query });
  routes.openapi(hotspotsRoute, async (c) =>
    c.json(HotspotPage.parse(await askPage(c, 'hotspots', c.req.valid('query'))), 200),
  );
  routes.openapi(couplingRoute, async (c) =>
    c.json(CouplingPage.parse(await askPage(c, 'coupling', c.req.valid('query'))), 200),
  );
  routes.openapi(changelogRoute, async (c) =>
    c.json(ChangelogPage.parse(await askPage(c, 'changelog', c.req.valid('query'))), 200),
  );
  routes.openapi(commitsRoute, async (c) =>
    c.json(CommitPage.parse(await askPage(c, 'search', c.req.valid('query'))), 200),
  );
  routes.openapi(commitRoute, async (c) => {
    const { rows } = await askTool(ask, requestOf(c), { action: 'show', query: c.req.valid('param').sha });
    return c.json(CommitDetail.parse(rows[0]), 200);
  });
  routes.openapi(refsRoute, async (c) => c.json(await history.refs(requestOf(c)), 200));
  routes.openapi(filesRoute, async (c) => {
    return c.json({ paths: await history.files(requestOf(c), c.req.valid('query').query) }, 200);
  });
  routes.openapi(ownersRoute, async (c) => {
    return c.json(FileOwners.parse(await history.owners(requestOf(c), c.req.valid('query').path)), 200);
  });
  routes.openapi(ownershipRoute, async (c) => c.json(await history.ownership(requestOf(c)), 200));
  routes.openapi(blameRoute, async (c) => {
    return c.json(await history.blame(requestOf(c), c.req.valid('query').path), 200);
  });
  return { routes, app: '/' };
}

/** Reads the caller and the repository of a request. @throws ServiceError `scope_denied`. */
function requestOf(c: Context<WebEnv>): HistoryRequest {
  requireRight(c.var.requester, READ);
  return { caller: c.var.requester, signal: c.req.raw.signal, repo: c.req.param('id') ?? '' };
}

async function askTool(ask: AskOperation, { repo, ...by }: HistoryRequest, query: Record<string, unknown>) {
  const { types, ...rest } = query;
  const given = Object.entries(rest).filter(
    // The product is the door's: it stands in the caller.
    ([name, value]) => name !== 'product' && value !== undefined && value !== '',
  );
  const operationArgs = {
    ...Object.fromEntries(given),
    ...(typeof types === 'string' && types !== '' && { types: types.split(',') }),
    repo,
  };
  const { total, next = null, rows, notes } = Answer.parse(await ask(OPERATION, operationArgs, by));
  return { total, next, rows, notes };
}
