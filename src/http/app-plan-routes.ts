import type { Context } from 'hono';
import { addDecisionRoutes } from '../decisions/routes.ts';
import type { PlanAccess, PlanRequest } from '../plans/plans.ts';
import { addPlanRoutes } from '../plans/routes.ts';
import { type AppApiParts, type AppEnv, type AppRoutes, newAppRoutes } from './app-env.ts';
import { planExportRoutes } from './app-plan-export-routes.ts';
import { pageProduct } from './app-product.ts';
import { requireRole } from './app-session.ts';

/** Plans, work items and decisions: everybody reads, members write. */
export function planPageRoutes(parts: AppApiParts): AppRoutes {
  const { db, plans } = parts;
  const routes = newAppRoutes();
  const read = async (c: Context<AppEnv>): Promise<PlanRequest> => {
    const { accountId, personId } = c.var.who;
    const { id: productId } = await pageProduct(db, accountId, c.req.query('product'));
    return { accountId, productId, actor: `person:${personId}` };
  };
  const write = async (c: Context<AppEnv>): Promise<PlanRequest> => {
    requireRole(c.var.who, 'member');
    return read(c);
  };
  const access: PlanAccess<AppEnv> = { read, write };
  addPlanRoutes(routes, '', access, plans);
  addDecisionRoutes(routes, '', access, plans);
  routes.route('/', planExportRoutes(parts));
  return routes;
}
