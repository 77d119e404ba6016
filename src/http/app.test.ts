import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, TestKeys, type TestService } from '../testing/http.ts';
import { connectClient, textOf } from '../testing/mcp-client.ts';
import { testOperations } from '../testing/operations.ts';

const keys = new TestKeys();
const key = keys.add('one');
const owner = { accountId: 'a', productId: 'p', personId: 'owner' };
let service: TestService;

beforeAll(async () => {
  service = await startService({
    operations: testOperations(),
    gate: keys,
    owner: (token) => (token === 'owner-token' ? owner : undefined),
  });
});
afterAll(() => service.close());

function send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Response> {
  return fetch(service.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
}

async function errorOf(response: Response): Promise<Record<string, string>> {
  const { error } = (await response.json()) as { error: Record<string, string> };
  return error;
}

const bad: [string, Record<string, string>, string][] = [
  ['no header', {}, 'missing_credential'],
  ['no Bearer word', { authorization: 'svc_live_one' }, 'invalid_key'],
  ['Basic', { authorization: 'Basic c3ZjOnN2Yw==' }, 'invalid_key'],
  ['an empty Bearer', { authorization: 'Bearer' }, 'invalid_key'],
  ['garbage', { authorization: 'Bearer garbage' }, 'invalid_key'],
  ['two keys', { authorization: 'Bearer svc_live_one svc_live_one' }, 'invalid_key'],
];

test('an answer that is an error is counted by its route and code', async () => {
  service.errors.length = 0;

  await send('POST', '/v1/tools/echo-tool', { authorization: 'Bearer garbage' });
  await send('POST', '/v1/tools/echo-tool', { authorization: `Bearer ${key}` }, '{"action":"say"}');

  expect(service.errors).toEqual(['/v1/tools/:name invalid_key']);
});

for (const [method, path] of [
  ['GET', '/v1/mcp/sse'],
  ['POST', '/v1/mcp/sse'],
  ['POST', '/v1/mcp/sse?sessionId=nothing'],
  ['DELETE', '/v1/mcp/sse'],
  ['PUT', '/v1/mcp/sse'],
  ['HEAD', '/v1/mcp/sse'],
  ['GET', '/v1/mcp'],
  ['POST', '/v1/mcp'],
  ['POST', '/v1/tools/echo-tool'],
  ['GET', '/v1/no/such/route'],
] as const) {
  test.each(bad)(`${method} ${path} with %s is the same quick 401`, async (_name, headers, code) => {
    const response = await send(method, path, headers);

    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('www-authenticate')).toBe(
      code === 'missing_credential' ? 'Bearer realm="svc"' : 'Bearer realm="svc", error="invalid_token"',
    );
    // HEAD has no body to compare.
    const error = method === 'HEAD' ? { code, fix: 'Bearer' } : await errorOf(response);
    expect(error).toMatchObject({ code, fix: expect.stringContaining('Bearer') });
  });
}

test('X-API-Key opens REST but not MCP, and the word Bearer may be in any case', async () => {
  const mcp = await send('POST', '/v1/mcp', { 'x-api-key': key });
  const rest = await send('POST', '/v1/tools/echo-tool', { 'x-api-key': key }, '{"action":"say","query":"hi"}');
  const bearer = await send('POST', '/v1/tools/echo-tool', { authorization: `bearer ${key}` }, '{"action":"say"}');

  expect(mcp.status).toBe(401);
  expect((await errorOf(mcp))['code']).toBe('invalid_key');
  expect(rest.status).toBe(200);
  expect(await rest.json()).toMatchObject({ op: 'echo-tool', product: 'product-of-one', rows: [{ said: 'hi' }] });
  expect(bearer.status).toBe(200);
});

test("the owner's token opens REST but not MCP", async () => {
  const rest = await send('POST', '/v1/tools/echo-tool', { authorization: 'Bearer owner-token' }, '{"action":"say"}');
  const mcp = await send('POST', '/v1/mcp', { authorization: 'Bearer owner-token' });

  expect(rest.status).toBe(200);
  expect(mcp.status).toBe(401);
});

test('a key that fails too often from one address is told to wait, and a good key still works', async () => {
  const throttled = new TestKeys();
  const good = throttled.add('good');
  const other = await startService({ operations: testOperations(), gate: throttled });
  const statuses: number[] = [];

  for (let n = 0; n < 61; n++) {
    const response = await fetch(`${other.url}/v1/mcp`, { method: 'POST', headers: { authorization: 'Bearer wrong' } });
    statuses.push(response.status);
  }
  const working = await fetch(`${other.url}/v1/tools/echo-tool`, {
    method: 'POST',
    headers: { 'x-api-key': good },
    body: '{"action":"say"}',
  });
  await other.close();

  expect(statuses.slice(0, 60).every((status) => status === 401)).toBe(true);
  expect(statuses[60]).toBe(429);
  expect(working.status).toBe(200);
});

test('the rate limit is told on every answer and is a 429 with Retry-After when it is used up', async () => {
  const limited = new TestKeys(1);
  const headers = { authorization: `Bearer ${limited.add('small')}`, 'content-type': 'application/json' };
  const other = await startService({ operations: testOperations(), gate: limited });
  const ping = { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };

  const first = await fetch(`${other.url}/v1/mcp`, ping);
  const second = await fetch(`${other.url}/v1/mcp`, ping);
  await other.close();

  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=1;w=60');
  expect(first.headers.get('ratelimit')).toBe('"key";r=0;t=1');
  expect(second.status).toBe(429);
  expect(second.headers.get('retry-after')).toBe('7');
  expect(await errorOf(second)).toMatchObject({
    code: 'rate_limited',
    fix: 'Wait 7 s, then try again, or have an owner or admin raise the limit: svc key limit small --requests <most>.',
  });
});

test('keys of a product share its limit, which stands beside their own, and another product is not slowed', async () => {
  const limited = new TestKeys(600, 2);
  const [one, two, other] = ['one', 'two', 'other'].map((name) =>
    limited.add(name, ['read'], name === 'other' ? 'quiet' : 'busy'),
  );
  const shared = await startService({ operations: testOperations(), gate: limited });
  const ping = (secret = '') =>
    fetch(`${shared.url}/v1/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });

  const answers = [await ping(one), await ping(two), await ping(one), await ping(other)];
  await shared.close();

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
  const [first, , third] = answers;
  expect(first?.headers.get('ratelimit-policy')).toBe('"key";q=600;w=60, "product";q=2;w=60');
  expect(first?.headers.get('ratelimit')).toBe('"key";r=599;t=1, "product";r=1;t=1');
  expect(third?.headers.get('retry-after')).toBe('9');
  expect(await errorOf(third ?? new Response())).toMatchObject({
    code: 'rate_limited',
    message: 'All API keys of this product may together make 2 requests a minute.',
  });
});

test('requests are counted once, tool calls under the name of the operation', async () => {
  const counting = new TestKeys();
  const headers = { authorization: `Bearer ${counting.add('c')}`, 'content-type': 'application/json' };
  const other = await startService({ operations: testOperations(), gate: counting });
  const rpc = (body: object) =>
    fetch(`${other.url}/v1/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) });

  await rpc({ method: 'tools/call', params: { name: 'echo-tool', arguments: { action: 'say' } } });
  await rpc({ method: 'tools/call', params: { name: 'made-up', arguments: {} } });
  await rpc({ method: 'tools/list' });
  await rpc({ method: 'made/up' });
  await fetch(`${other.url}/v1/tools/echo-tool`, { method: 'POST', headers, body: '{"action":"say"}' });
  await fetch(`${other.url}/v1/tools/echo-tool`, { method: 'POST', headers, body: '{"action":"no"}' });
  await fetch(`${other.url}/v1/nothing/42`, { headers });
  await fetch(`${other.url}/v1/mcp`, { method: 'POST', headers: { authorization: 'Bearer wrong' } });
  await other.close();

  expect(counting.counted).toEqual([
    'c echo-tool',
    'c tools/call',
    'c tools/list',
    'c mcp',
    'c echo-tool',
    'c echo-tool',
    'c GET /v1/*',
  ]);
});

test('a foreign Host is turned away with 421 and a foreign Origin with 403, before the key is looked at', async () => {
  const port = new URL(service.url).port;
  const host = await fetchWithHost(service.url, 'evil.example', key);
  const good = await fetchWithHost(service.url, `LOCALHOST:${port}`, key);
  const origin = await send('POST', '/v1/tools/echo-tool', { 'x-api-key': key, origin: 'https://evil.example' }, '{}');
  const none = await send('POST', '/v1/tools/echo-tool', { 'x-api-key': key, origin: 'null' }, '{}');
  const own = await send(
    'POST',
    '/v1/tools/echo-tool',
    { 'x-api-key': key, origin: 'http://localhost:5173' },
    '{"action":"say"}',
  );

  expect(host).toBe(421);
  expect(good).toBe(200);
  expect(origin.status).toBe(403);
  expect((await errorOf(origin))['fix']).toContain('SVC_ALLOWED_HOSTS');
  expect(none.status).toBe(403);
  expect(own.status).toBe(200);
});

test('a body of more than 4 MiB is refused, announced or streamed', async () => {
  const large = 'x'.repeat(4 * 1024 * 1024 + 1);
  const announced = await send('POST', '/v1/tools/echo-tool', { 'x-api-key': key }, large);
  const streamed = await fetch(`${service.url}/v1/tools/echo-tool`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: new Blob([large]).stream(),
    duplex: 'half',
  });

  expect(announced.status).toBe(413);
  expect((await errorOf(announced))['code']).toBe('too_large');
  expect(streamed.status).toBe(413);
});

test('clients that look for OAuth get plain 404s and a sentence that tells what to send', async () => {
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/v1/mcp/sse',
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
  ]) {
    const response = await send('GET', path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/json');
  }
  const register = await send('POST', '/register', { 'content-type': 'application/json' }, '{}');
  expect(register.status).toBe(400);
  expect(await register.json()).toEqual({
    error: 'invalid_request',
    error_description: expect.stringContaining('Authorization: Bearer'),
  });
});

test('HEAD opens no stream, and other methods are a 405 that names the right ones', async () => {
  const headers = { authorization: `Bearer ${key}` };
  const head = await send('HEAD', '/v1/mcp/sse', headers);
  const put = await send('PUT', '/v1/mcp/sse', headers);
  const get = await send('GET', '/v1/mcp', headers);
  const headOther = await send('HEAD', '/v1/mcp', headers);

  expect(head.status).toBe(200);
  expect(head.headers.get('content-type')).toBe('text/event-stream');
  expect(keys.counted).toContain('one HEAD /v1/mcp/sse');
  expect(keys.counted).not.toContain('one stream');
  expect(put.status).toBe(405);
  expect(put.headers.get('allow')).toBe('GET, POST');
  expect(get.status).toBe(405);
  expect(headOther.status).toBe(405);
});

test('broken messages are answered as the protocol says', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const broken = await send('POST', '/v1/mcp', headers, '{"jsonrpc":');
  const nothing = await send('POST', '/v1/mcp', headers, '{"jsonrpc":"2.0","id":1}');

  expect(broken.status).toBe(400);
  expect(await broken.json()).toMatchObject({ error: { code: -32_700 } });
  expect(nothing.status).toBe(400);
  expect(await nothing.json()).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
});

test('failures on REST carry the code of the contract, what to do, and the request id of the log', async () => {
  const unknown = await send('POST', '/v1/tools/failing-tool', { 'x-api-key': key }, '{"how":"expected"}');
  const argument = await send('POST', '/v1/tools/echo-tool', { 'x-api-key': key }, '{"action":"whisper"}');
  const json = await send('POST', '/v1/tools/echo-tool', { 'x-api-key': key }, '{');
  const tool = await send('POST', '/v1/tools/none', { 'x-api-key': key }, '{}');
  const fault = await send('POST', '/v1/tools/failing-tool', { 'x-api-key': key }, '{"how":"bug"}');

  expect(unknown.status).toBe(404);
  expect(await errorOf(unknown)).toEqual({
    code: 'not_found',
    message: 'There is no repository "shop".',
    fix: 'code-tool outline repo="store"',
    request_id: unknown.headers.get('x-request-id'),
  });
  expect([argument.status, (await errorOf(argument))['code']]).toEqual([400, 'bad_argument']);
  expect([json.status, (await errorOf(json))['code']]).toEqual([400, 'bad_argument']);
  expect([tool.status, (await errorOf(tool))['code']]).toEqual([404, 'not_found']);
  expect(fault.status).toBe(500);
  const error = await errorOf(fault);
  expect(JSON.stringify(error)).not.toContain('secret detail');
  const line = service.logged.find((entry) => entry['request_id'] === error['request_id']);
  expect(JSON.stringify(line)).toContain('secret detail');
});

test('a full disk is told as one on REST and to agents, and the log says in a line what failed', async () => {
  const rest = await send('POST', '/v1/tools/failing-tool', { 'x-api-key': key }, '{"how":"full"}');
  const client = await connectClient('v1 sse', service.url, key);
  const tool = await client.callTool({ name: 'failing-tool', arguments: { how: 'full' } });
  await client.close();

  expect(rest.status).toBe(507);
  const error = await errorOf(rest);
  expect(error).toMatchObject({
    code: 'storage_full',
    message: expect.stringContaining('disk of the service is full'),
  });
  expect(service.logged.find((entry) => entry['request_id'] === error['request_id'])).toMatchObject({
    code: 'storage_full',
    reason: 'ENOSPC: no space left on device, write',
  });
  expect(tool).toMatchObject({ isError: true });
  expect(textOf(tool)).toMatch(
    /^error storage_full: The disk of the service is full, .* \| fix: Free space on the disk/,
  );
});

test('the OpenAPI document lists the operations with their published schemas and needs no key', async () => {
  const response = await send('GET', '/v1/openapi.json');
  const document = (await response.json()) as Record<string, Record<string, Record<string, unknown>>>;

  expect(document['openapi']).toBe('3.1.0');
  expect(document['paths']?.['/v1/tools/echo-tool']?.['post']).toMatchObject({
    summary: 'echo-tool',
    requestBody: {
      content: { 'application/json': { schema: { type: 'object', required: ['action'], properties: { action: {} } } } },
    },
  });
});

test('health needs no key, whatever the host', async () => {
  const health = await fetch(`${service.url}/healthz`, { headers: { origin: 'https://elsewhere.example' } });
  const ready = await send('GET', '/readyz');

  expect(await health.json()).toEqual({ status: 'ok', version: '0.0.0' });
  expect([ready.status, await ready.json()]).toEqual([200, { ready: true, waiting: [], restarting: [] }]);
});

/** `fetch` sets Host itself, so this goes a level deeper. */
async function fetchWithHost(url: string, host: string, secret: string): Promise<number | undefined> {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const outgoing = request(`${url}/v1/tools/echo-tool`, { method: 'POST', headers: { host, 'x-api-key': secret } });
  outgoing.on('response', (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  outgoing.on('error', reject);
  outgoing.end('{"action":"say"}');
  return promise;
}

test('a client that leaves in the middle of its body is no failure in the log', async () => {
  const { port } = new URL(service.url);
  const before = service.logged.length;
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /v1/tools/echo-tool HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"action":`,
  );
  // Answered in turn, so the half body has been read by then.
  await send('GET', '/v1/openapi.json', { 'x-api-key': key });
  socket.destroy();
  await expect.poll(() => service.logged.length).toBeGreaterThan(before);

  const levels = service.logged.slice(before).map(({ level, msg }) => [level, msg]);
  expect(levels).toEqual([[20, 'the client left before its answer']]);
});
