import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actorOf, requireRight, type Right } from '../platform/rights.ts';
import { body, done, failures, json, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import type { ApiKey, Keys, KeyUsage } from './keys.ts';

const TAGS = ['API keys'];

const KeyBody = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe('Always svc_****'),
  created_at: z.string(),
  created_by: z.string().describe('person:<id> or key:<id>'),
  person_id: z.string().nullable().describe('The person it acts for; null: the installation'),
  last_used_at: z.string().nullable(),
  expires_at: z.string().nullable().describe('Null: the key never expires'),
  status: z.enum(['active', 'expiring', 'expired']).describe('expiring: within 14 days'),
  scopes: z.array(z.string()).describe('What the key may do now, within the role of its person'),
  product: z.string().describe('Name of the product the key is bound to'),
});

const NewKeyBody = KeyBody.extend({ key: z.string().describe('The key itself, shown only once') });

const CreateBody = z.object({
  name: z.string().describe('1 to 80 characters'),
  expires: z.string().optional().describe('30d, 12h, or an ISO date; default: the key never expires'),
  scopes: z.array(z.string()).optional().describe('Default: read, decisions:write'),
  product: z.string().optional().describe('Name or id; default: the product of the credential'),
});

const UsageBody = z.object({
  total: z.int(),
  today: z.int().describe('Of this day, UTC'),
  this_month: z.int().describe('Of this month, UTC'),
  last_used_at: z.string().nullable(),
  per_day: z.array(z.object({ day: z.string(), requests: z.int() })).describe('90 days, oldest first'),
  per_operation: z.array(z.object({ operation: z.string(), requests: z.int() })).describe('Most requests first'),
});

const MANAGE: Right = { scope: 'keys:write', role: 'admin' };
const Id = z.object({ id: z.string() });

const listRoute = createRoute({
  method: 'get',
  path: '/api-keys',
  tags: TAGS,
  summary: 'All keys of the account, newest first',
  responses: { 200: json(z.object({ keys: z.array(KeyBody) }), 'The keys, without their values'), ...failures },
});

const createKeyRoute = createRoute({
  method: 'post',
  path: '/api-keys',
  tags: TAGS,
  summary: 'Create a key',
  request: { body: body(CreateBody) },
  responses: { 201: json(NewKeyBody, 'The key with its value, shown only once'), ...failures },
});

const regenerateRoute = createRoute({
  method: 'post',
  path: '/api-keys/{id}/regenerate',
  tags: TAGS,
  summary: 'Give a key a new value; the old one stops working at once',
  request: { params: Id },
  responses: { 200: json(NewKeyBody, 'The key with its new value, shown only once'), ...failures },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/api-keys/{id}',
  tags: TAGS,
  summary: 'Delete a key for good; its open streams end at once',
  request: { params: Id },
  responses: done,
});

const usageRoute = createRoute({
  method: 'get',
  path: '/api-keys/{id}/usage',
  tags: TAGS,
  summary: 'What a key was used for',
  request: { params: Id },
  responses: { 200: json(UsageBody, 'Its usage, at most one second old'), ...failures },
});

/**
 * `/v1/api-keys`, for the owner and for keys with the scope `keys:write`. That scope manages all keys of the account, stronger
 * ones too: it is worth as much as they are.
 */
export function keyRoutes(keys: Keys): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(listRoute, async (c) => {
    const { accountId } = manager(c);
    return c.json({ keys: (await keys.listKeys(accountId)).map(keyBody) }, 200);
  });
  routes.openapi(createKeyRoute, async (c) => {
    const { accountId, productId, actor } = manager(c);
    const { product, ...wanted } = c.req.valid('json');
    const { key, secret } = await keys.createKey({
      ...wanted,
      accountId,
      actor,
      byOwner: c.var.requester.by === 'owner',
      product: product ?? productId,
    });
    return c.json({ ...keyBody(key), key: secret }, 201);
  });
  routes.openapi(regenerateRoute, async (c) => {
    const { accountId, actor } = manager(c);
    const { key, secret } = await keys.regenerateKey({ accountId, actor, keyId: c.req.valid('param').id });
    return c.json({ ...keyBody(key), key: secret }, 200);
  });
  routes.openapi(deleteRoute, async (c) => {
    const { accountId, actor } = manager(c);
    await keys.deleteKey({ accountId, actor, keyId: c.req.valid('param').id });
    return c.body(null, 204);
  });
  routes.openapi(usageRoute, async (c) => {
    const { accountId } = manager(c);
    return c.json(usageBody(await keys.keyUsage(accountId, c.req.valid('param').id)), 200);
  });
  return { routes, v1: '/' };
}

/** Who asks, once it is clear that they may; what they get must not be kept by anything on the way. */
function manager(c: Context<WebEnv>): { accountId: string; productId: string; actor: ReturnType<typeof actorOf> } {
  const { requester } = c.var;
  requireRight(requester, MANAGE);
  c.header('Cache-Control', 'no-store');
  const { accountId, productId } = requester;
  return { accountId, productId, actor: actorOf(requester) };
}

function keyBody(key: ApiKey): z.input<typeof KeyBody> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    person_id: key.personId ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    status: key.status,
    scopes: [...key.scopes],
    product: key.product,
  };
}

function usageBody(usage: KeyUsage): z.input<typeof UsageBody> {
  return {
    total: usage.total,
    today: usage.today,
    this_month: usage.thisMonth,
    last_used_at: usage.lastUsedAt?.toISOString() ?? null,
    per_day: usage.perDay,
    per_operation: usage.perOperation,
  };
}
