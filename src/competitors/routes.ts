import { createRoute, z } from '@hono/zod-openapi';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { isoDate } from '../kernel/time.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, done, failures, json, newRoutes, type Routes, type SliceRoutes } from '../platform/web.ts';
import {
  captureBody,
  CaptureBody,
  changeBody,
  ChangeBody,
  competitorBody,
  CompetitorBody,
  NewCompetitorBody,
  PageBody,
  pageBody,
  PageChangeBody,
} from './competitor-bodies.ts';
import { SEVERITIES } from './detect/judge.ts';
import { CHANGE_KINDS } from './page/page-kind.ts';
import { selectCapture, selectCaptures, selectChanges } from './store/store-changes.ts';
import { PAGE_STATUSES } from './store/store.ts';
import { checkPages } from './watch/check.ts';
import type { Competitors } from './watch/context.ts';
import { proposePages } from './watch/propose.ts';
import {
  changePage,
  findCompetitor,
  findPage,
  listCompetitors,
  removeCompetitor,
  removePage,
  watchCompetitor,
} from './watch/watch-list.ts';

const TAGS = ['Competitors'];
const MOST_CHECKED = 10;
/** As for calls of tools: what is not checked by then is left out. */
const CHECK_LIMIT_MS = 40_000;
/** Whoever may fetch pages decides which: both make the service ask other sites. */
const WATCH: Right = { scope: 'scrape', role: 'member' };

const Reference = z.object({ id: z.string().describe('Id or name') });
const PageReference = z.object({ id: z.string().describe('Id of the page') });

const descriptions = {
  list: createRoute({
    method: 'get',
    path: '/competitors',
    tags: TAGS,
    summary: 'Competitors with their watched pages',
    responses: { 200: json(z.object({ competitors: z.array(CompetitorBody) }), 'The complete list'), ...failures },
  }),
  watch: createRoute({
    method: 'post',
    path: '/competitors',
    tags: TAGS,
    summary: 'Add a competitor, or pages to the one with this name; what is there already stays',
    request: { body: body(NewCompetitorBody) },
    responses: { 201: json(CompetitorBody, 'The competitor with all its pages'), ...failures },
  }),
  find: createRoute({
    method: 'get',
    path: '/competitors/{id}',
    tags: TAGS,
    summary: 'One competitor',
    request: { params: Reference },
    responses: { 200: json(CompetitorBody, 'The competitor'), ...failures },
  }),
  remove: createRoute({
    method: 'delete',
    path: '/competitors/{id}',
    tags: TAGS,
    summary: 'Remove a competitor with its pages and changes',
    request: { params: Reference },
    responses: done,
  }),
  check: createRoute({
    method: 'post',
    path: '/competitor-checks',
    tags: TAGS,
    summary: `Check up to ${MOST_CHECKED} watched pages now`,
    request: {
      body: body(z.object({ pages: z.array(z.string()).min(1).max(MOST_CHECKED).describe('Ids or addresses') })),
    },
    responses: {
      200: json(
        z.object({
          checks: z.array(
            z.object({
              page_id: z.string(),
              url: z.string(),
              status: z.enum(PAGE_STATUSES),
              detail: z.string(),
              change: z.string().nullable().describe('Handle of the change that was seen'),
              next_allowed_at: z.string(),
            }),
          ),
        }),
        'What was checked in time',
      ),
      ...failures,
    },
  }),
};

const propose = createRoute({
  method: 'get',
  path: '/competitor-proposals',
  tags: TAGS,
  summary: 'Pages of a site that are worth watching, by kind; fetches its front page and sitemaps',
  request: { query: z.object({ site: z.string().min(1).max(2_048).describe('Domain or address of the front page') }) },
  responses: {
    200: json(
      z.object({
        pages: z.array(
          z.object({
            url: z.string(),
            kind: z.enum(CHANGE_KINDS),
            from: z.enum(['front page', 'link', 'sitemap', 'feed']),
          }),
        ),
      }),
      'Nothing is watched by it',
    ),
    ...failures,
  },
});

const pageDescriptions = {
  change: createRoute({
    method: 'patch',
    path: '/competitor-pages/{id}',
    tags: TAGS,
    summary: 'Change how a page is watched',
    request: { params: PageReference, body: body(PageChangeBody) },
    responses: { 200: json(PageBody, 'The page'), ...failures },
  }),
  remove: createRoute({
    method: 'delete',
    path: '/competitor-pages/{id}',
    tags: TAGS,
    summary: 'Stop watching a page and forget what it said',
    request: { params: PageReference },
    responses: done,
  }),
  captures: createRoute({
    method: 'get',
    path: '/competitor-pages/{id}/captures',
    tags: TAGS,
    summary: 'What a page said when, newest first, without the texts',
    request: { params: PageReference },
    responses: { 200: json(z.object({ captures: z.array(CaptureBody) }), 'The complete list'), ...failures },
  }),
  capture: createRoute({
    method: 'get',
    path: '/competitor-captures/{id}',
    tags: TAGS,
    summary: 'What a page said, one block a line',
    request: { params: PageReference },
    responses: { 200: json(CaptureBody.extend({ text: z.string() }), 'The capture'), ...failures },
  }),
  changes: createRoute({
    method: 'get',
    path: '/competitor-changes',
    tags: TAGS,
    summary: 'Changes, newest first',
    request: {
      query: z.object({
        competitor: z.string().optional().describe('Name or id'),
        page: z.string().optional().describe('Id or address of a page'),
        kind: z.enum(CHANGE_KINDS).optional(),
        min_severity: z.enum(SEVERITIES).default('low'),
        since: z.iso.date().optional(),
        query: z.string().max(200).optional().describe('Words that a change must have'),
        limit: z.coerce.number().int().min(1).max(200).default(50),
        offset: z.coerce.number().int().min(0).default(0),
      }),
    },
    responses: {
      200: json(z.object({ changes: z.array(ChangeBody), total: z.int() }), 'One page of them'),
      ...failures,
    },
  }),
};

/** The watch list, checks, changes and what pages said. */
export function competitorRoutes(competitors: Competitors): SliceRoutes {
  const routes = newRoutes();
  const known = descriptions;
  routes.openapi(known.list, async (c) => {
    return c.json({ competitors: (await listCompetitors(competitors, authorize(c, READ))).map(competitorBody) }, 200);
  });
  routes.openapi(known.watch, async (c) => {
    const { name, domain, pages } = c.req.valid('json');
    const wanted = { name, domain, pages: pages.map((page) => ({ url: page.url, ...changeOf(page) })) };
    return c.json(competitorBody(await watchCompetitor(competitors, authorize(c, WATCH), wanted)), 201);
  });
  routes.openapi(known.find, async (c) => {
    return c.json(competitorBody(await findCompetitor(competitors, authorize(c, READ), c.req.valid('param').id)), 200);
  });
  routes.openapi(known.remove, async (c) => {
    await removeCompetitor(competitors, authorize(c, WATCH), c.req.valid('param').id);
    return c.body(null, 204);
  });
  routes.openapi(known.check, async (c) => {
    const scope = authorize(c, WATCH);
    const pages = await Promise.all(c.req.valid('json').pages.map((page) => findPage(competitors, scope, page)));
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(CHECK_LIMIT_MS)]);
    const results = await checkPages(competitors, scope, pages, { signal });
    const checks = results.map(({ page, status, detail, nextAllowedAt, changeId }) => ({
      page_id: page.id,
      url: page.url,
      status,
      detail,
      change: changeId === undefined ? null : `chg:${changeId}`,
      next_allowed_at: nextAllowedAt.toISOString(),
    }));
    return c.json({ checks }, 200);
  });
  routes.openapi(propose, async (c) => {
    authorize(c, WATCH);
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(CHECK_LIMIT_MS)]);
    return c.json({ pages: await proposePages(competitors, c.req.valid('query').site, signal) }, 200);
  });
  addPageRoutes(routes, competitors);
  return { routes, v1: '/', app: '/' };
}

function addPageRoutes(routes: Routes, competitors: Competitors): void {
  const known = pageDescriptions;
  const { db } = competitors;
  routes.openapi(known.change, async (c) => {
    const change = { id: c.req.valid('param').id, ...changeOf(c.req.valid('json')) };
    return c.json(pageBody(await changePage(competitors, authorize(c, WATCH), change)), 200);
  });
  routes.openapi(known.remove, async (c) => {
    await removePage(competitors, authorize(c, WATCH), c.req.valid('param').id);
    return c.body(null, 204);
  });
  routes.openapi(known.captures, async (c) => {
    const scope = authorize(c, READ);
    const { id } = await findPage(competitors, scope, c.req.valid('param').id);
    return c.json({ captures: (await selectCaptures(db, scope, id)).map(captureBody) }, 200);
  });
  routes.openapi(known.capture, async (c) => {
    const scope = authorize(c, READ);
    const { id } = c.req.valid('param');
    const row = isUuid(id) ? await selectCapture(db, scope, id) : undefined;
    if (row === undefined) {
      throw new ServiceError('unknown_id', `There is no capture "${id.slice(0, 80)}".`, {
        fix: 'See the captures of a page.',
      });
    }
    return c.json({ ...captureBody(row), text: row.text }, 200);
  });
  routes.openapi(known.changes, async (c) => {
    const scope = authorize(c, READ);
    const { competitor, page, kind, min_severity: leastSeverity, since, query, limit, offset } = c.req.valid('query');
    const filter = {
      competitorId: competitor === undefined ? undefined : (await findCompetitor(competitors, scope, competitor)).id,
      pageId: page === undefined ? undefined : (await findPage(competitors, scope, page)).id,
      kinds: kind === undefined ? undefined : [kind],
      leastSeverity,
      since: since === undefined ? undefined : isoDate(since),
      words: query?.split(/\s+/).filter((word) => word !== ''),
    };
    const { rows, total } = await selectChanges(db, scope, { ...filter, limit, offset });
    return c.json({ changes: rows.map(changeBody), total }, 200);
  });
}

/** How a page is watched, as the slice calls it; what was not sent is not there. */
function changeOf({
  kind,
  every_minutes: everyMinutes,
  include,
  remove,
  ignore,
  headers,
}: z.output<typeof PageChangeBody>) {
  const given = Object.entries({ include, remove, ignore, headers }).filter(([, value]) => value !== undefined);
  return { kind, everyMinutes, settings: Object.fromEntries(given) };
}
