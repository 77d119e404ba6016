import { z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type Routes, type SliceRoutes } from '../platform/web.ts';
import {
  CheckBody,
  competitorBody,
  CompetitorBody,
  NewCompetitorBody,
  PageBody,
  pageBody,
  PageChangeBody,
  ProposalBody,
} from './competitor-bodies.ts';
import { addDigestRoutes } from './digest-routes.ts';
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
  type PageToWatch,
  watchCompetitor,
} from './watch/watch-list.ts';

const route = describeRoutes('Competitors');
const MOST_CHECKED = 10;
/** As for calls of tools: what is not checked by then is left out. */
const CHECK_LIMIT_MS = 40_000;
/** Whoever may fetch pages decides which: both make the service ask other sites. */
const WATCH: Right = { scope: 'scrape', role: 'member' };

const Reference = z.object({ id: z.string().describe('Id or name') });
const PageReference = z.object({ id: z.string().describe('Id of the page') });

const descriptions = {
  list: route('get', '/competitors', 'Competitors with their watched pages', {
    answers: {
      200: json(
        z.object({
          competitors: z.array(CompetitorBody),
          browser: z.boolean().describe('Whether pages can be read after a browser ran their scripts'),
        }),
        'The complete list',
      ),
    },
  }),
  watch: route(
    'post',
    '/competitors',
    'Add a competitor, or pages to the one with this name; what is there already stays. With a domain and no pages, its pages are looked for',
    { body: body(NewCompetitorBody), answers: { 201: json(CompetitorBody, 'The competitor with all its pages') } },
  ),
  find: route('get', '/competitors/{id}', 'One competitor', {
    params: Reference,
    answers: { 200: json(CompetitorBody, 'The competitor') },
  }),
  remove: route('delete', '/competitors/{id}', 'Remove a competitor with its pages and changes', { params: Reference }),
  check: route('post', '/competitor-checks', `Check up to ${MOST_CHECKED} watched pages now`, {
    body: body(z.object({ pages: z.array(z.string()).min(1).max(MOST_CHECKED).describe('Ids or addresses') })),
    answers: {
      200: json(
        z.object({
          checks: z.array(CheckBody),
        }),
        'What was checked in time',
      ),
    },
  }),
};

const propose = route(
  'get',
  '/competitor-proposals',
  'Pages of a site that are worth watching, by kind; fetches its front page and sitemaps',
  {
    query: z.object({ site: z.string().min(1).max(2_048).describe('Domain or address of the front page') }),
    answers: {
      200: json(
        z.object({
          pages: z.array(ProposalBody),
        }),
        'Nothing is watched by it',
      ),
    },
  },
);

const pageDescriptions = {
  change: route('patch', '/competitor-pages/{id}', 'Change how a page is watched', {
    params: PageReference,
    body: body(PageChangeBody),
    answers: { 200: json(PageBody, 'The page') },
  }),
  remove: route('delete', '/competitor-pages/{id}', 'Stop watching a page and forget what it said', {
    params: PageReference,
  }),
};

/** The watch list, checks, changes and what pages said. */
export function competitorRoutes(competitors: Competitors): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(descriptions.list, async (c) => {
    const all = await listCompetitors(competitors, authorize(c, READ));
    return c.json({ competitors: all.map(competitorBody), browser: competitors.renderer !== undefined }, 200);
  });
  routes.openapi(descriptions.watch, async (c) => {
    const tenant = authorize(c, WATCH);
    const competitor = await completeCompetitor(competitors, c.req.valid('json'), limitOf(c.req.raw.signal));
    return c.json(competitorBody(await watchCompetitor(competitors, tenant, competitor)), 201);
  });
  routes.openapi(descriptions.find, async (c) => {
    return c.json(competitorBody(await findCompetitor(competitors, authorize(c, READ), c.req.valid('param').id)), 200);
  });
  routes.openapi(descriptions.remove, async (c) => {
    await removeCompetitor(competitors, authorize(c, WATCH), c.req.valid('param').id);
    return c.body(null, 204);
  });
  routes.openapi(descriptions.check, async (c) => {
    const tenant = authorize(c, WATCH);
    const pages = await Promise.all(c.req.valid('json').pages.map((page) => findPage(competitors, tenant, page)));
    const results = await checkPages(competitors, tenant, pages, { signal: limitOf(c.req.raw.signal) });
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
    const { site } = c.req.valid('query');
    return c.json({ pages: await proposePages(competitors, site, limitOf(c.req.raw.signal)) }, 200);
  });
  addPageRoutes(routes, competitors);
  addDigestRoutes(routes, competitors);
  return { routes, v1: '/', app: '/' };
}

function addPageRoutes(routes: Routes, competitors: Competitors): void {
  routes.openapi(pageDescriptions.change, async (c) => {
    const change = { id: c.req.valid('param').id, ...changeOf(c.req.valid('json')) };
    return c.json(pageBody(await changePage(competitors, authorize(c, WATCH), change)), 200);
  });
  routes.openapi(pageDescriptions.remove, async (c) => {
    await removePage(competitors, authorize(c, WATCH), c.req.valid('param').id);
    return c.body(null, 204);
  });
}

function limitOf(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(CHECK_LIMIT_MS)]);
}

/** A competitor with the pages that were named, else with those that are proposed for its domain. */
async function completeCompetitor(
  competitors: Competitors,
  { name, domain, pages, every_minutes, render }: z.output<typeof NewCompetitorBody>,
  signal: AbortSignal,
): Promise<{ name: string; domain: string | undefined; pages: PageToWatch[] }> {
  const isProposed = pages === undefined && domain !== undefined;
  const listed = isProposed ? await proposePages(competitors, domain, signal) : (pages ?? []);
  const requestedPages = listed.map((page) => ({ url: page.url, ...changeOf({ every_minutes, render, ...page }) }));
  return { name, domain: domain === undefined ? undefined : hostOf(domain), pages: requestedPages };
}

function hostOf(site: string): string {
  return (URL.parse(site)?.host || URL.parse(`https://${site}`)?.host || site).slice(0, 253);
}

/** Converts the settings of a watched page into those of the slice; fields that were not sent are absent. */
function changeOf({
  kind,
  every_minutes: everyMinutes,
  render,
  include,
  remove,
  ignore,
  headers,
}: z.output<typeof PageChangeBody>) {
  const given = Object.entries({ render, include, remove, ignore, headers }).filter(([, value]) => value !== undefined);
  return { kind, everyMinutes, settings: Object.fromEntries(given) };
}
