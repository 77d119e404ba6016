import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { requireRole } from '../platform/rights.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import {
  GroupBody,
  GroupList,
  NewGroup,
  NewProduct,
  ProductBody,
  productBody,
  ProductChange,
  ProductList,
  ProductRoleBody,
  ProductRoleList,
} from './account-bodies.ts';
import { type AccountRoutesParts, type AppEnv, type AppRoutes, newAppRoutes } from './account-env.ts';
import { createProduct, listVisibleProducts } from './accounts.ts';
import {
  changeGroup,
  changeProduct,
  createGroup,
  deleteGroup,
  giveProductRole,
  listGroups,
  listProductRoles,
  removeProductRole,
} from './product-access.ts';

const Id = z.object({ id: z.string() });
const HolderPath = z.object({ id: z.string(), kind: z.enum(['person', 'group']), holder: z.string() });
const PersonPath = z.object({ id: z.string(), person: z.string() });

const route = describeRoutes('Products');

const descriptions = {
  list: route('get', '/products', 'Products that the person sees, by name', {
    answers: { 200: json(ProductList, 'The complete list') },
  }),
  create: route('post', '/products', 'Create a product (admin)', {
    body: body(NewProduct),
    answers: { 201: json(ProductBody, 'The product') },
  }),
  change: route('patch', '/products/{id}', 'Rename a product, or restrict it to those who have a role in it (admin)', {
    params: Id,
    body: body(ProductChange),
    answers: { 200: json(ProductBody, 'The product as it is now') },
  }),
  roles: route('get', '/products/{id}/roles', 'People and groups that were given a role in a product (admin)', {
    params: Id,
    answers: { 200: json(ProductRoleList, 'By name') },
  }),
  give: route('put', '/products/{id}/roles/{kind}/{holder}', 'Give a person or a group a role in a product (admin)', {
    params: HolderPath,
    body: body(ProductRoleBody),
  }),
  take: route('delete', '/products/{id}/roles/{kind}/{holder}', 'Take that role away (admin)', { params: HolderPath }),
};

const groupRoute = describeRoutes('Groups');

const groupDescriptions = {
  list: groupRoute('get', '/groups', 'Groups of members (admin)', { answers: { 200: json(GroupList, 'By name') } }),
  create: groupRoute('post', '/groups', 'Create a group (admin)', {
    body: body(NewGroup),
    answers: { 201: json(GroupBody, 'The group, without people') },
  }),
  remove: groupRoute('delete', '/groups/{id}', 'Delete a group with the roles that it gave (admin)', { params: Id }),
  add: groupRoute('put', '/groups/{id}/people/{person}', 'Put a member into a group (admin)', { params: PersonPath }),
  take: groupRoute('delete', '/groups/{id}/people/{person}', 'Take a member out of a group (admin)', {
    params: PersonPath,
  }),
};

/** Everybody sees their products; admins make them and say who sees them. */
export function productRoutes(parts: AccountRoutesParts): AppRoutes {
  const { db, now } = parts;
  const routes = newAppRoutes();
  routes.openapi(descriptions.list, async (c) => {
    const { accountId, personId } = c.var.who;
    return c.json({ products: (await listVisibleProducts(db, accountId, personId)).map(productBody) }, 200);
  });
  routes.openapi(descriptions.create, async (c) => {
    const { accountId, personId, role } = c.var.who;
    requireRole(role, 'admin');
    const { name, is_restricted: isRestricted = false } = c.req.valid('json');
    const newProduct = { accountId, name, isRestricted, actor: `person:${personId}` } as const;
    return c.json(productBody({ ...(await createProduct(db, newProduct, now())), isRestricted, role }), 201);
  });
  routes.openapi(descriptions.change, async (c) => {
    const { name, is_restricted: isRestricted } = c.req.valid('json');
    const change = { name, isRestricted };
    return c.json(productBody(await changeProduct(accessOf(c, parts), c.req.valid('param').id, change)), 200);
  });
  routes.openapi(descriptions.roles, async (c) => {
    requireRole(c.var.who.role, 'admin');
    return c.json({ roles: await listProductRoles(db, c.var.who, c.req.valid('param').id) }, 200);
  });
  routes.openapi(descriptions.give, async (c) => {
    const { id, kind, holder } = c.req.valid('param');
    await giveProductRole(accessOf(c, parts), id, { kind, id: holder, role: c.req.valid('json').role });
    return c.body(null, 204);
  });
  routes.openapi(descriptions.take, async (c) => {
    const { id, kind, holder } = c.req.valid('param');
    await removeProductRole(accessOf(c, parts), id, { kind, id: holder });
    return c.body(null, 204);
  });
  return routes;
}

/** Groups of members, which are given roles in products like one person. */
export function groupRoutes(parts: AccountRoutesParts): AppRoutes {
  const routes = newAppRoutes();
  routes.openapi(groupDescriptions.list, async (c) => {
    requireRole(c.var.who.role, 'admin');
    return c.json({ groups: await listGroups(parts.db, c.var.who.accountId) }, 200);
  });
  routes.openapi(groupDescriptions.create, async (c) =>
    c.json(await createGroup(accessOf(c, parts), c.req.valid('json').name), 201),
  );
  routes.openapi(groupDescriptions.remove, async (c) => {
    await deleteGroup(accessOf(c, parts), c.req.valid('param').id);
    return c.body(null, 204);
  });
  routes.openapi(groupDescriptions.add, async (c) => {
    const { id, person: personId } = c.req.valid('param');
    await changeGroup(accessOf(c, parts), id, { personId, isMember: true });
    return c.body(null, 204);
  });
  routes.openapi(groupDescriptions.take, async (c) => {
    const { id, person: personId } = c.req.valid('param');
    await changeGroup(accessOf(c, parts), id, { personId, isMember: false });
    return c.body(null, 204);
  });
  return routes;
}

/** What an admin changes who sees what with. @throws ServiceError `scope_denied` for others. */
function accessOf({ var: { who } }: Context<AppEnv>, { db, keys, now }: AccountRoutesParts) {
  requireRole(who.role, 'admin');
  return { db, who, keys: keys.recheck(), now: now() };
}
