import { z } from '@hono/zod-openapi';
import { keyBodies, managedKeys, nameActors } from '../keys/keys.ts';
import { type Requester, requireRole } from '../platform/rights.ts';
import { ProductBody, productBody } from '../accounts/account-bodies.ts';
import { createProduct, listAudit, listProducts, type SignedIn } from '../accounts/accounts.ts';
import { type AppRoutes, newAppRoutes } from '../accounts/routes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import { type AuditEntry, AuditPage, NewProduct, Overview, ProductList } from './app-api.ts';
import type { AppApiParts } from './app-env.ts';

const overview = describeRoutes('Overview');
const products = describeRoutes('Products');
const audit = describeRoutes('Audit log');

const AUDIT_PAGE = 50;
const RECENT = 10;

const overviewRoute = overview(
  'get',
  '/overview',
  'The state of the product: repositories, keys that expire soon, recent changes',
  {
    query: z.object({
      product: z.string().optional(),
      zone: z.string().max(64).optional().describe('Time zone of "today", such as Europe/Vienna; default: UTC'),
    }),
    answers: { 200: json(Overview, 'Parts that the person may not see are empty') },
  },
);

const productsRoute = products('get', '/products', 'Products of the account, by name', {
  answers: { 200: json(ProductList, 'The complete list') },
});

const newProductRoute = products('post', '/products', 'Create a product (admin)', {
  body: body(NewProduct),
  answers: { 201: json(ProductBody, 'The product') },
});

const auditRoute = audit('get', '/audit', 'Who changed what, newest first, 50 a page (admin)', {
  query: z.object({ before: z.string().optional().describe('`next` of the previous page') }),
  answers: { 200: json(AuditPage, 'A page') },
});

/** Everybody sees overview and products; admins make products and read the audit log. */
export function overviewRoutes(parts: AppApiParts): AppRoutes {
  const { db, now } = parts;
  const routes = newAppRoutes();
  routes.openapi(overviewRoute, async (c) => {
    const { who } = c.var;
    const [repositories, keys, recent] = await Promise.all([
      parts.repositories.list(c.var.requester),
      keyOverview(parts, c.var.requester, c.req.valid('query').zone),
      who.role === 'owner' || who.role === 'admin' ? auditEntries(parts, who, { limit: RECENT }) : [],
    ]);
    return c.json({ repositories, ...keys, recent }, 200);
  });
  routes.openapi(productsRoute, async (c) => {
    return c.json({ products: (await listProducts(db, c.var.who.accountId)).map(productBody) }, 200);
  });
  routes.openapi(newProductRoute, async (c) => {
    const { accountId, personId } = c.var.who;
    requireRole(c.var.who.role, 'admin');
    const wanted = { accountId, name: c.req.valid('json').name, actor: `person:${personId}` } as const;
    return c.json(productBody(await createProduct(db, wanted, now())), 201);
  });
  routes.openapi(auditRoute, async (c) => {
    requireRole(c.var.who.role, 'admin');
    const { before } = c.req.valid('query');
    if (before !== undefined && !isUuid(before)) {
      throw new ServiceError('bad_argument', 'before is not a value that this service issued.', {
        fix: 'Begin with the first page.',
      });
    }
    const entries = await auditEntries(parts, c.var.who, { before, limit: AUDIT_PAGE + 1 });
    const page = entries.slice(0, AUDIT_PAGE);
    return c.json({ entries: page, next: entries.length > AUDIT_PAGE ? (page.at(-1)?.id ?? null) : null }, 200);
  });
  return routes;
}

async function keyOverview(parts: AppApiParts, who: Requester, zone: string | undefined) {
  const managed = await managedKeys(parts.keys, who);
  const ending = managed
    .filter(({ status }) => status !== 'active')
    .toSorted((a, b) => (a.expiresAt?.getTime() ?? 0) - (b.expiresAt?.getTime() ?? 0));
  const keyIds = managed.map(({ id }) => id);
  return {
    keys: {
      count: managed.length,
      used: managed.filter(({ lastUsedAt }) => lastUsedAt !== undefined).length,
      expiring: await keyBodies(parts, who.accountId, ending),
    },
    requests_today: await parts.keys.requestsToday(who.accountId, keyIds, zone),
  };
}

/** Fields of a detail that say how its target is called, as long as it is there. */
const TARGET_NAMES: readonly string[] = ['name', 'title', 'slug'];

async function auditEntries(
  parts: AppApiParts,
  { accountId }: SignedIn,
  page: { before?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  const { before, limit } = page;
  const rows = await listAudit(parts.db, accountId, { limit, ...(before === undefined ? {} : { before }) });
  const actors = rows.flatMap(({ actor, target }) => [actor, `person:${target}`]);
  const { nameOf, personName } = await nameActors(parts, accountId, actors);
  return rows.map(({ id, at, actor, action, target, detail }) => {
    const name = TARGET_NAMES.map((field) => detail[field]).find((value) => typeof value === 'string');
    return {
      id,
      at: at.toISOString(),
      actor: nameOf(actor),
      actor_id: actor,
      action,
      target,
      target_name: name ?? personName(target) ?? null,
      detail,
    };
  });
}
