import { createRoute, z } from '@hono/zod-openapi';
import type { SignedIn } from '../accounts/sessions.ts';
import { ServiceError } from '../kernel/errors.ts';
import { type ApiKey, type KeyUsage, MOST_KEYS_PER_ACCOUNT } from '../keys/keys.ts';
import { body, done, failures, json } from '../platform/web.ts';
import { type Key, KeyDetail, KeyList, KeyWithSecret, NewKey } from './app-api.ts';
import { type AppApiParts, type AppRoutes, newAppRoutes } from './app-env.ts';
import { actorName, actorNames } from './app-names.ts';
import { pageProduct } from './app-product.ts';
import { requireRole } from './app-session.ts';
import { isMcpRequest } from './mcp-routes.ts';

const TAGS = ['API keys'];
const Id = z.object({ id: z.string() });

const listRoute = createRoute({
  method: 'get',
  path: '/keys',
  tags: TAGS,
  summary: 'The keys that the person manages, newest first (member: their own)',
  responses: { 200: json(KeyList, 'The keys, without their values'), ...failures },
});

const createKeyRoute = createRoute({
  method: 'post',
  path: '/keys',
  tags: TAGS,
  summary: 'Create a key (member)',
  request: { body: body(NewKey) },
  responses: { 201: json(KeyWithSecret, 'The key with its value, shown only once'), ...failures },
});

const detailRoute = createRoute({
  method: 'get',
  path: '/keys/{id}',
  tags: TAGS,
  summary: 'A key and its usage',
  request: {
    params: Id,
    query: z.object({ zone: z.string().max(64).optional().describe('Time zone, such as Europe/Vienna; default: UTC') }),
  },
  responses: { 200: json(KeyDetail, 'At most one second old'), ...failures },
});

const regenerateRoute = createRoute({
  method: 'post',
  path: '/keys/{id}/regenerate',
  tags: TAGS,
  summary: 'Give a key a new value; the old one stops working at once',
  request: { params: Id },
  responses: { 200: json(KeyWithSecret, 'The key with its new value, shown only once'), ...failures },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/keys/{id}',
  tags: TAGS,
  summary: 'Delete a key for good; its open streams end at once',
  request: { params: Id },
  responses: done,
});

/** Members manage the keys that act for them, admins all of the account. */
export function keyPageRoutes(parts: AppApiParts): AppRoutes {
  const { db, keys } = parts;
  const routes = newAppRoutes();
  routes.openapi(listRoute, async (c) => {
    requireRole(c.var.who, 'member');
    const managed = await managedKeys(parts, c.var.who);
    return c.json({ keys: await keyBodies(parts, c.var.who, managed), most: MOST_KEYS_PER_ACCOUNT }, 200);
  });
  routes.openapi(createKeyRoute, async (c) => {
    const { who } = c.var;
    requireRole(who, 'member');
    const { product, ...wanted } = c.req.valid('json');
    const { accountId, personId } = who;
    const { id: productId } = await pageProduct(db, accountId, product);
    const actor = `person:${personId}` as const;
    const { key, secret } = await keys.createKey({ ...wanted, accountId, product: productId, actor });
    return c.json({ ...keyBody(key, { createdBy: who.name, actsFor: who.name }), key: secret }, 201);
  });
  routes.openapi(detailRoute, async (c) => {
    const key = await managedKey(parts, c.var.who, c.req.valid('param').id);
    const usage = await keys.keyUsage(c.var.who.accountId, key.id, c.req.valid('query').zone);
    const shown = await namedKeyBody(parts, c.var.who, key);
    return c.json({ ...shown, ...usageBody(usage), operations: operationsFor(parts, key) }, 200);
  });
  routes.openapi(regenerateRoute, async (c) => {
    const { accountId, personId } = c.var.who;
    const { id: keyId } = await managedKey(parts, c.var.who, c.req.valid('param').id);
    const { key, secret } = await keys.regenerateKey({ accountId, keyId, actor: `person:${personId}` });
    return c.json({ ...(await namedKeyBody(parts, c.var.who, key)), key: secret }, 200);
  });
  routes.openapi(deleteRoute, async (c) => {
    const { accountId, personId } = c.var.who;
    const { id: keyId } = await managedKey(parts, c.var.who, c.req.valid('param').id);
    await keys.deleteKey({ accountId, keyId, actor: `person:${personId}` });
    return c.body(null, 204);
  });
  return routes;
}

/** The keys that somebody manages, newest first: an admin all of the account, a member the own ones, a viewer none. */
export async function managedKeys({ keys }: Pick<AppApiParts, 'keys'>, who: SignedIn): Promise<ApiKey[]> {
  if (who.role === 'viewer') return [];
  const all = await keys.listKeys(who.accountId);
  return who.role === 'member' ? all.filter(({ personId }) => personId === who.personId) : all;
}

/** Keys as pages show them, with the names of who made them. */
export async function keyBodies(
  parts: Pick<AppApiParts, 'db' | 'keys'>,
  { accountId }: SignedIn,
  managed: readonly ApiKey[],
): Promise<Key[]> {
  const actors = managed.flatMap((key) => [key.createdBy, ...(key.personId === undefined ? [] : [personOf(key)])]);
  const names = await actorNames(parts, accountId, actors);
  return managed.map((key) =>
    keyBody(key, {
      createdBy: actorName(names, key.createdBy),
      actsFor: key.personId === undefined ? null : actorName(names, personOf(key)),
    }),
  );
}

function personOf(key: ApiKey): string {
  return `person:${key.personId}`;
}

async function namedKeyBody(parts: AppApiParts, who: SignedIn, key: ApiKey): Promise<Key> {
  const [shown] = await keyBodies(parts, who, [key]);
  if (shown === undefined) throw new Error('One key has one body.');
  return shown;
}

/** A key of others looks like one that does not exist. */
async function managedKey(parts: AppApiParts, who: SignedIn, id: string): Promise<ApiKey> {
  requireRole(who, 'member');
  const key = (await managedKeys(parts, who)).find((one) => one.id === id);
  if (key !== undefined) return key;
  throw new ServiceError('not_found', `There is no API key with the id "${id.slice(0, 40)}".`, {
    fix: 'Reload the list of keys.',
  });
}

function keyBody(key: ApiKey, { createdBy, actsFor }: { createdBy: string; actsFor: string | null }): Key {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    created_at: key.createdAt.toISOString(),
    created_by: createdBy,
    acts_for: actsFor,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    status: key.status,
    scopes: [...key.scopes],
    product: key.product,
  };
}

function usageBody(usage: KeyUsage) {
  const { zone, total, today, thisMonth, perDay, perOperation } = usage;
  return {
    usage: {
      zone,
      total,
      today,
      this_month: thisMonth,
      last_used_at: usage.lastUsedAt?.toISOString() ?? null,
      per_day: perDay,
      per_operation: perOperation,
    },
    first_call_at: usage.firstUsedAt?.toISOString() ?? null,
    // Requests to REST are counted as `GET /v1/…`; the rest, streams and calls, comes over MCP.
    mcp_connected: perOperation.some(({ operation }) => isMcpRequest(operation)),
  };
}

/** What a client finds with this key: the operations that its scopes allow. */
function operationsFor({ table }: AppApiParts, key: ApiKey): string[] {
  return table.serving.operations.filter(({ scope }) => key.scopes.includes(scope)).map(({ name }) => name);
}
