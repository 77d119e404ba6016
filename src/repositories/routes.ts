import { z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { Repositories } from './context.ts';
import {
  addRepository,
  findRepository,
  listRestRepositories,
  removeRepository,
  type Repository,
  toRestRepository,
} from './repositories.ts';
import {
  FilesSummary,
  NewRepositoryBody,
  RepositoryBody,
  RepositoryFilter,
  RepositoryList,
} from './repository-bodies.ts';
import { setPending } from './store.ts';

/** Files, symbols and languages that the index of a repository covers. */
export interface IndexCoverage {
  files: number;
  parsed: number;
  withSymbols: number;
  symbols: number;
  lines: number;
  languages: Record<string, number>;
  omitted: FilesSummary['omitted'];
  unparsed: number;
  failed: { path: string; reason: string }[];
}

export interface RepositoryRoutesParts {
  repositories: Repositories;
  /** Puts an index run of a repository into the queue; while one waits, nothing is added. */
  startIndexing: (tenant: Tenant, id: string) => Promise<void>;
  /** Returns what the index covers. @throws ServiceError `not_indexed` without one. */
  coverageOf: (tenant: Tenant, repository: Repository) => Promise<IndexCoverage>;
}

const route = describeRoutes('Repositories');
/** A folder or a URL is reached with the rights of the service. */
const CHANGE: Right = { scope: 'owner', role: 'admin' };
const Id = z.object({ id: z.string().describe('Id or name') });

const listRoute = route('get', '/repositories', 'The repositories of the product, by name', {
  query: RepositoryFilter,
  answers: { 200: json(RepositoryList, 'A page, of at most 1,000') },
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
export function repositoryRoutes({
  repositories: context,
  startIndexing,
  coverageOf,
}: RepositoryRoutesParts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(listRoute, async (c) => {
    const page = await listRestRepositories(context, authorize(c, READ), c.req.valid('query'));
    return c.json({ ...page, accepts_folders: context.policy.allowsFiles }, 200);
  });
  routes.openapi(findRoute, async (c) => {
    const repository = await findRepository(context, authorize(c, READ), c.req.valid('param').id);
    return c.json(await toRestRepository(context, repository), 200);
  });
  routes.openapi(summaryRoute, async (c) => {
    const who = authorize(c, READ);
    const repository = await findRepository(context, who, c.req.valid('param').id);
    return c.json(summaryOf(await coverageOf(who, repository)), 200);
  });
  routes.openapi(addRoute, async (c) => {
    const who = authorize(c, CHANGE);
    const { url, awaited: isAwaited, ...named } = c.req.valid('json');
    const added = await addRepository(context, who, { source: url, ...named, isAwaited, actor: who.actor });
    await startIndexing(who, added.id);
    return c.json(await toRestRepository(context, added), 201);
  });
  routes.openapi(indexRoute, async (c) => {
    const who = authorize(c, CHANGE);
    const { id } = await findRepository(context, who, c.req.valid('param').id);
    await setPending(context.db, who, id);
    await startIndexing(who, id);
    return c.json(await toRestRepository(context, await findRepository(context, who, id)), 202);
  });
  routes.openapi(removeRoute, async (c) => {
    const who = authorize(c, CHANGE);
    const { id } = await findRepository(context, who, c.req.valid('param').id);
    await removeRepository(context, who, { id, actor: who.actor });
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}

function summaryOf(coverage: IndexCoverage): FilesSummary {
  const { withSymbols, failed, ...counts } = coverage;
  return { ...counts, with_symbols: withSymbols, unparsed_files: failed };
}
