import { z } from '@hono/zod-openapi';
import type { Tenant } from '../kernel/tenant.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { isoDate } from '../kernel/time.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import {
  captureBody,
  CaptureBody,
  changeBody,
  ChangeBody,
  FeatureBody,
  LinkBody,
  PriceSeriesBody,
  TriageBody,
} from './competitor-bodies.ts';
import { compareBlocks } from './detect/compare.ts';
import { SEVERITIES } from './detect/judge.ts';
import { newAndGone, priceSeries } from './detect/prices.ts';
import { CHANGE_KINDS } from './page/page-kind.ts';
import { blocksOfText } from './page/page-text.ts';
import {
  type CaptureRow,
  type ChangeFilter,
  type ChangeRow,
  selectCapture,
  selectCaptures,
  selectCaptureTexts,
  selectChanges,
} from './store/store-changes.ts';
import type { Competitors } from './watch/context.ts';
import { linkChanges } from './watch/link-changes.ts';
import { triageChange } from './watch/triage.ts';
import { findCompetitor, findPage, type WatchedCompetitor } from './watch/watch-list.ts';

const route = describeRoutes('Competitors');
/** Changes whose texts are looked at for what is new and gone. */
const MOST_CHANGES = 500;
const MOST_FEATURES = 200;
const TRIAGE: Right = { scope: 'scrape', role: 'member' };

const PageReference = z.object({ id: z.string().describe('Id of the page') });
const CompetitorReference = z.object({ id: z.string().describe('Id or name') });

const ChangesQuery = z.object({
  competitor: z.string().optional().describe('Name or id'),
  page: z.string().optional().describe('Id or address of a page'),
  kind: z.enum(CHANGE_KINDS).optional(),
  min_severity: z.enum(SEVERITIES).default('low'),
  since: z.iso.date().optional(),
  query: z.string().max(200).optional().describe('Words that a change must have'),
  owner: z.string().max(80).optional(),
  dismissed: z.enum(['no', 'yes', 'all']).default('no'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).default(0),
});

const descriptions = {
  captures: route('get', '/competitor-pages/{id}/captures', 'What a page said when, newest first, without the texts', {
    params: PageReference,
    answers: { 200: json(z.object({ captures: z.array(CaptureBody) }), 'The complete list') },
  }),
  capture: route('get', '/competitor-captures/{id}', 'Text of a page, one block per line', {
    params: PageReference,
    answers: { 200: json(CaptureBody.extend({ text: z.string() }), 'The capture') },
  }),
  comparison: route('get', '/competitor-comparisons', 'What differs between two captures, wherever it stands', {
    query: z.object({ before: z.string().describe('Id of a capture'), after: z.string().describe('Id of a capture') }),
    answers: {
      200: json(
        z.object({
          before: CaptureBody,
          after: CaptureBody,
          added: z.array(z.string()),
          removed: z.array(z.string()),
        }),
        'Texts that moved are in neither list; what a page shows to be noise may be',
      ),
    },
  }),
  changes: route('get', '/competitor-changes', 'Changes, newest first', {
    query: ChangesQuery,
    answers: { 200: json(z.object({ changes: z.array(ChangeBody), total: z.int() }), 'One page of them') },
  }),
  triage: route(
    'patch',
    '/competitor-changes/{id}',
    'Say who looks after a change, how much it matters, or dismiss it',
    {
      params: z.object({ id: z.string().describe('Handle of a change: chg:…') }),
      body: body(TriageBody),
      answers: { 200: json(ChangeBody, 'The change') },
    },
  ),
  links: route(
    'get',
    '/competitor-changes/{id}/links',
    'Your plans, decisions, signals and features that it is about',
    {
      params: z.object({ id: z.string().describe('Handle of a change: chg:…') }),
      answers: { 200: json(z.object({ links: z.array(LinkBody) }), 'Plans, decisions and signals first; often none') },
    },
  ),
  prices: route('get', '/competitors/{id}/prices', 'Prices over time, by plan, from pages about prices', {
    params: CompetitorReference,
    answers: { 200: json(z.object({ series: z.array(PriceSeriesBody) }), 'Current plans first') },
  }),
  features: route(
    'get',
    '/competitors/{id}/features',
    'Added and removed on pages about prices, features and changes, newest first',
    {
      params: CompetitorReference,
      answers: { 200: json(z.object({ features: z.array(FeatureBody) }), 'At most 200') },
    },
  ),
};

/** Changes, what pages said when, and what follows from both. */
export function competitorChangeRoutes(competitors: Competitors): SliceRoutes {
  const routes = newRoutes();
  const { db } = competitors;
  routes.openapi(descriptions.captures, async (c) => {
    const tenant = authorize(c, READ);
    const { id } = await findPage(competitors, tenant, c.req.valid('param').id);
    return c.json({ captures: (await selectCaptures(db, tenant, id)).map(captureBody) }, 200);
  });
  routes.openapi(descriptions.capture, async (c) => {
    const tenant = authorize(c, READ);
    const row = await captureOf(competitors, tenant, c.req.valid('param').id);
    return c.json({ ...captureBody(row), text: row.text }, 200);
  });
  routes.openapi(descriptions.comparison, async (c) => {
    const tenant = authorize(c, READ);
    const query = c.req.valid('query');
    const before = await captureOf(competitors, tenant, query.before);
    const after = await captureOf(competitors, tenant, query.after);
    const { added, removed } = compareBlocks(blocksOfText(before.text), blocksOfText(after.text));
    const texts = { added: added.map(({ text }) => text), removed: removed.map(({ text }) => text) };
    return c.json({ before: captureBody(before), after: captureBody(after), ...texts }, 200);
  });
  routes.openapi(descriptions.changes, async (c) => {
    const tenant = authorize(c, READ);
    const { limit, offset, ...query } = c.req.valid('query');
    const filter = await filterOf(competitors, tenant, query);
    const { rows, total } = await selectChanges(db, tenant, { ...filter, limit, offset });
    return c.json({ changes: rows.map(changeBody), total }, 200);
  });
  routes.openapi(descriptions.triage, async (c) => {
    const request = authorize(c, TRIAGE);
    const change = await changeOf(competitors, request, c.req.valid('param').id);
    return c.json(changeBody(await triageChange(competitors, request, { change, ...c.req.valid('json') })), 200);
  });
  routes.openapi(descriptions.links, async (c) => {
    const tenant = authorize(c, READ);
    const change = await changeOf(competitors, tenant, c.req.valid('param').id);
    const links = await linkChanges(competitors, tenant, { changes: [change], signal: c.req.raw.signal });
    return c.json({ links: links.get(change.id) ?? [] }, 200);
  });
  routes.openapi(descriptions.prices, async (c) => {
    const tenant = authorize(c, READ);
    const competitor = await findCompetitor(competitors, tenant, c.req.valid('param').id);
    return c.json({ series: await pricesOf(competitors, tenant, competitor) }, 200);
  });
  routes.openapi(descriptions.features, async (c) => {
    const tenant = authorize(c, READ);
    const competitor = await findCompetitor(competitors, tenant, c.req.valid('param').id);
    return c.json({ features: await featuresOf(competitors, tenant, competitor) }, 200);
  });
  return { routes, v1: '/', app: '/' };
}

/** @throws ServiceError `unknown_id` for a competitor or page that is not watched. */
async function filterOf(
  competitors: Competitors,
  tenant: Tenant,
  { competitor, page, kind, since, query, ...given }: Omit<z.output<typeof ChangesQuery>, 'limit' | 'offset'>,
): Promise<ChangeFilter> {
  return {
    competitorId: competitor === undefined ? undefined : (await findCompetitor(competitors, tenant, competitor)).id,
    pageId: page === undefined ? undefined : (await findPage(competitors, tenant, page)).id,
    kinds: kind === undefined ? undefined : [kind],
    leastSeverity: given.min_severity,
    owner: given.owner,
    isDismissed: given.dismissed === 'all' ? undefined : given.dismissed === 'yes',
    since: since === undefined ? undefined : isoDate(since),
    words: query?.split(/\s+/).filter((word) => word !== ''),
  };
}

/** @throws ServiceError `unknown_id`. */
async function captureOf({ db }: Competitors, tenant: Tenant, id: string): Promise<CaptureRow> {
  const row = isUuid(id) ? await selectCapture(db, tenant, id) : undefined;
  if (row !== undefined) return row;
  throw new ServiceError('unknown_id', `There is no capture "${id.slice(0, 80)}".`, {
    fix: 'See the captures of a page.',
  });
}

/** @throws ServiceError `unknown_id`. */
async function changeOf({ db }: Competitors, tenant: Tenant, handle: string): Promise<ChangeRow> {
  const id = handle.replace(/^chg:/, '');
  const { rows } = isUuid(id) ? await selectChanges(db, tenant, { id, limit: 1, offset: 0 }) : { rows: [] };
  const [row] = rows;
  if (row !== undefined) return row;
  throw new ServiceError('unknown_id', `There is no change "${handle.slice(0, 80)}".`, {
    fix: 'See GET /v1/competitor-changes.',
  });
}

/** Prices of each page about prices, out of its captures. */
async function pricesOf({ db }: Competitors, tenant: Tenant, { pages }: WatchedCompetitor) {
  const series = [];
  for (const { id, url } of pages.filter(({ kind }) => kind === 'pricing'))
    for (const { plan, formerNames, unit, currency, points } of priceSeries(await selectCaptureTexts(db, tenant, id)))
      series.push({
        plan,
        former_names: formerNames,
        url,
        unit,
        currency,
        points: points.map(({ at, ...point }) => ({ at: at.toISOString(), ...point })),
      });
  return series;
}

async function featuresOf({ db }: Competitors, tenant: Tenant, { id: competitorId }: WatchedCompetitor) {
  const kinds = ['pricing', 'feature', 'changelog'] as const;
  const { rows } = await selectChanges(db, tenant, { competitorId, kinds, limit: MOST_CHANGES, offset: 0 });
  return newAndGone(rows)
    .slice(0, MOST_FEATURES)
    .map(({ at, changeId, ...feature }) => ({ ...feature, at: at.toISOString(), change: `chg:${changeId}` }));
}
