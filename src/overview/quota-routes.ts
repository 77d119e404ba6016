import { z } from '@hono/zod-openapi';
import type { ProductRequest } from '../accounts/accounts.ts';
import { QUOTAS, type Quotas } from '../platform/quotas.ts';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, ProductQuery, type SliceRoutes } from '../platform/web.ts';

/** A key must not free itself of what limits it. */
const CHANGE: Right = { scope: 'owner', role: 'admin' };

const QuotaBody = z
  .object({
    quotas: z.array(
      z.object({
        quota: z.enum(QUOTAS),
        used: z
          .number()
          .describe('requests: of the last minute in this process, 0 without a limit; runs, model_cost: today (UTC)'),
        limit: z.number().nullable().describe('null: nothing limits it'),
        default: z.number().nullable().describe('The limit of the settings, for products without one of their own'),
      }),
    ),
  })
  .openapi('QuotaList');
export type QuotaList = z.output<typeof QuotaBody>;

const LimitsBody = z
  .object({
    requests: z.int().min(1).max(10_000_000).nullable().describe('A minute, of all API keys together'),
    storage: z.int().min(0).nullable().describe('Bytes of uploads and indexes'),
    runs: z.int().min(0).max(1_000_000).nullable().describe('Runs of agents a day'),
    model_cost: z.number().min(0).max(1_000_000_000).nullable().describe('A day, in the currency of SVC_LLM_PRICE'),
  })
  .partial()
  .strict()
  .openapi('QuotaLimits');

const route = describeRoutes('Quotas');

const readRoute = route('get', '/quotas', 'What the product uses, and what it may use', {
  query: ProductQuery,
  answers: { 200: json(QuotaBody, 'storage in bytes, model_cost in the currency of SVC_LLM_PRICE') },
});

const changeRoute = route(
  'patch',
  '/quotas',
  'Change what the product may use; null: what the settings say (owner, admin)',
  {
    query: ProductQuery,
    body: body(LimitsBody),
    answers: { 200: json(QuotaBody, 'The limits as they are now') },
  },
);

interface QuotaRoutesParts {
  quotas: Quotas;
  limits: { change: (product: ProductRequest, limits: z.output<typeof LimitsBody>, now: Date) => Promise<void> };
  now: () => Date;
}

/** Everybody who sees a product sees what it uses; owners and admins say what it may use. */
export function quotaRoutes({ quotas, limits, now }: QuotaRoutesParts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(readRoute, async (c) => c.json({ quotas: await quotas.read(authorize(c, READ)) }, 200));
  routes.openapi(changeRoute, async (c) => {
    const product = authorize(c, CHANGE);
    await limits.change(product, c.req.valid('json'), now());
    return c.json({ quotas: await quotas.read(product) }, 200);
  });
  return { routes, v1: '/', app: '/' };
}
