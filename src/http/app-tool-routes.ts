import { z } from '@hono/zod-openapi';
import { ServiceError } from '../kernel/errors.ts';
import type { AnyOperation, AskOperation } from '../platform/operation/operation.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { body, describeRoutes, json, newRoutes, ProductQuery, type SliceRoutes } from '../platform/web.ts';

const Name = z.object({ name: z.string().max(200).describe('Name of an operation that only reads') });
const Arguments = z.record(z.string(), z.unknown()).describe('As clients send them');
const Answer = z.record(z.string(), z.unknown());

const route = describeRoutes('Operations');

const toolRoute = route('post', '/tools/{name}', 'Call an operation that only reads, as an MCP client does', {
  params: Name,
  query: ProductQuery,
  body: body(Arguments),
  answers: { 200: json(Answer, 'The JSON form of the answer') },
});

/** Routes by which pages call operations as agents do: every operation that only reads. Changes have routes of their own. */
export function pageToolRoutes(operations: readonly AnyOperation[], ask: AskOperation): SliceRoutes {
  const readable = new Set(operations.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name));
  const routes = newRoutes();
  routes.openapi(toolRoute, async (c) => {
    const { requester: caller } = c.var;
    requireRight(caller, READ);
    const { name } = c.req.valid('param');
    if (!readable.has(name)) {
      throw new ServiceError('not_found', `Pages cannot call "${name.slice(0, 80)}".`, {
        fix: `Use one of: ${[...readable].join(', ')}.`,
      });
    }
    return c.json(await ask(name, c.req.valid('json'), { caller, signal: c.req.raw.signal }), 200);
  });
  return { routes, app: '/' };
}
