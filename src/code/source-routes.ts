import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { READ, requireRight } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import { Content, FileNames } from './source-bodies.ts';
import type { SourcePages } from './source-pages.ts';

const route = describeRoutes('Source');

const Id = z.object({ id: z.string().describe('Id or name of a repository') });
const Query = z.object({
  path: z.string().max(4_096).default('').describe('From the root of the repository'),
  ref: z.string().max(200).optional().describe('Branch, tag or commit; default: the indexed commit'),
  product: z.string().optional().describe('Id or name; default: the first'),
});

const contentRoute = route('get', '/repositories/{id}/content', 'A file or folder as a commit has it', {
  params: Id,
  query: Query,
  answers: { 200: json(Content, 'The text, or what is in the folder') },
});

const namesRoute = route(
  'get',
  '/repositories/{id}/names',
  'What the names in a file mean, and what is defined there',
  {
    params: Id,
    query: Query,
    answers: { 200: json(FileNames, 'As the index of that commit resolves them') },
  },
);

/** Source code for everybody who may read the product. */
export function sourceRoutes(pages: SourcePages): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(contentRoute, async (c) => c.json(await pages.content(requestOf(c, c.req.valid('query'))), 200));
  routes.openapi(namesRoute, async (c) => c.json(await pages.names(requestOf(c, c.req.valid('query'))), 200));
  return { routes, app: '/' };
}

/** Reads the caller and the file of a request. @throws ServiceError `scope_denied`. */
function requestOf(c: Context<WebEnv>, { path, ref }: z.output<typeof Query>) {
  requireRight(c.var.requester, READ);
  return { caller: c.var.requester, signal: c.req.raw.signal, repo: c.req.param('id') ?? '', path, ref };
}
