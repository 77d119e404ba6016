import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import type { KnowledgeIndex, ProductAccess, ProductScope } from '../knowledge/knowledge.ts';
import { failures } from '../platform/web.ts';
import {
  givenSignal,
  SavedBody,
  SignalBody,
  signalBody,
  SignalList,
  SignalsBody,
  ThemeBody,
  themeBody,
} from './signal-bodies.ts';
import {
  countSignals,
  findSignal,
  joinThemes,
  listThemes,
  nameTheme,
  placeSignal,
  removeSignal,
  saveSignals,
  selectSignals,
  type SignalFilter,
  type Signals,
} from './signals.ts';

const TAGS = ['Signals'];
/** Most signals that a question to the themes looks at. */
const MOST_MATCHES = 20_000;

/** What the routes work with. `startGathering` asks for the job that gives signals their themes. */
export interface SignalRoutesParts {
  signals: Signals;
  knowledge: Pick<KnowledgeIndex, 'matchingIds'>;
  startGathering: (scope: ProductScope) => Promise<void>;
}

const Id = z.object({ id: z.string() });
const Filter = z.object({
  query: z.string().max(200).optional().describe('Part of the text'),
  source: z.string().optional(),
  customer: z.string().optional(),
  theme: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().optional(),
});

function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

const gone = { 204: { description: 'Done' }, ...failures };

function signalRoutesUnder(base: string) {
  const all = `${base}/signals`;
  const one = `${all}/{id}`;
  return {
    list: createRoute({
      method: 'get',
      path: all,
      tags: TAGS,
      summary: 'Signals, newest first',
      request: { query: Filter },
      responses: { 200: json(SignalList, 'One page'), ...failures },
    }),
    add: createRoute({
      method: 'post',
      path: all,
      tags: TAGS,
      summary: 'Add one signal or up to 2,000; the same external id again changes it',
      request: { body: body(SignalsBody) },
      responses: { 201: json(SavedBody, 'Kept and found by every search from now on'), ...failures },
    }),
    find: createRoute({
      method: 'get',
      path: one,
      tags: TAGS,
      summary: 'One signal',
      request: { params: Id },
      responses: { 200: json(SignalBody, 'The signal'), ...failures },
    }),
    place: createRoute({
      method: 'put',
      path: `${one}/theme`,
      tags: TAGS,
      summary: 'Put a signal to a theme, for ever: one that is there, or a new one by its label',
      request: { params: Id, body: body(z.object({ theme: z.uuid().optional(), label: z.string().optional() })) },
      responses: { 200: json(z.object({ theme: z.string() }), 'Where it is now'), ...failures },
    }),
    remove: createRoute({
      method: 'delete',
      path: one,
      tags: TAGS,
      summary: 'Delete a signal',
      request: { params: Id },
      responses: gone,
    }),
  };
}

function themeRoutesUnder(base: string) {
  const all = `${base}/themes`;
  return {
    list: createRoute({
      method: 'get',
      path: all,
      tags: TAGS,
      summary: 'Themes of the signals, most signals first',
      request: {
        query: z.object({
          query: z.string().optional().describe('Only signals that a search for this finds'),
          customer: z.string().optional().describe('Customer, segment or source'),
          since: z.iso.date().optional(),
          least: z.coerce.number().int().min(1).default(2).describe('Signals that a theme has at least'),
          limit: z.coerce.number().int().min(1).max(1_000).default(100),
        }),
      },
      responses: {
        200: json(z.object({ themes: z.array(ThemeBody), total: z.int() }), 'The largest ones'),
        ...failures,
      },
    }),
    name: createRoute({
      method: 'patch',
      path: `${all}/{id}`,
      tags: TAGS,
      summary: 'Name a theme',
      request: { params: Id, body: body(z.object({ label: z.string() })) },
      responses: gone,
    }),
    merge: createRoute({
      method: 'post',
      path: `${all}/{id}/merge`,
      tags: TAGS,
      summary: 'Join a theme with another one, for ever',
      request: { params: Id, body: body(z.object({ into: z.uuid() })) },
      responses: gone,
    }),
  };
}

/** Adds the routes of signals and themes below `base` to a door, which says who may do what. */
export function addSignalRoutes<E extends Env>(
  routes: OpenAPIHono<E>,
  base: string,
  access: ProductAccess<E>,
  parts: SignalRoutesParts,
): void {
  const { signals, startGathering } = parts;
  const known = signalRoutesUnder(base);
  routes.openapi(known.list, async (c) => {
    return c.json(await page(signals, await access.read(c), c.req.valid('query')), 200);
  });
  routes.openapi(known.add, async (c) => {
    const request = await access.write(c);
    const sent = c.req.valid('json');
    const given = 'signals' in sent ? sent.signals : [sent];
    const saved = await saveSignals(signals, request, given.map(givenSignal));
    await startGathering(request);
    return c.json(saved, 201);
  });
  routes.openapi(known.find, async (c) => {
    return c.json(signalBody(await findSignal(signals, await access.read(c), c.req.valid('param').id)), 200);
  });
  routes.openapi(known.place, async (c) => {
    const request = await access.manage(c);
    const { theme, label } = c.req.valid('json');
    const place = {
      id: c.req.valid('param').id,
      ...(theme !== undefined && { theme }),
      ...(label !== undefined && { label }),
    };
    return c.json({ theme: await placeSignal(signals, request, place) }, 200);
  });
  routes.openapi(known.remove, async (c) => {
    await removeSignal(signals, await access.manage(c), c.req.valid('param').id);
    return c.body(null, 204);
  });
  addThemeRoutes(routes, base, access, parts);
}

function addThemeRoutes<E extends Env>(
  routes: OpenAPIHono<E>,
  base: string,
  access: ProductAccess<E>,
  { signals, knowledge }: SignalRoutesParts,
): void {
  const known = themeRoutesUnder(base);
  routes.openapi(known.list, async (c) => {
    const scope = await access.read(c);
    const { query = '', customer, since, least, limit } = c.req.valid('query');
    const isAll = query === '' && customer === undefined && since === undefined;
    const only = isAll
      ? undefined
      : await knowledge.matchingIds(scope, {
          query,
          corpora: ['signals'],
          limit: MOST_MATCHES,
          ...(customer !== undefined && { customer }),
          ...(since !== undefined && { since: new Date(since) }),
        });
    const themes = (await listThemes(signals, scope, only)).filter((theme) => theme.signals >= least);
    return c.json({ themes: themes.slice(0, limit).map(themeBody), total: themes.length }, 200);
  });
  routes.openapi(known.name, async (c) => {
    await nameTheme(signals, await access.manage(c), { ...c.req.valid('param'), ...c.req.valid('json') });
    return c.body(null, 204);
  });
  routes.openapi(known.merge, async (c) => {
    await joinThemes(signals, await access.manage(c), { ...c.req.valid('param'), ...c.req.valid('json') });
    return c.body(null, 204);
  });
}

async function page(
  { db }: Signals,
  scope: ProductScope,
  { cursor, limit, theme, ...filters }: z.output<typeof Filter>,
): Promise<z.output<typeof SignalList>> {
  const given = Object.fromEntries(
    Object.entries({ ...filters, themeId: theme }).filter(([, value]) => value !== undefined),
  );
  const binding = { arguments: given, generation: scope.productId };
  const offset = decodeCursor(binding, cursor);
  const filter: SignalFilter = { ...given, limit, offset };
  const { rows, total } = await selectSignals(db, scope, filter);
  const { newest, ...counts } = await countSignals(db, scope);
  return {
    signals: rows.map(signalBody),
    total,
    counts: { ...counts, newest: newest?.toISOString() ?? null },
    next: offset + rows.length < total ? encodeCursor(binding, offset + rows.length) : null,
  };
}
