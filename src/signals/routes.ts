import { z } from '@hono/zod-openapi';
import type { Tenant } from '../kernel/tenant.ts';
import { DAY_MS } from '../kernel/time.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import type { KnowledgeIndex } from '../knowledge/knowledge.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type Routes, type SliceRoutes } from '../platform/web.ts';
import {
  INTENTS,
  readBatch,
  SavedBody,
  SignalBody,
  signalBody,
  SignalCounts,
  SignalList,
  SignalsBody,
  ThemeBody,
  ThemeChangeBody,
  themeBody,
  ThemeDetailBody,
  themeDetailBody,
} from './signal-bodies.ts';
import {
  findSignal,
  listThemes,
  placeSignal,
  removeSignal,
  saveSignals,
  selectSignals,
  type SignalFilter,
  type Signals,
} from './signals.ts';
import { countSignals } from './store.ts';
import { addChangeRoutes, MANAGE } from './change-routes.ts';
import { describeTheme } from './describe-theme.ts';
import { joinThemes, nameTheme, undoMerge } from './themes.ts';

const route = describeRoutes('Signals');
/** Most signals that a question to the themes looks at. */
const MOST_MATCHES = 20_000;

/** Dependencies of the routes. `startGathering` asks for the job that gives signals their themes. */
export interface SignalRoutesParts {
  signals: Signals;
  knowledge: Pick<KnowledgeIndex, 'matchingIds'>;
  startGathering: (tenant: Tenant) => Promise<void>;
}

const Id = z.object({ id: z.string() });
const Filter = z.object({
  query: z.string().max(200).optional().describe('Part of the text'),
  source: z.string().optional(),
  customer: z.string().optional(),
  theme: z.uuid().optional(),
  segment: z.string().optional(),
  intent: z.enum(INTENTS).optional(),
  polarity: z.enum(['negative', 'positive']).optional(),
  since: z.iso.date().optional().describe('Not older than this day, UTC'),
  least_value: z.coerce.number().optional().describe('Customers that are worth so much at least'),
  sort: z
    .enum(['newest', 'oldest', 'value'])
    .default('newest')
    .describe('value: what the customer is worth, highest first'),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});

const signalDescriptions = {
  list: route('get', '/signals', 'Signals by words and filters', {
    query: Filter,
    answers: { 200: json(SignalList, 'One page') },
  }),
  counts: route('get', '/signals/counts', 'How many signals and customers the product has, and from where', {
    answers: { 200: json(SignalCounts, 'Of the whole product, whatever a list is filtered by') },
  }),
  add: route(
    'post',
    '/signals',
    'Add one signal or up to 2,000; an external id that exists already updates its signal',
    { body: body(SignalsBody), answers: { 201: json(SavedBody, 'Saved; every search finds them from now on') } },
  ),
  find: route('get', '/signals/{id}', 'One signal', { params: Id, answers: { 200: json(SignalBody, 'The signal') } }),
  place: route(
    'put',
    '/signals/{id}/theme',
    'Move a signal to a theme for good: an existing theme, or a new one named by label',
    {
      params: Id,
      body: body(z.object({ theme: z.uuid().optional(), label: ThemeChangeBody.shape.label })),
      answers: { 200: json(z.object({ theme: z.string() }), 'Where it is now') },
    },
  ),
  remove: route('delete', '/signals/{id}', 'Delete a signal', { params: Id }),
};

const themeDescriptions = {
  list: route('get', '/themes', 'Themes of the signals, most signals first', {
    query: z.object({
      query: z.string().optional().describe('Only signals that match this search'),
      customer: z.string().optional().describe('Customer, segment or source'),
      since: z.iso.date().optional(),
      least: z.coerce.number().int().min(1).default(2).describe('Smallest number of signals in a theme'),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    answers: { 200: json(z.object({ themes: z.array(ThemeBody), total: z.int() }), 'The largest themes') },
  }),
  name: route('patch', '/themes/{id}', 'Name a theme, or pin it as it is', { params: Id, body: body(ThemeChangeBody) }),
  find: route('get', '/themes/{id}', 'A theme with its weeks, customers, quotes and merges', {
    params: Id,
    query: z.object({
      since: z.iso.date().optional().describe('First day of the trend, UTC; default: 26 weeks before its end'),
      until: z.iso
        .date()
        .optional()
        .describe('Last day; default: today, or of the newest signal where all are history'),
    }),
    answers: { 200: json(ThemeDetailBody, 'The theme; for one that was merged, the one that it is part of') },
  }),
  merge: route('post', '/themes/{id}/merge', 'Merge a theme into another one', {
    params: Id,
    body: body(z.object({ into: z.uuid() })),
    answers: { 200: json(z.object({ merge: z.string() }), 'By which it can be undone') },
  }),
  undoMerge: route('delete', '/theme-merges/{id}', 'Undo a merge: what moved goes back', {
    params: Id,
    answers: { 200: json(z.object({ theme: z.string() }), 'The theme that is there again') },
  }),
};

const WRITE: Right = { scope: 'decisions:write', role: 'member' };

/** Signals and themes. */
export function signalRoutes(parts: SignalRoutesParts): SliceRoutes {
  const { signals, startGathering } = parts;
  const routes = newRoutes();
  routes.openapi(signalDescriptions.list, async (c) => {
    return c.json(await page(signals, authorize(c, READ), c.req.valid('query')), 200);
  });
  routes.openapi(signalDescriptions.counts, async (c) => {
    const { newest, ...counts } = await countSignals(signals.db, authorize(c, READ));
    return c.json({ ...counts, newest: newest?.toISOString() ?? null }, 200);
  });
  routes.openapi(signalDescriptions.add, async (c) => {
    const request = authorize(c, WRITE);
    const { given, refused } = readBatch(c.req.valid('json'));
    const saved = await saveSignals(signals, request, given);
    await startGathering(request);
    return c.json({ ...saved, refused }, 201);
  });
  routes.openapi(signalDescriptions.find, async (c) => {
    return c.json(signalBody(await findSignal(signals, authorize(c, READ), c.req.valid('param').id)), 200);
  });
  routes.openapi(signalDescriptions.place, async (c) => {
    const request = authorize(c, MANAGE);
    const { theme, label } = c.req.valid('json');
    const place = {
      id: c.req.valid('param').id,
      ...(theme !== undefined && { theme }),
      ...(label !== undefined && { label }),
    };
    return c.json({ theme: await placeSignal(signals, request, place) }, 200);
  });
  routes.openapi(signalDescriptions.remove, async (c) => {
    await removeSignal(signals, authorize(c, MANAGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  addChangeRoutes(routes, signals);
  addThemeRoutes(routes, parts);
  return { routes, v1: '/', app: '/' };
}

function addThemeRoutes(routes: Routes, { signals, knowledge }: SignalRoutesParts): void {
  routes.openapi(themeDescriptions.list, async (c) => {
    const tenant = authorize(c, READ);
    const { query = '', customer, since, least, limit } = c.req.valid('query');
    const isAll = query === '' && customer === undefined && since === undefined;
    const only = isAll
      ? undefined
      : (
          await knowledge.matchingIds(tenant, {
            query,
            corpora: ['signals'],
            limit: MOST_MATCHES,
            ...(customer !== undefined && { customer }),
            ...(since !== undefined && { since: new Date(since) }),
          })
        ).ids;
    const themes = (await listThemes(signals, tenant, only)).filter((theme) => theme.signals >= least);
    return c.json({ themes: themes.slice(0, limit).map(themeBody), total: themes.length }, 200);
  });
  routes.openapi(themeDescriptions.name, async (c) => {
    await nameTheme(signals, authorize(c, MANAGE), { ...c.req.valid('param'), ...c.req.valid('json') });
    return c.body(null, 204);
  });
  routes.openapi(themeDescriptions.merge, async (c) => {
    const request = authorize(c, MANAGE);
    return c.json(
      { merge: await joinThemes(signals, request, { ...c.req.valid('param'), ...c.req.valid('json') }) },
      200,
    );
  });
  routes.openapi(themeDescriptions.find, async (c) => {
    const tenant = authorize(c, READ);
    const { since, until } = c.req.valid('query');
    const chosen = {
      ...(since !== undefined && { since: new Date(since) }),
      ...(until !== undefined && { until: new Date(new Date(until).getTime() + DAY_MS - 1) }),
    };
    const detail = await describeTheme(signals, tenant, c.req.valid('param').id, chosen);
    return c.json(themeDetailBody(detail), 200);
  });
  routes.openapi(themeDescriptions.undoMerge, async (c) => {
    return c.json({ theme: await undoMerge(signals, authorize(c, MANAGE), c.req.valid('param').id) }, 200);
  });
}

async function page(
  { db }: Signals,
  tenant: Tenant,
  { cursor, limit, theme, since, least_value: leastValue, ...filters }: z.output<typeof Filter>,
): Promise<z.output<typeof SignalList>> {
  const given = Object.fromEntries(
    Object.entries({ ...filters, themeId: theme, since, leastValue }).filter(([, value]) => value !== undefined),
  );
  const binding = { arguments: given, generation: tenant.productId };
  const offset = decodeCursor(binding, cursor);
  const filter: SignalFilter = { ...given, ...(since !== undefined && { since: new Date(since) }), limit, offset };
  const { rows, total } = await selectSignals(db, tenant, filter);
  return {
    signals: rows.map(signalBody),
    total,
    next: offset + rows.length < total ? encodeCursor(binding, offset + rows.length) : null,
  };
}
