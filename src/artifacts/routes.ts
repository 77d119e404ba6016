import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isNotModified, tagOf, unchanged } from '../platform/conditional.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import { GraphFile, ManifestBody, OwnersFile, PlanListing, WorkItemsFile } from './artifact-bodies.ts';
import {
  type Artifacts,
  type GraphQuery,
  readGraph,
  readManifest,
  readOwners,
  readPlanList,
  readPlanText,
  readWorkItems,
} from './artifacts.ts';

const route = describeRoutes('Artifacts');
const Query = z.object({
  repo: z.string().max(200).optional().describe('Id or name; default: the only repository of the product'),
  full: z.stringbool().default(false).describe('true: the whole graph, not only its most relevant part'),
});

const manifestRoute = route(
  'get',
  '/artifacts',
  'What svc sync keeps in .svc/, with a tag of each file; supports ETag and If-None-Match, as all artifacts do',
  { query: Query, answers: { 200: json(ManifestBody, 'The files'), ...unchanged } },
);

const graphRoute = route(
  'get',
  '/artifacts/graph',
  'The graph of a repository within 8,000 tokens, or the whole of it: graph.json',
  { query: Query, answers: { 200: json(GraphFile, 'One node or edge a line, keys sorted'), ...unchanged } },
);

const ownersRoute = route(
  'get',
  '/artifacts/owners',
  'Who works on each file of a repository, by commits: ownership.json',
  {
    query: Query.pick({ repo: true }),
    answers: { 200: json(OwnersFile, 'One file a line, keys sorted'), ...unchanged },
  },
);

const workItemsRoute = route('get', '/artifacts/work-items', 'All plans with their work items: work-items.json', {
  answers: { 200: json(WorkItemsFile, 'One entry a line, keys sorted'), ...unchanged },
});

const plansRoute = route('get', '/artifacts/plans', 'The plans by slug, without their texts', {
  answers: { 200: json(PlanListing, 'The plans'), ...unchanged },
});

const planRoute = route('get', '/artifacts/plans/{slug}', 'The text of a plan: plans/<slug>.md', {
  params: z.object({ slug: z.string() }),
  answers: { 200: { description: 'Markdown', content: { 'text/markdown': { schema: z.string() } } }, ...unchanged },
});

/** Routes of the files that the command-line tool writes to `.svc/`, so that agents read them without a call. */
export function artifactRoutes(artifacts: Artifacts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(manifestRoute, async (c) => {
    const manifest = await readManifest(artifacts, readerOf(c), queryOf(c, c.req.valid('query')));
    if (isNotModified(c, tagOf(JSON.stringify(manifest)))) return c.body(null, 304);
    return c.json(manifest, 200);
  });
  routes.openapi(graphRoute, async (c) => {
    const { etag, pieces } = await readGraph(artifacts, readerOf(c), queryOf(c, c.req.valid('query')));
    if (isNotModified(c, etag)) return c.body(null, 304);
    return c.newResponse(await streamOf(pieces()), 200, { 'Content-Type': 'application/json' });
  });
  routes.openapi(ownersRoute, async (c) => {
    const request = { repo: c.req.valid('query').repo, signal: c.req.raw.signal };
    const { etag, text } = await readOwners(artifacts, readerOf(c), request);
    if (isNotModified(c, etag)) return c.body(null, 304);
    return c.newResponse(await text(), 200, { 'Content-Type': 'application/json' });
  });
  routes.openapi(workItemsRoute, async (c) => {
    const { text, etag } = await readWorkItems(artifacts, readerOf(c));
    if (isNotModified(c, etag)) return c.body(null, 304);
    return c.newResponse(text, 200, { 'Content-Type': 'application/json' });
  });
  routes.openapi(plansRoute, async (c) => {
    const plans = await readPlanList(artifacts, readerOf(c));
    if (isNotModified(c, tagOf(JSON.stringify(plans)))) return c.body(null, 304);
    return c.json({ plans }, 200);
  });
  routes.openapi(planRoute, async (c) => {
    const { text, etag } = await readPlanText(artifacts, readerOf(c), c.req.valid('param').slug);
    if (isNotModified(c, etag)) return c.body(null, 304);
    return c.newResponse(text, 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
  });
  return { routes, v1: '/' };
}

function queryOf(c: Context<WebEnv>, { repo, full }: z.output<typeof Query>): GraphQuery {
  return { repo, full, signal: c.req.raw.signal };
}

/** The pieces as a body. The first one is waited for, so that a failure before it is answered like any other. */
async function streamOf(pieces: AsyncIterable<string>): Promise<ReadableStream<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let next: IteratorResult<string> | undefined = await iterator.next();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = next ?? (await iterator.next());
      next = undefined;
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await iterator.return?.()),
  });
}

function readerOf(c: Context<WebEnv>) {
  requireRight(c.var.requester, READ);
  return c.var.requester;
}
