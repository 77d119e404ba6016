import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { ServiceError } from '../kernel/errors.ts';
import type { ToolTable } from '../mcp/server.ts';
import type { Sessions } from '../mcp/sessions.ts';
import type { StreamableHttp } from '../mcp/streamable-http.ts';
import type { WebEnv } from '../platform/web.ts';
import { bearerOf } from './auth.ts';

/** Counted by their own name; whatever else a client sends as a method is counted as `mcp`. */
const COUNTED_METHODS = new Set([
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'ping',
  'tools/list',
  'server/discover',
  'subscriptions/listen',
]);

/** Whether a counted request can only have come over MCP: tools are called over REST as well, under the same names. */
export function isMcpRequest(operation: string): boolean {
  return operation === 'stream' || operation === 'mcp' || COUNTED_METHODS.has(operation);
}

export interface McpParts {
  table: ToolTable;
  sessions: Sessions;
  streamable: StreamableHttp;
}

/**
 * Both MCP transports. On `/v1/mcp/sse` they share one path: GET opens a stream of the legacy transport, unless it carries a
 * session id, which only Streamable HTTP clients do; POST with `?sessionId=` is a message to a stream. `mcp-protocol-version` must
 * not decide, because clients of the legacy transport send it too when they reconnect.
 */
export function mcpRoutes(parts: McpParts): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/v1/mcp/sse', (c) => openStream(c, parts));
  app.post('/v1/mcp/sse', (c) => {
    const sessionId = c.req.query('sessionId');
    return sessionId === undefined ? streamable(c, parts) : deliver(c, parts, sessionId);
  });
  app.delete('/v1/mcp/sse', (c) => streamable(c, parts));
  app.post('/v1/mcp', (c) => streamable(c, parts));
  app.on(['GET', 'DELETE'], '/v1/mcp', (c) => (c.req.method === 'HEAD' ? notAllowed(c) : streamable(c, parts)));
  app.all('/v1/mcp', notAllowed);
  app.all('/v1/mcp/sse', notAllowed);
  return app;
}

async function openStream(c: Context<WebEnv>, parts: McpParts): Promise<Response> {
  // Hono answers HEAD by running the GET route; a stream without a reader would never end.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
  if (c.req.header('mcp-session-id') !== undefined) return streamable(c, parts);
  if (parts.sessions.isDraining) return c.body('restarting', 503, { 'Retry-After': '2' });
  const { outgoing } = c.env;
  if (outgoing === undefined) throw new Error('A stream needs a listener of its own.');
  c.set('operation', 'stream');
  // Reaches the client only when the stream is refused: a stream writes its headers itself.
  c.header('Retry-After', '15');
  await parts.sessions.open(outgoing, c.get('requester'));
  return RESPONSE_ALREADY_SENT;
}

async function deliver(c: Context<WebEnv>, parts: McpParts, sessionId: string): Promise<Response> {
  const body = await readJson(c);
  c.set('operation', countedAs(parts, body));
  parts.sessions.deliver(sessionId, c.get('requester').keyId, body);
  return c.text('Accepted', 202);
}

async function streamable(c: Context<WebEnv>, { streamable: transport, ...parts }: McpParts): Promise<Response> {
  const call = { request: c.req.raw, caller: c.get('requester'), secret: bearerOf(c) };
  if (c.req.method !== 'POST') return wrapResponse(c, await transport.handle({ ...call, body: undefined }));
  let body: unknown;
  try {
    body = await readJson(c);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const parseError = { jsonrpc: '2.0', error: { code: -32_700, message: `Parse error: ${error.message}` }, id: null };
    return c.json(parseError, 400);
  }
  c.set('operation', countedAs(parts, body));
  return wrapResponse(c, await transport.handle({ ...call, body }));
}

/** The response with the headers that the guards have set. */
function wrapResponse(c: Context<WebEnv>, response: Response): Response {
  return c.newResponse(response.body, response);
}

async function readJson(c: Context<WebEnv>): Promise<unknown> {
  const text = await c.req.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ServiceError('bad_argument', 'The body is not JSON.', {
      fix: 'Send one JSON-RPC message.',
      cause: error,
    });
  }
}

/** A tool call counts under the name of its operation, everything else under its method. */
function countedAs({ table }: Pick<McpParts, 'table'>, body: unknown): string {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (method === 'tools/call') {
    const name = params?.name;
    return typeof name === 'string' && table.byName.has(name) ? name : 'tools/call';
  }
  return typeof method === 'string' && COUNTED_METHODS.has(method) ? method : 'mcp';
}

function notAllowed(c: Context<WebEnv>): Response {
  c.header('Allow', c.req.path === '/v1/mcp' ? 'POST' : 'GET, POST');
  const error = { code: -32_000, message: `Method ${c.req.method} is not served here.` };
  return c.json({ jsonrpc: '2.0', error, id: null }, 405);
}
