import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { countedCall } from '../mcp/call.ts';
import { failures, json } from '../platform/web.ts';
import { type AppApiParts, type AppEnv, type AppRoutes, newAppRoutes } from './app-env.ts';
import {
  ChangelogPage,
  CommitDetail,
  CommitPage,
  CouplingPage,
  FileNames,
  FileOwners,
  HistoryRefs,
  HotspotPage,
} from './app-history-api.ts';
import type { HistoryRequest } from './app-history-pages.ts';
import { pageProduct } from './app-product.ts';

const OPERATION = 'commit-tool';
const TAGS = ['History'];
/** The most that the operation takes: pages are for people, who do not count tokens. */
const MAX_TOKENS = 20_000;

const Id = z.object({ id: z.string().describe('Id or name of a repository') });
const Product = z.object({ product: z.string().optional().describe('Id or name; default: the first') });
const Period = Product.extend({
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

function pageRoute<Name extends string, Query extends z.ZodObject, Schema extends z.ZodType>(
  name: Name,
  { summary, query, schema }: { summary: string; query: Query; schema: Schema },
) {
  return createRoute({
    method: 'get',
    path: `/repositories/{id}/history/${name}`,
    tags: TAGS,
    summary,
    request: { params: Id, query },
    responses: { 200: json(schema, 'A page of rows'), ...failures },
  });
}

const hotspotsRoute = pageRoute('hotspots', {
  summary: 'Files that change often and hold much code, as commit-tool ranks them',
  query: Period,
  schema: HotspotPage,
});
const couplingRoute = pageRoute('coupling', {
  summary: 'Files that change together',
  query: Period,
  schema: CouplingPage,
});
const changelogRoute = pageRoute('changelog', {
  summary: 'Changes that users notice, in a period or between two refs',
  query: Period,
  schema: ChangelogPage,
});
const commitsRoute = pageRoute('commits', {
  summary: 'Commits by words and filters',
  query: CommitQuery,
  schema: CommitPage,
});

const commitRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}/commits/{sha}',
  tags: TAGS,
  summary: 'One commit with its class, files and the symbols it touched',
  request: { params: Id.extend({ sha: z.string().max(200) }), query: Product },
  responses: { 200: json(CommitDetail, 'The commit'), ...failures },
});

const refsRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}/history/refs',
  tags: TAGS,
  summary: 'Tags between which a changelog can be asked for',
  request: { params: Id, query: Product },
  responses: { 200: json(HistoryRefs, 'The newest commit first'), ...failures },
});

const filesRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}/history/files',
  tags: TAGS,
  summary: 'Files whose path holds all words of a text',
  request: { params: Id, query: Product.extend({ query: z.string().max(200) }) },
  responses: { 200: json(FileNames, 'At most 20'), ...failures },
});

const ownersRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}/history/owners',
  tags: TAGS,
  summary: 'Who owns a file: lines, recent commits, reviewers, CODEOWNERS, bus factor',
  request: { params: Id, query: Product.extend({ path: z.string().min(1).max(4_096) }) },
  responses: { 200: json(FileOwners, 'Of the indexed commit'), ...failures },
});

/** What the operation answers: rows, and how to get the next. */
const Answer = z.object({
  total: z.int(),
  at_least: z.boolean().optional(),
  next: z.string().optional(),
  rows: z.array(z.unknown()),
  notes: z.array(z.string()).default([]),
});

/** History for everybody who may read: the same operation as MCP clients call, so that both see the same. */
export function historyPageRoutes(parts: AppApiParts): AppRoutes {
  const { history } = parts;
  const routes = newAppRoutes();
  routes.openapi(hotspotsRoute, async (c) => {
    const { request, ...query } = await asked(parts, c, c.req.valid('query'));
    return c.json(HotspotPage.parse(await askTool(parts, request, { action: 'hotspots', ...query })), 200);
  });
  routes.openapi(couplingRoute, async (c) => {
    const { request, ...query } = await asked(parts, c, c.req.valid('query'));
    return c.json(CouplingPage.parse(await askTool(parts, request, { action: 'coupling', ...query })), 200);
  });
  routes.openapi(changelogRoute, async (c) => {
    const { request, ...query } = await asked(parts, c, c.req.valid('query'));
    return c.json(ChangelogPage.parse(await askTool(parts, request, { action: 'changelog', ...query })), 200);
  });
  routes.openapi(commitsRoute, async (c) => {
    const { request, ...query } = await asked(parts, c, c.req.valid('query'));
    return c.json(CommitPage.parse(await askTool(parts, request, { action: 'search', ...query })), 200);
  });
  routes.openapi(commitRoute, async (c) => {
    const { request } = await asked(parts, c, c.req.valid('query'));
    const { rows } = await askTool(parts, request, { action: 'show', query: c.req.valid('param').sha });
    return c.json(CommitDetail.parse(rows[0]), 200);
  });
  routes.openapi(refsRoute, async (c) => {
    const { request } = await asked(parts, c, c.req.valid('query'));
    return c.json(await history.refs(request), 200);
  });
  routes.openapi(filesRoute, async (c) => {
    const { request, query } = await asked(parts, c, c.req.valid('query'));
    return c.json({ paths: await history.files(request, query) }, 200);
  });
  routes.openapi(ownersRoute, async (c) => {
    const { request } = await asked(parts, c, c.req.valid('query'));
    return c.json(FileOwners.parse(await history.owners(request, c.req.valid('query').path)), 200);
  });
  return routes;
}

/** Who asks about which repository, and the rest of the query. */
async function asked<Query extends { product?: string | undefined }>(
  { db }: AppApiParts,
  c: Context<AppEnv>,
  query: Query,
): Promise<Omit<Query, 'product'> & { request: HistoryRequest }> {
  const { accountId, personId } = c.var.who;
  const { product, ...rest } = query;
  const { id: productId } = await pageProduct(db, accountId, product);
  const caller = { accountId, productId, keyId: personId, scopes: ['read' as const] };
  return { ...rest, request: { caller, signal: c.req.raw.signal, repo: c.req.param('id') ?? '' } };
}

async function askTool({ table }: AppApiParts, request: HistoryRequest, given: Record<string, unknown>) {
  const operation = table.byName.get(OPERATION);
  if (operation === undefined) throw new Error(`There is no ${OPERATION}.`);
  const { caller, signal, repo } = request;
  const { types, ...rest } = given;
  const wanted = {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')),
    ...(typeof types === 'string' && types !== '' && { types: types.split(',') }),
    repo,
    max_tokens: MAX_TOKENS,
    format: 'json',
  };
  const scope = { caller, signal, progress: () => {} };
  const { json: answer } = await countedCall(operation, wanted, { ...table.serving, ...scope });
  const { total, next = null, rows, notes } = Answer.parse(answer);
  // What the budget cut is no news to people.
  return { total, next, rows, notes: notes.filter((note) => !note.includes('max_tokens=')) };
}
