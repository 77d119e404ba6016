import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isKnown, tagOf } from '../platform/conditional.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { failures, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import { ManifestBody, PlanListing, WorkItemsFile } from './artifact-bodies.ts';
import { type Artifacts, readManifest, readPlanList, readPlanText, readWorkItems } from './artifacts.ts';

const TAGS = ['Artifacts'];
const Repo = z.object({
  repo: z.string().max(200).optional().describe('Id or name; default: the only repository of the product'),
});
const unchanged = {
  304: { description: 'Unchanged since the `ETag` in `If-None-Match`' },
  ...failures,
};

const manifestRoute = createRoute({
  method: 'get',
  path: '/artifacts',
  tags: TAGS,
  summary:
    'What svc sync keeps in .svc/, with a tag of each file; supports ETag and If-None-Match, as all artifacts do',
  request: { query: Repo },
  responses: { 200: json(ManifestBody, 'The files'), ...unchanged },
});

const workItemsRoute = createRoute({
  method: 'get',
  path: '/artifacts/work-items',
  tags: TAGS,
  summary: 'All plans with their work items: work-items.json',
  responses: { 200: json(WorkItemsFile, 'One entry a line, keys sorted'), ...unchanged },
});

const plansRoute = createRoute({
  method: 'get',
  path: '/artifacts/plans',
  tags: TAGS,
  summary: 'The plans by slug, without their texts',
  responses: { 200: json(PlanListing, 'The plans'), ...unchanged },
});

const planRoute = createRoute({
  method: 'get',
  path: '/artifacts/plans/{slug}',
  tags: TAGS,
  summary: 'The text of a plan: plans/<slug>.md',
  request: { params: z.object({ slug: z.string() }) },
  responses: {
    200: { description: 'Markdown', content: { 'text/markdown': { schema: z.string() } } },
    ...unchanged,
  },
});

/** What the command-line tool keeps in `.svc/`, so that agents read it without a call. */
export function artifactRoutes(artifacts: Artifacts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(manifestRoute, async (c) => {
    const manifest = await readManifest(artifacts, readerOf(c), c.req.valid('query').repo);
    if (isKnown(c, tagOf(JSON.stringify(manifest)))) return c.body(null, 304);
    return c.json(manifest, 200);
  });
  routes.openapi(workItemsRoute, async (c) => {
    const { text, etag } = await readWorkItems(artifacts, readerOf(c));
    if (isKnown(c, etag)) return c.body(null, 304);
    return c.newResponse(text, 200, { 'Content-Type': 'application/json' });
  });
  routes.openapi(plansRoute, async (c) => {
    const plans = await readPlanList(artifacts, readerOf(c));
    if (isKnown(c, tagOf(JSON.stringify(plans)))) return c.body(null, 304);
    return c.json({ plans }, 200);
  });
  routes.openapi(planRoute, async (c) => {
    const { text, etag } = await readPlanText(artifacts, readerOf(c), c.req.valid('param').slug);
    if (isKnown(c, etag)) return c.body(null, 304);
    return c.newResponse(text, 200, { 'Content-Type': 'text/markdown; charset=utf-8' });
  });
  return { routes, v1: '/' };
}

function readerOf(c: Context<WebEnv>) {
  requireRight(c.var.requester, READ);
  return c.var.requester;
}
