import { createRoute, z } from '@hono/zod-openapi';
import type { RepositoryActions } from '../repositories/routes.ts';
import { body, done, failures, json } from '../platform/web.ts';
import { FilesSummary, NewRepository, Repository, RepositoryList } from './app-api.ts';
import { type AppApiParts, type AppRoutes, newAppRoutes } from './app-env.ts';
import { pageProduct } from './app-product.ts';
import { requireRole } from './app-session.ts';
import type { SignedIn } from '../accounts/sessions.ts';

const TAGS = ['Repositories'];

type RepositoryBody = z.output<typeof Repository>;
type Scope = Parameters<RepositoryActions['list']>[0];

/** The repositories of a product as pages show them. An `id` may also be a name. */
export interface RepositoryPages extends Pick<RepositoryActions, 'remove'> {
  list(scope: Scope): Promise<RepositoryBody[]>;
  find(scope: Scope, id: string): Promise<RepositoryBody>;
  /** Adds it and starts its first index. */
  add(scope: Scope, repository: Parameters<RepositoryActions['add']>[1]): Promise<RepositoryBody>;
  index(scope: Scope, id: string): Promise<RepositoryBody>;
  /** What its index covers. Throws `not_indexed` without one. */
  summary(scope: Scope, id: string): Promise<z.output<typeof FilesSummary>>;
  /** Whether a folder of the machine can be added. */
  acceptsFolders: boolean;
}

const OfProduct = z.object({ product: z.string().optional().describe('Id or name; default: the first') });
const Id = z.object({ id: z.string().describe('Id or name') });

const listRoute = createRoute({
  method: 'get',
  path: '/repositories',
  tags: TAGS,
  summary: 'The repositories of a product, by name',
  request: { query: OfProduct },
  responses: { 200: json(RepositoryList, 'The complete list'), ...failures },
});

const addRoute = createRoute({
  method: 'post',
  path: '/repositories',
  tags: TAGS,
  summary: 'Add a repository and index it (admin)',
  request: { query: OfProduct, body: body(NewRepository) },
  responses: { 201: json(Repository, 'Added; an index run is queued'), ...failures },
});

const findRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}',
  tags: TAGS,
  summary: 'One repository',
  request: { query: OfProduct, params: Id },
  responses: { 200: json(Repository, 'The repository'), ...failures },
});

const summaryRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}/files-summary',
  tags: TAGS,
  summary: 'What the index covers, and what could not be read',
  request: { query: OfProduct, params: Id },
  responses: { 200: json(FilesSummary, 'Coverage of the indexed commit'), ...failures },
});

const indexRoute = createRoute({
  method: 'post',
  path: '/repositories/{id}/index',
  tags: TAGS,
  summary: 'Fetch and index again (admin)',
  request: { query: OfProduct, params: Id },
  responses: { 202: json(Repository, 'An index run is queued'), ...failures },
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/repositories/{id}',
  tags: TAGS,
  summary: 'Remove a repository and everything derived from it (admin)',
  request: { query: OfProduct, params: Id },
  responses: done,
});

/** Everybody reads; admins change, because a folder or URL is reached with the rights of the service. */
export function repositoryPageRoutes({ db, repositories }: AppApiParts): AppRoutes {
  const routes = newAppRoutes();
  const scopeOf = async (who: SignedIn, query: { product?: string | undefined }): Promise<Scope> => {
    const { id: productId } = await pageProduct(db, who.accountId, query.product);
    return { accountId: who.accountId, productId, actor: `person:${who.personId}` };
  };
  routes.openapi(listRoute, async (c) => {
    const scope = await scopeOf(c.var.who, c.req.valid('query'));
    const { acceptsFolders } = repositories;
    return c.json({ repositories: await repositories.list(scope), accepts_folders: acceptsFolders }, 200);
  });
  routes.openapi(addRoute, async (c) => {
    requireRole(c.var.who, 'admin');
    const scope = await scopeOf(c.var.who, c.req.valid('query'));
    return c.json(await repositories.add(scope, c.req.valid('json')), 201);
  });
  routes.openapi(findRoute, async (c) => {
    const scope = await scopeOf(c.var.who, c.req.valid('query'));
    return c.json(await repositories.find(scope, c.req.valid('param').id), 200);
  });
  routes.openapi(summaryRoute, async (c) => {
    const scope = await scopeOf(c.var.who, c.req.valid('query'));
    return c.json(await repositories.summary(scope, c.req.valid('param').id), 200);
  });
  routes.openapi(indexRoute, async (c) => {
    requireRole(c.var.who, 'admin');
    const scope = await scopeOf(c.var.who, c.req.valid('query'));
    return c.json(await repositories.index(scope, c.req.valid('param').id), 202);
  });
  routes.openapi(removeRoute, async (c) => {
    requireRole(c.var.who, 'admin');
    const scope = await scopeOf(c.var.who, c.req.valid('query'));
    await repositories.remove(scope, c.req.valid('param').id);
    return c.body(null, 204);
  });
  return routes;
}
