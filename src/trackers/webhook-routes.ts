import { z } from '@hono/zod-openapi';
import { Hono } from 'hono';
import type { Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import type { Trackers } from './context.ts';
import { NewWebhookBody, SetWebhookBody, TRACKER_WEBHOOKS } from './tracker-bodies.ts';
import { receiveEvent, removeWebhook, setWebhook } from './webhooks.ts';

const route = describeRoutes('Trackers');
const Id = z.object({ id: z.string() });
const MANAGE: Right = { scope: 'owner', role: 'admin' };

const setRoute = route(
  'put',
  '/trackers/{id}/webhook',
  'Let a tracker report changed issues; its secret is shown only once and replaces the one before',
  { params: Id, body: body(SetWebhookBody), answers: { 200: json(NewWebhookBody, 'What to enter in the tracker') } },
);
const removeRoute = route('delete', '/trackers/{id}/webhook', 'Refuse what the webhook of a tracker sends', {
  params: Id,
});

/** Webhooks by which trackers report changed issues. */
export function trackerWebhookRoutes(trackers: Trackers): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(setRoute, async (c) => {
    const request = authorize(c, MANAGE);
    const given = c.req.valid('json').secret;
    const { secret, address } = await setWebhook(trackers, request, { id: c.req.valid('param').id, given });
    return c.json({ path: `${TRACKER_WEBHOOKS}/${address}`, secret }, 200);
  });
  routes.openapi(removeRoute, async (c) => {
    await removeWebhook(trackers, authorize(c, MANAGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}

/** The addresses of the webhooks. Their credential is the signature of the body, so they stand before the check of keys. */
export function trackerWebhookReceiver(trackers: Trackers, startRefreshing: () => Promise<void>): Hono<WebEnv> {
  return new Hono<WebEnv>().post(`${TRACKER_WEBHOOKS}/:address`, async (c) => {
    const content = new Uint8Array(await c.req.arrayBuffer());
    const request = { body: content, header: (name: string) => c.req.header(name) };
    const isAccepted = await receiveEvent(trackers, { address: c.req.param('address'), ...request });
    if (isAccepted) await startRefreshing();
    return c.json({ known: isAccepted }, 200);
  });
}
