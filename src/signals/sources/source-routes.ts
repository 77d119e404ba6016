import { z } from '@hono/zod-openapi';
import { READING_FIELDS, TokenBody } from '../../platform/body-fields.ts';
import { READ, type Right } from '../../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../../platform/web.ts';
import type { SignalRoutesParts } from '../routes.ts';
import { type SignalSources, SOURCE_KINDS } from './context.ts';
import { connectSource, listSources, readNow, removeSource } from './sources.ts';
import type { SourceRow } from './store-sources.ts';
import { bodyOfRow } from '../../platform/row-body.ts';

const route = describeRoutes('Signals');
/** A person waits for it; what is not read then is read by the schedule. */
const READ_LIMIT_MS = 40_000;

export const SourceBody = z.object({
  id: z.string(),
  kind: z.enum(SOURCE_KINDS),
  base_url: z.string().describe('Where its interface begins'),
  project: z
    .string()
    .describe('owner/repository, group/project or the id of a channel; empty for Zendesk and Intercom'),
  user_name: z.string().describe('Zendesk: whose token it is'),
  every_minutes: z.int(),
  ...READING_FIELDS,
});

export const NewSourceBody = z.object({
  kind: z.enum(SOURCE_KINDS),
  base_url: z.string().max(500).optional().describe('Default: the public address; Zendesk needs that of your account'),
  project: z.string().max(200).optional(),
  user_name: z.string().max(200).optional().describe('Zendesk: e-mail address of whose token it is'),
  token: TokenBody,
  every_minutes: z.int().min(5).max(10_080).default(60),
});

const Id = z.object({ id: z.string() });
const descriptions = {
  list: route('get', '/signal-sources', 'Tools that signals are read from, without their tokens', {
    answers: { 200: json(z.object({ sources: z.array(SourceBody) }), 'All of them, oldest first') },
  }),
  connect: route('post', '/signal-sources', 'Connect a tool; what its customers say is read from now on', {
    body: body(NewSourceBody),
    answers: { 201: json(SourceBody, 'Connected: the tool accepts the token and knows the project') },
  }),
  read: route('post', '/signal-sources/{id}/reads', 'Read a tool now', {
    params: Id,
    answers: { 200: json(SourceBody, '`fault` says why it could not be read') },
  }),
  remove: route('delete', '/signal-sources/{id}', 'Forget a tool and its token; its signals stay', { params: Id }),
};

/** Whoever connects a tool decides what everybody reads of it. */
const MANAGE: Right = { scope: 'owner', role: 'admin' };

/** Tools that stay connected. */
export function signalSourceRoutes(
  sources: SignalSources,
  { startGathering }: Pick<SignalRoutesParts, 'startGathering'>,
): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(descriptions.list, async (c) => {
    return c.json({ sources: (await listSources(sources, authorize(c, READ))).map(sourceBody) }, 200);
  });
  routes.openapi(descriptions.connect, async (c) => {
    const request = authorize(c, MANAGE);
    const {
      kind,
      base_url: baseUrl,
      project,
      user_name: userName,
      token,
      every_minutes: everyMinutes,
    } = c.req.valid('json');
    const row = await connectSource(sources, request, { kind, baseUrl, project, userName, token, everyMinutes });
    return c.json(sourceBody(row), 201);
  });
  routes.openapi(descriptions.read, async (c) => {
    const request = authorize(c, MANAGE);
    const signal = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(READ_LIMIT_MS)]);
    const row = await readNow(sources, request, { id: c.req.valid('param').id, signal });
    await startGathering(request);
    return c.json(sourceBody(row), 200);
  });
  routes.openapi(descriptions.remove, async (c) => {
    await removeSource(sources, authorize(c, MANAGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}

function sourceBody(row: SourceRow): z.output<typeof SourceBody> {
  return bodyOfRow(SourceBody, row, { next: row.dueAt.toISOString() });
}
