import type { Context } from 'hono';
import { addDecisionRoutes } from '../decisions/routes.ts';
import type { PlanRequest, Plans } from '../plans/plans.ts';
import { addPlanRoutes } from '../plans/routes.ts';
import { newRoutes, requireOwner, requireScope, type Routes, type WebEnv } from '../platform/web.ts';

/** `/v1/plans`, `/v1/work-items` and `/v1/decisions`: every key reads; the owner writes, and keys with `decisions:write` record decisions. */
export function planRoutes(plans: Plans): Routes {
  const routes = newRoutes();
  addPlanRoutes(
    routes,
    '/v1',
    {
      read,
      write: async (c) => {
        requireOwner(c.var);
        return requestOf(c);
      },
    },
    plans,
  );
  addDecisionRoutes(
    routes,
    '/v1',
    {
      read,
      write: async (c) => {
        requireScope(c.var, 'decisions:write');
        return requestOf(c);
      },
    },
    plans,
  );
  return routes;
}

async function read(c: Context<WebEnv>): Promise<PlanRequest> {
  requireScope(c.var, 'read');
  return requestOf(c);
}

function requestOf(c: Context<WebEnv>): PlanRequest {
  const { accountId, productId } = c.var.caller;
  return { accountId, productId, actor: c.var.actor };
}
