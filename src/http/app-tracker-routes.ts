import type { Context } from 'hono';
import type { PlanRequest } from '../plans/plans.ts';
import { addTrackerRoutes, type TrackerAccess } from '../trackers/routes.ts';
import { type AppApiParts, type AppEnv, type AppRoutes, newAppRoutes } from './app-env.ts';
import { pageProduct } from './app-product.ts';
import { requireRole } from './app-session.ts';

/**
 * Issue trackers of a product: everybody sees them and what was sent, members send work items, admins connect. Only here:
 * no API key writes into a tracker.
 */
export function trackerPageRoutes({ db, trackers }: AppApiParts): AppRoutes {
  const routes = newAppRoutes();
  const read = async (c: Context<AppEnv>): Promise<PlanRequest> => {
    const { accountId, personId } = c.var.who;
    const { id: productId } = await pageProduct(db, accountId, c.req.query('product'));
    return { accountId, productId, actor: `person:${personId}` };
  };
  const access: TrackerAccess<AppEnv> = {
    read,
    write: async (c) => {
      requireRole(c.var.who, 'member');
      return read(c);
    },
    manage: async (c) => {
      requireRole(c.var.who, 'admin');
      return read(c);
    },
  };
  addTrackerRoutes(routes, access, trackers);
  return routes;
}
