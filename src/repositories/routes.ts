import { createRoute, z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, done, failures, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import type { RepositoryActions } from './actions.ts';
import { FilesSummary, NewRepositoryBody, RepositoryBody, RepositoryList } from './repository-bodies.ts';

export type { RepositoryActions } from './actions.ts';

const TAGS = ['Repositories'];
/** A folder or a URL is reached with the rights of the service. */
const CHANGE: Right = { scope: 'owner', role: 'admin' };
const Id = z.object({ id: z.string().describe('Id or name') });

const listRoute = createRoute({
  method: 'get',
  path: '/repositories',
  tags: TAGS,
  summary: 'The repositories of the product, by name',
  responses: { 200: json(RepositoryList, 'The complete list'), ...failures },
});

const findRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}',
  tags: TAGS,
  summary: 'One repository',
  request: { params: Id },
  responses: { 200: json(RepositoryBody, 'The repository'), ...failures },
});

const summaryRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}/files-summary',
  tags: TAGS,
  summary: 'What its index covers, and what could not be read',
  request: { params: Id },
  responses: { 200: json(FilesSummary, 'Of the commit that the index holds'), ...failures },
});

const addRoute = createRoute({
  method: 'post',
  path: '/repositories',
  tags: TAGS,
  summary: 'Add a repository and index it (owner, admin)',
  request: { body: body(NewRepositoryBody) },
  responses: { 201: json(RepositoryBody, 'Added; an index run is queued'), ...failures },
});

const indexRoute = createRoute({
  method: 'post',
  path: '/repositories/{id}/index',
  tags: TAGS,
  summary: 'Fetch and index again (owner, admin)',
  request: { params: Id },
  responses: { 202: json(RepositoryBody, 'An index run is queued'), ...failures },
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/repositories/{id}',
  tags: TAGS,
  summary: 'Remove a repository and everything derived from it (owner, admin)',
  request: { params: Id },
  responses: done,
});

/** Repositories of a product: every key and member reads, the owner and admins change. */
export function repositoryRoutes(repositories: RepositoryActions): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(listRoute, async (c) => {
    const listed = await repositories.list(authorize(c, READ));
    return c.json({ repositories: listed, accepts_folders: repositories.acceptsFolders, next: null }, 200);
  });
  routes.openapi(findRoute, async (c) => {
    return c.json(await repositories.find(authorize(c, READ), c.req.valid('param').id), 200);
  });
  routes.openapi(summaryRoute, async (c) => {
    return c.json(await repositories.summary(authorize(c, READ), c.req.valid('param').id), 200);
  });
  routes.openapi(addRoute, async (c) => {
    return c.json(await repositories.add(authorize(c, CHANGE), c.req.valid('json')), 201);
  });
  routes.openapi(indexRoute, async (c) => {
    return c.json(await repositories.index(authorize(c, CHANGE), c.req.valid('param').id), 202);
  });
  routes.openapi(removeRoute, async (c) => {
    await repositories.remove(authorize(c, CHANGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}
