import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { AnyOperation } from '../platform/operation/operation.ts';
import { actorOf, type Requester, requireRight, type Right } from '../platform/rights.ts';
import {
  authorize,
  body,
  describeRoutes,
  json,
  newRoutes,
  type Routes,
  type SliceRoutes,
  type WebEnv,
} from '../platform/web.ts';
import type { NameParts } from './actor-names.ts';
import {
  type Key,
  KeyBody,
  keyBodies,
  KeyChanges,
  KeyDetail,
  KeyLimitsBody,
  KeyList,
  KeyWithSecret,
  type ListedKey,
  NewKeyBody,
  Regeneration,
  UsageBody,
  usageBody,
} from './key-bodies.ts';
import {
  type ApiKey,
  findManagedKey,
  type KeyQuotaLimits,
  type KeyQuotas,
  type Keys,
  listManagedKeys,
} from './keys.ts';
import type { KeyCounts } from './store-limits.ts';

const route = describeRoutes('API keys');
/** Right to manage keys. The scope manages all keys of the account, stronger ones too: it is as powerful as they are. */
const MANAGE: Right = { scope: 'keys:write', role: 'member' };
/** A key must not free itself of its limit. */
const LIMITS: Right = { scope: 'owner', role: 'admin' };
const Id = z.object({ id: z.string() });
const Zone = z.object({
  zone: z.string().max(64).optional().describe('Of days and months: Europe/Vienna; UTC without it'),
});

/** Dependencies of the routes. */
interface KeyRoutesParts extends NameParts {
  keys: Keys;
  keyLimits: Pick<KeyQuotaLimits, 'change'>;
  keyQuotas: Pick<KeyQuotas, 'read'>;
  now: () => Date;
  /** Operations that clients can call. */
  operations: readonly Pick<AnyOperation, 'name' | 'scope'>[];
  /** True if requests that are counted under this name can only have come over MCP. */
  isMcpRequest: (name: string) => boolean;
}

const listRoute = route('get', '/', 'The keys that the caller manages, newest first (members: their own)', {
  query: Zone,
  answers: { 200: json(KeyList, 'The keys, without their values') },
});

const createKeyRoute = route('post', '/', 'Create a key', {
  body: body(NewKeyBody),
  answers: { 201: json(KeyWithSecret, 'The key with its value, shown only once') },
});

const limitsRoute = route('get', '/limits', 'How many keys there may be', {
  answers: { 200: json(KeyLimitsBody, 'The limits of the account') },
});

const changeLimitsRoute = route('patch', '/limits', 'Change how many keys there may be (owner and admins)', {
  body: body(KeyLimitsBody.partial()),
  answers: { 200: json(KeyLimitsBody, 'The limits as they are now') },
});

const detailRoute = route('get', '/{id}', 'A key and what it was used for', {
  params: Id,
  query: Zone,
  answers: { 200: json(KeyDetail, 'At most a second behind') },
});

const changeRoute = route('patch', '/{id}', 'Give a key another name, or limits of its own (owner and admins)', {
  params: Id,
  body: body(KeyChanges),
  answers: { 200: json(KeyBody, 'The key as it is now') },
});

const regenerateRoute = route(
  'post',
  '/{id}/regenerate',
  'Give a key a new value; the old one stops working at once, or after a grace period',
  {
    params: Id,
    query: Regeneration,
    answers: { 200: json(KeyWithSecret, 'The key with its new value, shown only once') },
  },
);

const endGraceRoute = route(
  'delete',
  '/{id}/grace',
  'End the grace period of a regenerated key; its open streams end at once',
  {
    params: Id,
  },
);

const deleteRoute = route('delete', '/{id}', 'Delete a key for good; its open streams end at once', { params: Id });

const usageRoute = route('get', '/{id}/usage', 'What a key was used for', {
  params: Id,
  query: Zone,
  answers: { 200: json(UsageBody, 'Its usage, at most a second behind') },
});

/** API keys: members manage the keys that act for them; admins, the owner and keys with `keys:write` all of the account. */
export function keyRoutes(parts: KeyRoutesParts): SliceRoutes {
  const { keys } = parts;
  const routes = newRoutes();
  const bodyOf = async ({ accountId }: Requester, key: ApiKey): Promise<Key> => {
    const [shown] = await keyBodies(parts, accountId, [key]);
    if (shown === undefined) throw new Error('One key has one body.');
    return shown;
  };
  addList(routes, parts);
  routes.openapi(createKeyRoute, async (c) => {
    const who = requireManager(c);
    const { product = who.productId, ...newKey } = c.req.valid('json');
    const maker = { accountId: who.accountId, actor: actorOf(who), byOwner: who.by === 'owner' };
    const { key, secret } = await keys.createKey({ ...newKey, ...maker, product });
    return c.json({ ...(await bodyOf(who, key)), key: secret }, 201);
  });
  addLimits(routes, keys);
  addOne(routes, parts, bodyOf);
  routes.openapi(regenerateRoute, async (c) => {
    const who = requireManager(c);
    const request = await requestOf(keys, who, c.req.valid('param').id);
    const { key, secret } = await keys.regenerateKey(request, c.req.valid('query').grace);
    return c.json({ ...(await bodyOf(who, key)), key: secret }, 200);
  });
  routes.openapi(endGraceRoute, async (c) => {
    const who = requireManager(c);
    await keys.endGrace(await requestOf(keys, who, c.req.valid('param').id));
    return c.body(null, 204);
  });
  routes.openapi(deleteRoute, async (c) => {
    const who = requireManager(c);
    await keys.deleteKey(await requestOf(keys, who, c.req.valid('param').id));
    return c.body(null, 204);
  });
  routes.openapi(usageRoute, async (c) => {
    const who = requireManager(c);
    const { id } = await findManagedKey(keys, who, c.req.valid('param').id);
    return c.json(usageBody(await keys.keyUsage(who.accountId, id, c.req.valid('query').zone)), 200);
  });
  return { routes, v1: '/api-keys', app: '/keys' };
}

/** Adds the route that lists. */
function addList(routes: Routes, parts: KeyRoutesParts): void {
  routes.openapi(listRoute, async (c) => {
    const who = requireManager(c);
    const shown = await listedKeys(parts, who, c.req.valid('query').zone);
    return c.json({ keys: shown, ...limitsBody(await parts.keys.keyLimits(who.accountId)) }, 200);
  });
}

/** Adds the routes that show and change one key. */
function addOne(routes: Routes, parts: KeyRoutesParts, bodyOf: (who: Requester, key: ApiKey) => Promise<Key>): void {
  const { keys } = parts;
  routes.openapi(detailRoute, async (c) => {
    const who = requireManager(c);
    const key = await findManagedKey(keys, who, c.req.valid('param').id);
    const usage = await keys.keyUsage(who.accountId, key.id, c.req.valid('query').zone);
    const subject = { accountId: who.accountId, productId: key.productId, keyId: key.id };
    const detail = {
      limits: await parts.keyQuotas.read(subject),
      usage: usageBody(usage),
      first_call_at: usage.firstUsedAt?.toISOString() ?? null,
      // Requests to REST are counted as `GET /v1/…`; the rest, streams and calls, comes over MCP.
      mcp_connected: usage.perOperation.some(({ operation }) => parts.isMcpRequest(operation)),
      operations: parts.operations.filter(({ scope }) => key.scopes.includes(scope)).map(({ name }) => name),
    };
    return c.json({ ...(await bodyOf(who, key)), ...detail }, 200);
  });
  routes.openapi(changeRoute, async (c) => {
    const who = requireManager(c);
    const { name, limits } = c.req.valid('json');
    if (limits !== undefined) authorize(c, LIMITS);
    const key = await findManagedKey(keys, who, c.req.valid('param').id);
    const request = { accountId: who.accountId, keyId: key.id, actor: actorOf(who) };
    if (limits !== undefined) await parts.keyLimits.change(request, limits, parts.now());
    return c.json(await bodyOf(who, name === undefined ? key : await keys.renameKey(request, name)), 200);
  });
}

/** Before the routes of one key, whose id could be anything. */
function addLimits(routes: Routes, keys: Keys): void {
  routes.openapi(limitsRoute, async (c) => c.json(limitsBody(await keys.keyLimits(requireManager(c).accountId)), 200));
  routes.openapi(changeLimitsRoute, async (c) => {
    const { accountId, actor } = authorize(c, LIMITS);
    const { most: account, most_per_person: person, most_per_product: product } = c.req.valid('json');
    const limits = {
      ...(account !== undefined && { account }),
      ...(person !== undefined && { person }),
      ...(product !== undefined && { product }),
    };
    return c.json(limitsBody(await keys.changeKeyLimits(accountId, actor, limits)), 200);
  });
}

function limitsBody({ account, person, product }: KeyCounts): z.output<typeof KeyLimitsBody> {
  return { most: account, most_per_person: person, most_per_product: product };
}

/** The change of a key that the caller manages. @throws ServiceError `not_found` for every other. */
async function requestOf(keys: Keys, who: Requester, id: string) {
  const { id: keyId } = await findManagedKey(keys, who, id);
  return { accountId: who.accountId, keyId, actor: actorOf(who) };
}

async function listedKeys(parts: KeyRoutesParts, who: Requester, zone: string | undefined): Promise<ListedKey[]> {
  const managed = await listManagedKeys(parts.keys, who);
  const ids = managed.map(({ id }) => id);
  const byDay = await parts.keys.requestsByDay(who.accountId, ids, zone);
  const bodies = await keyBodies(parts, who.accountId, managed);
  return bodies.map((key) => ({ ...key, requests_by_day: byDay.get(key.id) ?? [] }));
}

/** Returns the requester, who must have the right to manage keys; nothing on the path may store the answer. */
function requireManager(c: Context<WebEnv>): Requester {
  requireRight(c.var.requester, MANAGE);
  c.header('Cache-Control', 'no-store');
  return c.var.requester;
}
