import { z } from '@hono/zod-openapi';
import type { listOpenJobs } from '../platform/jobs.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type Routes, type SliceRoutes } from '../platform/web.ts';
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
import { pauseIndexing, resumeIndexing } from './pause.ts';
import {
  FilesSummary,
  JobList,
  NewRepositoryBody,
  RepositoryBody,
  RepositoryFilter,
  RepositoryList,
} from './repository-bodies.ts';
import { selectPause } from './store-pause.ts';
import { selectNames, setPending } from './store.ts';

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
  startIndexing: (tenant: Tenant, id: string, options?: { isFirst?: boolean }) => Promise<void>;
  /** Puts into the queue the removal of what was taken from a repository that is gone. */
  startRemoval: (tenant: Tenant, id: string) => Promise<void>;
  /** Returns the work on the product that waits or runs. */
  openJobs: (tenant: Tenant, limit: number) => ReturnType<typeof listOpenJobs>;
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
  query: z.object({ first: z.stringbool().optional().describe('Before all that wait') }),
  answers: { 202: json(RepositoryBody, 'An index run is queued') },
});

const jobsRoute = route('get', '/jobs', 'Work on the product that waits or runs, in its order (owner, admin)', {
  query: z.object({ limit: z.coerce.number().int().min(1).max(500).default(100) }),
  answers: { 200: json(JobList, 'The first of it, with the number of all') },
});

const pauseRoute = route('post', '/indexing/pause', 'Neither fetch nor index until it is resumed (owner, admin)', {});

const resumeRoute = route('delete', '/indexing/pause', 'Fetch and index again (owner, admin)', {});

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
  startRemoval,
  openJobs,
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
    await startIndexing(who, id, { isFirst: c.req.valid('query').first === true });
    return c.json(await toRestRepository(context, await findRepository(context, who, id)), 202);
  });
  routes.openapi(removeRoute, async (c) => {
    const who = authorize(c, CHANGE);
    const { id } = await findRepository(context, who, c.req.valid('param').id);
    await removeRepository(context, who, { id, actor: who.actor });
    await startRemoval(who, id);
    return c.body(null, 204);
  });
  addQueueRoutes(routes, { repositories: context, startIndexing, openJobs });
  return { routes, v1: '/', app: '/' };
}

function addQueueRoutes(
  routes: Routes,
  { repositories, startIndexing, openJobs }: Omit<RepositoryRoutesParts, 'coverageOf' | 'startRemoval'>,
): void {
  routes.openapi(jobsRoute, async (c) => {
    const who = authorize(c, CHANGE);
    const { jobs, ...counts } = await openJobs(who, c.req.valid('query').limit);
    const ids = jobs.flatMap(({ repositoryId }) => repositoryId ?? []);
    const names = await selectNames(repositories.db, who, ids);
    const listed = jobs.map(({ name, state, repositoryId, sentAt, startedAt, failures, isFirst }) => ({
      job: name,
      repository: names.get(repositoryId ?? '') ?? null,
      state,
      sent_at: sentAt.toISOString(),
      started_at: startedAt?.toISOString() ?? null,
      failures,
      first: isFirst,
    }));
    const pause = await selectPause(repositories.db, who);
    return c.json({ paused_since: pause?.since.toISOString() ?? null, ...counts, jobs: listed }, 200);
  });
  routes.openapi(pauseRoute, async (c) => {
    await pauseIndexing(repositories, authorize(c, CHANGE));
    return c.body(null, 204);
  });
  routes.openapi(resumeRoute, async (c) => {
    const who = authorize(c, CHANGE);
    for (const id of await resumeIndexing(repositories, who)) await startIndexing(who, id);
    return c.body(null, 204);
  });
}

function summaryOf(coverage: IndexCoverage): FilesSummary {
  const { withSymbols, failed, ...counts } = coverage;
  return { ...counts, with_symbols: withSymbols, unparsed_files: failed };
}
