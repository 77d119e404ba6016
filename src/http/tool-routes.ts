import { ServiceError } from '../kernel/errors.ts';
import { countedCall } from '../mcp/call.ts';
import type { ToolTable } from '../mcp/server.ts';
import { failures, newRoutes, type Routes } from '../platform/web.ts';

/**
 * `POST /v1/tools/{name}`: the operations for programs without an MCP client. Same arguments; the JSON form of the answer, or its
 * text form for a request that accepts `text/plain`.
 */
export function toolRoutes(table: ToolTable): Routes {
  const routes = newRoutes();
  routes.post('/tools/:name', async (c) => {
    const operation = table.byName.get(c.req.param('name'));
    if (operation === undefined) throw unknownTool(c.req.param('name'), table);
    c.set('operation', operation.name);
    const given = await readArguments(() => c.req.text());
    const { requestId, requester: caller } = c.var;
    const context = { caller, requestId, signal: c.req.raw.signal, progress: () => {} };
    const { json, text } = await countedCall(operation, given, { ...table.serving, ...context });
    return c.req.header('accept')?.startsWith('text/plain') === true ? c.text(text) : c.json(json);
  });
  describe(routes, table);
  return routes;
}

/** Aliases are rewritten and unknown keys noted before validation, so the routes are described here but not validated by it. */
function describe(routes: Routes, table: ToolTable): void {
  for (const { name, description, inputSchema } of table.tools) {
    routes.openAPIRegistry.registerPath({
      method: 'post',
      path: `/tools/${name}`,
      summary: name,
      description: description ?? '',
      // The published schema is plain JSON Schema; the library's type for it is narrower than the standard.
      request: { body: { content: { 'application/json': { schema: inputSchema as object } } } },
      responses: {
        200: {
          description: 'The answer in the form that the request accepts; JSON by default',
          content: { 'application/json': { schema: { type: 'object' } }, 'text/plain': { schema: { type: 'string' } } },
        },
        ...failures,
      },
    });
  }
}

async function readArguments(read: () => Promise<string>): Promise<Record<string, unknown> | undefined> {
  const text = await read();
  if (text.trim() === '') return undefined;
  try {
    // Whether it is an object is checked where the arguments are read.
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new ServiceError('bad_argument', 'The body is not JSON.', {
      fix: 'Send the arguments as one JSON object.',
      cause: error,
    });
  }
}

function unknownTool(name: string, table: ToolTable): ServiceError {
  return new ServiceError('not_found', `There is no operation "${name.slice(0, 80)}".`, {
    fix: `Use one of: ${[...table.byName.keys()].join(', ')}.`,
  });
}
