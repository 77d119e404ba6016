import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { ServiceError } from '../kernel/errors.ts';
import { findBatchFault, methodOf, withoutNulls } from '../mcp/messages.ts';
import type { ToolTable } from '../mcp/server.ts';
import type { Sessions } from '../mcp/sessions.ts';
import type { JsonAnswer, StreamableHttp } from '../mcp/streamable-http.ts';
import type { WebEnv } from '../platform/web.ts';
import { type AuthParts, bearerOf, takeBatch } from './auth.ts';
import { corsHeaders } from './cors.ts';

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

const JSON_HEADERS = { 'Content-Type': 'application/json' };

/** The methods that do something on each path of MCP. */
export const MCP_METHODS: ReadonlyMap<string, string> = new Map([
  ['/v1/mcp', 'POST'],
  ['/v1/mcp/sse', 'GET, POST'],
]);

/** True if a counted request can only have come over MCP: tools are called over REST as well, under the same names. */
export function isMcpRequest(operation: string): boolean {
  return operation === 'stream' || operation === 'mcp' || COUNTED_METHODS.has(operation);
}

export interface McpParts {
  table: ToolTable;
  sessions: Sessions;
  streamable: StreamableHttp;
  auth: Pick<AuthParts, 'gate' | 'now'>;
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
  await parts.sessions.open(outgoing, c.get('requester'), corsHeaders(c.req.header('origin')));
  return RESPONSE_ALREADY_SENT;
}

async function deliver(c: Context<WebEnv>, parts: McpParts, sessionId: string): Promise<Response> {
  const body = await readJson(c);
  const fault = findBatchFault(body, c.req.header('mcp-protocol-version'));
  if (fault !== undefined) throw new ServiceError('bad_argument', fault, { fix: 'Send one JSON-RPC message.' });
  const messages = countMessages(c, parts, body);
  await parts.sessions.deliver(sessionId, c.get('requester'), messages);
  return c.text('Accepted', 202);
}

async function streamable(c: Context<WebEnv>, parts: McpParts): Promise<Response> {
  const { streamable: transport } = parts;
  const call = { request: c.req.raw, caller: c.get('requester'), secret: bearerOf(c) };
  if (c.req.method !== 'POST') return wrapAnswer(c, await transport.handle({ ...call, body: undefined }));
  const refusal = transport.refuse(c.req.raw);
  if (refusal !== undefined) return wrapAnswer(c, refusal);
  let body: unknown;
  try {
    body = await readJson(c);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return refuseMessage(c, -32_700, `Parse error: ${error.message}`);
  }
  const fault = findBatchFault(body, c.req.header('mcp-protocol-version'));
  if (fault !== undefined) return refuseMessage(c, -32_600, fault);
  countMessages(c, parts, body);
  return wrapAnswer(c, await transport.handle({ ...call, body }));
}

/**
 * Counts each message of a body towards the usage and the limit of its key, and gives them as a list.
 *
 * @throws ServiceError `rate_limited` when a batch has more messages than the key may send now.
 */
function countMessages(c: Context<WebEnv>, parts: McpParts, body: unknown): unknown[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const [first, ...others] = messages.map((message) => countedAs(parts, message));
  c.set('operation', first ?? 'mcp');
  takeBatch(c, parts.auth, others);
  return messages;
}

function refuseMessage(c: Context<WebEnv>, code: number, message: string): Response {
  return c.json({ jsonrpc: '2.0', error: { code, message }, id: null }, 400);
}

/** The answer with the headers that the guards have set. */
async function wrapAnswer(c: Context<WebEnv>, answer: Response | JsonAnswer): Promise<Response> {
  if ('jsonText' in answer) return c.body(answer.jsonText, 200, JSON_HEADERS);
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return c.newResponse(isJson ? await answer.text() : answer.body, answer);
}

async function readJson(c: Context<WebEnv>): Promise<unknown> {
  const text = await c.req.text();
  try {
    return withoutNulls(JSON.parse(text));
  } catch (error) {
    throw new ServiceError('bad_argument', 'The body is not JSON.', {
      fix: 'Send one JSON-RPC message.',
      cause: error,
    });
  }
}

/** A tool call counts under the name of its operation, everything else under its method. */
function countedAs({ table }: Pick<McpParts, 'table'>, message: unknown): string {
  const method = methodOf(message);
  if (method !== 'tools/call') return method !== undefined && COUNTED_METHODS.has(method) ? method : 'mcp';
  const name = (message as { params?: { name?: unknown } }).params?.name;
  return typeof name === 'string' && table.byName.has(name) ? name : 'tools/call';
}

function notAllowed(c: Context<WebEnv>): Response {
  c.header('Allow', MCP_METHODS.get(c.req.path) ?? '');
  const error = { code: -32_000, message: `Method ${c.req.method} is not served here.` };
  return c.json({ jsonrpc: '2.0', error, id: null }, 405);
}
