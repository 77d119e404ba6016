import { z } from '@hono/zod-openapi';
import type { Keys } from '../keys/keys.ts';
import { QUOTAS, type Quotas } from '../platform/quotas.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, ProductQuery, type SliceRoutes } from '../platform/web.ts';

const QuotaBody = z
  .object({
    quotas: z.array(
      z.object({
        quota: z.enum(['requests', ...QUOTAS]),
        used: z.number().describe('requests: of the last minute in this process; runs, model_cost: today (UTC)'),
        limit: z.number().nullable().describe('null: nothing limits it'),
      }),
    ),
  })
  .openapi('QuotaList');
export type QuotaList = z.output<typeof QuotaBody>;

const route = describeRoutes('Quotas')('get', '/quotas', 'What the product uses, and what it may use', {
  query: ProductQuery,
  answers: { 200: json(QuotaBody, 'storage in bytes, model_cost in the currency of SVC_LLM_PRICE') },
});

/** Everybody who sees a product sees what it uses. */
export function quotaRoutes({ quotas, keys }: { quotas: Quotas; keys: Keys }): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(route, async (c) => {
    const { requester } = c.var;
    requireRight(requester, READ);
    const requests = keys.productRequests(requester.productId);
    return c.json({ quotas: [{ quota: 'requests' as const, ...requests }, ...(await quotas.read(requester))] }, 200);
  });
  return { routes, v1: '/', app: '/' };
}
