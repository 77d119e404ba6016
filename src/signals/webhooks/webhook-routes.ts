import { z } from '@hono/zod-openapi';
import { bodyOfRow } from '../../platform/row-body.ts';
import { Hono } from 'hono';
import { ServiceError } from '../../kernel/errors.ts';
import type { Right } from '../../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes, type WebEnv } from '../../platform/web.ts';
import { importRecords } from '../import/import-file.ts';
import type { SignalRoutesParts } from '../routes.ts';
import { readBatch, SignalsBody } from '../signal-bodies.ts';
import { saveSignals } from '../signals.ts';
import {
  authenticateWebhook,
  createWebhook,
  listWebhooks,
  NAME_CHARACTERS,
  removeWebhook,
  type Webhook,
} from './webhooks.ts';

const route = describeRoutes('Signals');
const PATH = '/v1/signals/webhook';

export const WebhookBody = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string().describe('Where signals are sent to, below the address of the service'),
  created_at: z.string(),
  created_by: z.string(),
  last_used_at: z.string().nullable(),
});

/** An event of GitHub about an issue. */
const IssueEvent = z.object({ action: z.string(), issue: z.record(z.string(), z.unknown()) });

/** Their addresses are secrets in part, so looking at them takes as much as making them. */
const MANAGE: Right = { scope: 'owner', role: 'admin' };

/** Webhooks that take signals. */
export function webhookRoutes({ signals }: Pick<SignalRoutesParts, 'signals'>): SliceRoutes {
  const routes = newRoutes();
  const list = route('get', '/signal-webhooks', 'Webhooks that receive signals', {
    answers: { 200: json(z.object({ webhooks: z.array(WebhookBody) }), 'The complete list') },
  });
  const create = route('post', '/signal-webhooks', 'Create a webhook; its secret is shown only once', {
    body: body(z.object({ name: z.string().meta({ minLength: 1, maxLength: NAME_CHARACTERS }) })),
    answers: { 201: json(WebhookBody.extend({ secret: z.string() }), 'Made') },
  });
  const remove = route('delete', '/signal-webhooks/{id}', 'Delete a webhook', { params: z.object({ id: z.string() }) });
  routes.openapi(list, async (c) => {
    return c.json({ webhooks: (await listWebhooks(signals, authorize(c, MANAGE))).map(webhookBody) }, 200);
  });
  routes.openapi(create, async (c) => {
    const made = await createWebhook(signals, authorize(c, MANAGE), c.req.valid('json').name);
    return c.json({ ...webhookBody(made), secret: made.secret }, 201);
  });
  routes.openapi(remove, async (c) => {
    await removeWebhook(signals, authorize(c, MANAGE), c.req.valid('param').id);
    return c.body(null, 204);
  });
  return { routes, v1: '/', app: '/' };
}

/** The address of a webhook. Its credential is the signature of the body, so it stands before the check of keys. */
export function webhookReceiver({ signals, startGathering }: SignalRoutesParts): Hono<WebEnv> {
  return new Hono<WebEnv>().post(`${PATH}/:address`, async (c) => {
    const sent = new Uint8Array(await c.req.arrayBuffer());
    const header = (name: string): string | undefined => c.req.header(name);
    const tenant = await authenticateWebhook(signals, { address: c.req.param('address'), body: sent, header });
    const { given, refused } = signalsOf(sent);
    const saved = await saveSignals(signals, tenant, given);
    await startGathering(tenant);
    return c.json({ ...saved, refused }, 201);
  });
}

/**
 * The signals of a body: as for `POST /v1/signals`, or an event of GitHub about an issue. Other events hold none.
 *
 * @throws ServiceError `bad_argument` for anything else.
 */
function signalsOf(bytes: Uint8Array): ReturnType<typeof readBatch> {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (cause) {
    throw new ServiceError('bad_argument', 'The body is not JSON.', { fix: 'Send it as application/json.', cause });
  }
  const event = IssueEvent.safeParse(content);
  if (event.success) return readBatch(SignalsBody.parse({ signals: importRecords([event.data.issue], {}).signals }));
  // A ping, or an event that was not asked for.
  if (typeof content === 'object' && content !== null && ('zen' in content || 'sender' in content))
    return { given: [], refused: [] };
  const sent = SignalsBody.safeParse(content);
  if (sent.success) return readBatch(sent.data);
  throw new ServiceError('bad_argument', 'The body contains no signals.', {
    fix: 'Send {"text": …} or {"signals": [{"text": …}]}, as for POST /v1/signals.',
  });
}

function webhookBody(webhook: Webhook): z.output<typeof WebhookBody> {
  return bodyOfRow(WebhookBody, webhook, { path: `${PATH}/${webhook.address}` });
}
