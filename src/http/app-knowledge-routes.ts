import type { Context } from 'hono';
import { addDocumentRoutes } from '../documents/routes.ts';
import type { ProductAccess, ProductRequest } from '../knowledge/knowledge.ts';
import { addSignalRoutes } from '../signals/routes.ts';
import { addWebhookRoutes } from '../signals/webhook-routes.ts';
import { type AppApiParts, type AppEnv, type AppRoutes, newAppRoutes } from './app-env.ts';
import { pageProduct } from './app-product.ts';
import { requireRole } from './app-session.ts';
import { signalFileRoutes } from './app-signal-file-routes.ts';

/** Documents, signals and themes of a product: everybody reads, members add and take away, admins make webhooks. `?product=` says which one. */
export function knowledgePageRoutes({ db, knowledge }: AppApiParts): AppRoutes {
  const routes = newAppRoutes();
  const read = async (c: Context<AppEnv>): Promise<ProductRequest> => {
    const { accountId, personId } = c.var.who;
    const { id: productId } = await pageProduct(db, accountId, c.req.query('product'));
    return { accountId, productId, actor: `person:${personId}` };
  };
  const write = async (c: Context<AppEnv>): Promise<ProductRequest> => {
    requireRole(c.var.who, 'member');
    return read(c);
  };
  const adminOnly = async (c: Context<AppEnv>): Promise<ProductRequest> => {
    requireRole(c.var.who, 'admin');
    return read(c);
  };
  const access: ProductAccess<AppEnv> = { read, write, manage: write };
  addDocumentRoutes(routes, '', access, knowledge.documents);
  addSignalRoutes(routes, '', access, knowledge.signals);
  addWebhookRoutes(routes, '', { ...access, manage: adminOnly }, knowledge.signals);
  routes.route('/', signalFileRoutes());
  return routes;
}
