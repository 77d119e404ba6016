import { z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import type { RepositoryActions } from './actions.ts';
import { FilesSummary, NewRepositoryBody, RepositoryBody, RepositoryList } from './repository-bodies.ts';

export type { RepositoryActions } from './actions.ts';

const route = describeRoutes('Repositories');
/** A folder or a URL is reached with the rights of the service. */
const CHANGE: Right = { scope: 'owner', role: 'admin' };
const Id = z.object({ id: z.string().describe('Id or name') });

const listRoute = route('get', '/repositories', 'The repositories of the product, by name', {
  answers: { 200: json(RepositoryList, 'The complete list') },
});

const findRoute = route('get', '/repositories/{id}', 'One repository', {
  params: Id,
  answers: { 200: json(RepositoryBody, 'The repository') },
});

const summaryRoute = route(
  'get',
  '/repositories/{id}/files-summary',
  'What its index covers, and what could not be read',
  { params: Id, answers: { 200: json(FilesSummary, 'Of the indexed commit') } },
);

const addRoute = route('post', '/repositories', 'Add a repository and index it (owner, admin)', {
  body: body(NewRepositoryBody),
  answers: { 201: json(RepositoryBody, 'Added; an index run is queued') },
});

const indexRoute = route('post', '/repositories/{id}/index', 'Fetch and index again (owner, admin)', {
  params: Id,
  answers: { 202: json(RepositoryBody, 'An index run is queued') },
});

const removeRoute = route(
  'delete',
  '/repositories/{id}',
  'Remove a repository and everything derived from it (owner, admin)',
  { params: Id },
);

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
