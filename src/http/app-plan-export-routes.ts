import { createRoute, z } from '@hono/zod-openapi';
import { countedCall } from '../mcp/call.ts';
import type { Caller } from '../platform/operation/operation.ts';
import { failures, json } from '../platform/web.ts';
import { type AppApiParts, type AppRoutes, newAppRoutes } from './app-env.ts';
import { pageProduct } from './app-product.ts';

const OPERATION = 'spec-export-tool';

/** The most that the operation takes: pages are for people, who do not count tokens. */
const MAX_TOKENS = 20_000;

/** GET plans/{slug}/export. */
export const PlanExport = z.object({
  files: z.array(z.object({ path: z.string(), content: z.string() })),
  total: z.int().describe('Tasks of the plan'),
  shown: z.int().describe('Tasks on this page'),
  next: z.string().nullable(),
});

const exportRoute = createRoute({
  method: 'get',
  path: '/plans/{slug}/export',
  tags: ['Plans'],
  summary: 'A plan in a layout for coding agents, as spec-export-tool gives it to MCP clients',
  request: {
    params: z.object({ slug: z.string() }),
    query: z.object({
      target: z.enum(['prompt', 'spec-kit', 'openspec', 'task-master', 'issue']).default('prompt'),
      task: z.string().optional().describe('Only this work item'),
      product: z.string().optional(),
      cursor: z.string().optional(),
    }),
  },
  responses: { 200: json(PlanExport, 'Files with their contents'), ...failures },
});

/** What the operation answers, as far as pages show it. */
const Answer = PlanExport.extend({ next: z.string().optional() });

/** Export runs the same operation as MCP clients call, so that both get the same. */
export function planExportRoutes({ db, table }: AppApiParts): AppRoutes {
  const routes = newAppRoutes();
  routes.openapi(exportRoute, async (c) => {
    const { accountId, personId } = c.var.who;
    const { product, target, task, cursor } = c.req.valid('query');
    const { id: productId } = await pageProduct(db, accountId, product);
    const operation = table.byName.get(OPERATION);
    if (operation === undefined) throw new Error(`There is no ${OPERATION}.`);
    const caller: Caller = { accountId, productId, keyId: personId, scopes: ['read'] };
    const scope = { caller, signal: c.req.raw.signal, progress: () => {} };
    const wanted = { plan: c.req.valid('param').slug, target, task, cursor, max_tokens: MAX_TOKENS, format: 'json' };
    const answer = await countedCall(operation, wanted, { ...table.serving, ...scope });
    const { next = null, ...page } = Answer.parse(answer.json);
    return c.json({ ...page, next }, 200);
  });
  return routes;
}
