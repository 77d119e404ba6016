import { requireRole } from '../platform/rights.ts';
import { body, describeRoutes, json } from '../platform/web.ts';
import { NewProduct, ProductBody, productBody, ProductList } from './account-bodies.ts';
import { type AccountRoutesParts, type AppRoutes, newAppRoutes } from './account-env.ts';
import { createProduct, listProducts } from './accounts.ts';

const route = describeRoutes('Products');

const productsRoute = route('get', '/products', 'Products of the account, by name', {
  answers: { 200: json(ProductList, 'The complete list') },
});

const newProductRoute = route('post', '/products', 'Create a product (admin)', {
  body: body(NewProduct),
  answers: { 201: json(ProductBody, 'The product') },
});

/** Everybody sees the products; admins make them. */
export function productRoutes({ db, now }: AccountRoutesParts): AppRoutes {
  const routes = newAppRoutes();
  routes.openapi(productsRoute, async (c) => {
    return c.json({ products: (await listProducts(db, c.var.who.accountId)).map(productBody) }, 200);
  });
  routes.openapi(newProductRoute, async (c) => {
    const { accountId, personId } = c.var.who;
    requireRole(c.var.who.role, 'admin');
    const newProduct = { accountId, name: c.req.valid('json').name, actor: `person:${personId}` } as const;
    return c.json(productBody(await createProduct(db, newProduct, now())), 201);
  });
  return routes;
}
