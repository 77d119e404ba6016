import { createRoute, z } from '@hono/zod-openapi';
import type { ProductRequest } from '../accounts/accounts.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, done, failures, json, newRoutes, type SliceRoutes } from '../platform/web.ts';

const TAGS = ['Repositories'];
/** A folder or a URL is reached with the rights of the service. */
const CHANGE: Right = { scope: 'owner', role: 'admin' };

const RepositoryBody = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string().describe('Where it comes from, without credentials: a URL or a folder'),
  default_branch: z.string().nullable(),
  product: z.string(),
  status: z.enum(['pending', 'indexing', 'ready', 'failed']),
  commit: z.string().nullable().describe('The commit that the index holds'),
  indexed_at: z.string().nullable(),
  behind: z.int().nullable().describe('Commits that are not in the index yet; null when unknown'),
  files: z.int(),
  symbols: z.int(),
  languages: z.record(z.string(), z.number()).describe('Share of the source by language, 0..1'),
  error: z.object({ message: z.string(), fix: z.string() }).nullable().describe('Why indexing failed'),
});

/** A repository as REST and the command-line tool show it. Further fields may stand beside these. */
export type RestRepository = z.input<typeof RepositoryBody>;

const AddBody = z.object({
  url: z
    .string()
    .min(1)
    .describe('https or ssh URL; in local mode also a folder on the machine that the service runs on'),
  name: z.string().optional().describe('Default: the last part of the URL'),
  ref: z.string().optional().describe('A branch, tag or commit to follow; default: the default branch'),
});

export type NewRepository = z.output<typeof AddBody>;

/** What the routes offer. An `id` may also be a name, or `owner/name`; all but `list` throw `unknown_repo` for others. */
export interface RepositoryActions {
  /** All of the product, by name. */
  list(request: ProductRequest): Promise<RestRepository[]>;
  find(request: ProductRequest, id: string): Promise<RestRepository>;
  /** Adds it and starts its first index. Throws `conflict` when it is there already. */
  add(request: ProductRequest, repository: NewRepository): Promise<RestRepository>;
  /** Fetches and indexes it again, in the background. While that runs already, nothing more is started. */
  index(request: ProductRequest, id: string): Promise<RestRepository>;
  /** Removes it with its index and its mirror. */
  remove(request: ProductRequest, id: string): Promise<void>;
}

const Id = z.object({ id: z.string().describe('Id or name') });

const listRoute = createRoute({
  method: 'get',
  path: '/repositories',
  tags: TAGS,
  summary: 'The repositories of the bound product, by name',
  responses: {
    200: json(z.object({ repositories: z.array(RepositoryBody), next: z.null() }), 'The complete list'),
    ...failures,
  },
});

const findRoute = createRoute({
  method: 'get',
  path: '/repositories/{id}',
  tags: TAGS,
  summary: 'One repository',
  request: { params: Id },
  responses: { 200: json(RepositoryBody, 'The repository'), ...failures },
});

const addRoute = createRoute({
  method: 'post',
  path: '/repositories',
  tags: TAGS,
  summary: 'Add a repository and index it (owner only)',
  request: { body: body(AddBody) },
  responses: { 201: json(RepositoryBody, 'Added; an index run is queued'), ...failures },
});

const indexRoute = createRoute({
  method: 'post',
  path: '/repositories/{id}/index',
  tags: TAGS,
  summary: 'Fetch and index again (owner only)',
  request: { params: Id },
  responses: { 202: json(RepositoryBody, 'An index run is queued'), ...failures },
});

const removeRoute = createRoute({
  method: 'delete',
  path: '/repositories/{id}',
  tags: TAGS,
  summary: 'Remove a repository and everything derived from it (owner only)',
  request: { params: Id },
  responses: done,
});

/** `/v1/repositories`: every key reads, only the owner changes, because a folder or a URL is reached with the service's rights. */
export function repositoryRoutes(repositories: RepositoryActions): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(listRoute, async (c) => {
    return c.json({ repositories: await repositories.list(authorize(c, READ)), next: null }, 200);
  });
  routes.openapi(findRoute, async (c) => {
    return c.json(await repositories.find(authorize(c, READ), c.req.valid('param').id), 200);
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
  return { routes, v1: '/' };
}
