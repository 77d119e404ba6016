import { z } from '@hono/zod-openapi';
import type { AskOperation } from '../platform/operation/operation.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';

const route = describeRoutes('Plans');

const OPERATION = 'spec-export-tool';

/** GET plans/{slug}/export. */
export const PlanExport = z.object({
  files: z.array(z.object({ path: z.string(), content: z.string() })),
  total: z.int().describe('Tasks of the plan'),
  shown: z.int().describe('Tasks on this page'),
  next: z.string().nullable(),
});

const exportRoute = route(
  'get',
  '/plans/{slug}/export',
  'A plan in a layout for coding agents, as spec-export-tool returns it',
  {
    params: z.object({ slug: z.string() }),
    query: z.object({
      target: z.enum(['prompt', 'spec-kit', 'openspec', 'task-master', 'issue']).default('prompt'),
      task: z.string().optional().describe('Only this work item'),
      product: z.string().optional(),
      cursor: z.string().optional(),
    }),
    answers: { 200: json(PlanExport, 'Files with their contents') },
  },
);

/** Answer of the operation, as far as pages show it. */
const Answer = PlanExport.extend({ next: z.string().optional() });

/** Export runs the same operation as MCP clients call, so that both get the same. */
export function planExportRoutes(ask: AskOperation): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(exportRoute, async (c) => {
    const { requester: caller } = c.var;
    requireRight(caller, READ);
    const { target, task, cursor } = c.req.valid('query');
    const request = { plan: c.req.valid('param').slug, target, task, cursor };
    const answer = await ask(OPERATION, request, { caller, signal: c.req.raw.signal });
    const { next = null, ...page } = Answer.parse(answer);
    return c.json({ ...page, next }, 200);
  });
  return { routes, app: '/' };
}
